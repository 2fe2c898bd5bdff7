//! What follows a commit: wakes waiting calls, sends events to watchers, and writes the log.

use std::sync::{Arc, Mutex};

use hasami_proto::v1::event;
use hasami_sweep::{Answer, text};
use hasami_unit::ItemState;

use crate::core::{Core, ItemNo, Notice, RunId};
use crate::engine::Listener;
use crate::journal::Journal;
use crate::log;
use crate::services::{Events, Wakes, ended};
use crate::speed::Speeds;
use crate::verify::Queue;
use crate::view::{item_info, run_info};

/// Bytes of an answer that an event shows; the items of the run have all of it.
const LONGEST: usize = 16 << 10;

/// Distributes what has happened.
pub fn listener(
    wakes: Arc<Wakes>,
    claims: Queue,
    events: Events,
    speeds: Arc<Mutex<Speeds>>,
    journal: Arc<Journal>,
) -> Listener {
    let mut quiet = log::Quiet::default();
    Box::new(move |core, notices| {
        for notice in notices {
            match notice {
                Notice::WorkAvailable => {}
                Notice::Wake(worker) => wakes.commands(*worker),
                Notice::Claimed(lease) => claims.add(*lease),
                Notice::Run(run) => run_changed(core, *run, &events, &speeds),
                Notice::Item(run, item) => item_ended(core, *run, *item, &events, &journal),
                other => log::notice(core, other, &mut quiet),
            }
        }
        if notices.contains(&Notice::WorkAvailable) {
            wakes.work();
        }
    })
}

fn run_changed(core: &Core, id: RunId, events: &Events, speeds: &Mutex<Speeds>) {
    // It may have been deleted since.
    let Some(run) = core.run(id) else { return };
    let Ok(speeds) = speeds.lock() else { return };
    let info = run_info(core, run, &speeds);
    log::run_changed(run, &info);
    events.tell(event::Kind::Run(info));
}

/// An answer without its columns, if they are long: thousands of events wait for slow watchers.
fn brief(answer: Answer) -> Answer {
    let bytes: usize = answer.fields.iter().map(|(name, value)| name.len() + value.len()).sum();
    let fields = if bytes > LONGEST { Vec::new() } else { answer.fields };
    Answer { claim: text::cut(&answer.claim, LONGEST), fields, ..answer }
}

fn item_ended(core: &Core, id: RunId, item: ItemNo, events: &Events, journal: &Journal) {
    let Some((run, state)) = core.run(id).and_then(|run| Some((run, run.item(item)?))) else {
        return;
    };
    // Millions of items may end at once: read their records only if there are watchers.
    let failed = state.0 == ItemState::Failed;
    if !(failed || events.heard() || tracing::enabled!(tracing::Level::INFO)) {
        return;
    }
    let (answer, failure) = ended(journal, id, item).unwrap_or_default();
    let claim = answer.as_ref().map_or("", |answer| answer.claim.as_str());
    log::item_ended(run, item, claim, &failure);
    if events.heard() {
        let info = item_info(id, &run.sweep, item, state, answer.map(brief), failure);
        events.tell(event::Kind::Item(info));
    }
}
