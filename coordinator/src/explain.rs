//! Explains the state of an item in words.

use hasami_proto::v1::Answer;
use hasami_unit::{ItemState, RunState};

use crate::core::{Core, ItemNo, Run};

/// What an item waits for, or how it ended.
#[must_use]
pub fn explain(core: &Core, run: &Run, item: ItemNo) -> String {
    let Some((state, attempts, reused)) = run.item(item) else {
        return "there is no such item".to_string();
    };
    let present = || core.workers().filter(|(_, worker)| worker.present);
    let labels = run.sweep.labels();
    let fit = present().filter(|(_, worker)| worker.about.has(labels)).count();
    let present = present().count();
    match state {
        ItemState::Settled | ItemState::Open if reused => {
            "its answer was known from an earlier run; submit with --force to compute it again"
                .to_string()
        }
        ItemState::Settled if attempts == 1 => "settled at the first attempt".to_string(),
        ItemState::Settled => format!("settled after {attempts} attempts"),
        ItemState::Open => "it ended without a verdict".to_string(),
        ItemState::Failed => "it failed; its failure and the history say how".to_string(),
        ItemState::Cancelled => "the run was cancelled before it ended".to_string(),
        ItemState::Waiting | ItemState::Running if run.state != RunState::Running => {
            let colon = if run.note.is_empty() { "" } else { ": " };
            format!("the run is {}{colon}{}", run.state.word(), run.note)
        }
        ItemState::Waiting | ItemState::Running if present == 0 => {
            "it waits for workers: none is connected".to_string()
        }
        ItemState::Waiting | ItemState::Running if fit == 0 => {
            let labels: Vec<_> =
                labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            let labels = labels.join(" ");
            format!("it waits for a worker with {labels}; {present} others are connected")
        }
        ItemState::Waiting => waits_for(run, item)
            .unwrap_or_else(|| format!("it waits its turn; {fit} workers are connected")),
        ItemState::Running => {
            let holders: Vec<String> = run
                .holders(item)
                .map(|(unit, attempt, worker)| {
                    let known = core.workers().find(|(id, _)| *id == worker);
                    let name = known.map_or_else(String::new, |(_, w)| w.about.name.clone());
                    let host = known.map_or_else(String::new, |(_, w)| w.about.host.clone());
                    format!("unit {} attempt {} on {name} at {host}", unit.0, attempt.0)
                })
                .collect();
            if holders.is_empty() {
                "it was begun and waits for a worker".to_string()
            } else {
                format!("being computed: {}", holders.join("; "))
            }
        }
    }
}

/// Why an item was left open: in the words of its answer, because only they know. A larger budget
/// may help a search that has spent its own; a ko stays a ko.
#[must_use]
pub fn left_open(budget: Option<u64>, answer: &Answer) -> String {
    let nodes = answer.measures.map_or(0, |measures| measures.nodes);
    let claim = &answer.claim;
    match budget.filter(|budget| nodes >= *budget) {
        Some(budget) => format!(
            "left open: {claim}; it has used its budget of {budget} nodes, and a larger one may \
             settle it"
        ),
        None => format!("left open, with budget to spare: {claim}"),
    }
}

/// What an item of a later stage waits for.
fn waits_for(run: &Run, item: ItemNo) -> Option<String> {
    let (now, own) = (run.stage()?, run.stage_of(item)?);
    (now.number < own.number).then(|| {
        format!(
            "it is in stage {} and waits for stage {}, of which {} of {} items are done",
            own.number, now.number, now.ended, now.items
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_proto::v1::Measures;

    #[test]
    fn only_a_spent_budget_asks_for_a_larger_one() {
        let answer = |nodes, claim: &str| Answer {
            claim: claim.to_string(),
            measures: Some(Measures { nodes, ..Measures::default() }),
            ..Answer::default()
        };
        let spent = left_open(Some(1000), &answer(1000, "unknown"));
        assert!(spent.starts_with("left open: unknown; it has used its budget of 1000"), "{spent}");
        let ko = left_open(Some(1000), &answer(0, "go-room 17: ko"));
        assert_eq!(ko, "left open, with budget to spare: go-room 17: ko");
        assert!(!left_open(None, &answer(5, "open")).contains("larger"));
    }
}
