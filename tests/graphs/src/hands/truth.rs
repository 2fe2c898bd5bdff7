//! Every state of a graph with hands, reachable or not, by retrograde analysis that shares nothing
//! with the kernels.

use std::collections::HashMap;

use super::{Hand, Hands, Holding, covers};
use hasami_andor::{Repetition, Verdict};

/// The verdict of every state.
#[derive(Debug)]
pub struct Truth {
    /// The verdict that must be forced; all other states have the opposite one.
    forced: Verdict,
    /// In how many moves it is forced.
    moves: HashMap<Holding, u32>,
}

impl Truth {
    /// Settles all states.
    #[must_use]
    pub fn of(game: &Hands) -> Self {
        let forced = match game.repetition {
            Repetition::Impossible | Repetition::Disproven => Verdict::Proven,
            Repetition::Proven => Verdict::Disproven,
        };
        let mut open: Vec<Holding> = (0..game.size() as u32)
            .flat_map(|node| game.hands().map(move |hand| Holding { node, hand }))
            .collect();
        let mut moves = HashMap::new();
        for round in 0.. {
            let now = |state: &&Holding| {
                if let Some(verdict) = game.settled(state) {
                    return verdict == forced;
                }
                let mut below = game.legal(state).map(|(_, arc)| {
                    let after = Holding { node: arc.to, hand: game.after(state, arc) };
                    moves.contains_key(&after)
                });
                match game.vertex(state).turn.wish() == forced {
                    true => below.any(|is| is),
                    false => below.all(|is| is),
                }
            };
            let found: Vec<Holding> = open.iter().filter(now).copied().collect();
            if found.is_empty() {
                break;
            }
            moves.extend(found.into_iter().map(|state| (state, round)));
            open.retain(|state| !moves.contains_key(state));
        }
        Self { forced, moves }
    }

    /// The verdict of a state.
    #[must_use]
    pub fn verdict(&self, state: &Holding) -> Verdict {
        if self.moves.contains_key(state) { self.forced } else { self.forced.opposite() }
    }

    /// Two hands of one node that break the promise that more never hurts, in verdict or in moves.
    #[must_use]
    pub fn hurt(&self, game: &Hands) -> Option<(u32, Hand, Hand)> {
        for node in 0..game.size() as u32 {
            for a in game.hands() {
                for b in game.hands().filter(|&b| covers(a, b)) {
                    let moves = |hand| self.moves.get(&Holding { node, hand });
                    let (better, worse) = match self.forced {
                        Verdict::Proven => (moves(a), moves(b)),
                        Verdict::Disproven => (moves(b), moves(a)),
                    };
                    if worse.is_some_and(|worse| better.is_none_or(|better| better > worse)) {
                        return Some((node, a, b));
                    }
                }
            }
        }
        None
    }
}
