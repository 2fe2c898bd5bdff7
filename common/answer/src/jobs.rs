//! Jobs: questions that are no single game. Each is one module that brings its spec and its work.

mod database;
pub mod pair;
mod pave;
mod pavings;
mod puzzles;
mod value;

use std::sync::Arc;

use hasami_andor::Control;
use hasami_spec::{ParamError, Params, Question, Spec};

use crate::error::JobError;
use crate::{Answered, Place};

pub use database::{
    DatabasePart, MancalaDatabaseJob, OpenDatabases, PyonpyonDatabaseJob, database_sweep,
};
pub use pair::PairJob;
pub use pave::PaveJob;
pub use pavings::{Part, PavingsJob, enumerate};
pub use puzzles::PuzzlesJob;
pub use value::ValueJob;

/// Questions that are no single game.
pub trait Job: Sized {
    /// What can be asked.
    const SPEC: Spec;

    /// The job with these parameters. Cheap and pure: the spec checks with it.
    ///
    /// # Errors
    /// When a value is out of range or at odds with another one.
    fn read(params: &Params) -> Result<Self, ParamError>;

    /// Does the work.
    ///
    /// # Errors
    /// See [`JobError`].
    fn answer(
        self,
        question: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError>;
}

/// The job of a question.
fn read<J: Job>(question: &Question) -> Result<J, JobError> {
    Params::new(J::SPEC.params, &question.params)
        .and_then(|params| J::read(&params))
        .map_err(|error| JobError::Question(format!("{}: {error}", J::SPEC.name)))
}
