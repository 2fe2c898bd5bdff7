//! How items and runs end.

use std::collections::BTreeSet;

use hasami_spec::ContentKey;
use hasami_sweep::{Answer, Measures, Verdict};
use hasami_unit::{ItemState, RunState};

use super::change::{Change, Notice};
use super::ids::{ItemNo, RunId, UnitNo};
use super::record::ItemRecord;
use super::run::{Active, Plan};
use super::{Core, Run};

/// More patterns than this are counted, not listed.
const MOST_LISTED: usize = 10_000;
/// Nor are they listed if that takes more bytes than this.
const LONGEST_LIST: usize = 1 << 20;

impl Core {
    /// Ends an item with an answer.
    pub(super) fn settle_item(&mut self, id: RunId, item: ItemNo, answer: Answer) {
        let open = !answer.verdict.settled();
        let question = &self.run_mut(id).active_mut(item).question;
        let key = if open { question.open_key() } else { question.settled_key() };
        let cost_key = question.cost_key();
        let state = if open { ItemState::Open } else { ItemState::Settled };
        if open {
            // A later run with a larger budget begins with what has taken long.
            self.changes.push(Change::Answer(cost_key, answer.cost_alone()));
        }
        self.changes.push(Change::Answer(key, answer));
        self.end_item(id, item, state, Some(key), String::new());
    }

    /// Ends an item without an answer.
    pub(super) fn fail_item(&mut self, id: RunId, item: ItemNo, text: String) {
        self.history(id, item, true, format!("failed: {text}"));
        self.fail_those_after(id, item, &text);
        self.end_item(id, item, ItemState::Failed, None, text);
    }

    /// Items that wait for a failed item would wait forever.
    fn fail_those_after(&mut self, id: RunId, item: ItemNo, text: &str) {
        let run = self.run_mut(id);
        let Some(stage) = run.stage_of(item) else { return };
        let waits = |after: &&ItemNo| !run.slots[after.0 as usize].state.has_ended();
        let waiting: Vec<ItemNo> = run.stages.after(item).iter().filter(waits).copied().collect();
        let why =
            format!("it waits for stage {}, where item {} failed: {text}", stage.number, item.0);
        for after in waiting {
            self.end_item(id, after, ItemState::Failed, None, why.clone());
        }
    }

    pub(super) fn end_item(
        &mut self,
        id: RunId,
        item: ItemNo,
        state: ItemState,
        answer: Option<ContentKey>,
        failure: String,
    ) {
        // An item that was not started has no units.
        let active = self.run_mut(id).active.get(&item);
        let units: Vec<UnitNo> =
            active.map_or_else(Vec::new, |active| active.units.keys().copied().collect());
        for unit in units {
            self.cancel_unit(id, item, unit);
        }
        let run = self.run_mut(id);
        let place = |run: &Run| run.stage().map(|stage| stage.place);
        let before = place(run);
        run.set_state(item, state);
        let next_stage = place(run) != before;
        let record = ItemRecord { answer, failure, ..run.item_record(item) };
        let had_units = run.active.remove(&item).is_some();
        if next_stage {
            self.notices.push(Notice::WorkAvailable);
        }
        if had_units {
            self.changes.push(Change::DropUnits(id, item));
        }
        self.changes.push(Change::Item(id, item, record));
        self.notices.push(Notice::Item(id, item));
    }

    /// Leaves a search open that has used up its budget.
    pub(super) fn check_budget(&mut self, id: RunId, item: ItemNo) {
        // The report may have ended the item, or settled its root.
        let Some(active) = self.run_mut(id).active.get(&item) else { return };
        let Plan::Search { asked, settled: None, .. } = &active.plan else { return };
        let Some(budget) = active.question.search.budget else { return };
        let progress = active.units.values().map(|unit| unit.progress);
        let nodes = progress.fold(active.cost.nodes, u64::saturating_add);
        if nodes < budget {
            return;
        }
        let answer = Answer {
            verdict: Verdict::Open,
            claim: format!("open: {} is not settled within {budget} nodes", asked.spelled()),
            fields: Vec::new(),
            certificates: Vec::new(),
            measures: Measures { nodes, ..active.cost },
            check: None,
        };
        self.settle_item(id, item, answer);
    }

    /// Finishes a run when all its items have ended.
    pub(super) fn finish_run_if_over(&mut self, id: RunId, wall_ms: u64) {
        let run = self.run_mut(id);
        if run.all_ended() && !run.is_over() {
            run.state = RunState::Finished;
            run.finished_ms = wall_ms;
            let record = run.record();
            self.changes.push(Change::Run(record));
            self.notices.push(Notice::Run(id));
        }
    }
}

/// The answer of an enumeration whose parts are all counted.
pub(super) fn add_up(active: &Active) -> Answer {
    let parts = || active.units.values().filter_map(|unit| unit.done.as_ref());
    let raw = parts().fold(0, |sum: u64, part| sum.saturating_add(part.raw));
    let patterns = parts().fold(0, |sum: u64, part| sum.saturating_add(part.patterns));
    let found: BTreeSet<&str> =
        parts().flat_map(|part| part.found.iter().map(String::as_str)).collect();
    let field = |name: &str, value: String| (name.to_string(), value);
    let mut fields = vec![field("raw", raw.to_string()), field("patterns", patterns.to_string())];
    let bytes: usize = found.iter().map(|pattern| pattern.len() + 1).sum();
    if !found.is_empty() && found.len() <= MOST_LISTED && bytes <= LONGEST_LIST {
        fields.push(field("found", found.into_iter().collect::<Vec<_>>().join(" ")));
    }
    Answer {
        verdict: Verdict::Answered,
        claim: format!("{raw} pavings, {patterns} up to symmetry"),
        fields,
        certificates: Vec::new(),
        measures: active.cost,
        check: None,
    }
}
