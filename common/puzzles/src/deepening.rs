//! The analyst for every game without repetitions: depth-first with growing limits of plies, and a
//! table of what was found, by key.
//!
//! Lines are kept on a stack of its own, so that long games cost memory and not the program.

use hasami_andor::{Expansion, Key, Moves, Turn, Verdict};

use super::analyst::{Analyst, Exhausted};
use hasami_game::Game;

/// Never, whatever the limit.
const NEVER: u32 = u32::MAX;
/// Entries of the table.
const ENTRIES: usize = 1 << 18;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    /// Reached within so many plies; [`NEVER`] if that is not known.
    within: u32,
    /// Not reached within fewer plies than this; [`NEVER`]: never at all.
    not_below: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    /// Of which question it is.
    stamp: u32,
    known: Known,
}

/// A state on the line at hand.
struct Frame<S> {
    state: S,
    key: Key,
    turn: Turn,
    /// Plies that are left here.
    limit: u32,
    /// Its moves that are still to be tried, in the common list.
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
        match entry.key == key && entry.stamp == self.stamp {
            true => entry.known,
            false => Known { within: NEVER, not_below: 0 },
        }
    }

    fn keep(&mut self, key: Key, known: Known) {
        let stamp = self.stamp;
        self.table[key.0 as usize % ENTRIES] = Entry { key, stamp, known };
    }

    /// What is known of a state within `limit` plies, at once or after the frame that was pushed.
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

    /// Whether the side that asks gets there within `limit` plies.
    fn within(&mut self, game: &G, state: &G::State, limit: u32) -> Result<Known, Exhausted> {
        self.frames.clear();
        self.moves.clear();
        if let Some(known) = self.enter(game, state.clone(), limit)? {
            return Ok(known);
        }
        loop {
            let frame = self.frames.last_mut().expect("a line with a state");
            if frame.next == frame.end {
                // All moves were tried: nothing was found for one side, all for the other.
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

    /// Counts the move at hand of the last state, given what is known after it; what is known of the
    /// state, if that settles it.
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

    /// Takes the last state off the line with what is known of it, and tells those before it, as far as
    /// that settles them; what is known of the first one, if that is it.
    fn leave(&mut self, game: &G, known: Known) -> Option<Known> {
        let mut known = known;
        loop {
            let frame = self.frames.pop().expect("a line with a state");
            // The moves of a state are on top of the list while it is the last of the line.
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
