//! What follows a commit: wakes waiting calls, sends events to watchers, and writes the log.

use std::sync::{Arc, Mutex};

use hasami_proto::v1::event;
use hasami_unit::ItemState;

use crate::core::{Core, ItemNo, Notice, RunId};
use crate::engine::Listener;
use crate::journal::Journal;
use crate::log;
use crate::services::{Events, Wakes, ended};
use crate::speed::Speeds;
use crate::view::{item_info, run_info};

/// Distributes what has happened.
pub fn listener(
    wakes: Arc<Wakes>,
    events: Events,
    speeds: Arc<Mutex<Speeds>>,
    journal: Arc<Journal>,
) -> Listener {
    Box::new(move |core, notices| {
        for notice in notices {
            match notice {
                Notice::WorkAvailable => {}
                Notice::Wake(worker) => wakes.commands(*worker),
                Notice::Run(run) => run_changed(core, *run, &events, &speeds),
                Notice::Item(run, item) => item_ended(core, *run, *item, &events, &journal),
                other => log::notice(core, other),
            }
        }
        if notices.contains(&Notice::WorkAvailable) {
            wakes.work();
        }
    })
}

fn run_changed(core: &Core, id: RunId, events: &Events, speeds: &Mutex<Speeds>) {
    let run = core.run(id).expect("the run of a notice");
    let Ok(speeds) = speeds.lock() else { return };
    let info = run_info(core, run, &speeds);
    log::run_changed(run, &info);
    events.tell(event::Kind::Run(info));
}

fn item_ended(core: &Core, id: RunId, item: ItemNo, events: &Events, journal: &Journal) {
    let run = core.run(id).expect("the run of a notice");
    let state = run.item(item).expect("the item of a notice");
    // Millions of items may end at once: read their records only if there are watchers.
    let failed = state.0 == ItemState::Failed;
    if !(failed || events.heard() || tracing::enabled!(tracing::Level::INFO)) {
        return;
    }
    let (answer, failure) = ended(journal, id, item).unwrap_or_default();
    let claim = answer.as_ref().map_or("", |answer| answer.claim.as_str());
    log::item_ended(run, item, claim, &failure);
    if events.heard() {
        let info = item_info(id, &run.sweep, item, state, answer, failure);
        events.tell(event::Kind::Item(info));
    }
}
