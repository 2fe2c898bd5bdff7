//! A slave of AOHPAS: settles one node on the path of another search from the far end. The leader
//! starts at the most promising child, the slave at the least promising one.

use super::single::Single;
use super::{Job, Outcome};
use crate::numbers::Numbers;
use crate::problem::{Problem, Turn};
use crate::search::{Control, Counts, Options, children};
use crate::split::Child;
use crate::table::Table;

/// A search of one state, child by child.
pub struct Slave<'a, P: Problem> {
    problem: &'a P,
    table: &'a Table<P::Reason>,
    options: Options,
    state: P::State,
    /// Children still to be settled; the next one is at the end.
    rest: Vec<Child>,
    current: Option<Single<'a, P>>,
    /// Search of the state itself when no child is left: it finds all of them in the table.
    whole: Option<Single<'a, P>>,
    counts: Counts,
}

impl<'a, P: Problem> Slave<'a, P> {
    pub(super) fn new(
        problem: &'a P,
        table: &'a Table<P::Reason>,
        options: Options,
        state: P::State,
    ) -> Self {
        let mut rest = children(problem, table, options, &state);
        rest.retain(|child| !child.numbers.settled());
        let turn = problem.turn(&state);
        rest.sort_by_key(|child| match turn {
            Turn::Or => child.numbers.proof,
            Turn::And => child.numbers.disproof,
        });
        let (current, whole) = (None, None);
        let counts = Counts::default();
        Self { problem, table, options, state, rest, current, whole, counts }
    }

    pub(super) fn run(&mut self, control: &Control) -> Outcome {
        let wish = self.problem.turn(&self.state).wish();
        loop {
            let search = match (&mut self.whole, &mut self.current) {
                (Some(whole), _) => whole,
                (None, Some(current)) => current,
                (None, None) => {
                    self.next();
                    continue;
                }
            };
            let outcome = search.run(control);
            let settled = outcome.numbers.verdict();
            if self.whole.is_some() {
                let counts = Counts::total([self.counts, outcome.counts].into_iter());
                return Outcome { counts, ..outcome };
            }
            if settled.is_none() {
                let key = self.problem.key(&self.state);
                let numbers = self.table.look(self.problem, key).entry;
                return Outcome {
                    stopped: outcome.stopped,
                    numbers: numbers.map_or(Numbers::UNKNOWN, |entry| entry.numbers),
                    best: None,
                    counts: Counts::total([self.counts, outcome.counts].into_iter()),
                };
            }
            self.counts = Counts::total([self.counts, outcome.counts].into_iter());
            self.current = None;
            if settled == Some(wish) {
                self.rest.clear();
            }
        }
    }

    pub(super) fn park(&mut self) {
        if let Some(search) = self.current.as_mut().or(self.whole.as_mut()) {
            search.park();
        }
    }

    /// Takes the next open child, or the state itself if there is none.
    fn next(&mut self) {
        while let Some(child) = self.rest.pop() {
            let known = self.table.look(self.problem, child.key).settled();
            let state = self.problem.decode(&child.state);
            if let (None, Ok(state)) = (known, state) {
                let job = Job::settle(state);
                self.current = Some(Single::new(self.problem, self.table, self.options, job));
                return;
            }
        }
        let job = Job::settle(self.state.clone());
        self.whole = Some(Single::new(self.problem, self.table, self.options, job));
    }
}
