//! How an item is computed: whole, split as a search, or in parts.

use std::collections::BTreeSet;

use hasami_andor::Options;
use hasami_spec::{Kind, Params, Question, Spec};
use hasami_sweep::{Measures, Sweep};
use hasami_unit::{EnumerateTask, Task};

use super::ids::{Millis, UnitNo};
use super::run::{Active, Plan, Unit};
use crate::partition::{Settings, partition};

/// Makes the plan for an item, with its first units. A search whose states can repeat is not split:
/// a result on one path does not hold on another.
pub(super) fn plan(sweep: &Sweep, question: Question) -> Active {
    let mut units = std::collections::BTreeMap::new();
    let plan = match sweep.kind() {
        Kind::Search if splits(sweep.spec(), &question) => search_stage(sweep, &question, 0),
        Kind::Enumerate => {
            units.insert(UnitNo::WHOLE, Unit::new(Task::Enumerate(EnumerateTask::whole())));
            Some(Plan::Parts)
        }
        Kind::Map | Kind::Search => None,
    };
    let plan = plan.unwrap_or_else(|| {
        units.insert(UnitNo::WHOLE, Unit::new(Task::Answer));
        Plan::Whole
    });
    let cost = Measures::default();
    Active {
        question,
        plan,
        units,
        cost,
        begun: Millis(0),
        doubted: BTreeSet::new(),
        joining: None,
    }
}

/// The plan for question number `stage` of an item, if there is one.
pub(super) fn search_stage(sweep: &Sweep, question: &Question, stage: u32) -> Option<Plan> {
    let asked = stage_question(sweep.spec(), question, stage)?;
    // Workers take their options from the same place: both must use the same sum rule.
    let Options { sum, epsilon, .. } = question.search.options(sweep.spec().advice);
    let partition =
        partition(sweep.partitioner(), Settings { sum, epsilon, ..Settings::default() });
    Some(Plan::Search { partition, stage, asked, settled: None, claimant: None })
}

/// Question number `stage` of those that the parameters leave open; `None` after the last.
#[must_use]
pub fn stage_question(spec: &Spec, question: &Question, stage: u32) -> Option<Question> {
    let params = Params::new(spec.params, &question.params).ok()?;
    let params = spec.stage(&params, stage).ok()??;
    let owned = |(name, value): (&str, &str)| (name.to_string(), value.to_string());
    Some(Question { params: params.iter().map(owned).collect(), ..question.clone() })
}

/// Whether the search of a question can be split.
pub(super) fn splits(spec: &Spec, question: &Question) -> bool {
    Params::new(spec.params, &question.params).is_ok_and(|params| spec.splits(&params))
}
