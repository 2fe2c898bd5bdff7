//! How items and runs end.

use std::collections::BTreeSet;

use hasami_proto::v1::{Answer, ItemRecord, ItemState, Param, RunState, Verdict};
use hasami_spec::ContentKey;

use super::change::{Change, Notice};
use super::ids::{ItemNo, RunId, UnitNo};
use super::run::{Active, Cost, Plan};
use super::{Core, Run};

/// More patterns than this are counted, not listed.
const MOST_LISTED: usize = 10_000;

/// Why an item fails.
pub(super) enum Failing {
    /// It costs workers.
    Crashes(String),
    /// A worker says so.
    Told(String),
}

impl Core {
    /// Ends an item with an answer.
    pub(super) fn settle_item(&mut self, id: RunId, item: ItemNo, answer: Answer) {
        let Some(run) = self.runs.get_mut(&id) else { return };
        let Some(active) = run.active.get(&item) else { return };
        let open = answer.verdict() == Verdict::Open;
        let question = &active.question;
        let key = if open { question.open_key() } else { question.settled_key() };
        let state = if open { ItemState::Open } else { ItemState::Settled };
        self.changes.push(Change::Answer(key, answer));
        self.end_item(id, item, state, Some(key), String::new());
    }

    /// Ends an item without one.
    pub(super) fn fail_item(&mut self, id: RunId, item: ItemNo, why: Failing) {
        let (Failing::Crashes(text) | Failing::Told(text)) = why;
        self.history(id, item, true, format!("failed: {text}"));
        self.fail_those_after(id, item, &text);
        self.end_item(id, item, ItemState::Failed, None, text);
    }

    /// What waits for an item that has failed would wait for ever.
    fn fail_those_after(&mut self, id: RunId, item: ItemNo, text: &str) {
        let Some(run) = self.runs.get(&id) else { return };
        let Some(stage) = run.stage_of(item) else { return };
        let waits = |after: &&ItemNo| {
            let state = run.item(**after).map(|(state, ..)| state);
            matches!(state, Some(ItemState::Waiting | ItemState::Running))
        };
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
        let units: Vec<UnitNo> = self
            .runs
            .get(&id)
            .and_then(|run| run.active.get(&item))
            .map_or_else(Vec::new, |active| active.units.keys().copied().collect());
        for unit in units {
            self.cancel_unit(id, item, unit);
        }
        let Some(run) = self.runs.get_mut(&id) else { return };
        let place = |run: &Run| run.stage().map(|stage| stage.place);
        let before = place(run);
        run.set_state(item, state);
        if place(run) != before {
            self.notices.push(Notice::WorkAvailable);
        }
        let answer = answer.map_or_else(Vec::new, |key| key.0.to_vec());
        let record = ItemRecord { answer, failure, ..run.item_record(item) };
        if run.active.remove(&item).is_some() {
            self.changes.push(Change::DropUnits(id, item));
        }
        self.changes.push(Change::Item(id, item, record));
        self.notices.push(Notice::Item(id, item));
    }

    /// A search that has used up its budget is left open.
    pub(super) fn check_budget(&mut self, id: RunId, item: ItemNo) {
        let Some(active) = self.runs.get(&id).and_then(|run| run.active.get(&item)) else { return };
        let Plan::Search { partition, asked, settled: None, .. } = &active.plan else { return };
        let Some(budget) = active.question.search.budget else { return };
        let running: u64 = active.units.values().map(|unit| unit.progress).sum();
        if active.cost.nodes + running < budget {
            return;
        }
        let root = partition.root();
        let claim = format!("open: {} is not settled within {budget} nodes", asked.spelled());
        let numbers = [("proof", root.proof), ("disproof", root.disproof)];
        let measures = Cost { nodes: active.cost.nodes + running, ..active.cost }.measures();
        tracing::debug!(?numbers, "budget used up");
        let answer = Answer {
            verdict: Verdict::Open.into(),
            claim,
            fields: Vec::new(),
            certificates: Vec::new(),
            measures: Some(measures),
        };
        self.settle_item(id, item, answer);
    }

    /// A run whose items have all ended is finished.
    pub(super) fn finish_run_if_over(&mut self, id: RunId, wall_ms: u64) {
        let Some(run) = self.runs.get_mut(&id) else { return };
        if run.counts.terminal() == run.slots.len() as u64 && !run.is_over() {
            run.state = RunState::Finished;
            run.finished_ms = wall_ms;
            self.changes.push(Change::Run(run.record()));
            self.notices.push(Notice::Run(id));
        }
    }
}

/// The answer of an enumeration whose parts are all counted.
pub(super) fn add_up(active: &Active) -> Answer {
    let parts = || active.units.values().filter_map(|unit| unit.done.as_ref());
    let raw: u64 = parts().map(|part| part.raw).sum();
    let patterns: u64 = parts().map(|part| part.patterns).sum();
    let found: BTreeSet<&str> =
        parts().flat_map(|part| part.found.iter().map(String::as_str)).collect();
    let field = |name: &str, value: String| Param { name: name.to_string(), value };
    let mut fields = vec![field("raw", raw.to_string()), field("patterns", patterns.to_string())];
    if !found.is_empty() && found.len() <= MOST_LISTED {
        fields.push(field("found", found.into_iter().collect::<Vec<_>>().join(" ")));
    }
    Answer {
        verdict: Verdict::Answered.into(),
        claim: format!("{raw} pavings, {patterns} up to symmetry"),
        fields,
        certificates: Vec::new(),
        measures: Some(active.cost.measures()),
    }
}
