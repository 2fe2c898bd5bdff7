//! The fewest plies or stones as one claim: the proof of the last stage and the disproof of the one
//! before it, in one certificate.

use hasami_andor::certificate::{Claim, Verified, join_least};
use hasami_game::Game;
use hasami_spec::Params;

use crate::certify::Certified;
use crate::error::JobError;
use crate::settle::Below;

/// Joins the certificate of a proven stage with that of the stage before, if the question left open a
/// parameter that has a least value, and together they prove that this is it. Otherwise both stay as
/// they are.
pub(crate) fn joined<G: Game>(
    game: &G,
    question: &Params,
    stage: &Params,
    certified: Certified,
    below: Vec<Below>,
) -> Result<(Certified, Vec<Below>), JobError> {
    let mut open = question.iter().zip(stage.iter()).filter(|(asked, stage)| asked.1 != stage.1);
    let (Some(((key, _), _)), None) = (open.next(), open.next()) else {
        return Ok((certified, below));
    };
    let Some(least) = game.least(key) else {
        return Ok((certified, below));
    };
    let claim = Claim::Least { key: key.to_string(), step: least.step };
    let headers: Vec<_> = std::iter::once(&certified.verified)
        .chain(below.iter().map(|below| &below.verified))
        .map(|verified| verified.header.clone())
        .collect();
    if below.len() > 1 || claim.follows(&headers, None, &|key| game.least(key)).is_err() {
        return Ok((certified, below));
    }
    let disproof = below.first().map(|below| below.file.as_path());
    let bytes = join_least(&certified.file, key, least.step, &certified.file, disproof)?;
    let also =
        |count: fn(&Verified) -> u64| below.iter().map(|one| count(&one.verified)).sum::<u64>();
    let verified = Verified {
        claim,
        nodes: certified.verified.nodes + also(|one| one.nodes),
        choices: certified.verified.choices + also(|one| one.choices),
        leaves: certified.verified.leaves + also(|one| one.leaves),
        ..certified.verified
    };
    if let Some(file) = disproof {
        std::fs::remove_file(file)
            .map_err(|error| JobError::Io(format!("{}: {error}", file.display())))?;
    }
    let file = certified.file.clone();
    let below = below.into_iter().map(|one| Below { file: file.clone(), ..one }).collect();
    Ok((Certified { bytes, verified, ..certified }, below))
}
