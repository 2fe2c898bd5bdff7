//! Positions of the polyomino game: keys under symmetry, and arbitrary bytes.

use std::collections::BTreeSet;

use hasami_andor::problem::all_moves;
use hasami_andor::{Moves, Problem, Turn};
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::grid::{Grid, bits};
use hasami_polyomino::polyomino::{Polyomino, Position, Reply, Stone, Zone};
use hasami_trials::made;
use proptest::prelude::*;

/// All images of a set of cells under the symmetries of the board, by rows and columns alone.
fn images(cells: u128, grid: &Grid) -> Vec<u128> {
    let (height, width) = (grid.height, grid.width);
    let mut images = Vec::new();
    for kind in 0..if height == width { 8 } else { 4 } {
        let to = |cell: u8| {
            let (row, column) = (cell / width, cell % width);
            let row = if kind & 1 == 0 { row } else { height - 1 - row };
            let column = if kind & 2 == 0 { column } else { width - 1 - column };
            let (row, column) = if kind & 4 == 0 { (row, column) } else { (column, row) };
            1u128 << (row * width + column)
        };
        images.push(bits(cells).map(to).sum());
    }
    images
}

/// Equal for all positions that are images of each other: the stones of the least image.
fn name(state: &Position, grid: &Grid) -> (u128, u128, bool) {
    let stones = images(state.black, grid).into_iter().zip(images(state.white, grid));
    let (black, white) = stones.min().unwrap();
    (black, white, state.turn == Turn::Or)
}

/// A random position with few stones, so that symmetric ones coincide.
fn random_position(grid: &Grid, random: &mut SplitMix) -> Position {
    loop {
        let mut pick = |most: u32| {
            let count = random.below(most + 1);
            (0..count).fold(0u128, |all, _| all | 1 << random.below(grid.all.count_ones()))
        };
        let (black, white) = (pick(4), pick(2));
        let turn = if random.below(2) == 0 { Turn::Or } else { Turn::And };
        if let Ok(state) = Position::new(black, white, turn, grid) {
            return state;
        }
    }
}

#[test]
fn keys_are_equal_if_and_only_if_the_positions_are_symmetric() {
    for board in ["3x3", "2x4", "4x4", "5x5", "5x4", "1x8", "11x11"] {
        let game: Polyomino = made(&format!("shapes=Elly board={board}"));
        let random = &mut SplitMix::new(5);
        let (mut keys, mut names, mut both) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for _ in 0..20_000 {
            let state = random_position(game.grid(), random);
            let (key, name) = (game.key(&state), name(&state, game.grid()));
            keys.insert(key);
            names.insert(name);
            both.insert((key, name));
            for (black, white) in
                images(state.black, game.grid()).into_iter().zip(images(state.white, game.grid()))
            {
                let image = Position::new(black, white, state.turn, game.grid()).unwrap();
                assert_eq!(game.key(&image), key);
                // In the frame of the key both must be equal.
                let there = game.grid().turned(state.black, state.symmetry());
                assert_eq!(game.grid().turned_back(there, image.symmetry()), image.black);
                let there = game.grid().turned(state.white, state.symmetry());
                assert_eq!(game.grid().turned_back(there, image.symmetry()), image.white);
            }
        }
        assert_eq!((keys.len(), names.len()), (both.len(), both.len()), "{board}");
    }
}

#[test]
fn the_key_after_a_move_is_the_key_of_the_position_after_it() {
    for board in ["4x4", "5x7", "11x11"] {
        let game: Polyomino = made(&format!("shapes=Elly board={board}"));
        let random = &mut SplitMix::new(6);
        for _ in 0..2000 {
            let state = random_position(game.grid(), random);
            let mut next: Vec<Stone> =
                bits(game.grid().all & !(state.black | state.white)).map(Stone::Cell).collect();
            if state.turn == Turn::And {
                next.push(Stone::Reply(Reply::new(None, false, 0)));
            }
            for mv in next {
                let after = game.play(&state, mv);
                assert_eq!(game.key_after(&state, mv), game.key(&after));
                let anew = Position::new(after.black, after.white, after.turn, game.grid());
                assert_eq!(anew, Ok(after));
            }
        }
    }
}

/// Calls everything that a program may call on a decoded state.
fn ask(game: &Polyomino, state: &Position) {
    let mut bytes = Vec::new();
    game.encode(state, &mut bytes);
    assert_eq!(game.decode(&bytes).unwrap(), *state);
    let mut moves = Moves::new();
    let expansion = all_moves(game, state, &mut moves);
    game.show(state);
    game.rest(state);
    game.key(state);
    if let hasami_andor::Expansion::Settled(verdict) = expansion {
        game.reason(state, verdict, &[]);
        return;
    }
    for mv in moves.iter() {
        game.show_move(state, mv);
        game.key_after(state, mv);
        game.play(state, mv);
    }
    let worst = Zone { cells: u128::MAX, slack: u32::MAX, stones: u32::MAX };
    let basis: Vec<(Stone, Zone)> = moves.iter().map(|mv| (mv, worst)).collect();
    for verdict in [hasami_andor::Verdict::Proven, hasami_andor::Verdict::Disproven] {
        game.reason(state, verdict, &basis);
    }
}

const QUESTIONS: [&str; 5] = [
    "shapes=Square,W stones=9",
    "shapes=Elam board=8x16 stones=any",
    "shapes=Tic,Snaky board=4x3 game=weak stones=any",
    "shapes=######## board=1x128 stones=any",
    "shapes=I,L window=3x3 stones=any",
];

proptest! {
    #[test]
    fn bytes_of_any_kind_are_a_position_or_an_error(
        bytes in proptest::collection::vec(any::<u8>(), 0..40),
        question in 0..QUESTIONS.len(),
    ) {
        let game: Polyomino = made(QUESTIONS[question]);
        if let Ok(state) = game.decode(&bytes) {
            ask(&game, &state);
        }
    }

    #[test]
    fn stones_of_any_kind_are_a_position_or_an_error(
        black in any::<u128>(),
        white in any::<u128>(),
        thin in 0..4u32,
        turn in 0..3u8,
        question in 0..QUESTIONS.len(),
    ) {
        let game: Polyomino = made(QUESTIONS[question]);
        let (mut white, mut black) = (white & game.grid().all, black & game.grid().all);
        for by in 0..thin {
            white &= white.rotate_left(7 + by) & game.grid().all;
        }
        if thin > 0 {
            white &= !black;
        } else {
            black &= !white;
        }
        let mut bytes = vec![turn];
        bytes.extend(black.to_le_bytes());
        bytes.extend(white.to_le_bytes());
        let decoded = game.decode(&bytes);
        let ahead = u32::from(turn == 1);
        let can_be = turn < 2 && black.count_ones() >= white.count_ones() + ahead;
        prop_assert_eq!(decoded.is_ok(), can_be);
        if let Ok(state) = decoded {
            ask(&game, &state);
        }
    }

    #[test]
    fn stones_off_the_board_or_on_each_other_are_refused(cell in 12..128u32, two in 0..12u32) {
        let game: Polyomino = made("shapes=Tic board=4x3 stones=any");
        for (black, white) in [(1u128 << cell, 0u128), (1 << two, 1 << cell), (1 << two, 1 << two)] {
            let mut bytes = vec![0];
            bytes.extend(black.to_le_bytes());
            bytes.extend(white.to_le_bytes());
            prop_assert!(game.decode(&bytes).is_err());
        }
    }
}
