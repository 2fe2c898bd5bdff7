//! The work itself: a question in, an answer out. Synchronous, on the thread that asks; knows no
//! network. Whatever goes wrong in here comes out as a [`JobError`], panics included.

mod agree;
mod certify;
mod database;
mod error;
mod lore;
pub mod pair;
mod pave;
mod pavings;
mod puzzles;
pub mod settings;
pub mod settle;
mod solve;
pub mod tables;
mod value;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasami_andor::Control;
use hasami_games::value::shared::{NoNotes, Notes};
use hasami_sweep::{
    Answer, Certificate, Job, MancalaDatabaseJob, PairJob, PaveJob, PavingsJob, PuzzlesJob,
    PyonpyonDatabaseJob, Question, ValueJob,
};

pub use certify::{Certified, certify, certify_paving, certify_value, file_name, spell_question};
pub use database::Shelf;
pub use error::JobError;
pub use pavings::{Part, enumerate};
pub use puzzles::{certify_puzzle, puzzle_certificate, puzzle_json};
pub(crate) use solve::{open_answer, settled_answer};

/// What a job has at its disposal.
#[derive(Clone)]
pub struct Place {
    /// Certificates are written here: a directory of this job alone. What is not among
    /// [`Answered::files`] in the end may be thrown away.
    pub certificates: PathBuf,
    /// Size of a transposition table where the question does not say.
    pub table_mib: u32,
    /// Values that jobs share.
    pub notes: Arc<dyn Notes + Send>,
    /// Databases that are being built.
    pub databases: Arc<Shelf>,
}

impl Place {
    /// Shares nothing with others.
    #[must_use]
    pub fn alone(certificates: PathBuf, table_mib: u32) -> Self {
        Self { certificates, table_mib, notes: Arc::new(NoNotes), databases: Arc::default() }
    }
}

/// An answer, and the files of its certificates in the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// Where its certificates are.
    pub files: Vec<PathBuf>,
}

/// Answers a whole question. The answer, measures aside, depends on the question and the size of
/// the table alone (with the kernel `threads` only the verdict does).
///
/// # Errors
/// See [`JobError`]; nothing is told of a question without its certificate verified.
pub fn answer(
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    caught(|| match question.problem.as_str() {
        PairJob::NAME => pair::answer(question, place, control),
        PaveJob::NAME => pave::answer(question, place, control),
        PavingsJob::NAME => pavings::answer(question, control),
        PuzzlesJob::NAME => puzzles::answer(question, place, control),
        PyonpyonDatabaseJob::NAME => {
            database::answer(&job::<PyonpyonDatabaseJob>(question)?.0, place, control)
        }
        MancalaDatabaseJob::NAME => {
            database::answer(&job::<MancalaDatabaseJob>(question)?.0, place, control)
        }
        ValueJob::NAME => value::answer(question, place, control),
        _ => solve::answer(question, place, control),
    })
}

/// Turns a panic below into an error: one question must not take the others with it.
pub(crate) fn caught<T, E: From<JobError>>(work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    // What a panic left half done is dropped on the way: tables are atomics, files have other names
    // until they are whole.
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(JobError::from_panic(&*panic).into()))
}

/// A job that is no game, with its parameters checked.
fn job<J: Job>(question: &Question) -> Result<J, JobError> {
    J::from_question(question).map_err(|error| JobError::Question(format!("{}: {error}", J::NAME)))
}

/// What an answer says of a certificate that has been verified.
fn told(file: &Path) -> Result<Certificate, JobError> {
    let bytes = std::fs::read(file)
        .map_err(|error| JobError::Io(format!("{}: {error}", file.display())))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Certificate { name, digest: *blake3::hash(&bytes).as_bytes(), bytes: bytes.len() as u64 })
}

#[cfg(test)]
mod tests;
