//! From positions to values.
//!
//! Play follows the rules: players alternate, prisoners count one each, and a player without a
//! useful move fills territory at the price of a point. So a part has the value `{results of
//! Black's moves | results of White's moves}`, and an enclosed point is a free move, which is the
//! integer 1. There is one exception, where that differs from counting territory: when neither
//! player gains by moving, players stop, and the part is worth its territory. (No player is obliged to
//! fill the eyes of a living group.)
//!
//! Most moves inside a part are useless, and trying them all is exponential. A move `P^L` may be
//! left out if it leaves the value `H` of the others unchanged, which holds if White has an answer
//! `P^LR` with `P^LR <= H` (the gift horse principle: Berlekamp, Conway and Guy, *Winning Ways*,
//! ch. 3). Moves whose stone can still be captured are tested this way, with adjacent answers. A
//! move without such an answer is valued like the others, so the result is exact either way.
//!
//! If play can repeat, a part has bounds instead ([`bounds`]); if they are equal, that is its
//! value, whatever repetition means.

mod bounds;

use std::collections::HashMap;

use hasami_cgt::{Exhausted, Games, Memory, NoMemory, Value};

use super::board::{Board, Colour, Suicide};
use super::outcome::{Move, Outcome, all_answers, answers, moves};
use super::secure::secure;
use super::territory::territory;

/// Why a position has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unvalued {
    /// Play can come back to a position (ko).
    #[error("play can repeat (ko)")]
    Loopy,
    /// More positions than allowed; large ones count more than once.
    #[error("more than {limit} positions; a larger limit may be enough")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The values are too large.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// Moves times points of a position that counts as one.
const SMALL: usize = 512;

/// Values of positions, stored by their normal form.
#[derive(Debug)]
pub struct Endgames {
    /// The arena of the values.
    pub games: Games,
    suicide: Suicide,
    known: HashMap<Board, Known>,
    /// Parts found loopy while others were in progress.
    loopy: Vec<Board>,
    limit: usize,
    /// Work on the current question: one for each position, more for large ones.
    work: usize,
    /// Number of parts valued, or found loopy.
    valued: u64,
    /// Number of lookups of something loopy.
    loops: u64,
    /// Parts with their bounds in the order in which they were found, if that is recorded.
    order: Option<Vec<(Board, Value, Value)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    UnderWay,
    /// Play can repeat; the value is between these two, whatever repetition means.
    Between(Value, Value),
    /// `plain` if nothing loopy was met on the way to it: then it does not depend on the parts in
    /// progress, and a search that starts elsewhere finds the same.
    Value {
        value: Value,
        plain: bool,
    },
}

/// A part to look at, or in progress.
enum Entry {
    Waiting(Board),
    Begun(Frame),
}

/// A part in progress.
struct Frame {
    board: Board,
    moves: [Vec<Tried>; 2],
    /// The number of loopy parts when it began.
    loopy: usize,
    /// The two counts of [`Endgames`] when it began.
    valued: u64,
    loops: u64,
}

/// A move of a part in progress.
struct Tried {
    one: Move,
    /// Whether its own value counts; otherwise an answer must show that it does not matter.
    counts: bool,
    answers: Option<Vec<Outcome>>,
    /// Whether all answers are tried, not only adjacent ones: worthwhile if play can repeat.
    widely: bool,
}

/// The state of an outcome.
enum Look {
    Value(Value),
    Missing(Vec<Board>),
    Between(Value, Value),
    /// It leads back to a part in progress.
    Repeats,
}

enum Step {
    Done(Value),
    Between(Value, Value),
    Need(Vec<Board>),
}

impl Endgames {
    /// With limits on the positions for each question and on the steps of arithmetic on values.
    #[must_use]
    pub fn new(suicide: Suicide, positions: usize, steps: u64) -> Self {
        Self {
            games: Games::with_limit(steps),
            suicide,
            known: HashMap::new(),
            loopy: Vec::new(),
            limit: positions,
            work: 0,
            valued: 0,
            loops: 0,
            order: None,
        }
    }

    /// The suicide rule.
    #[must_use]
    pub fn suicide(&self) -> Suicide {
        self.suicide
    }

    /// The number of known positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// Starts recording the order in which values and bounds are found.
    pub fn keep_order(&mut self) {
        self.order = Some(Vec::new());
    }

    /// The parts valued since [`Endgames::keep_order`], each after all it rests on, without those
    /// that certainly belong to one colour: with a lower and an upper bound, which are equal unless
    /// play can repeat.
    pub fn in_order(&self) -> impl Iterator<Item = &(Board, Value, Value)> {
        self.order.iter().flatten().filter(|(board, ..)| secure(board).is_none())
    }

    /// The number of parts valued here, or found loopy, and not recalled from notes.
    #[must_use]
    pub fn valued(&self) -> u64 {
        self.valued
    }

    /// The value of a board: the sum of its parts.
    ///
    /// # Errors
    /// If play can repeat, or a limit is reached.
    pub fn value(&mut self, board: &Board) -> Result<Value, Unvalued> {
        self.value_of(&Outcome::of(board, 0), &mut NoMemory)
    }

    /// Like [`Self::value`], with shared values of other searches. Parts are looked up and stored
    /// in normal form.
    ///
    /// # Errors
    /// If play can repeat, or a limit is reached.
    pub fn value_shared(
        &mut self,
        board: &Board,
        memory: &mut dyn Memory<Board>,
    ) -> Result<Value, Unvalued> {
        self.value_of(&Outcome::of(board, 0), memory)
    }

    /// The value after a move: that of the board, with the prisoners.
    ///
    /// # Errors
    /// If play can repeat, or a limit is reached.
    pub fn value_with(&mut self, board: &Board, prisoners: i64) -> Result<Value, Unvalued> {
        self.value_of(&Outcome::of(board, prisoners), &mut NoMemory)
    }

    fn value_of(
        &mut self,
        outcome: &Outcome,
        memory: &mut dyn Memory<Board>,
    ) -> Result<Value, Unvalued> {
        self.work = 0;
        loop {
            match self.look(outcome)? {
                Look::Value(value) => return Ok(value),
                Look::Between(..) | Look::Repeats => return Err(Unvalued::Loopy),
                Look::Missing(parts) => {
                    self.recall(&parts, memory)?;
                    for part in parts {
                        self.search(part, memory)?;
                    }
                }
            }
        }
    }

    /// Values one part, and all parts it depends on.
    fn search(&mut self, part: Board, memory: &mut dyn Memory<Board>) -> Result<(), Unvalued> {
        let mut stack = vec![Entry::Waiting(part)];
        let result = self.climb(&mut stack, memory);
        for entry in stack {
            if let Entry::Begun(frame) = entry {
                self.known.remove(&frame.board);
            }
        }
        result
    }

    /// Looks up the unknown ones of these parts.
    fn recall(&mut self, parts: &[Board], memory: &mut dyn Memory<Board>) -> Result<(), Exhausted> {
        let missing = parts.iter().filter(|part| !self.known.contains_key(*part));
        let missing = missing.cloned().collect();
        for (part, value) in memory.recall(&mut self.games, missing, self.valued)? {
            self.known.entry(part).or_insert(Known::Value { value, plain: true });
        }
        Ok(())
    }

    fn climb(
        &mut self,
        stack: &mut Vec<Entry>,
        memory: &mut dyn Memory<Board>,
    ) -> Result<(), Unvalued> {
        while let Some(entry) = stack.pop() {
            let mut frame = match entry {
                Entry::Waiting(part) if self.known.contains_key(&part) => continue,
                Entry::Waiting(part) => self.begin(part),
                Entry::Begun(frame) => frame,
            };
            let step = if self.work > self.limit {
                Err(Unvalued::TooLarge { limit: self.limit })
            } else {
                self.attempt(&mut frame)
            };
            match step {
                Err(error) => {
                    stack.push(Entry::Begun(frame));
                    return Err(error);
                }
                Ok(Step::Need(parts)) => {
                    stack.push(Entry::Begun(frame));
                    self.recall(&parts, memory)?;
                    stack.extend(parts.into_iter().map(Entry::Waiting));
                }
                Ok(Step::Between(low, high)) => {
                    self.valued += 1;
                    if let Some(order) = &mut self.order {
                        order.push((frame.board.clone(), low, high));
                    }
                    self.known.insert(frame.board.clone(), Known::Between(low, high));
                    self.loopy.push(frame.board);
                }
                Ok(Step::Done(value)) => {
                    // Their bounds may be wide only because this part was in progress.
                    for part in self.loopy.drain(frame.loopy..) {
                        self.known.remove(&part);
                    }
                    self.valued += 1;
                    let plain = self.loops == frame.loops;
                    if let Some(order) = &mut self.order {
                        order.push((frame.board.clone(), value, value));
                    }
                    self.known.insert(frame.board.clone(), Known::Value { value, plain });
                    if plain {
                        let cost = self.valued - frame.valued;
                        memory.learn(&mut self.games, &frame.board, value, cost)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, board: Board) -> Frame {
        let tried = |colour| {
            let all = moves(&board, colour, self.suicide).into_iter();
            all.map(|one| Tried { counts: one.lasting, one, answers: None, widely: false })
                .collect()
        };
        let moves: [Vec<Tried>; 2] = match secure(&board) {
            Some(_) => Default::default(),
            None => Colour::BOTH.map(tried),
        };
        let count: usize = moves.iter().map(Vec::len).sum();
        self.work += 1 + count * board.cells().len() / SMALL;
        self.known.insert(board.clone(), Known::UnderWay);
        let (valued, loops) = (self.valued, self.loops);
        Frame { board, moves, loopy: self.loopy.len(), valued, loops }
    }

    /// One attempt at a part with what is known by now.
    fn attempt(&mut self, frame: &mut Frame) -> Result<Step, Unvalued> {
        if let Some(points) = secure(&frame.board) {
            return Ok(Step::Done(self.games.integer(points)?));
        }
        let mut need = Vec::new();
        for one in frame.moves.iter().flatten().filter(|one| one.counts) {
            if let Look::Missing(parts) = self.look(&one.one.outcome)? {
                need.extend(parts);
            }
        }
        if !need.is_empty() {
            return Ok(Step::Need(need));
        }
        loop {
            let mut options = [Vec::new(), Vec::new()];
            let mut open = Vec::new();
            for (side, moves) in frame.moves.iter().enumerate() {
                for (at, one) in moves.iter().enumerate() {
                    match one.counts.then(|| self.look(&one.one.outcome)).transpose()? {
                        Some(Look::Value(value)) => options[side].push(value),
                        _ => open.push((side, at)),
                    }
                }
            }
            let value = self.settle(&frame.board, &options)?;
            let mut changed = false;
            for (side, at) in open {
                let colour = Colour::BOTH[side];
                let one = &mut frame.moves[side][at];
                if one.counts && self.outside(&one.one.outcome, colour, value)? {
                    continue;
                }
                match self.answered(&frame.board, one, colour, value)? {
                    Answered::Yes => continue,
                    Answered::Unknown(parts) => return Ok(Step::Need(parts)),
                    Answered::No => {}
                }
                if one.counts && one.widely {
                    return self.between(frame);
                }
                one.counts = true;
                match self.look(&one.one.outcome)? {
                    Look::Missing(parts) => return Ok(Step::Need(parts)),
                    Look::Value(_) => {}
                    Look::Between(..) | Look::Repeats => {
                        one.widely = true;
                        one.answers = None;
                    }
                }
                changed = true;
            }
            if !changed {
                return Ok(Step::Done(value));
            }
        }
    }

    /// Whether the bounds of a move already show that it does not matter.
    fn outside(
        &mut self,
        outcome: &Outcome,
        colour: Colour,
        value: Value,
    ) -> Result<bool, Exhausted> {
        Ok(match (self.look(outcome)?, colour) {
            (Look::Between(_, high), Colour::Black) => !self.games.le(value, high)?,
            (Look::Between(low, _), Colour::White) => !self.games.le(low, value)?,
            _ => false,
        })
    }

    /// The value with these options; the territory if neither player gains by moving.
    fn settle(&mut self, board: &Board, options: &[Vec<Value>; 2]) -> Result<Value, Exhausted> {
        let [left, right] = options;
        let stop = self.games.integer(territory(board))?;
        let mut quiet = true;
        for &option in left {
            quiet &= !self.games.le(stop, option)?;
        }
        for &option in right {
            quiet &= !self.games.le(option, stop)?;
        }
        if quiet { Ok(stop) } else { self.games.make(left, right) }
    }

    /// Whether some answer shows that a move does not matter.
    fn answered(
        &mut self,
        board: &Board,
        tried: &mut Tried,
        colour: Colour,
        value: Value,
    ) -> Result<Answered, Unvalued> {
        let Tried { one, answers: found, widely, .. } = tried;
        let found = found.get_or_insert_with(|| {
            if *widely {
                all_answers(one, colour, self.suicide)
            } else {
                answers(board, one, colour, self.suicide)
            }
        });
        for answer in found {
            let (low, high) = match self.look(answer)? {
                Look::Missing(parts) => return Ok(Answered::Unknown(parts)),
                Look::Repeats => continue,
                Look::Between(low, high) => (low, high),
                Look::Value(after) => (after, after),
            };
            let enough = match colour {
                Colour::Black => self.games.le(high, value)?,
                Colour::White => self.games.le(value, low)?,
            };
            if enough {
                return Ok(Answered::Yes);
            }
        }
        Ok(Answered::No)
    }

    /// The current state of an outcome.
    fn look(&mut self, outcome: &Outcome) -> Result<Look, Exhausted> {
        let mut missing = Vec::new();
        let prisoners = self.games.integer(outcome.prisoners)?;
        let (mut low, mut high) = (prisoners, prisoners);
        for part in &outcome.parts {
            let (mut least, mut most) = match self.known.get(&part.board) {
                None => {
                    missing.push(part.board.clone());
                    continue;
                }
                Some(Known::UnderWay) => {
                    self.loops += 1;
                    return Ok(Look::Repeats);
                }
                Some(_) if !missing.is_empty() => continue,
                Some(&Known::Between(low, high)) => {
                    self.loops += 1;
                    (low, high)
                }
                Some(&Known::Value { value, plain }) => {
                    self.loops += u64::from(!plain);
                    (value, value)
                }
            };
            if part.negative {
                (least, most) = (self.games.neg(most)?, self.games.neg(least)?);
            }
            low = self.games.add(low, least)?;
            high = self.games.add(high, most)?;
        }
        Ok(if !missing.is_empty() {
            Look::Missing(missing)
        } else if low == high {
            Look::Value(low)
        } else {
            Look::Between(low, high)
        })
    }
}

enum Answered {
    Yes,
    No,
    Unknown(Vec<Board>),
}

impl From<hasami_cgt::Unvalued> for Unvalued {
    fn from(error: hasami_cgt::Unvalued) -> Self {
        match error {
            hasami_cgt::Unvalued::Loopy => Self::Loopy,
            hasami_cgt::Unvalued::Exhausted(limit) => Self::Exhausted(limit),
        }
    }
}
