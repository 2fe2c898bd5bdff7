//! The machine: a depth-first search with an explicit stack, df-pn or PDS, stoppable anywhere.
//!
//! Soundness on cyclic problems: a verdict that used a repetition carries the depth of the topmost
//! ancestor it used. Above that depth it holds on this path only and stays out of the table; at or
//! below it the loop is closed, the verdict holds everywhere and is stored (`docs/design.md`).

use crate::numbers::{INFINITE, LIMIT, Numbers, Verdict};
use crate::problem::{Expansion, Key, Moves, Problem, Reason};
use crate::search::crowd::Seat;
use crate::search::frame::{Child, Frame, Part, View, decide, join};
use crate::search::options::{Method, Options, SumRule};
use crate::search::path::{Dep, Path, Twins, extend_path};
use crate::search::provisional::{Held, Left, Provisional};
use crate::table::{Entry, MAX_DEPTH, NO_MOVE, Table};

/// After so many searches of one child from one node, each new to a state or two, its thresholds
/// are doubled: small steps round a circle would never end.
const MANY_TRIES: u16 = 64;

/// Steps that the double-count check follows parent links.
const TRACE: usize = 32;

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States expanded, each visit counted.
    pub nodes: u64,
    /// Table references.
    pub references: u64,
    /// States entered that the table did not know: about as many as it would have to hold.
    pub fresh: u64,
    /// Depth of the deepest node.
    pub deepest: u64,
}

impl Counts {
    /// The counts of several searches together.
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
    /// Stopped by its caller; the stack is kept.
    Paused,
    /// [`Walker::answer`] is there.
    Done,
}

/// The result of a finished search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<R> {
    /// Settled, or at least as large as a threshold.
    pub numbers: Numbers,
    /// What a verdict rests on.
    pub reason: R,
    /// Place of the best move, if the state was expanded.
    pub best: Option<u16>,
    /// The child that decided, where one did and this walker saw it.
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
    path: Path,
    keeps_path: bool,
    twins: Twins,
    provisional: Provisional<P::Reason>,
    /// Threshold controlling is on until a new leaf is made.
    raising: bool,
    /// So many nodes from the root down have not been refreshed since others wrote.
    stale: usize,
    /// The child that settled the root.
    winner: Option<Key>,
    counts: Counts,
    answer: Option<Answer<P::Reason>>,
    seat: Option<Seat>,
}

impl<'a, P: Problem> Walker<'a, P> {
    /// A search that is not about anything yet; see [`Walker::begin`].
    ///
    /// # Panics
    /// When the hybrid rule meets a table without links.
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
            raising: false,
            stale: 0,
            winner: None,
            counts: Counts::default(),
            answer: None,
            seat: None,
        }
    }

    /// Joins other searches of the same table: see [`crate::search::crowd`].
    pub(crate) fn sit(&mut self, seat: Seat) {
        self.seat = Some(seat);
    }

    /// Starts over with a state: search until it is settled or a number reaches its target.
    pub fn begin(&mut self, state: P::State, target: Numbers) {
        let key = self.problem.key(&state);
        let entry = self.reference(key);
        match entry.filter(|entry| entry.numbers.settled()) {
            None => self.begin_at(state, key, target, entry),
            Some(entry) => {
                self.reset(target);
                let best = (entry.best != NO_MOVE).then_some(entry.best);
                let (numbers, reason) = (entry.numbers, entry.reason);
                self.answer = Some(Answer { numbers, reason, best, winner: None });
            }
        }
    }

    /// Like [`Walker::begin`], but does not take the table's word for this very state: afterwards
    /// [`Answer::winner`] is known where there is one.
    pub fn begin_afresh(&mut self, state: P::State, target: Numbers) {
        let key = self.problem.key(&state);
        self.begin_at(state, key, target, None);
    }

    fn reset(&mut self, target: Numbers) {
        while !self.frames.is_empty() {
            self.drop_top();
        }
        self.path.clear();
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
            self.enter(state, key, thresholds, known, extend_path(0, key))
        {
            self.answer = Some(Answer { numbers, reason, best: None, winner: None });
        }
    }

    /// Searches on until the answer is there or `enough` says stop, which it is asked at every node.
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

    /// The result, when [`Walker::run`] has ended with [`Step::Done`].
    #[must_use]
    pub fn answer(&self) -> Option<Answer<P::Reason>> {
        self.answer
    }

    /// What was done since this walker was made.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Numbers of the state it was begun with, as far as known.
    #[must_use]
    pub fn root_numbers(&self) -> Numbers {
        match (self.answer, self.frames.first()) {
            (Some(answer), _) => answer.numbers,
            (None, Some(_)) => self.numbers_at(0),
            (None, None) => Numbers::UNKNOWN,
        }
    }

    /// The states from the root of the search to where it is now.
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

    /// Writes the nodes of the path into the table, so that another search can go on from there.
    /// The stack stays as it is.
    pub fn park(&mut self) {
        for depth in (0..self.frames.len()).rev() {
            let numbers = self.numbers_at(depth);
            let frame = &self.frames[depth];
            if numbers.settled() {
                continue;
            }
            let here = (self.counts.nodes - frame.entered + 1).min(u64::from(INFINITE)) as u32;
            let work = frame.work.saturating_add(here);
            self.table.store(frame.key, &Entry { depth: frame.depth, ..Entry::new(numbers, work) });
            if let Some(above) = depth.checked_sub(1).map(|above| &self.frames[above]) {
                self.children[above.first + above.chosen].numbers = numbers;
            }
        }
    }

    /// Goes up to the topmost node of the path that somebody else has settled. Whether there was
    /// one.
    pub fn cut(&mut self) -> bool {
        for depth in 0..self.frames.len() {
            let Some(entry) = self.table.lookup(self.frames[depth].key) else {
                continue;
            };
            if entry.numbers.settled() {
                while self.frames.len() > depth + 1 {
                    self.drop_top();
                }
                let work = entry.work;
                self.drop_top();
                self.deliver(entry.numbers, Dep::FREE, entry.reason, work, entry.best);
                return true;
            }
        }
        false
    }

    /// One visit of the node on top of the stack: leave it, or go down to its best child.
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
            _ => View::new(turn, parts(children), &self.options),
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
        if child.stalled {
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
            self.table.store(key, &Entry { reason, ..Entry::new(numbers, 1) });
            self.deliver(numbers, Dep::FREE, reason, 1, NO_MOVE);
        }
    }

    /// Puts a state on the stack with its children, or says how the rules settle it.
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
        if let Expansion::Settled(verdict) = self.problem.expand(&state, &mut self.moves) {
            let reason = self.problem.reason(&state, verdict, &[]);
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
            self.path.push(key, depth as u32);
        }
        let first = self.children.len();
        self.list_moves();
        if known.marks != 0 {
            for (i, child) in self.children[first..].iter_mut().take(64).enumerate() {
                child.mark = known.marks >> i & 1 == 1;
            }
        }
        let found = self.fill(first);
        if known.work > 1 && found == 0 {
            self.search_lost_ground();
        }
        None
    }

    /// The top node was searched before, and the table has kept nothing of it. Starting over with
    /// thresholds a little higher, at every level, would take for ever: go much further instead.
    fn search_lost_ground(&mut self) {
        let frame = self.frames.last_mut().expect("the node just entered");
        frame.thresholds = much_further(frame.thresholds);
    }

    /// Makes children of the moves in the buffer, without their numbers yet.
    fn list_moves(&mut self) {
        let frame = self.frames.last().expect("a node to list moves of");
        for &(mv, opens) in &self.moves.list {
            let key = self.problem.key_after(&frame.state, mv);
            self.table.prefetch(key);
            self.children.push(Child {
                key,
                mv,
                numbers: Numbers::UNKNOWN,
                given: Numbers { proof: 0, disproof: 0 },
                work: 0,
                depth: MAX_DEPTH,
                dep: Dep::FREE,
                tries: 0,
                stalled: false,
                opens,
                mark: false,
                reason: P::Reason::default(),
            });
        }
    }

    /// Gives the children of the top node from `next` on their numbers, and opens what they hide.
    /// How many of them the table knew.
    fn fill(&mut self, mut next: usize) -> usize {
        let depth = self.frames.len() - 1;
        let mut found = 0;
        while next < self.children.len() {
            let key = self.children[next].key;
            self.counts.references += 1;
            let entry = self.table.lookup(key);
            match entry {
                Some(entry) => {
                    found += 1;
                    let child = &mut self.children[next];
                    child.numbers = entry.numbers;
                    child.work = entry.work.max(1);
                    child.depth = entry.depth;
                    child.reason = entry.reason;
                    if !entry.numbers.settled() {
                        // A child met nearer to the root may lead back up.
                        self.raising |= self.options.tca
                            && self.repeated.is_some()
                            && usize::from(entry.depth) <= depth;
                        if self.options.sum == SumRule::Hybrid {
                            self.check_double_count(next, entry.parent);
                        }
                    }
                }
                None if P::EVALUATES && self.options.evaluate => self.evaluate(next),
                None => {}
            }
            if let Some(repeated) = self.repeated {
                self.look_back(next, repeated);
            }
            self.open_hidden(next);
            next += 1;
        }
        found
    }

    /// Whether a child repeats a state of the path, or is known to fail or win on this very path.
    fn look_back(&mut self, index: usize, repeated: Verdict) {
        let child = &mut self.children[index];
        if let Some(dep) = self.path.depth(child.key) {
            if child.numbers != Numbers::from(repeated) {
                (child.numbers, child.dep) = (repeated.into(), Dep::on(dep));
            }
        } else if !child.numbers.settled() {
            let above = self.frames.last().expect("the parent of the child").path;
            if let Some(held) = self.provisional.lookup(child.key) {
                (child.numbers, child.dep) = (repeated.into(), held.dep);
                child.reason = held.entry.reason;
            } else if let Some((verdict, dep)) = self.twins.lookup(extend_path(above, child.key)) {
                (child.numbers, child.dep) = (verdict.into(), dep);
            }
        }
    }

    /// First numbers of a child that the table does not know.
    fn evaluate(&mut self, index: usize) {
        let child = &mut self.children[index];
        let frame = self.frames.last().expect("the parent of the child");
        let state = self.problem.play(&frame.state, child.mv);
        child.numbers = self.problem.evaluate(&state);
        if let Some(verdict) = child.numbers.verdict()
            && P::Reason::WORDS > 0
        {
            child.reason = self.problem.reason(&state, verdict, &[]);
        }
    }

    /// If the child is settled against the side to move and hides moves, lists them.
    fn open_hidden(&mut self, index: usize) {
        let child = &self.children[index];
        let frame = self.frames.last().expect("the parent of the child");
        let lost = Numbers::from(frame.turn.wish().opposite());
        if !child.opens || child.numbers != lost {
            return;
        }
        self.moves.clear();
        self.problem.open(&frame.state, child.mv, Some(child.reason), &mut self.moves);
        self.list_moves();
    }

    /// Follows the links from a child up: if they come to the path by another edge than the
    /// path's own, both edges lead to the child and must not both be summed (Kishimoto 2010).
    fn check_double_count(&mut self, index: usize, parent: u64) {
        let top = self.frames.len() - 1;
        if parent == 0 || parent == self.frames[top].key.0 as u64 {
            return;
        }
        let (mut below, mut at) = (self.children[index].key.0 as u64, parent);
        for _ in 0..TRACE {
            if let Some(depth) = self.path.depth_of_low(at) {
                let depth = depth as usize;
                let first = self.frames[depth].first;
                let end = self.frames.get(depth + 1).map_or(self.children.len(), |f| f.first);
                let own = if depth == top { index } else { first + self.frames[depth].chosen };
                let other = (first..end).find(|&i| self.children[i].key.0 as u64 == below);
                if let Some(other) = other.filter(|&other| other != own) {
                    self.children[own].mark = true;
                    self.children[other].mark = true;
                }
                return;
            }
            let Some(next) = self.table.parent(at) else {
                return;
            };
            (below, at) = (at, next);
        }
    }

    /// Leaves a node that its children settle.
    fn leave_settled(&mut self, verdict: Verdict) {
        let depth = self.frames.len() as u32 - 1;
        let frame = self.frames.last().expect("the node to leave");
        let (key, path) = (frame.key, frame.path);
        let children = &self.children[frame.first..];
        let one_is_enough = verdict == frame.turn.wish();
        let results = children.iter().map(|child| (child.numbers, child.dep));
        let (best, dep) = decide(frame.turn, results, verdict);
        // A loop that does not lead above this node is closed: the verdict holds on every path.
        let dep = dep.without(depth);
        let mut reason = P::Reason::default();
        if P::Reason::WORDS > 0 {
            let basis = if one_is_enough { &children[best..=best] } else { children };
            self.basis.clear();
            self.basis.extend(basis.iter().map(|child| (child.mv, child.reason)));
            reason = self.problem.reason(&frame.state, verdict, &self.basis);
        }
        if depth == 0 && one_is_enough {
            self.winner = Some(children[best].key);
        }
        let best = if one_is_enough { place(best) } else { NO_MOVE };
        let numbers = verdict.into();
        let work = self.work_of_top();
        if self.repeated == Some(verdict) {
            self.settle_provisional(Left::Settled(dep));
        }
        if dep.is_free() {
            self.remember(numbers, best, reason);
        } else {
            self.twins.store(path, verdict, dep);
            let entry = Entry { best, reason, ..Entry::new(numbers, work) };
            self.provisional.push(Held { key, dep, entry });
        }
        self.drop_top();
        if let (Some(seat), true) = (&self.seat, dep.is_free()) {
            seat.mail(key);
        }
        self.deliver(numbers, dep, reason, work, best);
    }

    /// Leaves a node that has reached a threshold.
    fn leave_open(&mut self, numbers: Numbers, best: usize) {
        let (best, reason) = (place(best), P::Reason::default());
        self.remember(numbers, best, reason);
        let work = self.work_of_top();
        self.drop_top();
        self.deliver(numbers, Dep::FREE, reason, work, best);
    }

    fn work_of_top(&self) -> u32 {
        let frame = self.frames.last().expect("a node with work");
        let here = (self.counts.nodes - frame.entered + 1).min(u64::from(INFINITE)) as u32;
        frame.work.saturating_add(here)
    }

    /// Writes the top node into the table.
    fn remember(&mut self, numbers: Numbers, best: u16, reason: P::Reason) {
        let frame = self.frames.last().expect("a node to remember");
        let (mut parent, mut marks) = (0, 0);
        if self.table.links() {
            if let Some(above) = self.frames.len().checked_sub(2) {
                parent = self.frames[above].key.0 as u64;
            }
            for (i, child) in self.children[frame.first..].iter().take(64).enumerate() {
                marks |= u64::from(child.mark) << i;
            }
        }
        let entry = Entry {
            numbers,
            work: self.work_of_top(),
            depth: frame.depth,
            best,
            parent,
            marks,
            reason,
        };
        self.table.store(frame.key, &entry);
    }

    /// The top node is about to leave the path.
    fn settle_provisional(&mut self, left: Left) {
        let frame = self.frames.last_mut().expect("the node that leaves");
        let start = std::mem::replace(&mut frame.provisional, usize::MAX);
        if start < self.provisional.len() {
            let depth = self.frames.len() as u32 - 1;
            let table = self.table;
            self.provisional.leave(start, depth, &left, |held| table.store(held.key, &held.entry));
        }
    }

    /// Takes the top node off the stack, remembering nothing.
    fn drop_top(&mut self) {
        self.settle_provisional(Left::Otherwise);
        let frame = self.frames.pop().expect("a node to drop");
        self.children.truncate(frame.first);
        if self.keeps_path {
            self.path.pop(frame.key);
        }
        if let (Some(seat), true) = (&self.seat, frame.watched) {
            seat.leave(frame.key);
        }
    }

    /// Hands a result to the node that is now on top, or to the caller.
    fn deliver(&mut self, numbers: Numbers, dep: Dep, reason: P::Reason, work: u32, best: u16) {
        let Some(frame) = self.frames.last() else {
            let best = (best != NO_MOVE).then_some(best);
            self.answer = Some(Answer { numbers, reason, best, winner: self.winner });
            return;
        };
        let index = frame.first + frame.chosen;
        let refresh = frame.watched || self.frames.len() <= self.stale;
        let child = &mut self.children[index];
        child.stalled = frame.fresh == self.counts.fresh;
        child.numbers = numbers;
        child.dep = dep;
        child.reason = reason;
        child.work = work.max(1);
        let before = self.children.len();
        self.open_hidden(index);
        if self.children.len() > before {
            self.fill(before);
        }
        if refresh {
            self.stale = self.stale.min(self.frames.len() - 1);
            self.refresh();
        }
    }

    /// Takes notice of what others wrote into the table while this search was paused.
    pub fn catch_up(&mut self) {
        self.cut();
        if self.answer.is_none() && !self.frames.is_empty() {
            self.stale = self.frames.len() - 1;
            self.refresh();
        }
    }

    /// Looks up again what others may have found out about the children of the top node.
    fn refresh(&mut self) {
        let first = self.frames.last().expect("a node to refresh").first;
        let mut index = first;
        while index < self.children.len() {
            let child = &self.children[index];
            if !child.numbers.settled()
                && let Some(entry) = self.table.lookup(child.key)
                && (entry.numbers.settled() || entry.work > child.work)
            {
                let child = &mut self.children[index];
                child.numbers = entry.numbers;
                child.work = entry.work;
                child.reason = entry.reason;
                let before = self.children.len();
                self.open_hidden(index);
                self.fill(before);
            }
            index += 1;
        }
    }

    fn reference(&mut self, key: Key) -> Option<Entry<P::Reason>> {
        self.counts.references += 1;
        self.table.lookup(key)
    }
}

impl<P: Problem> Drop for Walker<'_, P> {
    fn drop(&mut self) {
        while !self.frames.is_empty() {
            self.drop_top();
        }
    }
}

/// What the table knew of a node before it is entered.
struct Known {
    work: u32,
    depth: u16,
    marks: u64,
}

impl Known {
    const NOTHING: Self = Self { work: 0, depth: MAX_DEPTH, marks: 0 };
}

/// Thresholds for a search that must get somewhere at last: squares, and soon no limit at all.
fn much_further(thresholds: Numbers) -> Numbers {
    let further = |threshold: u32| match threshold.checked_mul(threshold.max(4)) {
        Some(product) if product <= LIMIT => product,
        _ => INFINITE,
    };
    Numbers { proof: further(thresholds.proof), disproof: further(thresholds.disproof) }
}

fn twice(thresholds: Numbers) -> Numbers {
    let twice = |threshold: u32| if threshold > LIMIT / 2 { INFINITE } else { threshold * 2 };
    Numbers { proof: twice(thresholds.proof), disproof: twice(thresholds.disproof) }
}

/// The place of a move as the table keeps it.
fn place(index: usize) -> u16 {
    index.min(usize::from(NO_MOVE)) as u16
}

fn parts<P: Problem>(children: &[Child<P>]) -> impl Iterator<Item = Part> {
    children.iter().map(Child::part)
}
