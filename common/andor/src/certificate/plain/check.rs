//! Checks a tree against the rules: every move legal, none missing.

use crate::certificate::tree::{KeptNodes, Tag};
use crate::certificate::{Checked, Fault, Refusal, Source, Step};
use crate::numbers::Verdict;
use crate::problem::{Expansion, Key, Moves, Problem, all_moves};

/// Checks a tree. Passes every ONE and ALL to `each` when it is closed.
///
/// # Errors
/// The first node that does not hold.
pub fn check<P: Problem>(
    problem: &P,
    verdict: Verdict,
    from: &mut Source<'_>,
    each: &mut dyn FnMut(&P::State, Step),
) -> Result<Checked, Refusal> {
    let mut check = Check {
        problem,
        verdict,
        circular: problem.repetition().verdict() == Some(verdict),
        kept: KeptNodes::default(),
        stack: Vec::new(),
        moves: Moves::new(),
        done: Checked { lengths: true, ..Checked::default() },
        closed: 0,
        bytes: Vec::new(),
    };
    let length = check.tree(from, each)?;
    let mut done = check.done;
    done.length = (done.lengths && !check.circular).then_some(length);
    Ok(done)
}

/// A kept node.
struct Kept {
    state: Vec<u8>,
    /// The longest line from it; `None` while it is open.
    length: Option<u32>,
}

/// A node whose children are being read.
struct Frame<P: Problem> {
    state: P::State,
    /// The legal moves, if all count, each encoded; emptied when it is read.
    legal: Vec<Vec<u8>>,
    one: bool,
    /// How many moves are still to be read.
    rest: usize,
    /// The count of the move that is being read.
    count: u32,
    length: u32,
    chosen: Option<Key>,
    number: Option<u64>,
}

struct Check<'a, P: Problem> {
    problem: &'a P,
    verdict: Verdict,
    /// An infinite line is good for the verdict: a node may refer to an open one.
    circular: bool,
    kept: KeptNodes<Kept>,
    stack: Vec<Frame<P>>,
    moves: Moves<P::Move>,
    done: Checked,
    /// Number of nodes closed so far.
    closed: u64,
    bytes: Vec<u8>,
}

impl<P: Problem> Check<'_, P> {
    /// Reads the tree; returns the longest line.
    fn tree(
        &mut self,
        from: &mut Source<'_>,
        each: &mut dyn FnMut(&P::State, Step),
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
                self.closed += 1;
                if let Some(kept) = frame.number.and_then(|number| self.kept.get_mut(number)) {
                    kept.length = Some(frame.length);
                }
                let step = Step { place: self.closed, choice: frame.chosen, length: frame.length };
                each(&frame.state, step);
                ended = Some(frame.length);
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
        // Written in the order of the rules, the next one is the last of the list.
        let place = frame.legal.iter().rposition(|legal| *legal == self.bytes);
        let Some(place) = place else {
            let shown = self.problem.show_move(state, mv);
            return Err(format!("{shown} is no legal move here, or a second time"));
        };
        frame.legal.swap_remove(place);
        let next = self.problem.play(state, mv);
        if frame.one {
            frame.chosen = Some(self.problem.key(&next));
        }
        match self.problem.length(state, mv) {
            Some(count) => frame.count = count,
            None => self.done.lengths = false,
        }
        Ok(next)
    }

    /// Reads the beginning of a node; returns its length if that is all of it.
    fn at(&mut self, state: P::State, from: &mut Source<'_>) -> Result<Option<u32>, Refusal> {
        self.done.read += 1;
        let begun = self.begin(&state, from).map_err(|fault| self.refused(&state, fault))?;
        Ok(match begun {
            Begun::Ended(length) => Some(length),
            Begun::Open { one, rest, legal, kept } => {
                self.done.nodes += 1;
                self.done.choices += u64::from(one);
                let number = kept.then(|| {
                    let mut bytes = Vec::new();
                    self.problem.encode(&state, &mut bytes);
                    self.kept.add(Kept { state: bytes, length: None })
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

    fn begin(&mut self, state: &P::State, from: &mut Source<'_>) -> Result<Begun, Fault> {
        let problem = self.problem;
        match Tag::take(from)? {
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
                let encoded = |mv| {
                    let mut bytes = Vec::new();
                    problem.put_move(state, mv, &mut bytes);
                    bytes
                };
                let mut legal: Vec<Vec<u8>> = self.moves.iter().map(encoded).collect();
                legal.reverse();
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
        let here = self.problem.decode(&kept.state).map_err(|bad| bad.0)?;
        let turned = self.problem.turned(&here, from)?;
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        self.problem.encode(&turned, &mut found);
        self.problem.encode(state, &mut expected);
        if found != expected {
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
    Open { one: bool, rest: usize, legal: Vec<Vec<u8>>, kept: bool },
}
