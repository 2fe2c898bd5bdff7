//! Runs, items and workers as clients see them.

use hasami_proto::v1::{self, Counts, HeldInfo, ItemInfo, Param, RunInfo, StageInfo, WorkerInfo};
use hasami_sweep::{Answer, Sweep};
use hasami_unit::{ItemState, RunState};

use crate::core::{Core, ItemNo, Lease, Millis, Run, RunId, Worker, WorkerId};
use crate::speed::Speeds;

/// Units of one worker that are described; all are counted.
const MOST_HELD: usize = 256;

/// A run with its counts and speed, without the text of its sweep, which may be long.
#[must_use]
pub fn run_info(core: &Core, run: &Run, speeds: &Speeds) -> RunInfo {
    let counts = run.counts();
    let running = run.state == RunState::Running;
    let left = speeds.left(run.id).filter(|_| running);
    let root = run.root();
    RunInfo {
        run: run.id.0,
        name: run.sweep.name().to_string(),
        state: v1::RunState::from(run.state).into(),
        items: run.sweep.len() as u64,
        counts: Some(Counts {
            waiting: counts.of(ItemState::Waiting),
            running: counts.of(ItemState::Running),
            settled: counts.of(ItemState::Settled),
            open: counts.of(ItemState::Open),
            failed: counts.of(ItemState::Failed),
            cancelled: counts.of(ItemState::Cancelled),
            reused: counts.reused,
        }),
        submitted_ms: run.submitted_ms,
        finished_ms: run.finished_ms,
        nodes: run.nodes(),
        nodes_per_second: speeds.nodes(run.id),
        workers: core.workers_of(run.id) as u32,
        eta: left.map_or(-1.0, |left| left.as_secs_f64()),
        priority: run.sweep.priority(),
        proof: root.map_or(0, |numbers| numbers.proof),
        disproof: root.map_or(0, |numbers| numbers.disproof),
        store_hits: run.store_hits(),
        sweep: String::new(),
        note: core.trouble().filter(|_| running).unwrap_or(&run.note).to_string(),
        stage: run.stage().map(|stage| StageInfo {
            number: stage.number,
            place: stage.place as u32,
            of: stage.of as u32,
            items: stage.items as u64,
            ended: stage.ended as u64,
        }),
    }
}

/// An item; the answer and the failure come from the journal.
#[must_use]
pub fn item_info(
    run: RunId,
    sweep: &Sweep,
    item: ItemNo,
    (state, attempts, reused): (ItemState, u32, bool),
    answer: Option<Answer>,
    failure: String,
) -> ItemInfo {
    ItemInfo {
        run: run.0,
        item: item.0,
        question: Some(sweep.item(item.0 as usize).into()),
        state: v1::ItemState::from(state).into(),
        answer: answer.map(Into::into),
        failure,
        attempts,
        reused,
        kind: sweep.kind().to_string(),
        stage: sweep.stage(item.0 as usize),
    }
}

/// A worker.
#[must_use]
pub fn worker_info(
    core: &Core,
    id: WorkerId,
    worker: &Worker,
    speeds: &Speeds,
    now: Millis,
) -> WorkerInfo {
    let held = |(lease, begun): (Lease, bool)| {
        let run = core.run(lease.run)?;
        let (kind, since, nodes) = run.held(lease)?;
        Some(HeldInfo {
            lease: Some(lease.into()),
            kind: kind.to_string(),
            begun,
            seconds: now.0.saturating_sub(since.0) as f64 / 1000.0,
            nodes,
            question: run.sweep.item(lease.item.0 as usize).spelled(),
        })
    };
    let about = &worker.about;
    let label =
        |(name, value): &(String, String)| Param { name: name.clone(), value: value.clone() };
    WorkerInfo {
        worker: id.0,
        name: about.name.clone(),
        host: about.host.clone(),
        pid: about.pid,
        threads: about.threads,
        memory_mib: about.memory_mib,
        labels: about.labels.iter().map(label).collect(),
        version: about.version.clone(),
        leases: worker.leases() as u32,
        nodes_per_second: speeds.of_worker(id),
        silent: now.0.saturating_sub(worker.seen.0) as f64 / 1000.0,
        address: about.address.clone(),
        held: worker.held().take(MOST_HELD).filter_map(held).collect(),
        token: about.token.clone(),
    }
}
