//! The main line of a solution: the winner plays as fast, the loser as slowly as possible.

use hasami_andor::{Expansion, Moves};

use super::analyst::{Analyst, Exhausted};
use super::{Puzzle, asks};

/// The moves of the main line from the root, beginning with `first`.
pub(super) fn main_line<G: Puzzle>(
    game: &G,
    first: G::Move,
    analyst: &mut dyn Analyst<G>,
) -> Result<Vec<String>, Exhausted> {
    let mut state = game.root();
    let mut line = vec![game.told(&state, first)];
    state = game.play(&state, first);
    let mut moves = Moves::new();
    loop {
        moves.clear();
        if game.expand(&state, &mut moves) != Expansion::Open {
            return Ok(line);
        }
        let mut best: Option<(u32, G::Move)> = None;
        for mv in moves.iter() {
            let cost = game.length(&state, mv).unwrap_or(1);
            let after = analyst.shortest(game, &game.play(&state, mv), u32::MAX)?;
            let Some(length) = after.map(|after| after + cost) else { continue };
            let better =
                best.is_none_or(
                    |(best, _)| if asks(game, &state) { length < best } else { length > best },
                );
            if better {
                best = Some((length, mv));
            }
        }
        // In a won position, one side has a winning move and the other no refutation.
        let Some((_, mv)) = best else { return Ok(line) };
        line.push(game.told(&state, mv));
        state = game.play(&state, mv);
    }
}
