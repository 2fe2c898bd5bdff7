//! k in a row at the terminal: implements what [`Stones`](hasami_game::play::Stones) needs.

use super::{Mnk, Placement, Position, board};
use hasami_game::play::{Field, StoneGame};

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

    fn zones(&self, state: &Position, zone: u64) -> Vec<u128> {
        let key = self.canonical(state).0;
        let leads_there = |&symmetry: &usize| {
            let turned = Position {
                maker: self.board.turned(state.maker, symmetry),
                breaker: self.board.turned(state.breaker, symmetry),
                turn: state.turn,
            };
            turned.name() == key
        };
        let symmetries = (0..self.board.symmetries()).filter(leads_there);
        symmetries.map(|symmetry| self.board.turned_back(zone, symmetry).into()).collect()
    }
}

#[test]
fn a_symmetric_position_has_a_zone_for_each_symmetry() {
    let board = board::Board::new(3, 3, 3, true);
    let game = Mnk { board, zones: true, id: hasami_andor::ProblemId(0) };
    // A stone in the middle: the corner a1 may map to any corner.
    let middle = Position { maker: 1 << 4, breaker: 0, turn: hasami_andor::Turn::And };
    let mut zones = game.zones(&middle, 1);
    zones.sort_unstable();
    zones.dedup();
    assert_eq!(zones, [1, 1 << 2, 1 << 6, 1 << 8]);
    let corner = Position { maker: 1, breaker: 2, turn: hasami_andor::Turn::Or };
    assert_eq!(game.zones(&corner, 1).len(), 1);
}
