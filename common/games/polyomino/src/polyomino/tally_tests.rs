//! A tally updated through random play equals one computed for the position, and agrees with the
//! scan of [`super::scan`] without a tally; so do the moves and their numbers.

use hasami_andor::{Expansion, Moves, Problem, Turn, Verdict};

use super::Polyomino;
use super::grid::bits;
use super::position::{Position, Reply, Stone};
use super::scan::Chances;
use super::tally::Tally;
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_spec::params::Params;

const SETS: [&str; 12] = [
    "Square,W",
    "UU,ZZ",
    "R,U",
    "I,L",
    "Elly",
    "Tippy,Knobby",
    "###/.#./###",
    // More than 16 patterns.
    "R,L5,Y5",
    "R,N5,Snaky,Elly",
    // Exactly 16.
    "R,Snaky",
    // More cells than a tally counts.
    "####/####,W",
    "###/###/###",
];
const BOARDS: [&str; 7] = [
    "board=5x5",
    "board=4x7",
    "board=8x16",
    "board=3x3",
    "window=11x11",
    "window=7x6",
    "board=16x7",
];

fn random_game(random: &mut SplitMix) -> Polyomino {
    let mut pick = |of: &[&'static str]| of[random.below(of.len() as u32) as usize];
    let (set, board, kind) = (pick(&SETS), pick(&BOARDS), pick(&["strong", "weak"]));
    let stones = 3 + random.below(9);
    let spelling = format!("shapes={set} {board} game={kind} stones={stones}");
    let params = Params::parse(Polyomino::params(), &spelling).expect("a valid spelling");
    Polyomino::from_params(&params).expect("valid parameters")
}

/// A stone on an empty cell, usually next to others; sometimes elsewhere.
fn random_move(game: &Polyomino, state: &Position, random: &mut SplitMix) -> Option<Stone> {
    if state.turn == Turn::And && random.below(8) == 0 {
        return Some(Stone::Reply(Reply::new(None, false, 0)));
    }
    let empty = game.empty(state);
    let stones = state.black | state.white;
    let near = [1, u32::from(game.grid.width)]
        .iter()
        .fold(0, |near, &step| near | stones << step | stones >> step);
    let cells = if near & empty != 0 && random.below(4) > 0 { near & empty } else { empty };
    let cells: Vec<u8> = bits(cells).collect();
    (!cells.is_empty()).then(|| Stone::Cell(cells[random.below(cells.len() as u32) as usize]))
}

fn agrees(game: &Polyomino, state: &Position, random: &mut SplitMix) -> bool {
    let Some(tally) = state.tally() else {
        assert!(!game.placements.can_be_kept());
        return false;
    };
    let (black, white, left) = (state.black, state.white, game.left(state));
    tally.assert_same(&Tally::of(&game.placements, black, white, left), left);
    let (kept, new) = (game.chances(state), game.placements.chances(black, white, left));
    let both = |with: &Chances| (with.won, with.threats, with.potential, with.tight);
    assert_eq!(both(&kept), both(&new));
    if state.turn == Turn::Or && kept.threats == 0 {
        assert_eq!(kept.forks, new.forks);
    }
    let weights = game.placements.weights(black, white, left);
    let empty = game.empty(state);
    for cell in bits(empty) {
        assert_eq!(tally.weight(cell, left), weights.of(cell));
    }
    let some = empty & (u128::from(random.word()) << 64 | u128::from(random.word()));
    for within in [empty, some, 0] {
        assert_eq!(tally.heaviest(within, left), weights.heaviest(within));
    }
    for _ in 0..4 {
        let bound = u64::from(1 + random.below(1 << 22)) >> random.below(16);
        let bound = bound.max(1);
        assert_eq!(tally.at_least(bound, left) & empty, weights.at_least(bound) & empty);
    }
    true
}

/// Moves, numbers and reasons with a tally and without.
fn judged_alike(game: &Polyomino, state: &Position) {
    let plain = Position::new(state.black, state.white, state.turn, &game.grid);
    let plain = plain.expect("a position that was played");
    assert!(plain.tally().is_none());
    let judged = [state, &plain].map(|state| {
        let mut moves = Moves::new();
        let expansion = game.expand(state, &mut moves);
        let reason = (expansion == Expansion::Settled(Verdict::Proven))
            .then(|| game.reason(state, Verdict::Proven, &[]));
        for mv in moves.iter().collect::<Vec<_>>() {
            let zone = super::Zone { cells: u128::MAX, slack: 1, stones: 1 };
            game.open(state, mv, Some(zone), &mut moves);
        }
        (expansion, format!("{moves:?}"), reason, game.rest(state))
    });
    assert_eq!(judged[0], judged[1], "{}", game.show(state));
}

#[test]
fn a_tally_kept_through_random_play_is_that_of_the_position() {
    let random = &mut SplitMix::new(5);
    let (mut kept, mut not) = (0, 0);
    for _ in 0..600 {
        let game = random_game(random);
        let mut state = game.root();
        while state.black.count_ones() < game.stones || state.turn == Turn::And {
            let count = if agrees(&game, &state, random) { &mut kept } else { &mut not };
            *count += 1;
            judged_alike(&game, &state);
            let mut bytes = Vec::new();
            game.encode(&state, &mut bytes);
            let decoded = game.decode(&bytes).expect("a position that was encoded");
            agrees(&game, &decoded, random);
            let Some(mv) = random_move(&game, &state, random) else {
                break;
            };
            state = game.play(&state, mv);
        }
    }
    assert!(kept > 3000 && not > 500, "{kept} {not}");
}
