//! Certificates: made, and checked as a stranger would, before anyone hears of a verdict.

use std::path::{Path, PathBuf};

use hasami_andor::certificate::{self, Header, Verified};
use hasami_andor::{Control, Table, Verdict};
use hasami_games::paving::certificate::{self as paving, Claim};
use hasami_games::value::certificate as value;
use hasami_games::{Game, Params};

use super::JobError;
use super::agree::or_removed;

/// A certificate of a game that has been written and verified.
#[derive(Clone, Debug)]
pub struct Certified {
    /// Where it is.
    pub file: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// What the verifier found.
    pub verified: Verified,
}

/// One file name for one question.
#[must_use]
pub fn file_name<G: Game>(game: &G) -> String {
    format!("{}-{}.cert", G::NAME, &game.id().to_string()[..12])
}

/// How a question is spelled in a certificate.
#[must_use]
pub fn spell_question(game: &str, params: &Params) -> String {
    format!("{game} {}", params.canonical()).trim_end().to_string()
}

/// Makes the certificate of a verdict on the root, and verifies it from the file with the rules
/// alone.
///
/// # Errors
/// When it is stopped, cannot be written, or does not hold.
pub fn certify<G: Game>(
    game: &G,
    question: &str,
    verdict: Verdict,
    table: &Table<G::Reason>,
    control: &Control,
    file: &Path,
) -> Result<Certified, JobError> {
    make_directory(file)?;
    let mut root = Vec::new();
    game.encode(&game.root(), &mut root);
    let header = Header { question: question.to_string(), problem: game.id(), verdict, root };
    let (_, bytes) = certificate::extract(game, table, control, &header, file)?;
    let verified = or_removed(file, certificate::verify(file, game).map_err(Into::into))?;
    Ok(Certified { file: file.to_owned(), bytes, verified })
}

/// The same for a paving; the number of bytes.
///
/// # Errors
/// When it cannot be written or does not hold.
pub fn certify_paving(claim: &Claim, file: &Path) -> Result<(paving::Verified, u64), JobError> {
    make_directory(file)?;
    let bytes = paving::write(file, claim)?;
    let verified = or_removed(file, paving::verify(file).map_err(Into::into))?;
    let same = verified.claim == *claim;
    Ok((or_removed(file, as_written(file, same, verified))?, bytes))
}

/// The same for the value of a position.
///
/// # Errors
/// When it cannot be written or does not hold.
pub fn certify_value(claim: &value::Claim, file: &Path) -> Result<value::Verified, JobError> {
    make_directory(file)?;
    value::write(file, claim)?;
    let verified = or_removed(file, value::verify(file).map_err(Into::into))?;
    let same = verified.claim == *claim;
    or_removed(file, as_written(file, same, verified))
}

/// What was verified, if it is what was written.
fn as_written<T>(file: &Path, same: bool, verified: T) -> Result<T, JobError> {
    if same {
        return Ok(verified);
    }
    let file = file.display();
    Err(JobError::Contradiction(format!("{file}: another certificate than the one written")))
}

fn make_directory(file: &Path) -> Result<(), JobError> {
    match file.parent() {
        None => Ok(()),
        Some(directory) => std::fs::create_dir_all(directory)
            .map_err(|error| JobError::Io(format!("{}: {error}", directory.display()))),
    }
}
