//! Checks a tree against the rules: every move legal, none missing.

use super::legal::{Legal, Mark};
use crate::certificate::tree::{KeptNodes, Tag};
use crate::certificate::{Checked, Fault, Listener, Refusal, Source, Step};
use crate::numbers::Verdict;
use crate::problem::{Expansion, Moves, Problem, all_moves};
use crate::table::implies;

/// Checks a tree. Tells the listener about every ONE and ALL when it is closed.
///
/// # Errors
/// The first node that does not hold.
pub fn check<P: Problem>(
    problem: &P,
    verdict: Verdict,
    from: &mut Source<'_>,
    listener: &mut Listener<'_, P::State>,
) -> Result<Checked, Refusal> {
    let mut check = Check {
        problem,
        verdict,
        circular: problem.repetition().verdict() == Some(verdict),
        kept: KeptNodes::default(),
        stack: Vec::new(),
        legal: Legal::default(),
        moves: Moves::new(),
        done: Checked { lengths: true, ..Checked::default() },
        closed: 0,
        bytes: Vec::new(),
        other: Vec::new(),
    };
    let length = check.tree(from, listener)?;
    let mut done = check.done;
    done.length = (done.lengths && !check.circular).then_some(length);
    Ok(done)
}

/// States larger than this many bytes are kept encoded.
const LARGE: usize = 64;

/// The state of a kept node.
enum Stored<S> {
    Whole(S),
    Encoded(Box<[u8]>),
}

/// A kept node.
struct Kept<S> {
    state: Stored<S>,
    /// The longest line from it; `None` while it is open.
    length: Option<u32>,
}

/// A node whose children are being read.
struct Frame<P: Problem> {
    state: P::State,
    /// Where its legal moves begin.
    legal: Mark,
    one: bool,
    /// How many moves are still to be read.
    rest: usize,
    /// The count of the move that is being read.
    count: u32,
    length: u32,
    /// The move that is enough.
    chosen: Option<P::Move>,
    number: Option<u64>,
}

struct Check<'a, P: Problem> {
    problem: &'a P,
    verdict: Verdict,
    /// An infinite line is good for the verdict: a node may refer to an open one.
    circular: bool,
    kept: KeptNodes<Kept<P::State>>,
    stack: Vec<Frame<P>>,
    legal: Legal,
    moves: Moves<P::Move>,
    done: Checked,
    /// Number of nodes closed so far.
    closed: u64,
    bytes: Vec<u8>,
    other: Vec<u8>,
}

impl<P: Problem> Check<'_, P> {
    /// Reads the tree; returns the longest line.
    fn tree(
        &mut self,
        from: &mut Source<'_>,
        listener: &mut Listener<'_, P::State>,
    ) -> Result<u32, Refusal> {
        let mut ended = self.at(self.problem.root(), from)?;
        loop {
            let Some(frame) = self.stack.last_mut() else {
                return ended.ok_or_else(|| Refusal::new(0, "no root"));
            };
            if let Some(length) = ended.take() {
                frame.length = frame.length.max(frame.count.saturating_add(length));
            }
            if frame.rest == 0 {
                let frame = self.stack.pop().expect("the frame just seen");
                self.legal.back_to(frame.legal);
                self.closed += 1;
                if let Some(kept) = frame.number.and_then(|number| self.kept.get_mut(number)) {
                    kept.length = Some(frame.length);
                }
                let Frame { state, length, chosen, .. } = frame;
                let (problem, place) = (self.problem, self.closed);
                listener.tell(|| {
                    let choice = chosen.map(|mv| problem.key_after(&state, mv));
                    (state, Step { place, choice, length })
                });
                ended = Some(length);
                continue;
            }
            frame.rest -= 1;
            let state = frame.state.clone();
            let next = self.step(&state, from).map_err(|fault| self.refused(&state, fault))?;
            ended = self.at(next, from)?;
        }
    }

    /// Reads the move of the top frame; returns the state after it.
    fn step(&mut self, state: &P::State, from: &mut Source<'_>) -> Result<P::State, Fault> {
        let mv = self.problem.take_move(state, from)?;
        self.bytes.clear();
        self.problem.put_move(state, mv, &mut self.bytes);
        let frame = self.stack.last_mut().expect("a frame that has moves");
        if !self.legal.take(frame.legal, &self.bytes) {
            let shown = self.problem.show_move(state, mv);
            return Err(format!("{shown} is no legal move here, or a second time"));
        }
        let next = self.problem.play(state, mv);
        frame.chosen = frame.one.then_some(mv);
        match self.problem.length(state, mv) {
            Some(count) => frame.count = count,
            None => self.done.lengths = false,
        }
        Ok(next)
    }

    /// Reads the beginning of a node; returns its length if that is all of it.
    fn at(&mut self, mut state: P::State, from: &mut Source<'_>) -> Result<Option<u32>, Refusal> {
        self.done.read += 1;
        let begun = from
            .hold(self.kept.len() + self.stack.len())
            .and_then(|()| self.tag(&mut state, from))
            .and_then(|tag| self.begin(&state, tag, from))
            .map_err(|fault| self.refused(&state, fault))?;
        Ok(match begun {
            Begun::Ended(length) => Some(length),
            Begun::Open { one, rest, legal, kept } => {
                self.done.nodes += 1;
                self.done.choices += u64::from(one);
                let number = kept.then(|| {
                    let state = Stored::new(self.problem, &state);
                    self.kept.add(Kept { state, length: None })
                });
                self.stack.push(Frame {
                    state,
                    legal,
                    one,
                    rest,
                    count: 0,
                    length: 0,
                    chosen: None,
                    number,
                });
                None
            }
        })
    }

    /// Reads a tag, and before it a yield, which exchanges the state.
    fn tag(&mut self, state: &mut P::State, from: &mut Source<'_>) -> Result<Tag, Fault> {
        if !P::DOMINATES {
            return Tag::take(from);
        }
        if let Some(tag) = Tag::take_or_yield(from)? {
            return Ok(tag);
        }
        let (problem, here) = (self.problem, self.problem.key(state).rank());
        let rank = problem.take_rank(state, from)?;
        if rank == here || !implies(problem, self.verdict, rank, here) {
            return Err("it yields to a rank that this one does not follow from".to_string());
        }
        *state = problem.with_rank(state, rank).ok_or("it yields to a rank that is none")?;
        Tag::take(from)
    }

    fn begin(&mut self, state: &P::State, tag: Tag, from: &mut Source<'_>) -> Result<Begun, Fault> {
        let problem = self.problem;
        match tag {
            Tag::Leaf(rule) => self.leaf(state, rule).map(Begun::Ended),
            Tag::Same { back, last } => self.same(state, back, last, from).map(Begun::Ended),
            tag @ (Tag::One(kept) | Tag::All(kept)) => {
                let one = matches!(tag, Tag::One(_));
                if one != (problem.turn(state).wish() == self.verdict) {
                    let what = if one {
                        "one move where all count"
                    } else {
                        "all moves where one is enough"
                    };
                    return Err(what.to_string());
                }
                if all_moves(problem, state, &mut self.moves) != Expansion::Open {
                    return Err("moves where the rules have settled the state".to_string());
                }
                let rest = if one { 1 } else { from.number()? };
                if !one && rest != self.moves.len() as u64 {
                    return Err(format!("{rest} moves; there are {}", self.moves.len()));
                }
                let legal = self.legal.mark();
                // Written in the order of the rules, the next one is the last of the list.
                for listed in self.moves.list.iter().rev() {
                    self.legal.add(|bytes| problem.put_move(state, listed.mv, bytes));
                }
                Ok(Begun::Open { one, rest: rest as usize, legal, kept })
            }
        }
    }

    fn leaf(&mut self, state: &P::State, rule: u8) -> Result<u32, Fault> {
        match all_moves(self.problem, state, &mut self.moves) {
            Expansion::Open => return Err("a leaf where the rules settle nothing".to_string()),
            Expansion::Settled(verdict) if verdict != self.verdict => {
                return Err(format!("the rules say {} here", verdict.word()));
            }
            Expansion::Settled(_) => {}
        }
        let right = self.problem.rule(state);
        if rule != right {
            return Err(format!("rule {rule} settles a leaf; it is rule {right}"));
        }
        self.done.leaves += 1;
        let rest = self.problem.rest(state);
        self.done.lengths &= rest.is_some();
        Ok(rest.unwrap_or(0))
    }

    fn same(
        &mut self,
        state: &P::State,
        back: u64,
        last: bool,
        from: &mut Source<'_>,
    ) -> Result<u32, Fault> {
        let (number, kept) = self.kept.find(back)?;
        let length = match kept.length {
            Some(length) => length,
            None if self.circular => 0,
            None => return Err("it rests on a node that is not closed yet".to_string()),
        };
        let turned = match &kept.state {
            Stored::Whole(here) => self.problem.turned(here, from)?,
            Stored::Encoded(bytes) => {
                let here = self.problem.decode(bytes).map_err(|bad| bad.0)?;
                self.problem.turned(&here, from)?
            }
        };
        self.bytes.clear();
        self.other.clear();
        self.problem.encode(&turned, &mut self.bytes);
        self.problem.encode(state, &mut self.other);
        if self.bytes != self.other {
            return Err("the node that it refers to is about another state".to_string());
        }
        if last {
            self.kept.forget(number);
        }
        Ok(length)
    }

    fn refused(&self, state: &P::State, detail: Fault) -> Refusal {
        Refusal { node: self.done.read, detail, state: self.problem.show(state) }
    }
}

enum Begun {
    Ended(u32),
    Open { one: bool, rest: usize, legal: Mark, kept: bool },
}

impl<S: Clone> Stored<S> {
    fn new<P: Problem<State = S>>(problem: &P, state: &S) -> Self {
        if size_of::<S>() <= LARGE {
            return Self::Whole(state.clone());
        }
        let mut bytes = Vec::new();
        problem.encode(state, &mut bytes);
        Self::Encoded(bytes.into_boxed_slice())
    }
}
