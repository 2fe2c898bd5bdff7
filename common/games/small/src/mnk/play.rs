//! k in a row as certificates and players see it: implements
//! [`StoneGame`](hasami_game::achieve::StoneGame).

use hasami_andor::Turn;

use super::{Mnk, Placement, Position, board};
use hasami_game::achieve::StoneGame;
use hasami_game::play::Field;

impl StoneGame for Mnk {
    fn field(&self) -> Field {
        let width = self.board.width;
        // Every line, moved to the corner.
        let mut targets: Vec<Vec<(u8, u8)>> = Vec::new();
        for &line in &self.board.lines {
            let cells = board::bits(line).map(|cell| (cell / width, cell % width));
            let cells: Vec<(u8, u8)> = cells.collect();
            let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
            targets.push(cells.iter().map(|&(row, column)| (row - top, column - left)).collect());
        }
        targets.sort_unstable();
        targets.dedup();
        Field {
            height: self.board.height,
            width,
            infinite: false,
            weak: true,
            stones: None,
            targets,
            sides: ["Maker", "Breaker"],
            about: "X is Maker, who wants a line; O is Breaker.",
        }
    }

    fn stone(&self, cell: Option<u8>) -> Placement {
        cell.map_or(Placement::Elsewhere, Placement::Cell)
    }

    fn cell(&self, mv: Placement) -> Option<u8> {
        match mv {
            Placement::Cell(cell) => Some(cell),
            Placement::Elsewhere => None,
        }
    }

    fn black_and_white(&self, state: &Position) -> [u128; 2] {
        [state.maker.into(), state.breaker.into()]
    }

    fn position(&self, black: u128, white: u128, turn: Turn) -> Position {
        Position { maker: black as u64, breaker: white as u64, turn }
    }

    /// Without zones every reply has an answer, so any zone will do.
    fn rests_on(&self, state: &Position, zone: u64) -> (u128, u32) {
        let cells = if self.zones { self.on_board(state, zone) } else { self.board.all };
        (cells.into(), 0)
    }
}
