//! Rulesets: anything that generates the moves of Left and Right has values.

pub mod clobber;
pub mod domineering;
mod grid;
mod memory;
mod prove;
pub mod toads;

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::budget::Exhausted;
use crate::games::{Games, Value};

pub use grid::{Grid, GridError};
pub use memory::{Memory, NoMemory};
pub use prove::is_worth;

/// A ruleset is a move generator.
pub trait Rules {
    /// Everything that the moves depend on. Make positions equal if the rules treat them alike, for
    /// example by moving them into a corner.
    type Position: Clone + Eq + Hash;

    /// The positions that Left can move to.
    fn left_moves(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// The positions that Right can move to.
    fn right_moves(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// Independent parts, each simpler than the whole, whose values add up to that of the position;
    /// `None` if it is one piece. An empty list is a position without moves.
    fn parts(&self, position: &Self::Position) -> Option<Vec<Self::Position>> {
        let _ = position;
        None
    }
}

/// Why a position has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unvalued {
    /// Play can return to a position, so it is not a short game.
    #[error("play can repeat a position, so it has no value as a loop-free game")]
    Loopy,
    /// The limit of the arena is reached.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// The value of a position.
pub fn evaluate<R: Rules>(
    games: &mut Games,
    rules: &R,
    position: &R::Position,
) -> Result<Value, Unvalued> {
    Valuer::new(rules).value(games, position)
}

/// Computes values of positions of one ruleset and stores them. Use it with one [`Games`] only.
pub struct Valuer<'a, R: Rules> {
    rules: &'a R,
    known: FxHashMap<R::Position, Known>,
    /// Number of positions valued here.
    work: u64,
}

#[derive(Clone, Copy)]
enum Known {
    /// On the path from the requested position.
    UnderWay,
    Value(Value),
}

/// A position on the stack.
struct Frame<P> {
    position: P,
    /// Left options and then right options, or parts.
    below: Vec<P>,
    /// Number of left options among them; `None` if they are parts.
    lefts: Option<usize>,
    values: Vec<Value>,
    /// Number of positions valued when it began.
    work: u64,
}

impl<'a, R: Rules> Valuer<'a, R> {
    /// A valuer without any values.
    pub fn new(rules: &'a R) -> Self {
        Self { rules, known: FxHashMap::default(), work: 0 }
    }

    /// Number of positions with values.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Number of positions valued here, without those recalled from elsewhere.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether no position has a value.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The value of a position.
    pub fn value(&mut self, games: &mut Games, position: &R::Position) -> Result<Value, Unvalued> {
        self.value_with(games, position, &mut NoMemory)
    }

    /// The value of a position, with a memory of values from elsewhere.
    pub fn value_with(
        &mut self,
        games: &mut Games,
        position: &R::Position,
        memory: &mut impl Memory<R::Position>,
    ) -> Result<Value, Unvalued> {
        self.recall(games, std::slice::from_ref(position), memory)?;
        let mut stack = Vec::new();
        let value = self.search(games, position, &mut stack, memory);
        if value.is_err() {
            for frame in stack {
                self.known.remove(&frame.position);
            }
        }
        value
    }

    fn search(
        &mut self,
        games: &mut Games,
        position: &R::Position,
        stack: &mut Vec<Frame<R::Position>>,
        memory: &mut impl Memory<R::Position>,
    ) -> Result<Value, Unvalued> {
        let mut answer = self.enter(position.clone(), stack)?;
        if let Some(frame) = stack.last() {
            self.recall(games, &frame.below, memory)?;
        }
        loop {
            let Some(frame) = stack.last_mut() else {
                return Ok(answer.expect("the value of the position asked for"));
            };
            frame.values.extend(answer.take());
            if let Some(next) = frame.below.get(frame.values.len()) {
                let next = next.clone();
                answer = self.enter(next, stack)?;
                if answer.is_none()
                    && let Some(frame) = stack.last()
                {
                    self.recall(games, &frame.below, memory)?;
                }
                continue;
            }
            let value = match frame.lefts {
                Some(lefts) => {
                    let (left, right) = frame.values.split_at(lefts);
                    games.make(left, right)?
                }
                None => games.sum(&frame.values)?,
            };
            let frame = stack.pop().expect("the position just valued");
            self.work += 1;
            self.known.insert(frame.position.clone(), Known::Value(value));
            memory.learn(games, &frame.position, value, self.work - frame.work)?;
            answer = Some(value);
        }
    }

    /// The value if it is known; otherwise pushes the position.
    fn enter(
        &mut self,
        position: R::Position,
        stack: &mut Vec<Frame<R::Position>>,
    ) -> Result<Option<Value>, Unvalued> {
        match self.known.get(&position) {
            Some(Known::Value(value)) => return Ok(Some(*value)),
            Some(Known::UnderWay) => return Err(Unvalued::Loopy),
            None => {}
        }
        let (below, lefts) = match self.rules.parts(&position) {
            Some(parts) => (parts, None),
            None => {
                let mut below = self.rules.left_moves(&position);
                let lefts = below.len();
                below.extend(self.rules.right_moves(&position));
                (below, Some(lefts))
            }
        };
        self.known.insert(position.clone(), Known::UnderWay);
        stack.push(Frame { position, below, lefts, values: Vec::new(), work: self.work });
        Ok(None)
    }

    /// Asks the memory for the unknown ones of these positions.
    fn recall(
        &mut self,
        games: &mut Games,
        positions: &[R::Position],
        memory: &mut impl Memory<R::Position>,
    ) -> Result<(), Exhausted> {
        let missing = positions.iter().filter(|position| !self.known.contains_key(*position));
        for (position, value) in memory.recall(games, missing.cloned().collect(), self.work)? {
            self.known.entry(position).or_insert(Known::Value(value));
        }
        Ok(())
    }
}
