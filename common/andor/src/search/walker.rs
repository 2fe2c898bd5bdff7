//! A depth-first search with an explicit stack, df-pn or PDS, that can stop anywhere.
//!
//! Soundness on cyclic problems: a verdict that used a repetition carries the depth of the topmost
//! ancestor it used. Below that ancestor it holds on this path only and stays out of the table. At
//! it or above, the loop is closed: the verdict holds everywhere and is stored (`docs/design.md`).

mod children;
mod leaving;
mod telling;

pub use telling::children;

use crate::numbers::{INFINITE, Numbers, Verdict};
use crate::problem::{Expansion, Key, Moves, Problem};
use crate::search::crowd::Seat;
use crate::search::dep::{Dep, Deps};
use crate::search::elsewhere::Elsewhere;
use crate::search::frame::{Child, Frame};
use crate::search::further::{much_further, twice};
use crate::search::options::{Method, Options, SumRule};
use crate::search::path::{PATH_START, Path, Twins, extend_path};
use crate::search::provisional::Provisional;
use crate::search::view::{Part, View, join, split};
use crate::table::{Entry, Look, MAX_DEPTH, NO_MOVE, Table};

/// After this many searches of one child from one node, each reaching only a state or two that is
/// new, its thresholds are doubled: small steps round a cycle would never end.
const MANY_TRIES: u16 = 64;

/// Work of a search so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States expanded, counting each visit.
    pub nodes: u64,
    /// Table references.
    pub references: u64,
    /// States entered that the table did not know: about as many as it would have to hold.
    pub fresh: u64,
    /// Depth of the deepest node.
    pub deepest: u64,
}

impl Counts {
    /// The sum of the counts of several searches.
    pub(crate) fn total(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            nodes: sum.nodes + one.nodes,
            references: sum.references + one.references,
            fresh: sum.fresh + one.fresh,
            deepest: sum.deepest.max(one.deepest),
        })
    }
}

/// How a call of [`Walker::run`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Stopped by its caller; the stack is preserved.
    Paused,
    /// [`Walker::answer`] is available.
    Done,
}

/// The result of a finished search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<R> {
    /// Settled, or at least as large as a threshold.
    pub numbers: Numbers,
    /// What a verdict depends on.
    pub reason: R,
    /// Index of the best move, if the state was expanded.
    pub best: Option<u16>,
    /// The child that decided, if one did and this walker saw it.
    pub winner: Option<Key>,
}

/// A depth-first search of one state.
pub struct Walker<'a, P: Problem> {
    problem: &'a P,
    table: &'a Table<P::Reason>,
    options: Options,
    /// Verdict of a repeated state; `None` where states cannot repeat.
    repeated: Option<Verdict>,
    target: Numbers,
    frames: Vec<Frame<P>>,
    children: Vec<Child<P>>,
    moves: Moves<P::Move>,
    basis: Vec<(P::Move, P::Reason)>,
    path: Path<P::Reason>,
    keeps_path: bool,
    twins: Twins,
    provisional: Provisional<P::Reason>,
    deps: Deps,
    /// Threshold controlling is on until a new leaf is created.
    raising: bool,
    /// This many nodes from the root down have not been refreshed since others wrote.
    stale: usize,
    /// The child that settled the root.
    winner: Option<Key>,
    counts: Counts,
    answer: Option<Answer<P::Reason>>,
    seat: Option<Seat>,
    elsewhere: Option<Elsewhere>,
}

impl<'a, P: Problem> Walker<'a, P> {
    /// A search without a state; see [`Walker::begin`].
    ///
    /// # Panics
    /// If the sum rule is hybrid and the table has no links.
    #[must_use]
    pub fn new(problem: &'a P, table: &'a Table<P::Reason>, options: Options) -> Self {
        assert!(
            options.sum != SumRule::Hybrid || table.links(),
            "the hybrid sum rule needs a table with links"
        );
        let repeated = problem.repetition().verdict();
        Self {
            problem,
            table,
            options,
            repeated,
            target: Numbers::UNKNOWN,
            frames: Vec::new(),
            children: Vec::new(),
            moves: Moves::new(),
            basis: Vec::new(),
            path: Path::default(),
            keeps_path: repeated.is_some() || options.sum == SumRule::Hybrid,
            twins: Twins::default(),
            provisional: Provisional::new(),
            deps: Deps::new(),
            raising: false,
            stale: 0,
            winner: None,
            counts: Counts::default(),
            answer: None,
            seat: None,
            elsewhere: None,
        }
    }

    /// Joins other searches of the same table: see [`crate::search::crowd`].
    pub(crate) fn join_crowd(&mut self, seat: Seat) {
        self.seat = Some(seat);
    }

    /// Sets the states that others search, none deeper than `depth`.
    pub(crate) fn avoid(&mut self, keys: &[Key], depth: usize) {
        self.elsewhere = (!keys.is_empty()).then(|| Elsewhere::new(keys, depth));
    }

    /// Starts a new search of a state: until it is settled or a number reaches its target.
    pub fn begin(&mut self, state: P::State, target: Numbers) {
        let key = self.problem.key(&state);
        let look = self.reference(key);
        match look.settled() {
            None => self.begin_at(state, key, target, look.entry),
            Some(entry) => {
                self.reset(target);
                let best = (look.own && entry.best != NO_MOVE).then_some(entry.best);
                let (numbers, reason) = (entry.numbers, entry.reason);
                self.answer = Some(Answer { numbers, reason, best, winner: None });
            }
        }
    }

    /// Like [`Walker::begin`], but ignores the table's entry for this state. Afterwards
    /// [`Answer::winner`] is known if there is one.
    pub fn begin_afresh(&mut self, state: P::State, target: Numbers) {
        let key = self.problem.key(&state);
        self.begin_at(state, key, target, None);
    }

    fn reset(&mut self, target: Numbers) {
        while !self.frames.is_empty() {
            self.drop_top();
        }
        self.path.clear();
        self.twins.clear();
        self.provisional.clear();
        self.raising = false;
        self.stale = 0;
        self.winner = None;
        self.answer = None;
        self.target = target;
    }

    fn begin_at(
        &mut self,
        state: P::State,
        key: Key,
        target: Numbers,
        entry: Option<Entry<P::Reason>>,
    ) {
        self.reset(target);
        let thresholds = match self.options.method {
            Method::Dfpn => target,
            Method::Pds => Numbers::UNKNOWN,
        };
        let known = entry.map_or(Known::NOTHING, |entry| Known {
            work: entry.work,
            depth: entry.depth,
            marks: entry.marks,
        });
        if let Some((numbers, reason)) =
            self.enter(state, key, thresholds, known, extend_path(PATH_START, key))
        {
            self.answer = Some(Answer { numbers, reason, best: None, winner: None });
        }
    }

    /// Searches until there is an answer or `enough` returns true. It is called at every node.
    #[inline]
    pub fn run(&mut self, mut enough: impl FnMut(&Counts) -> bool) -> Step {
        while self.answer.is_none() {
            if enough(&self.counts) {
                return Step::Paused;
            }
            if self.seat.as_mut().is_some_and(Seat::take_mail) && self.cut() {
                continue;
            }
            self.step();
        }
        Step::Done
    }

    /// The result, after [`Walker::run`] has returned [`Step::Done`].
    #[must_use]
    pub fn answer(&self) -> Option<Answer<P::Reason>> {
        self.answer
    }

    /// Work since this walker was created.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Numbers of the root of the search, as far as known.
    #[must_use]
    pub fn root_numbers(&self) -> Numbers {
        match (self.answer, self.frames.first()) {
            (Some(answer), _) => answer.numbers,
            (None, Some(_)) => self.numbers_at(0),
            (None, None) => Numbers::UNKNOWN,
        }
    }

    /// The states from the root of the search to the current node.
    pub fn path(&self) -> impl ExactSizeIterator<Item = &P::State> {
        self.frames.iter().map(|frame| &frame.state)
    }

    /// Numbers of the node at this depth of the path.
    #[must_use]
    pub fn numbers_at(&self, depth: usize) -> Numbers {
        let turn = self.frames[depth].turn;
        let view = View::new(turn, parts(self.children_of(depth)), &self.options);
        view.verdict(turn).map_or_else(|| view.open_numbers(turn), Numbers::from)
    }

    /// Moves, keys and numbers of the children of the node at this depth of the path.
    pub(crate) fn children_of(&self, depth: usize) -> &[Child<P>] {
        let end = self.frames.get(depth + 1).map_or(self.children.len(), |next| next.first);
        &self.children[self.frames[depth].first..end]
    }

    /// Writes the nodes of the path into the table, so that another search can continue from there.
    /// The stack does not change.
    pub fn park(&mut self) {
        for depth in (0..self.frames.len()).rev() {
            let numbers = self.numbers_at(depth);
            let frame = &self.frames[depth];
            if numbers.settled() {
                continue;
            }
            let here = (self.counts.nodes - frame.entered + 1).min(u64::from(INFINITE)) as u32;
            let work = frame.work.saturating_add(here);
            let entry = Entry { depth: frame.depth, ..Entry::new(numbers, work) };
            self.table.keep(self.problem, frame.key, &entry);
            if let Some(above) = depth.checked_sub(1).map(|above| &self.frames[above]) {
                self.children[above.first + above.chosen].numbers = numbers;
            }
        }
    }

    /// Goes up to the topmost node of the path that another search has settled. Returns whether
    /// there was one.
    pub fn cut(&mut self) -> bool {
        for depth in 0..self.frames.len() {
            let look = self.table.look(self.problem, self.frames[depth].key);
            if let Some(entry) = look.settled() {
                while self.frames.len() > depth + 1 {
                    self.drop_top();
                }
                let best = if look.own { entry.best } else { NO_MOVE };
                self.drop_top();
                self.deliver(entry.numbers, Dep::FREE, entry.reason, entry.work, best);
                return true;
            }
        }
        false
    }

    /// One visit of the top node: leave it, or go down to its best child.
    fn step(&mut self) {
        let top = self.frames.len() - 1;
        let frame = &self.frames[top];
        let turn = frame.turn;
        let children = &self.children[frame.first..];
        let view = match &self.seat {
            Some(seat) if frame.watched => {
                let burdened = |c: &Child<P>| seat.burden(c.key, c.numbers);
                let parts = children.iter().map(|c| Part { burden: burdened(c), ..c.part() });
                View::new(turn, parts, &self.options)
            }
            _ => match &self.elsewhere {
                Some(elsewhere) if elsewhere.reaches(top) => {
                    let burden = |c: &Child<P>| elsewhere.burden(c.key, split(turn, c.numbers).0);
                    let parts = children.iter().map(|c| Part { burden: burden(c), ..c.part() });
                    View::new(turn, parts, &self.options)
                }
                _ => View::new(turn, parts(children), &self.options),
            },
        };
        if let Some(verdict) = view.verdict(turn) {
            return self.leave_settled(verdict);
        }
        let mut thresholds = frame.thresholds;
        if self.raising && top > 0 {
            let beyond = join(turn, view.one + 1, view.all + 1);
            thresholds.proof = thresholds.proof.max(beyond.proof);
            thresholds.disproof = thresholds.disproof.max(beyond.disproof);
            self.frames[top].thresholds = thresholds;
        }
        if view.exceeds(turn, thresholds, self.options.method) {
            let numbers = view.open_numbers(turn);
            let reached =
                numbers.proof >= self.target.proof || numbers.disproof >= self.target.disproof;
            if top > 0 || reached {
                return self.leave_open(numbers, view.best);
            }
            // PDS at the root: raise the smaller threshold by one and go on.
            thresholds = if numbers.proof <= numbers.disproof {
                Numbers { proof: numbers.proof + 1, disproof: numbers.disproof }
            } else {
                Numbers { proof: numbers.proof, disproof: numbers.disproof + 1 }
            };
            self.frames[top].thresholds = thresholds;
        }
        self.descend(&view, thresholds);
    }

    fn descend(&mut self, view: &View, thresholds: Numbers) {
        let frame = self.frames.last_mut().expect("a node to descend from");
        frame.chosen = view.best;
        let child = &mut self.children[frame.first + view.best];
        let before = (child.numbers, child.given);
        child.given = view.child_thresholds(frame.turn, thresholds, before, &self.options);
        child.tries = child.tries.wrapping_add(1);
        if child.stalled && !P::DOMINATES {
            child.given = much_further(child.given);
        } else if child.tries.is_multiple_of(MANY_TRIES) {
            child.given = twice(child.given);
        }
        frame.fresh = self.counts.fresh;
        let (key, given) = (child.key, child.given);
        let mut known = Known { work: child.work, depth: child.depth, marks: 0 };
        if known.work > 0 && self.table.links() {
            known.marks = self.table.lookup(key).map_or(0, |entry| entry.marks);
        }
        let state = self.problem.play(&frame.state, child.mv);
        let path = if self.repeated.is_some() { extend_path(frame.path, key) } else { 0 };
        if let Some((numbers, reason)) = self.enter(state, key, given, known, path) {
            let entry = Entry { reason, ..Entry::new(numbers, 1) };
            self.table.keep(self.problem, key, &entry);
            self.deliver(numbers, Dep::FREE, reason, 1, NO_MOVE);
        }
    }

    /// Pushes a state with its children, or returns the verdict of the rules.
    fn enter(
        &mut self,
        state: P::State,
        key: Key,
        thresholds: Numbers,
        known: Known,
        path: u128,
    ) -> Option<(Numbers, P::Reason)> {
        self.counts.nodes += 1;
        self.moves.clear();
        // Below the root every state was evaluated, or searched before.
        let evaluated = P::EVALUATES && self.options.evaluate && !self.frames.is_empty();
        let expansion = if evaluated {
            self.problem.expand_evaluated(&state, &mut self.moves)
        } else {
            self.problem.expand(&state, &mut self.moves)
        };
        if let Expansion::Settled(verdict) = expansion {
            let reason = self.problem.reason(&state, verdict, &[]);
            return Some((verdict.into(), reason));
        }
        // Always search the root: its caller wants a move.
        if P::RECALLS
            && known.work == 0
            && !self.frames.is_empty()
            && let Some((verdict, reason)) = self.problem.recall(&state)
        {
            return Some((verdict.into(), reason));
        }
        if known.work == 0 {
            self.raising = false;
            self.counts.fresh += 1;
        }
        let depth = self.frames.len();
        self.counts.deepest = self.counts.deepest.max(depth as u64);
        let watched = match &self.seat {
            Some(seat) if seat.worth_watching(known.work, depth) => {
                seat.enter(key);
                true
            }
            _ => false,
        };
        let depth_now = depth.min(usize::from(MAX_DEPTH)) as u16;
        self.frames.push(Frame {
            turn: self.problem.turn(&state),
            state,
            key,
            first: self.children.len(),
            thresholds,
            chosen: 0,
            entered: self.counts.nodes,
            work: known.work,
            depth: known.depth.min(depth_now),
            fresh: 0,
            provisional: self.provisional.len(),
            path,
            watched,
        });
        if self.keeps_path {
            self.path.push(key);
        }
        let first = self.children.len();
        self.list_moves();
        if known.marks != 0 {
            for (i, child) in self.children[first..].iter_mut().take(64).enumerate() {
                child.mark = known.marks >> i & 1 == 1;
            }
        }
        let found = self.fill(first);
        if known.work > 1 && found == 0 && !P::DOMINATES {
            self.search_lost_ground();
        }
        None
    }

    /// The top node was searched before, and the table has lost everything about it. Restarting
    /// with slightly higher thresholds at every level would take forever: go much further instead.
    fn search_lost_ground(&mut self) {
        let frame = self.frames.last_mut().expect("the node just entered");
        frame.thresholds = much_further(frame.thresholds);
    }

    fn reference(&mut self, key: Key) -> Look<P::Reason> {
        self.counts.references += 1;
        self.table.look(self.problem, key)
    }
}

impl<P: Problem> Drop for Walker<'_, P> {
    fn drop(&mut self) {
        while !self.frames.is_empty() {
            self.drop_top();
        }
    }
}

/// What the table knew about a node before it is entered.
struct Known {
    work: u32,
    depth: u16,
    marks: u64,
}

impl Known {
    const NOTHING: Self = Self { work: 0, depth: MAX_DEPTH, marks: 0 };
}

/// The index of a move as the table stores it.
fn place(index: usize) -> u16 {
    index.min(usize::from(NO_MOVE)) as u16
}

fn parts<P: Problem>(children: &[Child<P>]) -> impl Iterator<Item = Part> + Clone {
    children.iter().map(Child::part)
}
