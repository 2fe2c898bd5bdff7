//! What readers see of the scheduler, taken in one short call at most twice a second and shared by
//! all of them. Without readers nothing is taken.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_page::{PathStep, SearchView, Searcher, WorkerRow};
use hasami_proto::v1::{HeldInfo, Param, RunInfo, RunState, WorkerInfo};
use prometheus_client::metrics::histogram::Histogram;
use tokio::sync::Mutex;

use super::Web;
use crate::core::{Core, Millis, Run, Worker, WorkerId};
use crate::engine::{State, Stopped};
use crate::partition::{PathView, View};
use crate::services::Shared;
use crate::speed::{Speeds, Times};
use crate::view::run_info;

/// A snapshot may be this old.
const FRESH: Duration = Duration::from_millis(500);
/// Units of one worker that are described.
const HELD: usize = 4;
/// Split searches of one run that are described.
const SEARCHES: usize = 4;
/// Units of one search that are described.
const PARTS: usize = 256;

/// The scheduler at one moment.
pub(super) struct Snapshot {
    taken: Instant,
    /// All runs, the oldest first.
    pub runs: Vec<Arc<RunInfo>>,
    /// The workers that are connected.
    pub workers: Vec<WorkerRow>,
    /// Split searches, by run.
    pub searches: BTreeMap<u64, Vec<SearchView>>,
    /// The account of all workers.
    pub times: Times,
    /// Leases that workers hold, and all that were given since the start.
    pub leases: u64,
    pub granted: u64,
    /// Answers that wait to be verified, and those that were refuted.
    pub unverified: u64,
    pub refuted: u64,
    /// Why nothing is handed out at present.
    pub trouble: Option<String>,
    /// Seconds that commits of the journal have taken.
    pub commits: Histogram,
    pub uptime_ms: u64,
}

/// The latest snapshot.
#[derive(Default)]
pub(super) struct Snapshots(Mutex<Option<Arc<Snapshot>>>);

impl Web {
    /// The latest snapshot, or a new one. All who wait share it.
    pub(super) async fn snapshot(&self) -> Result<Arc<Snapshot>, Stopped> {
        let mut latest = self.snapshots.0.lock().await;
        if let Some(known) = latest.as_ref().filter(|known| known.taken.elapsed() < FRESH) {
            return Ok(Arc::clone(known));
        }
        let taken = take(&self.shared, latest.clone()).await?;
        *latest = Some(Arc::clone(&taken));
        Ok(taken)
    }

    /// Forgets the snapshot: something was changed, and its author wants to see it.
    pub(super) async fn look_again(&self) {
        *self.snapshots.0.lock().await = None;
    }
}

async fn take(shared: &Shared, before: Option<Arc<Snapshot>>) -> Result<Arc<Snapshot>, Stopped> {
    let speeds = Arc::clone(&shared.speeds);
    shared
        .engine
        .call(move |state| {
            let speeds = speeds.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            Arc::new(Snapshot::of(state, &speeds, before.as_deref()))
        })
        .await
}

impl Snapshot {
    fn of(state: &State, speeds: &Speeds, before: Option<&Self>) -> Self {
        let (core, now) = (&state.core, state.now);
        let present = || core.workers().filter(|(_, worker)| worker.present);
        // Runs that have ended do not change: there may be thousands.
        let known: BTreeMap<u64, &Arc<RunInfo>> = before
            .into_iter()
            .flat_map(|before| &before.runs)
            .filter(|run| run.finished_ms > 0 && run.state() != RunState::Running)
            .map(|run| (run.run, run))
            .collect();
        let info = |run: &Run| match known.get(&run.id.0).filter(|_| run.is_over()) {
            Some(known) => Arc::clone(known),
            None => Arc::new(run_info(core, run, speeds)),
        };
        let searches = core.runs().filter(|run| !run.is_over()).filter_map(|run| {
            let found = searches(core, run, now);
            (!found.is_empty()).then_some((run.id.0, found))
        });
        Self {
            taken: Instant::now(),
            runs: core.runs().map(info).collect(),
            workers: present().map(|(id, worker)| row(core, id, worker, speeds, now)).collect(),
            searches: searches.collect(),
            times: speeds.all_times(),
            leases: present().map(|(_, worker)| worker.leases() as u64).sum(),
            granted: core.granted(),
            unverified: core.unverified() as u64,
            refuted: core.refuted(),
            trouble: core.trouble().map(str::to_string),
            commits: state.commits.clone(),
            uptime_ms: now.0,
        }
    }
}

/// A worker with the first units that it computes.
fn row(core: &Core, id: WorkerId, worker: &Worker, speeds: &Speeds, now: Millis) -> WorkerRow {
    let held = worker.held().filter(|(_, begun)| *begun).take(HELD).filter_map(|(lease, begun)| {
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
    });
    let about = &worker.about;
    let label =
        |(name, value): &(String, String)| Param { name: name.clone(), value: value.clone() };
    let Times { busy, idle, .. } = speeds.times(id);
    WorkerRow {
        busy,
        idle,
        info: WorkerInfo {
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
            held: held.collect(),
            token: about.token.clone(),
        },
    }
}

/// The split searches of a run.
fn searches(core: &Core, run: &Run, now: Millis) -> Vec<SearchView> {
    let mut found = Vec::new();
    for (item, question, partition) in run.split_searches().take(SEARCHES) {
        let View { path, parts, kept } = partition.view();
        let searchers = parts.iter().take(PARTS).map(|part| {
            let (holder, nodes, since) = run.unit(item, part.unit).unwrap_or((None, 0, now));
            let worker = holder.and_then(|id| core.worker(id));
            let depth = match part.key {
                Some(key) => path.iter().position(|step| step.key == key),
                None => Some(0),
            };
            Searcher {
                unit: part.unit.0,
                part: part.part.to_string(),
                worker: worker.map_or_else(String::new, |worker| worker.about.name.clone()),
                depth,
                nodes,
                seconds: now.0.saturating_sub(since.0) as f64 / 1000.0,
            }
        });
        let helpers = |step: &PathView| {
            let here = parts.iter().filter(|part| part.key == Some(step.key));
            here.map(|part| part.unit.0).collect()
        };
        let steps = path.iter().map(|step| PathStep {
            or: step.turn == hasami_andor::Turn::Or,
            open: step.open,
            numbers: (step.numbers.proof, step.numbers.disproof),
            helpers: helpers(step),
        });
        let root = partition.root();
        found.push(SearchView {
            run: run.id.0,
            item: item.0,
            question: question.spelled(),
            kind: run.sweep.partitioner().to_string(),
            root: (root.proof, root.disproof),
            nodes: partition.nodes(),
            kept,
            path: steps.collect(),
            searchers: searchers.collect(),
        });
    }
    found
}
