//! Checks certificates of any claim with the rules of a game alone.

use std::path::{Path, PathBuf};

use hasami_andor::certificate::{
    self, Asked, CertificateError, Checked, Claim, Except, Header, Limits, Listener, Source,
    Strategy, Verified,
};
use hasami_game::{BuildError, Game, Origin, Resources};
use hasami_spec::{ParamError, Params};

use crate::entry::{CheckError, Entry};
use crate::registry::entry;

/// The parameter that names a database: by its path in a question, by its sum in a certificate.
const DATABASE: &str = "database";

/// A certificate that has been opened but not checked.
pub struct Opened {
    /// The file.
    pub file: PathBuf,
    /// The game that it is about.
    pub entry: &'static Entry,
    /// What it claims.
    pub claim: Claim,
    /// The headers of its parts.
    pub headers: Vec<Header>,
}

impl Opened {
    /// Reads what a certificate claims.
    ///
    /// # Errors
    /// If the file is damaged, or about a game that this program does not know.
    pub fn open(file: &Path) -> Result<Self, CertificateError> {
        let (claim, headers) = certificate::read_asked(file)?;
        let damaged =
            |detail: String| CertificateError::Damaged { path: file.display().to_string(), detail };
        let first =
            headers.first().ok_or_else(|| damaged("no part proves anything".to_string()))?;
        let name = &first.asked.game;
        if headers.iter().any(|header| header.asked.game != *name) {
            return Err(damaged("its parts are about different games".to_string()));
        }
        let known = entry(name).ok().filter(|entry| entry.rules.is_some());
        let entry = known.ok_or_else(|| {
            damaged(format!("it is about \"{name}\", which this program does not know"))
        })?;
        Ok(Self { file: file.to_owned(), entry, claim, headers })
    }

    /// The first part, which proves a verdict.
    #[must_use]
    pub fn first(&self) -> &Header {
        &self.headers[0]
    }
}

/// The game of a question, built from what a certificate states.
pub(crate) fn built<G: Game>(
    asked: &Asked,
    database: Option<&Path>,
    resources: &Resources,
) -> Result<(G, Params), CheckError> {
    let mut lines: Vec<(&str, String)> =
        asked.lines.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    for (key, value) in &mut lines {
        if *key == DATABASE && value != "none" {
            let path = database.ok_or_else(|| CheckError::Database(value.clone()))?;
            *value = path.display().to_string();
        }
    }
    let wrong = |error: ParamError| CheckError::Question(error.to_string());
    let params = Params::new(G::params(), &lines).map_err(wrong)?;
    let params = G::SPEC.read(&params.iter().collect::<Vec<_>>()).map_err(wrong)?;
    let game = G::build(&params, resources)?;
    let expected = Asked { except: asked.except.clone(), ..game.asked(&params) };
    if expected.rules != asked.rules {
        let (found, expected) = (asked.rules, expected.rules);
        let name = G::NAME;
        return Err(CheckError::Question(format!("{name} by rules {found}; expected {expected}")));
    }
    if expected != *asked {
        return Err(CheckError::Question(format!("found {asked}; expected {expected}")));
    }
    Ok((game, params))
}

/// Checks all parts of a certificate, and that they prove its claim.
pub(crate) fn verify<G: Game>(
    opened: &Opened,
    database: Option<&Path>,
    resources: &Resources,
) -> Result<(Verified, Option<Origin>), CheckError> {
    let mut games = Vec::new();
    for header in &opened.headers {
        games.push(built::<G>(&header.asked, database, resources)?.0);
    }
    let mut left = games.iter();
    let (claim, mut headers, checked) =
        certificate::verify_parts(&opened.file, &Limits::none(), &mut |header, from| {
            let game = left.next().ok_or_else(|| CertificateError::refused("too many parts"))?;
            check_part(game, header, from)
        })?;
    if claim != Claim::OnlyMove && headers.iter().any(|header| header.asked.except.is_some()) {
        return Err(CertificateError::refused(
            "a move is left out; expected that only for claim only-move",
        )
        .into());
    }
    let first = certificate::first_move(&opened.file, &games[0])?;
    claim
        .follows(&headers, first.as_deref(), &|key| games[0].least(key))
        .map_err(CertificateError::refused)?;
    let rests_on = games[0].rests_on();
    Ok((Verified::new(claim, headers.swap_remove(0), &checked), rests_on))
}

pub(crate) fn check_part<G: Game>(
    game: &G,
    header: &Header,
    from: &mut Source<'_>,
) -> Result<Checked, CertificateError> {
    Ok(match &header.asked.except {
        None => certificate::check_part(game, header, from, &mut Listener::nobody())?,
        Some(left_out) => {
            let except = Except::new(game, left_out).map_err(CertificateError::refused)?;
            certificate::check_part(&except, header, from, &mut Listener::nobody())?
        }
    })
}

/// The first part of a certificate, to play by it.
pub(crate) fn strategy<G: Game>(
    opened: &Opened,
    resources: &Resources,
) -> Result<(G, Strategy), CheckError> {
    let asked = &opened.first().asked;
    let (game, _) = built::<G>(asked, None, resources)?;
    let strategy = Strategy::load(&opened.file, &game, asked)?;
    Ok((game, strategy))
}

impl From<CertificateError> for CheckError {
    fn from(error: CertificateError) -> Self {
        Self::Certificate(error)
    }
}

impl From<BuildError> for CheckError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}
