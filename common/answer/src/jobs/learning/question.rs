//! What can be asked of the pipeline, and the sweep that asks it.

use std::sync::Arc;

use hasami_andor::Control;
use hasami_learning::{Plan, Stage};
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::{Answered, JobError, Place};

/// A part of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearningJob {
    /// What all parts have in common.
    pub plan: Plan,
    /// The stage.
    pub stage: Stage,
    /// The slice of the stage.
    pub slice: usize,
}

static PARAMS: &[Param] = &[
    Param::path("records", "games, one a line in USI; or a directory of KIF, CSA and USI files"),
    Param::path("directory", "a directory that all workers share"),
    Param::number("every", "every how many positions of a game one is taken").or("40"),
    Param::number("first-ply", "positions before this ply are left out").or("40"),
    Param::number("nodes", "nodes for a position; harder ones are left out").or("200000"),
    Param::number("held-out", "one game in so many is kept for trials, from 2").or("10"),
    Param::number("tests", "positions of each kind in trials, at most").or("500"),
    Param::number("slices", "into how many slices the work is divided, 1 to 999").or("64"),
    Param::number("stage", "0 draws positions, 1 fits weights, 2 tries them, 3 writes the report"),
    Param::number("slice", "the slice of the stage, from 0"),
];

impl Job for LearningJob {
    const SPEC: Spec = Spec::job(
        "learning",
        "From game records to evaluations of mates, in parts (after Kaneko et al.)",
        "learning records=games.usi directory=learning stage=0 slice=0",
        PARAMS,
        &[Kind::Map],
    )
    .ordered_by("stage")
    .never_reused()
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        let path = |name: &str| match params.text(name)? {
            "" => Err(ParamError::bad(name, "", "a path")),
            path => Ok(path.into()),
        };
        let slices = params.number("slices", 1..=999)?;
        let plan = Plan {
            records: path("records")?,
            directory: path("directory")?,
            every: params.number("every", 1..=1_000_000)?,
            first_ply: params.number("first-ply", 0..=10_000)?,
            budget: params.number("nodes", 1..=1_000_000_000)?,
            held_out: params.number("held-out", 2..=1_000_000)?,
            tests: params.number("tests", 1..=1_000_000)?,
            slices,
        };
        let stage: usize = params.number("stage", 0..=Stage::ALL.len() - 1)?;
        let slice = params.number("slice", 0..=slices - 1)?;
        Ok(Self { plan, stage: Stage::ALL[stage], slice })
    }

    fn answer(
        self,
        _: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError> {
        super::answer(&self, place, control)
    }

    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
        recheck::learning::check(&self, claimed)
    }
}

impl LearningJob {
    /// Whether the stage has this slice.
    pub(crate) fn has_work(&self) -> bool {
        self.stage.is_sliced() || self.slice == 0
    }
}

/// The text of the sweep file that does all of it.
#[must_use]
pub fn learning_sweep(plan: &Plan) -> String {
    let Plan { records, directory, slices, every, first_ply, budget, held_out, tests } = plan;
    let path = |path: &std::path::Path| toml::Value::String(path.display().to_string());
    format!(
        "name = \"learning\"\ntitle = \"Evaluations of mates, learned from games\"\n\
         problem = \"learning\"\n\n[parameters]\n\
         # 0 draws positions and searches them, 1 fits weights, 2 tries them on games that were held out,\n\
         # 3 writes the report.\n\
         stage = \"0..={last}\"\nslice = \"0..{slices}\"\nslices = {slices}\n\
         # All workers must see the same files under these names.\n\
         records = {}\ndirectory = {}\n\
         every = {every}\nfirst-ply = {first_ply}\nnodes = {budget}\nheld-out = {held_out}\n\
         tests = {tests}\n",
        path(records),
        path(directory),
        last = Stage::ALL.len() - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CATALOG;
    use crate::jobs::read;
    use hasami_sweep::Sweep;

    fn plan() -> Plan {
        Plan {
            records: "my \"games\".usi".into(),
            directory: "learned".into(),
            slices: 3,
            every: 7,
            first_ply: 41,
            budget: 1000,
            held_out: 5,
            tests: 12,
        }
    }

    #[test]
    fn the_sweep_of_a_plan_has_all_its_parts_in_their_order() {
        let text = learning_sweep(&plan());
        let sweep =
            Sweep::parse(CATALOG, &text, "made").unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(sweep.len(), 4 * 3);
        assert_eq!(sweep.ordered_by(), Some("stage"));
        let job = read::<LearningJob>(&sweep.item(7)).unwrap();
        assert_eq!(job, LearningJob { plan: plan(), stage: Stage::Try, slice: 1 });
    }

    #[test]
    fn parts_that_cannot_be_are_refused() {
        let message = |words: &str| {
            let text = format!("records=a directory=b slices=4 {words}");
            let params = Params::parse(PARAMS, &text).unwrap();
            LearningJob::read(&params).unwrap_err().to_string()
        };
        assert_eq!(message("stage=4 slice=0"), "stage=4: expected a whole number from 0 to 3");
        assert_eq!(message("stage=1 slice=4"), "slice=4: expected a whole number from 0 to 3");
        let held = message("stage=0 slice=0 held-out=1");
        assert_eq!(held, "held-out=1: expected a whole number from 2 to 1000000");
    }
}
