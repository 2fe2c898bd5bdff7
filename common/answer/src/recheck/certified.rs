//! Certificates of games, checked for questions that are known beforehand.

use std::path::Path;

use hasami_andor::Verdict;
use hasami_andor::certificate::{self, Asked, CertificateError, Checked, Claim, Header, Limits};
use hasami_game::Game;
use hasami_spec::Params;

use super::{Doubt, refused};
use crate::checked::check_part;

/// A certificate as its file states it, not checked.
pub(super) struct Stated<'a> {
    pub(super) file: &'a Path,
    pub(super) claim: Claim,
    pub(super) headers: Vec<Header>,
}

impl<'a> Stated<'a> {
    pub(super) fn read(file: &'a Path, limits: &Limits<'_>) -> Result<Self, Doubt> {
        let (claim, headers) = certificate::read_asked_within(file, limits)?;
        if headers.is_empty() {
            return Err(refused("a certificate without a part that proves anything"));
        }
        Ok(Self { file, claim, headers })
    }

    /// The first part.
    pub(super) fn first(&self) -> &Header {
        &self.headers[0]
    }
}

/// A question that was asked, built.
pub(super) struct Asking<G> {
    pub(super) game: G,
    pub(super) asked: Asked,
}

impl<G: Game> Asking<G> {
    pub(super) fn new(game: G, params: &Params) -> Self {
        let asked = game.asked(params);
        Self { game, asked }
    }
}

/// Checks a certificate whose parts must be about these questions, with these verdicts.
pub(super) fn verify<G: Game>(
    stated: &Stated<'_>,
    parts: &[(&Asking<G>, Verdict)],
    limits: &Limits<'_>,
) -> Result<Checked, Doubt> {
    if stated.headers.len() != parts.len() {
        let (found, expected) = (stated.headers.len(), parts.len());
        return Err(refused(format!("a certificate of {found} parts; expected {expected}")));
    }
    for (header, (asking, verdict)) in stated.headers.iter().zip(parts) {
        let asked = Asked { except: header.asked.except.clone(), ..asking.asked.clone() };
        if header.asked != asked {
            return Err(CertificateError::OtherQuestion {
                found: header.asked.to_string(),
                expected: asked.to_string(),
            }
            .into());
        }
        if header.verdict != *verdict {
            let (found, expected) = (header.verdict.word(), verdict.word());
            return Err(refused(format!("a part is {found}; expected {expected}")));
        }
        if header.asked.except.is_some() && stated.claim != Claim::OnlyMove {
            return Err(refused("a certificate leaves out a move"));
        }
    }
    let mut left = parts.iter();
    let (claim, headers, checked) =
        certificate::verify_parts(stated.file, limits, &mut |header, from| {
            let (asking, _) = left.next().ok_or_else(|| CertificateError::refused("more parts"))?;
            check_part(&asking.game, header, from)
        })?;
    // The file is read a second time; what it stated the first time was compared above.
    if claim != stated.claim || headers != stated.headers {
        return Err(refused("a certificate that changes while it is read"));
    }
    let game = &parts[0].0.game;
    let first = match claim {
        Claim::OnlyMove => certificate::first_move_within(stated.file, game, limits)?,
        Claim::Verdict | Claim::Least { .. } => None,
    };
    claim.follows(&headers, first.as_deref(), &|key| game.least(key)).map_err(refused)?;
    Ok(checked)
}

/// Checks the certificate of a puzzle: that its position is won, and perhaps that one move only wins.
pub(crate) fn puzzle_proven<G: Game>(
    game: G,
    params: &Params,
    file: &Path,
    limits: &Limits<'_>,
) -> Result<(), Doubt> {
    let stated = Stated::read(file, limits)?;
    let asking = Asking::new(game, params);
    if stated.claim != Claim::OnlyMove {
        return verify(&stated, &[(&asking, Verdict::Proven)], limits).map(drop);
    }
    // The others may be refuted with any number of plies.
    let unlimited = match params.with("within", "any") {
        Ok(params) => Some(Asking::new(G::from_params(&params)?, &params)),
        Err(_) => None,
    };
    let is_unlimited = |other: &&Asking<G>| {
        stated.headers.get(1).is_some_and(|part| part.asked.lines == other.asked.lines)
    };
    let others = unlimited.as_ref().filter(is_unlimited).unwrap_or(&asking);
    let parts = [(&asking, Verdict::Proven), (others, Verdict::Disproven)];
    verify(&stated, &parts, limits).map(drop)
}
