//! How an item is worked on: whole, split as a search, or in parts.

use hasami_andor::{Repetition, SumRule};
use hasami_games::{Game, Params, Visitor, visit};
use hasami_sweep::{Kind, Measures, Question, Sweep};
use hasami_unit::{EnumerateTask, Task};

use super::ids::UnitNo;
use super::run::{Active, Plan, Unit};
use crate::partition::{Settings, partition};

/// Makes the plan for an item, with its first units. A search whose states can repeat is not split:
/// what holds on one path does not hold on another.
pub(super) fn plan(sweep: &Sweep, question: Question) -> Active {
    let mut units = std::collections::BTreeMap::new();
    let plan = match sweep.kind() {
        Kind::Search if splits(&question) => search_stage(sweep, &question, 0),
        Kind::Enumerate => {
            units.insert(UnitNo(0), Unit::new(Task::Enumerate(EnumerateTask::whole())));
            Some(Plan::Parts)
        }
        Kind::Map | Kind::Search => None,
    };
    let plan = plan.unwrap_or_else(|| {
        units.insert(UnitNo(0), Unit::new(Task::Answer));
        Plan::Whole
    });
    Active { question, plan, units, cost: Measures::default() }
}

/// The plan for question number `stage` of an item, if there is one.
pub(super) fn search_stage(sweep: &Sweep, question: &Question, stage: u32) -> Option<Plan> {
    let asked = stage_question(question, stage)?;
    let (sum, epsilon) = sums(question)?;
    let partition =
        partition(sweep.partitioner(), Settings { sum, epsilon, ..Settings::default() });
    Some(Plan::Search { partition, stage, asked, settled: None })
}

/// Question number `stage` of those that the parameters leave open; `None` after the last.
#[must_use]
pub fn stage_question(question: &Question, stage: u32) -> Option<Question> {
    struct Stage(u32);
    impl Visitor for Stage {
        type Output = Option<Vec<(String, String)>>;
        fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
            let params = G::stage(params, self.0).ok()??;
            let owned = |(name, value): (&str, &str)| (name.to_string(), value.to_string());
            Some(params.iter().map(owned).collect())
        }
    }
    let params = visit(&question.problem, &question.params, Stage(stage)).ok()??;
    Some(Question { params, ..question.clone() })
}

fn splits(question: &Question) -> bool {
    struct Splits;
    impl Visitor for Splits {
        type Output = bool;
        fn visit<G: Game>(self, game: G, _: &Params) -> bool {
            game.repetition() == Repetition::Impossible
        }
    }
    visit(&question.problem, &question.params, Splits).unwrap_or(false)
}

/// The sum rule and ε of the kernel that workers run.
fn sums(question: &Question) -> Option<(SumRule, u32)> {
    struct Advice;
    impl Visitor for Advice {
        type Output = (SumRule, u32);
        fn visit<G: Game>(self, _: G, _: &Params) -> Self::Output {
            (G::ADVICE.sum, G::ADVICE.epsilon)
        }
    }
    let (sum, epsilon) = visit(&question.problem, &question.params, Advice).ok()?;
    let sum = match question.search.sum.as_deref() {
        Some("sum") => SumRule::Sum,
        Some("weak") => SumRule::Weak,
        Some("hybrid") => SumRule::Hybrid,
        _ => sum,
    };
    let epsilon = question.search.epsilon.map_or(epsilon, |epsilon| (epsilon * 256.0) as u32);
    Some((sum, epsilon))
}
