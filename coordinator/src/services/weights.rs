//! What earlier runs say of the cost of items.

use std::sync::Arc;

use hasami_spec::{ContentKey, Question};
use hasami_sweep::Sweep;

use super::Shared;
use crate::core::{ItemNo, RunId, Weight};
use crate::journal::{Journal, JournalError};

/// Items of which earlier costs are looked up: more are taken in order.
const MOST_WEIGHED: usize = 1 << 17;
/// Keys looked up together.
const LOOKUP: usize = 4096;

/// What earlier runs say of the cost of the items that have no answer: of a settled answer that is
/// not reused, or of an open one with another budget.
pub(super) fn weights(
    sweep: &Sweep,
    journal: &Journal,
    answered: impl Fn(&ItemNo) -> bool,
) -> Result<Vec<(ItemNo, Weight)>, JournalError> {
    let mut weights = Vec::new();
    let mut at = 0;
    while at < sweep.len().min(MOST_WEIGHED) {
        let end = (at + LOOKUP).min(sweep.len());
        let items = (at..end).map(|item| ItemNo(item as u32));
        let items: Vec<ItemNo> = items.filter(|item| !answered(item)).collect();
        let questions: Vec<_> = items.iter().map(|item| sweep.item(item.0 as usize)).collect();
        for key in [Question::settled_key, Question::cost_key] {
            let keys: Vec<ContentKey> = questions.iter().map(key).collect();
            for (i, found) in journal.answered(&keys)?.into_iter().enumerate() {
                if found && let Some(answer) = journal.answer(keys[i])? {
                    weights.push((items[i], Weight::of(answer.measures)));
                }
            }
        }
        at = end;
    }
    Ok(weights)
}

/// After a start: looks up again what earlier runs say of the items that wait. It is not part of
/// the journal, because the answers of those runs are.
pub async fn weigh_again(shared: Arc<Shared>) {
    let unfinished = shared.engine.call(|state| {
        let runs = state.core.runs().filter(|run| !run.is_over());
        runs.map(|run| (run.id, Arc::clone(&run.sweep), run.ended())).collect::<Vec<_>>()
    });
    let Ok(unfinished) = unfinished.await else { return };
    for (id, sweep, ended) in unfinished {
        let journal = Arc::clone(&shared.journal);
        let look = move || {
            let ended = |item: &ItemNo| ended.get(item.0 as usize).copied().unwrap_or(false);
            weights(&sweep, &journal, ended)
        };
        match tokio::task::spawn_blocking(look).await {
            Ok(Ok(weights)) => shared.engine.call(move |state| state.core.weigh(id, &weights)),
            Ok(Err(error)) => return not_known(id, &error),
            Err(error) => return not_known(id, &error),
        }
        .await
        .unwrap_or_default();
    }
}

fn not_known(RunId(run): RunId, error: &dyn std::fmt::Display) {
    tracing::warn!(run, "the cost of its items is not known: {error}");
}
