//! Moves from the usual start, counted; the counts are known from many programs.

use hasami_shogi::{Position, sfen};

fn perft(position: &Position, depth: u32) -> u64 {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&mv| perft(&position.play(mv), depth - 1)).sum()
}

#[test]
fn the_start_has_the_known_number_of_games() {
    let start = sfen::read(sfen::START).unwrap();
    for (depth, expected) in [(1, 30), (2, 900), (3, 25_470), (4, 719_731)] {
        assert_eq!(perft(&start, depth), expected);
    }
}

#[test]
fn a_position_with_many_drops_has_the_known_number_of_moves() {
    // The position with the most legal moves that is known.
    let most = sfen::read("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1").unwrap();
    assert_eq!(perft(&most, 1), 593);
}
