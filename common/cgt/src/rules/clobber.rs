//! Clobber: a stone takes the place of a neighbouring stone of the other colour; a player who
//! cannot move loses (Albert, Grossman, Nowakowski and Wolfe, *An Introduction to Clobber*, 2005).

use std::fmt;

use super::Rules;
use super::grid::{Grid, GridError};

/// The rules of Clobber.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clobber;

/// Left's stones `x`, Right's stones `o`, and `.` for empty places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClobberBoard(Grid);

impl ClobberBoard {
    /// Parses rows, separated by `/` or line ends.
    pub fn parse(text: &str) -> Result<Self, GridError> {
        Grid::parse(text, "xo.").map(Self)
    }
}

impl fmt::Display for ClobberBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Clobber {
    fn moves(board: &ClobberBoard, own: u8, other: u8) -> Vec<ClobberBoard> {
        let grid = &board.0;
        let mut found = Vec::new();
        for from in grid.places(own) {
            for to in grid.near(from).filter(|&to| grid.at(to) == other) {
                found.push(ClobberBoard(grid.with(&[(from, b'.'), (to, own)])));
            }
        }
        found
    }
}

impl Rules for Clobber {
    type Position = ClobberBoard;

    fn left_moves(&self, board: &ClobberBoard) -> Vec<ClobberBoard> {
        Self::moves(board, b'x', b'o')
    }

    fn right_moves(&self, board: &ClobberBoard) -> Vec<ClobberBoard> {
        Self::moves(board, b'o', b'x')
    }

    /// Connected stones; groups of one colour have no moves.
    fn parts(&self, board: &ClobberBoard) -> Option<Vec<ClobberBoard>> {
        let parts = board.0.joined(|sign| sign != b'.');
        let mut live = parts.into_iter().filter(|part| {
            part.places(b'x').next().is_some() && part.places(b'o').next().is_some()
        });
        let live: Vec<ClobberBoard> = live.by_ref().map(ClobberBoard).collect();
        (live.len() != 1 || live[0] != *board).then_some(live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games, evaluate};

    fn value(text: &str) -> String {
        let mut games = Games::new();
        let board = ClobberBoard::parse(text).unwrap();
        let value = evaluate(&mut games, &Clobber, &board).unwrap();
        games.show(value)
    }

    /// Albert et al. 2005.
    #[test]
    fn small_rows_have_their_published_values() {
        assert_eq!(value("xo"), "*");
        assert_eq!(value("xxo"), "^");
        assert_eq!(value("oox"), "v");
        assert_eq!(value("xx"), "0");
        assert_eq!(value("xo.xo"), "0");
        assert_eq!(value("xo/ox"), value("ox/xo"));
    }

    /// The first player wins (xo)^n, except n = 3, which is 0 (Albert et al. 2005).
    #[test]
    fn alternating_rows_are_fuzzy_but_one() {
        for n in 1..=6 {
            let mut games = Games::new();
            let board = ClobberBoard::parse(&"xo".repeat(n)).unwrap();
            let value = evaluate(&mut games, &Clobber, &board).unwrap();
            let zero = games.zero();
            let order = games.compare(value, zero).unwrap();
            assert_eq!(order == crate::Order::Equal, n == 3, "{n}");
            assert!(n == 3 || order == crate::Order::Confused, "{n}");
        }
    }
}
