//! From a question to an answer, with certificates that have been verified: what `hasami solve`, sweeps
//! and workers all go through. Synchronous, on the thread that asks; knows no network. Whatever goes
//! wrong in here comes out as a [`JobError`], panics included.
//!
//! [`registry`] lists the games and jobs. A game goes through `settle` (stage by stage) or `split` (one
//! search over many workers); a job has its own module.

mod agree;
mod certify;
mod entry;
mod error;
pub mod jobs;
mod learned;
mod puzzles;
pub mod registry;
pub mod settle;
mod solve;
pub mod split;
pub mod tables;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::Control;
use hasami_game::Resources;
use hasami_spec::Question;
use hasami_sweep::Answer;
use hasami_values::value::shared::{NoNotes, Notes};

pub use certify::{
    Certified, certify_paving, certify_value, file_name, parse_question, spell_question,
};
pub use entry::{CheckError, Entry, MatchUp, Rules};
pub use error::JobError;
pub use jobs::{OpenDatabases, Part, enumerate};
pub use puzzles::{AnyGenerator, Puzzles, puzzle_json};
pub use registry::{CATALOG, entry};

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
    pub databases: Arc<OpenDatabases>,
    /// What games are built with.
    pub resources: Resources,
}

impl Place {
    /// Shares nothing with others.
    #[must_use]
    pub fn alone(certificates: PathBuf, table_mib: u32) -> Self {
        Self {
            certificates,
            table_mib,
            notes: Arc::new(NoNotes),
            databases: Arc::default(),
            resources: Resources::default(),
        }
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
    caught(|| {
        let entry = entry(&question.problem)?;
        (entry.answer)(question, place, control)
    })
}

/// Turns a panic below into an error: one question must not take the others with it.
pub fn caught<T>(work: impl FnOnce() -> Result<T, JobError>) -> Result<T, JobError> {
    // What a panic left half done is dropped on the way: tables are atomics, files have other names
    // until they are whole.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(JobError::from_panic(&*panic)))
}

#[cfg(test)]
mod tests;
