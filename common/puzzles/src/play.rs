//! Random games: a source of positions for every game.

use hasami_andor::{Expansion, Moves};

use super::{Puzzle, asks, made};
use hasami_game::random::SplitMix;
use hasami_spec::params::Params;

/// How many plies more than the puzzle's length may be taken back.
const SLACK: u32 = 3;
/// Random games with more turns are abandoned.
const LONGEST: usize = 10_000;

/// A position from a random game, about `plies` turns before its end.
pub fn random_play<G: Puzzle>(
    game: &G,
    params: &Params,
    plies: u32,
    random: &mut SplitMix,
) -> Option<Params> {
    let mut turns = vec![game.asked_from(params, &game.root())?];
    let mut moves = Moves::new();
    while turns.len() <= LONGEST {
        let asked = turns.last()?;
        let mover: G = made(asked)?;
        let mut state = mover.root();
        loop {
            moves.clear();
            if let Expansion::Settled(_) = mover.expand(&state, &mut moves) {
                let back = (plies + random.below(SLACK + 1)) as usize;
                return turns.len().checked_sub(back).map(|at| turns.swap_remove(at));
            }
            if !asks(&mover, &state) {
                break;
            }
            let at = random.below(moves.len() as u32) as usize;
            let mv = moves.iter().nth(at)?;
            state = mover.play(&state, mv);
        }
        let next = mover.asked_from(asked, &state)?;
        turns.push(next);
    }
    None
}
