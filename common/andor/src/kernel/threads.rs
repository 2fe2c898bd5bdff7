//! `threads`: many cores of one process on one table.
//!
//! Every thread runs df-pn from the root. Virtual numbers make a child that other threads search
//! look worse, so that the threads spread out. A thread that settles a node notifies the threads
//! below it, and they go up at once (Kaneko 2010; Pawlewicz & Hayward 2013).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::single::QUANTUM;
use super::{Job, Outcome, finished, out_of_budget};
use crate::numbers::Numbers;
use crate::problem::Problem;
use crate::search::crowd::{Crowd, MAX_SEATS};
use crate::search::{Answer, Control, Counts, Options, Step, Walker};
use crate::table::Table;

/// Nodes that the first walker searches alone: starting a thread takes longer.
const ALONE: u64 = 64;

/// Depth-first searches that share one table.
pub struct Threads<'a, P: Problem> {
    walkers: Vec<Walker<'a, P>>,
    target: Numbers,
    answer: Option<Answer<P::Reason>>,
}

impl<'a, P: Problem> Threads<'a, P> {
    pub(super) fn new(
        problem: &'a P,
        table: &'a Table<P::Reason>,
        options: Options,
        count: usize,
        job: Job<P::State>,
    ) -> Self {
        let crowd = Arc::new(Crowd::new());
        let mut walkers = Vec::new();
        for index in 0..count.clamp(1, MAX_SEATS) {
            let mut walker = Walker::new(problem, table, options);
            if count > 1 {
                walker.join_crowd(crowd.seat(index));
            }
            walker.begin(job.state.clone(), job.target);
            walkers.push(walker);
        }
        Self { walkers, target: job.target, answer: None }
    }

    pub(super) fn run(&mut self, control: &Control) -> Outcome {
        let done = AtomicBool::new(false);
        // Rotate: the first walker does all the work of small budgets.
        self.walkers.rotate_left(1);
        let [first, rest @ ..] = &mut self.walkers[..] else { unreachable!("there is always one") };
        if stretch(first, control, &done, ALONE) {
            std::thread::scope(|scope| {
                let mut others = Vec::with_capacity(rest.len());
                for walker in rest {
                    others.push(scope.spawn(|| drive(walker, control, &done)));
                }
                drive(first, control, &done);
                // Rethrow by hand: the scope would replace the payload, which describes the fault.
                for other in others {
                    other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                }
            });
        }
        // Prefer a verdict to numbers that only reached the target.
        let answers = self.walkers.iter().filter_map(Walker::answer);
        self.answer = answers.max_by_key(|answer| answer.numbers.settled()).or(self.answer);
        let counts = self.counts();
        let Some(answer) = self.answer else {
            let numbers = self.walkers[0].root_numbers();
            return Outcome { stopped: out_of_budget(control), numbers, best: None, counts };
        };
        debug_assert!(
            answer.numbers.settled()
                || answer.numbers.proof >= self.target.proof
                || answer.numbers.disproof >= self.target.disproof
        );
        control.report_root(answer.numbers);
        Outcome {
            stopped: finished(answer.numbers),
            numbers: answer.numbers,
            best: answer.best,
            counts,
        }
    }

    pub(super) fn park(&mut self) {
        self.walkers.iter_mut().for_each(Walker::park);
    }

    fn counts(&self) -> Counts {
        Counts::total(self.walkers.iter().map(Walker::counts))
    }
}

/// Main loop of one thread.
fn drive<P: Problem>(walker: &mut Walker<'_, P>, control: &Control, done: &AtomicBool) {
    while stretch(walker, control, done, QUANTUM) {}
}

/// Runs at most `most` nodes, then checks the budget and the other threads. True to go on.
fn stretch<P: Problem>(
    walker: &mut Walker<'_, P>,
    control: &Control,
    done: &AtomicBool,
    most: u64,
) -> bool {
    let before = walker.counts().nodes;
    let until = before + control.left().min(most);
    let step = walker.run(|counts| counts.nodes >= until || done.load(Relaxed));
    let more = control.spend(walker.counts().nodes - before);
    if control.take_news() {
        walker.catch_up();
    }
    if step == Step::Done || walker.answer().is_some() {
        done.store(true, Relaxed);
    } else {
        control.report_root(walker.root_now());
    }
    more && !done.load(Relaxed)
}
