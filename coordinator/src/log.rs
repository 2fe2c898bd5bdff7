//! The log of a coordinator: every change of a run, item, worker and lease once, with its ids, and
//! a line of progress for each run now and then. Whoever has only this can tell what happened.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use hasami_proto::v1::{ItemState, RunInfo, RunState, event};

use crate::core::{Core, ItemNo, Notice, RunId, WorkerId};
use crate::engine::Listener;
use crate::journal::Journal;
use crate::server::Security;
use crate::services::{Events, Wakes, ended};
use crate::speed::Speeds;
use crate::view::{item_info, run_info};

/// The first line.
pub fn started(
    core: &Core,
    journal: &Journal,
    address: SocketAddr,
    security: Security,
    store: &str,
    data: &Path,
) {
    let unfinished = core.runs().filter(|run| !run.is_over()).count();
    let leases: usize = core.workers().map(|(_, worker)| worker.leases()).sum();
    tracing::info!(
        %address, ?security, store, data = %data.display(), epoch = journal.epoch(),
        runs = core.runs().count(), unfinished, workers_may_return = core.workers().count(), leases,
        version = env!("CARGO_PKG_VERSION"), pid = std::process::id(),
        "coordinator started"
    );
    for run in core.runs().filter(|run| !run.is_over()) {
        let counts = run.counts();
        tracing::info!(
            run = run.id.0,
            name = run.sweep.name(),
            state = run.state.word(),
            items = run.sweep.len(),
            ended = counts.terminal(),
            running = counts.of(ItemState::Running),
            "going on with a run"
        );
    }
}

/// Tells logs, watchers and waiting calls what has happened.
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
                Notice::Run(run) => told_run(core, *run, &events, &speeds),
                Notice::Item(run, item) => told_item(core, *run, *item, &events, &journal),
                other => told(core, other),
            }
        }
        if notices.iter().any(|notice| matches!(notice, Notice::WorkAvailable)) {
            wakes.work();
        }
    })
}

fn told_run(core: &Core, id: RunId, events: &Events, speeds: &Mutex<Speeds>) {
    let Some(run) = core.run(id) else { return };
    let Ok(speeds) = speeds.lock() else { return };
    let info = run_info(core, run, &speeds);
    let counts = info.counts.unwrap_or_default();
    tracing::info!(
        run = id.0,
        name = info.name,
        state = run.state.word(),
        items = info.items,
        settled = counts.settled,
        open = counts.open,
        failed = counts.failed,
        cancelled = counts.cancelled,
        reused = counts.reused,
        nodes = info.nodes,
        note = info.note,
        "run {}",
        run.state.word()
    );
    events.tell(event::Kind::Run(info));
}

fn told_item(core: &Core, id: RunId, item: ItemNo, events: &Events, journal: &Journal) {
    let Some(run) = core.run(id) else { return };
    let Some(state @ (word, attempts, reused)) = run.item(item) else { return };
    let failed = word == ItemState::Failed;
    let wanted = failed || events.heard() || tracing::enabled!(tracing::Level::INFO);
    if !wanted {
        return;
    }
    let (answer, failure) = ended(journal, id, item).unwrap_or_default();
    let claim = answer.as_ref().map_or("", |answer| answer.claim.as_str());
    let question = run.sweep.item(item.0 as usize).spelled();
    let (run_no, item_no) = (id.0, item.0);
    match word {
        ItemState::Failed => {
            tracing::error!(
                run = run_no,
                item = item_no,
                question,
                attempts,
                "item failed: {failure}"
            );
        }
        ItemState::Settled => {
            tracing::info!(
                run = run_no,
                item = item_no,
                question,
                attempts,
                reused,
                "item settled: {claim}"
            );
        }
        ItemState::Open => {
            tracing::info!(
                run = run_no,
                item = item_no,
                question,
                attempts,
                "item left open: {claim}"
            );
        }
        _ => tracing::debug!(run = run_no, item = item_no, question, "item cancelled"),
    }
    if events.heard() {
        let info = item_info(id, &run.sweep, item, state, answer, failure);
        events.tell(event::Kind::Item(info));
    }
}

fn told(core: &Core, notice: &Notice) {
    let name = |worker: WorkerId| {
        let known = core.workers().find(|(id, _)| *id == worker);
        known.map_or_else(String::new, |(_, known)| known.about.name.clone())
    };
    match notice {
        Notice::Started(run, item) => {
            tracing::debug!(run = run.0, item = item.0, "item started");
        }
        Notice::Granted(lease, worker) => {
            tracing::debug!(%lease, worker = worker.0, name = name(*worker), "lease given");
        }
        Notice::Accepted(lease, worker) => {
            tracing::debug!(%lease, worker = worker.0, name = name(*worker), "outcome accepted");
        }
        // Usual in a split search: somebody else has settled the node, or one above it.
        Notice::Refused(lease, worker, why @ "the unit was called off") => {
            tracing::debug!(%lease, worker = worker.0, "outcome not used: {why}");
        }
        Notice::Refused(lease, worker, why) => {
            tracing::warn!(%lease, worker = worker.0, name = name(*worker), "outcome refused: {why}");
        }
        Notice::Requeued(lease, holder, why) => {
            let worker = holder.map(|holder| holder.0);
            let name = holder.map(name).unwrap_or_default();
            tracing::info!(%lease, worker, name, "lease back in the queue: {why}");
        }
        Notice::Returned(worker, held, void) => {
            let name = name(*worker);
            tracing::info!(worker = worker.0, name, held, void, "worker came back");
        }
        Notice::Joined(worker) => {
            let known = core.workers().find(|(id, _)| id == worker).map(|(_, known)| known);
            let about = known.map(|known| known.about.clone()).unwrap_or_default();
            tracing::info!(
                worker = worker.0,
                name = about.name,
                host = about.host,
                pid = about.pid,
                threads = about.threads,
                memory_mib = about.memory_mib,
                address = about.address,
                version = about.version,
                "worker joined"
            );
        }
        Notice::Left(worker, name) => tracing::info!(worker = worker.0, name, "worker left"),
        Notice::Lost(worker, leases) => {
            tracing::warn!(
                worker = worker.0,
                name = name(*worker),
                leases,
                "worker lost: not heard of for {} s",
                core.settings().lease_ms as f64 / 1000.0
            );
        }
        Notice::Alarm(what) => tracing::error!("{what}"),
        Notice::Run(_) | Notice::Item(..) | Notice::Wake(_) | Notice::WorkAvailable => {}
    }
}

/// Tells watchers how runs go, and with `line` the log.
pub fn progress(core: &Core, speeds: &Speeds, events: &Events, line: bool) {
    for run in core.runs().filter(|run| run.state == RunState::Running) {
        if !line && !events.heard() {
            continue;
        }
        let info = run_info(core, run, speeds);
        if line {
            progress_line(&info);
        }
        events.tell(event::Kind::Run(RunInfo { sweep: String::new(), ..info }));
    }
}

fn progress_line(info: &RunInfo) {
    let counts = info.counts.unwrap_or_default();
    let split = info.proof > 0 || info.disproof > 0;
    tracing::info!(
        run = info.run,
        name = info.name,
        settled = counts.settled,
        open = counts.open,
        failed = counts.failed,
        running = counts.running,
        items = info.items,
        nodes = info.nodes,
        nodes_per_second = info.nodes_per_second as u64,
        // What there is not is left out.
        proof = split.then_some(info.proof),
        disproof = split.then_some(info.disproof),
        store_hits = info.store_hits,
        workers = info.workers,
        eta_seconds = (info.eta >= 0.0).then_some(info.eta as u64),
        "progress"
    );
}
