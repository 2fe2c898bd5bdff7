//! The coordinator's log: every change of a run, item, worker and lease once, with its ids, and
//! regular progress lines per run. The log alone is enough to reconstruct what happened.

use std::net::SocketAddr;
use std::path::Path;

use hasami_proto::v1::{RunInfo, event};
use hasami_unit::{ItemState, RunState};

use crate::core::{Core, ItemNo, Notice, Run, RunId, WorkerId};
use crate::journal::Journal;
use crate::server::Security;
use crate::services::Events;
use crate::speed::Speeds;
use crate::view::run_info;

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

/// The state of a run has changed.
pub fn run_changed(run: &Run, info: &RunInfo) {
    let counts = info.counts.unwrap_or_default();
    tracing::info!(
        run = info.run,
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
}

/// An item has ended with this claim, or for this reason.
pub fn item_ended(run: &Run, item: ItemNo, claim: &str, failure: &str) {
    let Some((state, attempts, reused)) = run.item(item) else { return };
    let question = run.sweep.item(item.0 as usize).spelled();
    let (RunId(run), ItemNo(item)) = (run.id, item);
    match state {
        ItemState::Failed => {
            tracing::error!(run, item, question, attempts, "item failed: {failure}");
        }
        ItemState::Settled => {
            tracing::info!(run, item, question, attempts, reused, "item settled: {claim}");
        }
        ItemState::Open => {
            tracing::info!(run, item, question, attempts, "item left open: {claim}");
        }
        ItemState::Waiting | ItemState::Running | ItemState::Cancelled => {
            tracing::debug!(run, item, question, "item cancelled");
        }
    }
}

/// Everything else that happens.
pub fn notice(core: &Core, notice: &Notice) {
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
        Notice::Rejected(lease, worker, why) if why.is_usual() => {
            tracing::debug!(%lease, worker = worker.0, "outcome not used: {why}");
        }
        Notice::Rejected(lease, worker, why) => {
            tracing::warn!(%lease, worker = worker.0, name = name(*worker), "outcome refused: {why}");
        }
        Notice::Requeued(lease, holder, why) => {
            let worker = holder.map(|holder| holder.0);
            let name = holder.map(name).unwrap_or_default();
            tracing::info!(%lease, worker, name, "lease back in the queue: {why}");
        }
        Notice::Returned { worker, held, revoked } => {
            let name = name(*worker);
            tracing::info!(worker = worker.0, name, held, revoked, "worker came back");
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

/// Sends the progress of runs to watchers and, with `line`, to the log.
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
        // Missing values are left out.
        proof = split.then_some(info.proof),
        disproof = split.then_some(info.disproof),
        store_hits = info.store_hits,
        workers = info.workers,
        eta_seconds = (info.eta >= 0.0).then_some(info.eta as u64),
        "progress"
    );
}
