//! The coordinator's log: every change of a run, item, worker and lease once, with its ids, and
//! regular progress lines per run. The log alone is enough to reconstruct what happened.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;

use hasami_proto::v1::{RunInfo, event};
use hasami_unit::{ItemState, RunState};

use crate::core::{Core, GiveBack, ItemNo, Notice, Run, RunId, WorkerId};
use crate::journal::Journal;
use crate::server::{Complaints, Security};
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
    for run in core.runs().filter(|run| run.state == RunState::Unreadable) {
        let (id, name) = (run.id.0, run.sweep.name());
        tracing::error!(
            run = id,
            name,
            "this run cannot be read and is left as it is: {}",
            run.note
        );
    }
    let (damaged, _) = journal.damage(0);
    if damaged > 0 {
        tracing::error!(
            damaged,
            "records of the journal cannot be read; `hasami status` lists them"
        );
    }
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

/// Lines that the worker of one token has caused.
#[derive(Default)]
pub struct Quiet(HashMap<String, Complaints>);

impl Quiet {
    /// Whether a line about a worker may be written, and how many were left out before it.
    fn next(&mut self, core: &Core, worker: WorkerId) -> Option<Option<u64>> {
        let caller = core.worker(worker).map_or("", |known| known.about.caller.as_str());
        if !self.0.contains_key(caller) {
            self.0.insert(caller.to_string(), Complaints::default());
        }
        let left_out = self.0.get(caller)?.next()?;
        Some((left_out > 0).then_some(left_out))
    }
}

/// Everything else that happens.
pub fn notice(core: &Core, notice: &Notice, quiet: &mut Quiet) {
    let name = |worker: WorkerId| {
        core.worker(worker).map_or_else(String::new, |known| known.about.name.clone())
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
        Notice::Refuted(lease, sender, why) => {
            tracing::warn!(%lease, sender, "answer refuted: {why}");
        }
        Notice::Rejected(lease, worker, why) if why.is_usual() => {
            tracing::debug!(%lease, worker = worker.0, "outcome not used: {why}");
        }
        Notice::Rejected(lease, worker, why) => {
            let Some(left_out) = quiet.next(core, *worker) else { return };
            let name = name(*worker);
            tracing::warn!(%lease, worker = worker.0, name, left_out, "outcome refused: {why}");
        }
        Notice::Requeued(lease, holder, GiveBack::Unbegun) => {
            let worker = holder.map(|holder| holder.0);
            tracing::debug!(%lease, worker, "lease returned unbegun: another worker was idle");
        }
        Notice::Requeued(lease, holder, why) => {
            let worker = holder.map(|holder| holder.0);
            let name = holder.map(name).unwrap_or_default();
            tracing::info!(%lease, worker, name, "lease back in the queue: {why}");
        }
        Notice::Returned { worker, held, revoked } => {
            let Some(left_out) = quiet.next(core, *worker) else { return };
            let name = name(*worker);
            tracing::info!(worker = worker.0, name, held, revoked, left_out, "worker came back");
        }
        Notice::Joined(worker) => {
            let Some(left_out) = quiet.next(core, *worker) else { return };
            let about = core.worker(*worker).map(|known| known.about.clone()).unwrap_or_default();
            tracing::info!(
                worker = worker.0,
                name = about.name,
                host = about.host,
                pid = about.pid,
                threads = about.threads,
                memory_mib = about.memory_mib,
                address = about.address,
                version = about.version,
                token = about.caller,
                left_out,
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
        Notice::Deleted(run) => tracing::info!(run = run.0, "run deleted"),
        Notice::Alarm(what) => tracing::error!("{what}"),
        Notice::Run(_)
        | Notice::Item(..)
        | Notice::Claimed(_)
        | Notice::Wake(_)
        | Notice::WorkAvailable => {}
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
        events.tell(event::Kind::Run(info));
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
