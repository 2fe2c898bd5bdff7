//! The scheduler: runs, items, units, leases and workers. Pure: every method takes the time,
//! changes the state, and queues what must be written to disk ([`Change`]) and what to report
//! ([`Notice`]). The caller writes the changes, syncs, and only then replies.

mod balance;
mod change;
mod claim;
mod control;
mod delete;
mod doubt;
mod fair;
mod finish;
mod ids;
mod limits;
mod look;
mod order;
mod plan;
mod problems;
mod record;
mod report;
mod restore;
mod run;
mod stages;
mod take;
#[cfg(test)]
mod tests;
mod together;
mod worker;
mod workers;

use std::collections::{BTreeMap, HashSet};

use hasami_spec::ContentKey;

pub use change::{Change, GiveBack, Notice};
pub use claim::{Claim, Claimed, Found, Sender};
pub use ids::{Attempt, ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
pub use look::Brief;
pub use order::Weight;
pub use plan::stage_question;
pub use problems::Refused;
pub use record::{HistoryRecord, ItemRecord, RunRecord, UnitRecord, WorkerRecord};
pub use restore::{Restoring, Saved};
pub use run::{Counts, Run};
pub use stages::StageView;
pub use worker::{Commands, Introduction, Worker};
pub use workers::Registered;

/// Times and limits.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// A worker that is silent for this long loses its leases.
    pub lease_ms: u64,
    /// How often a worker reports its progress.
    pub heartbeat_ms: u64,
    /// A part of an enumeration that takes longer splits itself.
    pub split_ms: u32,
    /// A unit without progress for this long is given to another worker, if one is idle.
    pub stall_ms: u64,
    /// An item that takes longer than this is searched by idle workers together, at the tail of a
    /// sweep.
    pub long_ms: u64,
    /// Runs with more items than this record only unusual events in their history.
    pub full_history: usize,
    /// Whether answers wait until somebody other than their sender has verified them.
    pub verifies: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease_ms: 15_000,
            heartbeat_ms: 1_000,
            split_ms: 2_000,
            stall_ms: 1_800_000,
            long_ms: 10_000,
            full_history: 10_000,
            verifies: true,
        }
    }
}

/// All state of the coordinator that matters after a restart, and the leases.
pub struct Core {
    settings: Settings,
    runs: BTreeMap<RunId, Run>,
    workers: BTreeMap<WorkerId, Worker>,
    /// Of each priority: what the runs have had at which new ones join.
    levels: BTreeMap<i32, f64>,
    /// When units without progress were last looked for.
    stalls_seen: Millis,
    /// When long items were last looked for.
    long_seen: Millis,
    next_run: u64,
    next_worker: u64,
    granted: u64,
    /// Answers that wait to be verified.
    claims: usize,
    /// How many answers of each sender were refuted.
    refuted: BTreeMap<Sender, u32>,
    /// Why nothing is handed out at present.
    trouble: Option<String>,
    changes: Vec<Change>,
    notices: Vec<Notice>,
    problems: problems::Problems,
    /// Keys of answers given since a deletion began.
    answered: Option<HashSet<ContentKey>>,
}

impl Core {
    /// An empty core.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            runs: BTreeMap::new(),
            workers: BTreeMap::new(),
            levels: BTreeMap::new(),
            stalls_seen: Millis(0),
            long_seen: Millis(0),
            next_run: 1,
            next_worker: 1,
            granted: 0,
            claims: 0,
            refuted: BTreeMap::new(),
            trouble: None,
            changes: Vec::new(),
            notices: Vec::new(),
            problems: problems::Problems::default(),
            answered: None,
        }
    }

    /// Times and limits.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Takes the changes to write and the notices to report since the last call, each in order.
    pub fn take_effects(&mut self) -> (Vec<Change>, Vec<Notice>) {
        self.note_answers();
        (std::mem::take(&mut self.changes), std::mem::take(&mut self.notices))
    }

    /// A run by number.
    #[must_use]
    pub fn run(&self, run: RunId) -> Option<&Run> {
        self.runs.get(&run)
    }

    /// All runs, the oldest first.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.values()
    }

    /// A worker.
    #[must_use]
    pub fn worker(&self, worker: WorkerId) -> Option<&Worker> {
        self.workers.get(&worker)
    }

    /// All workers.
    pub fn workers(&self) -> impl Iterator<Item = (WorkerId, &Worker)> {
        self.workers.iter().map(|(&id, worker)| (id, worker))
    }

    /// Why nothing is handed out at present, if something is wrong with the coordinator's machine.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Hands out nothing while there is trouble.
    pub fn set_trouble(&mut self, trouble: Option<String>) {
        self.trouble = trouble;
        let open = self.runs.values().filter(|run| !run.is_over());
        self.notices.extend(open.map(|run| Notice::Run(run.id)));
        self.notices.push(Notice::WorkAvailable);
    }

    /// Leases granted since the start.
    #[must_use]
    pub fn granted(&self) -> u64 {
        self.granted
    }

    /// Answers that wait to be verified.
    #[must_use]
    pub fn unverified(&self) -> usize {
        self.claims
    }

    /// Answers that were refuted since the start.
    #[must_use]
    pub fn refuted(&self) -> u64 {
        self.refuted.values().map(|&count| u64::from(count)).sum()
    }

    /// How many workers compute for a run. Workers that have not returned since a restart do not
    /// count: they may never return.
    #[must_use]
    pub fn workers_of(&self, run: RunId) -> usize {
        let holds = |worker: &&Worker| worker.leases.iter().any(|lease| lease.run == run);
        self.workers.values().filter(|worker| worker.present).filter(holds).count()
    }

    /// A run that exists: ids inside the core come from its own maps. Ids from callers or workers
    /// are looked up with `get` first.
    fn run_mut(&mut self, run: RunId) -> &mut Run {
        self.runs.get_mut(&run).expect("a run of the core")
    }

    /// A worker that exists: a holder of a unit, or one that [`Core::knows`].
    fn worker_mut(&mut self, worker: WorkerId) -> &mut Worker {
        self.workers.get_mut(&worker).expect("a worker that is known")
    }

    /// A worker by number and name.
    #[must_use]
    pub fn worker_name(&self, worker: WorkerId) -> String {
        self.name_of(worker)
    }

    fn name_of(&self, worker: WorkerId) -> String {
        self.workers.get(&worker).map_or_else(
            || format!("worker {}", worker.0),
            |known| format!("worker {} ({})", worker.0, known.about.name),
        )
    }

    /// Adds a line to the history of an item. Usual events are recorded for small runs only.
    fn history(&mut self, run: RunId, item: ItemNo, unusual: bool, text: String) {
        let small = |run: &Run| run.sweep.len() <= self.settings.full_history;
        if unusual || self.runs.get(&run).is_some_and(small) {
            self.changes.push(Change::History(run, item, text));
        }
    }
}
