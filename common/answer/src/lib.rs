//! From a question to an answer with verified certificates: `hasami solve`, sweeps and workers all
//! use this crate. It is synchronous, runs on the calling thread and knows no network. Every
//! failure, panics included, becomes a [`JobError`].
//!
//! [`registry`] lists the games and jobs. A game goes through `settle` (stage by stage) or `split` (one
//! search over many workers); a job has its own module.

mod agree;
mod allowed_files;
mod certify;
mod checked;
mod clock;
mod entry;
mod error;
pub mod jobs;
mod learned;
mod least;
pub mod mates;
mod only_move;
mod puzzles;
mod recheck;
pub mod registry;
mod scout;
pub mod settle;
mod solve;
pub mod split;
pub mod tables;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_game::Resources;
use hasami_spec::Question;
use hasami_sweep::{Answer, Measures};
use hasami_values::value::shared::{NoNotes, Notes};

use tables::HotTables;

pub use allowed_files::AllowedFiles;
pub use certify::{Certified, certify_paving, certify_value, file_name, spell_question};
pub use checked::Opened;
pub use clock::Clock;
pub use entry::{CheckError, Entry, MatchUp, Rules};
pub use error::JobError;
pub use hasami_andor::certificate::Limits;
pub use jobs::{OpenDatabases, Part, enumerate};
pub use puzzles::{AnyGenerator, Puzzles, puzzle_json};
pub use recheck::{Checked, Doubt, check_answer, check_patterns};
pub use registry::{CATALOG, entry};

/// What a job can use.
#[derive(Clone)]
pub struct Place {
    /// Directory for certificates, used by this job alone. Files that are not in
    /// [`Answered::files`] at the end may be deleted.
    pub certificates: PathBuf,
    /// Size of a transposition table; a question may ask for less, not for more.
    pub table_mib: u32,
    /// Values that jobs share.
    pub notes: Arc<dyn Notes + Send>,
    /// Databases under construction.
    pub databases: Arc<OpenDatabases>,
    /// Shared resources for building games.
    pub resources: Resources,
    /// Keeps the table of a search that is stopped.
    pub tables: Option<Arc<HotTables>>,
}

impl Place {
    /// The size of the table for a question.
    pub(crate) fn table_for(&self, question: &Question) -> u32 {
        question.search.table_mib.map_or(self.table_mib, |wish| wish.min(self.table_mib))
    }

    /// A place that shares nothing with other jobs.
    #[must_use]
    pub fn alone(certificates: PathBuf, table_mib: u32) -> Self {
        Self {
            certificates,
            table_mib,
            notes: Arc::new(NoNotes),
            databases: Arc::default(),
            resources: Resources::default(),
            tables: None,
        }
    }
}

/// An answer, and the files of its certificates in the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// Paths of its certificates.
    pub files: Vec<PathBuf>,
}

/// Answers a whole question. Apart from its measures, the answer depends only on the question and
/// the table size (with the kernel `threads` only the verdict does).
///
/// # Errors
/// See [`JobError`]. No question is answered without a verified certificate.
pub fn answer(
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    caught(|| {
        let entry = entry(&question.problem)?;
        let Some(limit) = question.search.time_limit() else {
            return (entry.answer)(question, place, control);
        };
        let started = Instant::now();
        let _clock = Clock::start(limit, control)
            .map_err(|error| JobError::Io(format!("no thread for the time limit: {error}")))?;
        match (entry.answer)(question, place, control) {
            // Recalled as well: whoever asks next gets the same answer.
            Err(JobError::Stopped) if control.is_expired() => {
                let seconds = started.elapsed().as_secs_f64();
                let measures = Measures { nodes: control.nodes(), seconds, store_hits: 0 };
                let words = solve::late_words(&question.search).unwrap_or_default();
                solve::open_answer(words, measures)
            }
            answered => answered,
        }
    })
}

/// Turns a panic into an error: one question must not affect the others.
pub fn caught<T>(work: impl FnOnce() -> Result<T, JobError>) -> Result<T, JobError> {
    // Unwind safe: partial work is dropped. Tables are atomics, and files have temporary names
    // until they are complete.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(JobError::from_panic(&*panic)))
}

#[cfg(test)]
mod tests;
