//! Polyomino games at the terminal: implements what [`Stones`](hasami_game::play::Stones) needs.

use hasami_game::play::{Field, Place, StoneGame};

use super::Polyomino;
use super::position::{Position, Reply, Stone};
use super::zone::Zone;

impl StoneGame for Polyomino {
    fn field(&self) -> Field {
        Field {
            height: self.grid.height,
            width: self.grid.width,
            infinite: self.infinite,
            weak: self.weak,
            stones: Some(self.stones),
            targets: self.shapes.iter().flat_map(|shape| shape.orientations()).collect(),
            sides: ["Black", "White"],
            about: "X is Black, who wants to complete a shape; O is White.",
        }
    }

    fn stone(&self, cell: Option<u8>) -> Stone {
        cell.map_or(Stone::Reply(Reply::new(None, false, 0)), Stone::Cell)
    }

    fn cell(&self, mv: Stone) -> Option<u8> {
        mv.cell()
    }

    fn black_and_white(&self, state: &Position) -> [u128; 2] {
        [state.black, state.white]
    }

    fn zones(&self, state: &Position, zone: Zone) -> Vec<u128> {
        state.symmetries().map(|symmetry| self.grid.turned_back(zone.cells, symmetry)).collect()
    }

    fn ignores(&self, state: &Position, zone: Zone) -> u32 {
        state.elsewhere() + zone.slack
    }

    fn paved(&self) -> bool {
        self.paving.is_some()
    }

    fn partner(&self, (row, column): Place) -> Option<Place> {
        let (down, right) = self.paving.as_ref()?.at((row, column))?;
        Some((row + down, column + right))
    }
}
