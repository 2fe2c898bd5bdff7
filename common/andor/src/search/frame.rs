//! One node of a depth-first search with its children, and which of them decides.

use crate::numbers::{Numbers, Verdict};
use crate::problem::{Key, Problem, Turn};
use crate::search::dep::{Dep, Deps};
use crate::search::view::Part;

/// A child as its parent's search knows it. Stored on the search's own stack, so that a full table
/// costs work but never progress.
pub(crate) struct Child<P: Problem> {
    pub key: Key,
    pub mv: P::Move,
    pub numbers: Numbers,
    /// The thresholds of its last search from here; the next ones are higher.
    pub given: Numbers,
    /// Nodes spent below it; 0 if it was never searched.
    pub work: u32,
    /// Smallest depth at which it was met.
    pub depth: u16,
    /// The ancestors that its verdict depends on.
    pub dep: Dep,
    /// How often it was searched from here.
    pub tries: u16,
    /// Its last search from here reached no new state: it went in circles.
    pub stalled: bool,
    /// Hides other moves until it is settled against the side to move.
    pub opens: bool,
    /// Shares descendants with another child: counted with "max".
    pub mark: bool,
    /// Children of one group count once; 0 for none.
    pub group: u8,
    /// What the moves that it hides add.
    pub weight: u16,
    pub reason: P::Reason,
}

impl<P: Problem> Child<P> {
    #[inline]
    pub fn part(&self) -> Part {
        let Self { numbers, mark, group, weight, .. } = *self;
        Part { numbers, mark, group, weight, burden: 0 }
    }
}

/// A node on the stack.
pub(crate) struct Frame<P: Problem> {
    pub state: P::State,
    pub key: Key,
    pub turn: Turn,
    /// Its children start here in the stack's children and end where the next frame's start.
    pub first: usize,
    pub thresholds: Numbers,
    /// The child being searched, relative to `first`.
    pub chosen: usize,
    /// Node count when it was entered.
    pub entered: u64,
    /// Work known before it was entered.
    pub work: u32,
    /// Smallest depth at which it was met before.
    pub depth: u16,
    /// Number of new states when its chosen child was entered.
    pub fresh: u64,
    /// Number of provisional verdicts when it was entered.
    pub provisional: usize,
    /// Hash of the path that ends here.
    pub path: u128,
    /// Whether other threads can see that this one is here.
    pub watched: bool,
}

/// The child that decides for `verdict` (the first where all do), and the ancestors that the
/// verdict depends on. Of several winning children, the most independent one is taken.
pub(crate) fn decide(
    turn: Turn,
    children: impl Iterator<Item = (Numbers, Dep)>,
    verdict: Verdict,
    deps: &mut Deps,
) -> (usize, Dep) {
    let settled = Numbers::from(verdict);
    if verdict != turn.wish() {
        return (0, children.fold(Dep::FREE, |all, (_, dep)| deps.and(all, dep)));
    }
    let winners = children.enumerate().filter(|(_, (numbers, _))| *numbers == settled);
    let most_free = winners.max_by_key(|&(i, (_, dep))| (dep.freedom(), std::cmp::Reverse(i)));
    most_free.map_or((0, Dep::FREE), |(i, (_, dep))| (i, dep))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_child_that_decides_is_the_most_independent_and_then_the_first() {
        let yes = Numbers::PROVEN;
        let mut deps = Deps::new();
        let [on_1, on_4] = [1, 4].map(|depth| deps.on(depth));
        let children = [
            (Numbers::UNKNOWN, Dep::FREE),
            (yes, on_1),
            (yes, on_4),
            (Numbers::DISPROVEN, Dep::FREE),
            (yes, on_4),
        ];
        let mut proven = |all: &[(Numbers, Dep)]| {
            decide(Turn::Or, all.iter().copied(), Verdict::Proven, &mut deps)
        };
        assert_eq!(proven(&children), (2, on_4));
        let mut freer = children;
        freer[4].1 = Dep::FREE;
        assert_eq!(proven(&freer), (4, Dep::FREE));
    }

    #[test]
    fn where_all_decide_the_verdict_depends_on_what_each_depends_on() {
        let mut deps = Deps::new();
        let [a, b] = [5, 2000].map(|depth| deps.on(depth));
        let children = [(Numbers::PROVEN, a), (Numbers::PROVEN, b)];
        let (_, dep) = decide(Turn::And, children.into_iter(), Verdict::Proven, &mut deps);
        assert_eq!(dep, deps.and(b, a));
    }
}
