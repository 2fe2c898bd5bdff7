//! One simulated worker: a real kernel on a real table, run a slice of virtual time at a time.

use hasami_andor::table::Entry;
use hasami_andor::{
    Control, Job, Kernel, Key, Options, Outcome, Problem, Role, Search, SearchProgress,
    SearchReport, SearchTask, Stopped, Table, children,
};

use super::cluster::Time;
use super::shared::Shared;
use hasami_coordinator::partition::{Task, UnitNo};

/// What a worker spends its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Waiting,
    Talking,
    Searching,
}

/// A lease at work.
pub(super) struct Work<'a, P: Problem> {
    pub unit: UnitNo,
    pub task: SearchTask,
    state: P::State,
    search: Search<'a, P>,
    pub control: Control,
    nodes: u64,
    pub began: Time,
    pub cancelled: bool,
}

/// A worker and where its time went.
pub(super) struct Worker<'a, P: Problem> {
    problem: &'a P,
    table: &'a Table<P::Reason>,
    pub work: Option<Work<'a, P>>,
    doing: Doing,
    since: Time,
    /// Time spent waiting, talking and searching.
    pub spent: [Time; 3],
    pub nodes: u64,
    /// How much of the store's feed it has read.
    read: usize,
}

impl<'a, P: Problem> Worker<'a, P> {
    pub fn new(problem: &'a P, table: &'a Table<P::Reason>) -> Self {
        let (doing, spent) = (Doing::Talking, [0; 3]);
        Self { problem, table, work: None, doing, since: 0, spent, nodes: 0, read: 0 }
    }

    /// From now on the worker does this.
    pub fn turn_to(&mut self, doing: Doing, now: Time) {
        self.spent[self.doing as usize] += now.saturating_sub(self.since);
        self.since = self.since.max(now);
        self.doing = doing;
    }

    /// Begins a task; how many batches it asked the store for.
    pub fn begin(
        &mut self,
        task: Task,
        options: Options,
        shared: &Shared<P::Reason>,
        now: Time,
    ) -> u32 {
        let Task { unit, search: task } = task;
        let state = match task.state.is_empty() {
            true => self.problem.root(),
            false => self.problem.decode(&task.state).expect("a state that a worker encoded"),
        };
        let mut batches = 0;
        if task.share {
            shared.tell_news(&mut self.read, self.table, task.role == Role::Leader);
            batches = shared.pull(self.problem, options, &state, self.table);
        }
        let options = Options { seed: options.seed.wrapping_add(task.seed), ..options };
        let search = match task.role {
            Role::Slave => Search::slave(self.problem, self.table, options, state.clone()),
            Role::Plain | Role::Leader => {
                let job = Job { state: state.clone(), target: task.target };
                Search::new(Kernel::Dfpn, self.problem, self.table, options, job)
            }
        };
        let control = Control::with_budget(0);
        if task.role == Role::Leader {
            control.want_path();
        }
        let (nodes, began, cancelled) = (0, now, false);
        self.work = Some(Work { unit, task, state, search, control, nodes, began, cancelled });
        batches
    }

    /// Searches for so many nodes at most; how many it took, and whether it goes on after them.
    pub fn slice(&mut self, most: u64) -> (u64, Outcome) {
        let work = self.work.as_mut().expect("a lease to work on");
        let left = work.task.nodes.map_or(u64::MAX, |budget| budget.saturating_sub(work.nodes));
        // Kernels stop a little past their budget; the next slice is shorter by that.
        work.control.extend((work.nodes + most.min(left)).saturating_sub(work.control.nodes()));
        let outcome = work.search.run(&work.control);
        let took = outcome.counts.nodes - work.nodes;
        work.nodes = outcome.counts.nodes;
        self.nodes += took;
        (took, outcome)
    }

    /// Whether the lease is over after this outcome.
    pub fn is_over(&self, outcome: &Outcome) -> bool {
        let Some(work) = &self.work else { return true };
        let used_up = work.task.nodes.is_some_and(|budget| work.nodes >= budget);
        work.cancelled || outcome.stopped != Stopped::Budget || used_up
    }

    /// Takes in what others have published; how many records that were.
    pub fn look(&mut self, shared: &Shared<P::Reason>) -> usize {
        let Some(work) = self.work.as_ref().filter(|work| work.task.share) else { return 0 };
        let leads = work.task.role == Role::Leader;
        let news = shared.tell_news(&mut self.read, self.table, leads);
        if news > 0 {
            work.control.tell_news();
        }
        news
    }

    pub fn progress(&self, outcome: &Outcome) -> Option<SearchProgress> {
        let work = self.work.as_ref()?;
        let path = work.control.path();
        Some(SearchProgress { nodes: work.nodes, numbers: outcome.numbers, path })
    }

    /// Ends the lease.
    pub fn report(&mut self, outcome: &Outcome, seconds: f64, options: Options) -> SearchReport {
        let mut work = self.work.take().expect("a lease to report on");
        work.search.park();
        let mut found = Vec::new();
        if work.task.children && !outcome.numbers.settled() {
            found = children(self.problem, self.table, options, &work.state);
        }
        SearchReport {
            numbers: outcome.numbers,
            turn: self.problem.turn(&work.state),
            nodes: work.nodes,
            seconds,
            stopped: if work.cancelled { Stopped::Cancelled } else { outcome.stopped },
            children: found,
            store_hits: 0,
        }
    }

    /// What the table has to tell others.
    pub fn drain(&self) -> Vec<(Key, Entry<P::Reason>)> {
        let mut out = Vec::new();
        self.table.drain(&mut out);
        out
    }

    /// What a report rests on, however little it cost: the coordinator builds on the verdicts in it,
    /// so whoever confirms them must find them.
    pub fn basis(&self, task: &SearchTask, report: &SearchReport) -> Vec<(Key, Entry<P::Reason>)> {
        let state = match task.state.is_empty() {
            true => Some(self.problem.root()),
            false => self.problem.decode(&task.state).ok(),
        };
        let own = state.map(|state| self.problem.key(&state));
        let children = report.children.iter().map(|child| child.key);
        let found = own.into_iter().chain(children);
        let settled = |entry: &Entry<P::Reason>| entry.numbers.settled();
        found.filter_map(|key| Some((key, self.table.lookup(key).filter(settled)?))).collect()
    }
}
