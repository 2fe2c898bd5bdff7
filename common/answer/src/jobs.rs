//! Jobs: questions that are not about one game. Each module holds the spec and the work of one job.

pub(crate) mod database;
pub(crate) mod learning;
pub(crate) mod mate;
pub mod pair;
pub(crate) mod pave;
pub(crate) mod pavings;
pub(crate) mod puzzles;
mod self_play;
pub(crate) mod trial;
pub(crate) mod value;

use std::sync::Arc;

use hasami_andor::Control;
use hasami_spec::{ParamError, Params, Question, Spec};

use crate::error::JobError;
use crate::recheck::{Checked, Claimed, Doubt};
use crate::{Answered, Place};

pub use database::{
    DatabasePart, MancalaDatabaseJob, OpenDatabases, PyonpyonDatabaseJob, database_sweep,
};
pub use learning::{LearningJob, learning_sweep};
pub use mate::MateJob;
pub use pair::PairJob;
pub use pave::PaveJob;
pub use pavings::{Part, PavingsJob, enumerate};
pub use puzzles::PuzzlesJob;
pub use self_play::SelfPlayJob;
pub use trial::TrialJob;
pub use value::ValueJob;

/// A kind of question that is not about one game.
pub trait Job: Sized {
    /// Its name, parameters and checks.
    const SPEC: Spec;

    /// Reads the job from its parameters. Cheap and pure: the spec uses it as its check.
    ///
    /// # Errors
    /// If a value is out of range or conflicts with another.
    fn read(params: &Params) -> Result<Self, ParamError>;

    /// Answers the question.
    ///
    /// # Errors
    /// See [`JobError`].
    fn answer(
        self,
        question: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError>;

    /// Checks the answer of somebody else.
    ///
    /// # Errors
    /// See [`Doubt`].
    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt>;
}

/// Reads the job of a question.
pub(crate) fn read<J: Job>(question: &Question) -> Result<J, JobError> {
    Params::new(J::SPEC.params, &question.params)
        .and_then(|params| J::read(&params))
        .map_err(|error| JobError::Question(format!("{}: {error}", J::SPEC.name)))
}
