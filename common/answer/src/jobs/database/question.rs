//! `pyonpyon-database` and `mancala-database`: one slice of a stage of a database, written as a
//! shard to a directory that all workers share. After the last stage the shards are joined.

use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::Control;

use hasami_race::subject::Subject;
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::{Answered, JobError, Place};

/// A part of the work on a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabasePart {
    /// The game and its rules.
    pub subject: Subject,
    /// The directory of shards and database, shared by all workers.
    pub directory: PathBuf,
    /// Number of slices of a stage.
    pub slices: usize,
    /// The stage; after the last one the shards are joined.
    pub stage: usize,
    /// The slice of the stage.
    pub slice: usize,
}

/// A part of the strong solution of Pyonpyon shogi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PyonpyonDatabaseJob(pub DatabasePart);

/// A part of the endings of Mancala.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MancalaDatabaseJob(pub DatabasePart);

const DIRECTORY: Param = Param::path("directory", "a directory that all workers share");
const SLICES: Param = Param::number("slices", "into how many slices a stage is divided, 1 to 999");
const STAGE: Param = Param::number("stage", "the stage; one more than the last joins the shards");
const SLICE: Param = Param::number("slice", "the slice of the stage, from 0");

const STAGES: &str = STAGE.name;

static PYONPYON: &[Param] = &{
    let [rows, columns, home, no_move] = Subject::PYONPYON;
    [rows, columns, home, no_move, DIRECTORY, SLICES, STAGE, SLICE]
};

static MANCALA: &[Param] = &{
    let [pits, goal, seeds] = Subject::MANCALA;
    [pits, goal, seeds, DIRECTORY, SLICES, STAGE, SLICE]
};

impl DatabasePart {
    fn new(subject: Subject, params: &Params) -> Result<Self, ParamError> {
        let directory = params.text("directory")?;
        if directory.is_empty() {
            return Err(ParamError::bad("directory", directory, "the path of a directory"));
        }
        let slices = params.number("slices", 1..=999)?;
        Ok(Self {
            subject,
            directory: directory.into(),
            slices,
            stage: params.number("stage", 0..=subject.stages())?,
            slice: params.number("slice", 0..=slices - 1)?,
        })
    }

    /// Whether this part joins the shards.
    #[must_use]
    pub fn joins(&self) -> bool {
        self.stage == self.subject.stages()
    }
}

impl Job for PyonpyonDatabaseJob {
    const SPEC: Spec = Spec::job(
        "pyonpyon-database",
        "The strong solution of Pyonpyon shogi, built in parts",
        "pyonpyon-database no-move=pass directory=databases slices=8 stage=12 slice=3",
        PYONPYON,
        &[Kind::Map],
    )
    .ordered_by(STAGES)
    .never_reused()
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        DatabasePart::new(Subject::pyonpyon(params)?, params).map(Self)
    }

    fn answer(
        self,
        _: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError> {
        super::answer(&self.0, place, control)
    }

    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
        recheck::database::check(&self.0, claimed)
    }
}

impl Job for MancalaDatabaseJob {
    const SPEC: Spec = Spec::job(
        "mancala-database",
        "All endings of Mancala with at most so many seeds, built in parts",
        "mancala-database seeds=14 directory=databases slices=8 stage=12 slice=3",
        MANCALA,
        &[Kind::Map],
    )
    .ordered_by(STAGES)
    .never_reused()
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        DatabasePart::new(Subject::mancala(params)?, params).map(Self)
    }

    fn answer(
        self,
        _: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError> {
        super::answer(&self.0, place, control)
    }

    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
        recheck::database::check(&self.0, claimed)
    }
}

/// The text of the sweep file that builds a database in this directory.
#[must_use]
pub fn database_sweep(subject: Subject, directory: &str, slices: usize) -> String {
    let (job, title) = match subject {
        Subject::Pyonpyon { .. } => {
            (PyonpyonDatabaseJob::SPEC.name, "Strong solution of Pyonpyon shogi")
        }
        Subject::Mancala { .. } => (MancalaDatabaseJob::SPEC.name, "Endings of Mancala"),
    };
    let rules: String = subject
        .rules()
        .into_iter()
        .map(|(name, value)| match value.parse::<u32>() {
            Ok(number) => format!("{name} = {number}\n"),
            Err(_) => format!("{name} = \"{value}\"\n"),
        })
        .collect();
    let directory = toml::Value::String(directory.to_string());
    format!(
        "name = \"{job}\"\ntitle = \"{title}\"\nproblem = \"{job}\"\n\n[parameters]\n\
         # Stage {last} joins the shards to the database.\nstage = \"0..={last}\"\n\
         slice = \"0..{slices}\"\nslices = {slices}\n\
         # All workers must see the same directory under this name.\ndirectory = {directory}\n{rules}",
        last = subject.stages(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::read;
    use hasami_sweep::Sweep;

    use crate::CATALOG;
    use hasami_race::mancala::Goal;
    use hasami_race::pyonpyon::NoMove;

    #[test]
    fn the_sweep_of_a_database_has_all_its_parts_in_their_order() {
        let board = Subject::Pyonpyon { rows: 2, columns: 7, home: 2, no_move: NoMove::Draw };
        let ring = Subject::Mancala { pits: 3, goal: Goal::Own, seeds: 6 };
        for subject in [board, ring] {
            let directory = "a \"quoted\" place";
            let text = database_sweep(subject, directory, 4);
            let sweep =
                Sweep::parse(CATALOG, &text, "made").unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(sweep.len(), 4 * (subject.stages() + 1));
            assert_eq!(sweep.ordered_by(), Some("stage"));
            assert!(!sweep.reuses_answers());
            let last = sweep.item(sweep.len() - 1);
            let part = match subject {
                Subject::Pyonpyon { .. } => read::<PyonpyonDatabaseJob>(&last).unwrap().0,
                Subject::Mancala { .. } => read::<MancalaDatabaseJob>(&last).unwrap().0,
            };
            assert!(part.joins());
            assert_eq!((part.subject, part.slice, part.slices), (subject, 3, 4));
            assert_eq!(part.directory, PathBuf::from(directory));
        }
    }

    #[test]
    fn parts_that_cannot_be_are_refused() {
        let message = |words: &str| {
            let text = format!("seeds=5 directory=d slices=4 {words}");
            let params = Params::parse(MANCALA, &text).unwrap();
            MancalaDatabaseJob::read(&params).unwrap_err().to_string()
        };
        assert_eq!(message("stage=7 slice=0"), "stage=7: expected a whole number from 0 to 6");
        assert_eq!(message("stage=6 slice=4"), "slice=4: expected a whole number from 0 to 3");
    }
}
