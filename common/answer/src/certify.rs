//! Makes certificates and verifies them from the file, before any verdict is reported.

use std::path::{Path, PathBuf};

use hasami_andor::certificate::{self, Asked, Verified};
use hasami_andor::{Control, ProblemId, Table, Verdict};
use hasami_game::Game;
use hasami_game::text_certificate::TextCertificate as _;
use hasami_polyomino::paving::certificate::{self as paving, Claim};
use hasami_spec::Params;
use hasami_sweep::Certificate;
use hasami_values::value::certificate as value;

use crate::JobError;
use crate::agree::or_remove;

/// A certificate of a game that has been written and verified.
#[derive(Clone, Debug)]
pub struct Certified {
    /// Its path.
    pub file: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// What the verifier found.
    pub verified: Verified,
}

/// The file name of a question's certificate. Each question has its own.
#[must_use]
pub fn file_name<G: Game>(problem: ProblemId) -> String {
    format!("{}-{}.cert", G::NAME, &problem.to_string()[..12])
}

/// How a question is spelled for people and logs.
#[must_use]
pub fn spell_question(game: &str, params: &Params) -> String {
    format!("{game} {}", params.canonical()).trim_end().to_string()
}

/// Makes the certificate of a verdict on the root, and verifies it from the file with the rules
/// alone.
///
/// # Errors
/// If it is stopped, cannot be written, or does not hold.
pub(crate) fn certify<G: Game>(
    game: &G,
    asked: &Asked,
    verdict: Verdict,
    table: &Table<G::Reason>,
    control: &Control,
    file: &Path,
) -> Result<Certified, JobError> {
    make_directory(file)?;
    let bytes = certificate::extract(game, table, control, asked, verdict, file)?;
    let verified = or_remove(file, certificate::verify(file, game, asked).map_err(Into::into))?;
    Ok(Certified { file: file.to_owned(), bytes, verified })
}

/// Makes and verifies the certificate of a paving; returns its size in bytes.
///
/// # Errors
/// If it cannot be written or does not hold.
pub fn certify_paving(claim: &Claim, file: &Path) -> Result<(paving::Verified, u64), JobError> {
    make_directory(file)?;
    let bytes = claim.write(file)?;
    let verified = or_remove(file, paving::verify(file).map_err(Into::into))?;
    or_remove(file, as_written(file, verified.claim == *claim))?;
    Ok((verified, bytes))
}

/// Makes and verifies the certificate of a position's value.
///
/// # Errors
/// If it cannot be written or does not hold.
pub fn certify_value(claim: &value::Claim, file: &Path) -> Result<value::Verified, JobError> {
    make_directory(file)?;
    claim.write(file)?;
    let verified = or_remove(file, value::verify(file).map_err(Into::into))?;
    or_remove(file, as_written(file, verified.claim == *claim))?;
    Ok(verified)
}

fn as_written(file: &Path, same: bool) -> Result<(), JobError> {
    if same {
        return Ok(());
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

/// Describes a verified certificate for an answer.
pub(crate) fn described(file: &Path) -> Result<Certificate, JobError> {
    let bytes = std::fs::read(file)
        .map_err(|error| JobError::Io(format!("{}: {error}", file.display())))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Certificate { name, digest: *blake3::hash(&bytes).as_bytes(), bytes: bytes.len() as u64 })
}
