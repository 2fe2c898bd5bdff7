//! The analyst for every game without repetitions: depth-first with growing limits of plies, and a
//! table of results by key.
//!
//! Lines are on an explicit stack: long games cost memory and do not overflow the thread's stack.

use hasami_andor::{Expansion, Key, Moves, Turn, Verdict};

use super::analyst::{Analyst, Exhausted};
use hasami_game::Game;

/// Not reached with any limit.
const NEVER: u32 = u32::MAX;
/// Entries of the table.
const ENTRIES: usize = 1 << 18;

/// Bounds for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    /// Reached within this many plies; [`NEVER`] if that is not known.
    within: u32,
    /// Not reached within fewer plies than this; [`NEVER`]: never at all.
    not_below: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    /// The question that it belongs to.
    stamp: u32,
    known: Known,
}

/// A state on the current line.
struct Frame<S> {
    state: S,
    key: Key,
    turn: Turn,
    /// Plies left here.
    limit: u32,
    /// Its untried moves in the shared list.
    next: usize,
    end: usize,
    /// The least bound of the moves that failed.
    bound: u32,
}

/// See the module.
pub struct Deepening<G: Game> {
    table: Vec<Entry>,
    stamp: u32,
    left: u64,
    moves: Vec<G::Move>,
    frames: Vec<Frame<G::State>>,
    buffer: Moves<G::Move>,
}

impl<G: Game> Default for Deepening<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Deepening<G> {
    /// An analyst with an empty table.
    #[must_use]
    pub fn new() -> Self {
        let known = Known { within: NEVER, not_below: 0 };
        Self {
            table: vec![Entry { key: Key(0), stamp: 0, known }; ENTRIES],
            stamp: 1,
            left: 0,
            moves: Vec::new(),
            frames: Vec::new(),
            buffer: Moves::new(),
        }
    }

    fn look(&self, key: Key) -> Known {
        let entry = &self.table[key.0 as usize % ENTRIES];
        if entry.key == key && entry.stamp == self.stamp {
            entry.known
        } else {
            Known { within: NEVER, not_below: 0 }
        }
    }

    fn keep(&mut self, key: Key, known: Known) {
        let stamp = self.stamp;
        self.table[key.0 as usize % ENTRIES] = Entry { key, stamp, known };
    }

    /// The bounds of a state within `limit` plies, if known; otherwise pushes a frame.
    fn enter(&mut self, game: &G, state: G::State, limit: u32) -> Result<Option<Known>, Exhausted> {
        let key = game.key(&state);
        let known = self.look(key);
        if known.within <= limit || known.not_below > limit {
            return Ok(Some(known));
        }
        self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
        self.buffer.clear();
        if let Expansion::Settled(verdict) = game.expand(&state, &mut self.buffer) {
            let rest = game.rest(&state).filter(|_| verdict == Verdict::Proven);
            return Ok(Some(match rest {
                Some(rest) => Known { within: rest, not_below: rest },
                None => Known { within: NEVER, not_below: NEVER },
            }));
        }
        let next = self.moves.len();
        self.moves.extend(self.buffer.iter());
        let end = self.moves.len();
        let turn = game.turn(&state);
        self.frames.push(Frame { state, key, turn, limit, next, end, bound: NEVER });
        Ok(None)
    }

    /// Whether the asking side reaches its goal within `limit` plies.
    fn within(&mut self, game: &G, state: &G::State, limit: u32) -> Result<Known, Exhausted> {
        self.frames.clear();
        self.moves.clear();
        if let Some(known) = self.enter(game, state.clone(), limit)? {
            return Ok(known);
        }
        loop {
            let frame = self.frames.last_mut().expect("a line with a state");
            if frame.next == frame.end {
                // All moves were tried: none works for one side, all work for the other.
                let known = match frame.turn {
                    Turn::Or => Known { within: NEVER, not_below: frame.bound },
                    Turn::And => Known { within: frame.limit, not_below: 0 },
                };
                match self.leave(game, known) {
                    Some(known) => return Ok(known),
                    None => continue,
                }
            }
            let mv = self.moves[frame.next];
            let cost = game.length(&frame.state, mv).unwrap_or(1);
            if cost > frame.limit {
                let beyond = Known { within: NEVER, not_below: 0 };
                if let Some(known) = self.judge(cost, beyond)
                    && let Some(known) = self.leave(game, known)
                {
                    return Ok(known);
                }
                continue;
            }
            let (child, limit) = (game.play(&frame.state, mv), frame.limit - cost);
            if let Some(known) = self.enter(game, child, limit)?
                && let Some(known) = self.judge(cost, known)
                && let Some(known) = self.leave(game, known)
            {
                return Ok(known);
            }
        }
    }

    /// Accounts for the current move of the last state, given the bounds after it. Returns the
    /// bounds of the state if that settles it.
    fn judge(&mut self, cost: u32, after: Known) -> Option<Known> {
        let frame = self.frames.last_mut().expect("a line with a state");
        frame.next += 1;
        let left = frame.limit.checked_sub(cost);
        let reached = left.is_some_and(|left| after.within <= left);
        let bound = if after.not_below == NEVER { NEVER } else { frame.limit + 1 };
        match (frame.turn, reached) {
            (Turn::Or, true) => Some(Known { within: frame.limit, not_below: 0 }),
            (Turn::Or, false) => {
                frame.bound = frame.bound.min(bound);
                None
            }
            (Turn::And, true) => None,
            (Turn::And, false) => Some(Known { within: NEVER, not_below: bound }),
        }
    }

    /// Pops the last state with its bounds and updates its predecessors as far as that settles
    /// them. Returns the bounds of the first state if it is reached.
    fn leave(&mut self, game: &G, known: Known) -> Option<Known> {
        let mut known = known;
        loop {
            let frame = self.frames.pop().expect("a line with a state");
            // The moves of the last state of the line are on top of the list.
            self.moves.truncate(frame.end);
            let before = self.look(frame.key);
            let merged = Known {
                within: known.within.min(before.within),
                not_below: known.not_below.max(before.not_below),
            };
            self.keep(frame.key, merged);
            let Some(above) = self.frames.last() else { return Some(known) };
            self.moves.truncate(above.end);
            let mv = self.moves[above.next];
            let cost = game.length(&above.state, mv).unwrap_or(1);
            known = self.judge(cost, merged)?;
        }
    }
}

impl<G: Game> Analyst<G> for Deepening<G> {
    fn begin(&mut self, nodes: u64) {
        self.left = nodes;
        match self.stamp.checked_add(1) {
            Some(stamp) => self.stamp = stamp,
            None => *self = Self { left: nodes, ..Self::new() },
        }
    }

    fn shortest(
        &mut self,
        game: &G,
        state: &G::State,
        most: u32,
    ) -> Result<Option<u32>, Exhausted> {
        let mut limit = 0;
        while limit <= most {
            let known = self.within(game, state, limit)?;
            if known.within <= limit {
                return Ok(Some(limit));
            }
            if known.not_below == NEVER || limit == NEVER {
                break;
            }
            limit += 1;
        }
        Ok(None)
    }
}
