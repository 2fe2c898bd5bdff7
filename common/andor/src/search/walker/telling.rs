//! Reports of a search for the code that splits it: its current path, and what it knows about the
//! children of a state.

use super::Walker;
use crate::numbers::Numbers;
use crate::problem::Problem;
use crate::search::options::Options;
use crate::search::view::{Part, View};
use crate::split::{self, PathNode};
use crate::table::Table;

/// A path is reported down to this depth: no search is split further down.
const DEEPEST: usize = 48;

/// The children of a state with what the table knows about them, including those that settled
/// children have opened. Empty if the rules settle the state.
#[must_use]
pub fn children<P: Problem>(
    problem: &P,
    table: &Table<P::Reason>,
    options: Options,
    state: &P::State,
) -> Vec<split::Child> {
    let mut walker = Walker::new(problem, table, options);
    walker.begin_afresh(state.clone(), Numbers::PROVEN);
    if walker.frames.is_empty() {
        return Vec::new();
    }
    let info = |child: &super::Child<P>| {
        let after = problem.play(state, child.mv);
        let mut bytes = Vec::new();
        problem.encode(&after, &mut bytes);
        let turn = problem.turn(&after);
        split::Child {
            state: bytes,
            key: child.key,
            turn,
            numbers: child.numbers,
            work: child.work.into(),
        }
    };
    walker.children_of(0).iter().map(info).collect()
}

impl<P: Problem> Walker<'_, P> {
    /// Numbers of the root, computed from the whole current path. A search may go down from the
    /// root once and come back with the answer: without its path, the root would keep its initial
    /// numbers.
    pub(crate) fn root_now(&self) -> Numbers {
        if self.answer.is_some() {
            return self.root_numbers();
        }
        let mut below = None;
        for depth in (0..self.frames.len()).rev() {
            let frame = &self.frames[depth];
            let parts = self.children_of(depth).iter().enumerate().map(|(place, child)| {
                let numbers = below.filter(|_| place == frame.chosen).unwrap_or(child.numbers);
                Part { numbers, ..child.part() }
            });
            let view = View::new(frame.turn, parts, &self.options);
            let settled = view.verdict(frame.turn).map(Numbers::from);
            below = Some(settled.unwrap_or_else(|| view.open_numbers(frame.turn)));
        }
        below.unwrap_or(Numbers::UNKNOWN)
    }

    /// The path from the root of the search to the current node.
    pub(crate) fn path_nodes(&self) -> Vec<PathNode> {
        let node = |depth: usize| {
            let frame = &self.frames[depth];
            let mut state = Vec::new();
            self.problem.encode(&frame.state, &mut state);
            let open = self.children_of(depth).iter().filter(|child| !child.numbers.settled());
            PathNode {
                state,
                key: frame.key,
                turn: frame.turn,
                numbers: self.numbers_at(depth),
                open: open.count() as u32,
            }
        };
        (0..self.frames.len().min(DEEPEST)).map(node).collect()
    }
}
