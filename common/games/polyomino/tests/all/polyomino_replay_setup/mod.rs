//! What is needed to replay a proof: a referee with a board much larger than the window, Black's
//! strategy from a certificate, and several Whites.

pub mod board;
pub mod strategy;
pub mod white;

use hasami_game::random::SplitMix;

use board::{Board, Side};
use strategy::{Follower, Strategy};
use white::White;

/// Plays one game and fails if Black does not win in time; returns the number of Black's stones.
pub fn play(strategy: &Strategy, white: White, random: &mut SplitMix) -> u32 {
    let mut board = Board::new(strategy);
    let mut black = Follower::new(strategy);
    for stones in 1..=strategy.stones() {
        let cell = black.choose(&board);
        board.place(cell, Side::Black);
        if board.completes(cell, Side::Black) {
            return stones;
        }
        let cell = white.choose(&board, &black.shunned(&board), random);
        board.place(cell, Side::White);
        if strategy.strong && board.completes(cell, Side::White) {
            panic!("{}: {white:?} completes first\n{}", strategy.question, board.show());
        }
        black.answer(&board, cell, random);
    }
    panic!("{}: no stones left against {white:?}\n{}", strategy.question, board.show());
}
