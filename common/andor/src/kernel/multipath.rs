//! `multipath`: simultaneous multi-path search on one core (Takano et al., after AOHPAS).
//!
//! A leader searches from the root, smallest proof number first. Each slave is assigned to an OR
//! node of the leader's path and settles its children from the largest proof number down. A
//! scheduler gives each pseudo-thread an amount of search in turn.

mod schedule;

use super::{Job, Outcome, finished, out_of_budget};
use crate::numbers::{Numbers, Verdict};
use crate::problem::{Key, Problem, Turn};
use crate::search::{Control, Counts, Options, Step, Walker};
use crate::table::{Entry, Table};
use schedule::Pace;
pub use schedule::{Amount, Schedule};

/// A leader and its slaves.
pub struct Multipath<'a, P: Problem> {
    problem: &'a P,
    table: &'a Table<P::Reason>,
    schedule: Schedule,
    pace: Pace,
    leader: Walker<'a, P>,
    slaves: Vec<Slave<'a, P>>,
    /// Whose turn it is; 0 is the leader.
    turn: usize,
    reported: u64,
}

struct Slave<'a, P: Problem> {
    walker: Walker<'a, P>,
    task: Option<Task<P>>,
}

/// An OR node to be settled child by child.
struct Task<P: Problem> {
    state: P::State,
    key: Key,
    /// The leader's path when the task was given. If any node of it is settled, the task is void.
    above: Vec<Key>,
    /// Indexes and moves still to be settled; the next one is at the end.
    rest: Vec<(u16, P::Move)>,
    current: Option<(u16, P::Move)>,
    /// Nodes of the slave when it received the task.
    entered: u64,
}

/// How a slave's turn ended.
#[derive(PartialEq, Eq)]
enum Turned {
    UsedUp,
    Proved,
    Idle,
}

impl<'a, P: Problem> Multipath<'a, P> {
    pub(super) fn new(
        problem: &'a P,
        table: &'a Table<P::Reason>,
        options: Options,
        schedule: Schedule,
        job: Job<P::State>,
    ) -> Self {
        let mut leader = Walker::new(problem, table, options);
        leader.begin(job.state, job.target);
        let slave = |_| Slave { walker: Walker::new(problem, table, options), task: None };
        let slaves = (1..schedule.threads.max(1)).map(slave).collect();
        let pace = Pace::new(&schedule);
        Self { problem, table, schedule, pace, leader, slaves, turn: 0, reported: 0 }
    }

    pub(super) fn run(&mut self, control: &Control) -> Outcome {
        let stopped = loop {
            if self.leader.answer().is_some() {
                break finished(self.leader.root_numbers());
            }
            if control.left() == 0 {
                break out_of_budget(control);
            }
            let amount = self.amount_of(self.turn);
            if self.turn == 0 {
                self.leader.catch_up();
                advance(&mut self.leader, &mut Turning::new(&self.schedule, amount, control));
                self.pace.led(self.leader.root_numbers());
                self.turn = 1;
            } else {
                let turned = self.slave_turn(self.turn - 1, amount, control);
                let cut = turned == Turned::Proved && self.schedule.optimized;
                self.turn = if cut { 0 } else { self.turn + 1 };
            }
            if self.turn > self.pace.slaves() {
                self.turn = 0;
            }
            // Whoever has no turns keeps no node from the others.
            self.slaves[self.pace.slaves()..].iter_mut().for_each(|slave| slave.task = None);
            let nodes = self.counts().nodes;
            control.spend(nodes - self.reported);
            self.reported = nodes;
            control.report_root(self.leader.root_numbers());
        };
        // A leader that finished before its first turn (a known or terminal state) has nodes too.
        let counts = self.counts();
        control.spend(counts.nodes - self.reported);
        self.reported = counts.nodes;
        Outcome {
            stopped,
            numbers: self.leader.root_numbers(),
            best: self.leader.answer().and_then(|answer| answer.best),
            counts,
        }
    }

    pub(super) fn park(&mut self) {
        self.slaves.iter_mut().for_each(|slave| slave.walker.park());
        self.leader.park();
    }

    fn counts(&self) -> Counts {
        let slaves = self.slaves.iter().map(|slave| slave.walker.counts());
        Counts::total(slaves.chain([self.leader.counts()]))
    }

    /// The upper limit on the next turn of a pseudo-thread.
    fn amount_of(&self, thread: usize) -> f64 {
        let weight = |numbers: Numbers| match self.schedule.amount {
            Amount::Constant => 1.0,
            Amount::Proof => f64::from(numbers.proof.max(1)),
            Amount::ProofAndDisproof => {
                f64::from(numbers.proof.max(1)) + f64::from(numbers.disproof.max(1))
            }
        };
        let leads_at = self.leader.path().len().saturating_sub(1);
        let mut weights = vec![weight(match self.leader.answer() {
            Some(answer) => answer.numbers,
            None => self.leader.numbers_at(leads_at),
        })];
        for slave in &self.slaves {
            let numbers = slave.task.as_ref();
            let numbers = numbers.and_then(|task| self.table.look(self.problem, task.key).entry);
            let numbers = numbers.map_or(Numbers::UNKNOWN, |entry| entry.numbers);
            weights.push(if slave.task.is_some() { weight(numbers) } else { 0.0 });
        }
        let own = if weights[thread] > 0.0 { weights[thread] } else { 1.0 };
        let share = match self.schedule.amount {
            Amount::Constant => 1.0,
            Amount::Proof | Amount::ProofAndDisproof => weights.iter().sum::<f64>() / own,
        };
        let favour = if thread == 0 { self.pace.leader() } else { 1.0 };
        // Clamp the turn, however hard its siblings are: no thread may starve the others.
        (share * favour).clamp(0.01, 1000.0) * self.schedule.base as f64
    }

    fn slave_turn(&mut self, index: usize, amount: f64, control: &Control) -> Turned {
        let mut turning = Turning::new(&self.schedule, amount, control);
        let mut proved = false;
        loop {
            if self.slaves[index].task.as_ref().is_some_and(|task| self.is_void(task)) {
                self.slaves[index].task = None;
                self.pace.wasted();
            }
            if self.slaves[index].task.is_none() {
                if proved && self.schedule.optimized {
                    return Turned::Proved;
                }
                let Some(mut task) = self.assign() else {
                    return Turned::Idle;
                };
                task.entered = self.slaves[index].walker.counts().nodes;
                self.slaves[index].task = Some(task);
            }
            let slave = &mut self.slaves[index];
            let task = slave.task.as_mut().expect("the task just given");
            let Some((place, mv)) = task.current.or_else(|| task.rest.pop()) else {
                slave.task = None;
                continue;
            };
            if task.current.is_none() {
                task.current = Some((place, mv));
                // Charge for a child that the table knows too: otherwise the turn might never end.
                turning.spent += 1.0;
                let child = self.problem.play(&task.state, mv);
                slave.walker.begin(child, Job::<P::State>::UNBOUNDED);
            }
            if turning.over() || advance(&mut slave.walker, &mut turning) == Step::Paused {
                return Turned::UsedUp;
            }
            task.current = None;
            let answer = slave.walker.answer().expect("a finished search has an answer");
            if answer.numbers.verdict() == Some(Verdict::Proven) {
                self.proved(index, place, mv, answer.reason);
                self.pace.proved();
                proved = true;
            }
        }
    }

    /// A slave has proven a child of its OR node, and with it the node.
    fn proved(&mut self, index: usize, best: u16, mv: P::Move, below: P::Reason) {
        let task = self.slaves[index].task.take().expect("the task that was proven");
        let reason = self.problem.reason(&task.state, Verdict::Proven, &[(mv, below)]);
        let work = self.slaves[index].walker.counts().nodes - task.entered;
        let work = work.min(u64::from(u32::MAX)) as u32;
        let entry = Entry { best, reason, ..Entry::new(Numbers::PROVEN, work) };
        self.table.keep(self.problem, task.key, &entry);
    }

    /// Whether the node, or one above it, is settled by now.
    fn is_void(&self, task: &Task<P>) -> bool {
        let settled = |key: &Key| self.table.look(self.problem, *key).settled().is_some();
        settled(&task.key) || task.above.iter().any(settled)
    }

    /// The topmost OR node of the leader's path that no slave has and that has an open child beside
    /// the leader's. There is rarely one, so nothing is built before it is found.
    fn assign(&self) -> Option<Task<P>> {
        let (depth, state) = self.leader.path().enumerate().find(|&(depth, state)| {
            self.problem.turn(state) == Turn::Or
                && self.open_children(depth).nth(1).is_some()
                && !self.is_taken(self.problem.key(state))
        })?;
        let mut open: Vec<_> = self.open_children(depth).collect();
        open.sort_by_key(|&(proof, place, _)| (proof, place));
        Some(Task {
            state: state.clone(),
            key: self.problem.key(state),
            above: self.leader.path().take(depth).map(|above| self.problem.key(above)).collect(),
            rest: open.into_iter().map(|(_, place, mv)| (place, mv)).collect(),
            current: None,
            entered: 0,
        })
    }

    fn is_taken(&self, key: Key) -> bool {
        self.slaves.iter().filter_map(|slave| slave.task.as_ref()).any(|task| task.key == key)
    }

    /// Proof number, index and move of the unsettled children of a node of the leader's path.
    fn open_children(&self, depth: usize) -> impl Iterator<Item = (u32, u16, P::Move)> {
        let children = self.leader.children_of(depth).iter().enumerate();
        children
            .filter(|(_, child)| !child.numbers.settled())
            .map(|(place, child)| (child.numbers.proof, place as u16, child.mv))
    }
}

/// Accounting of one turn.
struct Turning<'c> {
    weight: f64,
    amount: f64,
    spent: f64,
    control: &'c Control,
}

impl<'c> Turning<'c> {
    fn new(schedule: &Schedule, amount: f64, control: &'c Control) -> Self {
        Self { weight: schedule.weight, amount, spent: 0.0, control }
    }

    fn over(&self) -> bool {
        self.spent >= self.amount || self.control.left() as f64 <= self.spent
    }

    fn used(&self, from: &Counts, to: &Counts) -> f64 {
        (to.nodes - from.nodes) as f64 + self.weight * (to.references - from.references) as f64
    }
}

/// Runs a walker for what is left of the turn (or of the budget).
fn advance<P: Problem>(walker: &mut Walker<'_, P>, turning: &mut Turning<'_>) -> Step {
    let from = walker.counts();
    let left = turning.control.left().saturating_sub(turning.spent as u64);
    let step = walker.run(|counts| {
        turning.spent + turning.used(&from, counts) >= turning.amount
            || counts.nodes - from.nodes >= left
            || turning.control.is_cancelled()
    });
    turning.spent += turning.used(&from, &walker.counts());
    step
}
