//! Polyomino games as certificates and players see them: implements
//! [`StoneGame`](hasami_game::achieve::StoneGame).

use hasami_andor::Turn;
use hasami_game::achieve::StoneGame;
use hasami_game::play::{Field, Place};
use hasami_game::text_certificate::TextCertificate as _;

use super::Polyomino;
use super::position::{Position, Reply, Stone};
use super::shape::plain_set;
use super::zone::Zone;
use crate::paving::certificate::{Claim, check};
use crate::paving::{Pairs, Paving};

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

    fn position(&self, black: u128, white: u128, turn: Turn) -> Position {
        Position::new(black, white, turn, &self.grid).expect("stones played in turn")
    }

    fn rests_on(&self, state: &Position, zone: Zone) -> (u128, u32) {
        (self.grid.turned_back(zone.cells, state.symmetry()), zone.slack)
    }

    fn paving(&self) -> Option<String> {
        let claim = Claim::new(&self.shapes, Pairs::Adjacent, self.paving.as_ref()?);
        let body = claim.body();
        body.split_once('\n').map(|(_, lines)| lines.to_string())
    }

    fn check_paving(&self, lines: &str) -> Result<(), String> {
        let claim = read_paving(lines)?;
        check(&claim)?;
        // It may block more shapes than these, or be about others.
        check(&Claim { shapes: plain_set(&self.shapes), ..claim }).map(drop)
    }

    fn partner(&self, lines: &str, (row, column): Place) -> Option<Place> {
        let claim = read_paving(lines).ok()?;
        let paving = Paving::new(claim.period, claim.list).ok()?;
        let (down, right) = paving.at((row, column))?;
        Some((row + down, column + right))
    }
}

/// The claim of these lines of a paving certificate, not checked.
fn read_paving(lines: &str) -> Result<Claim, String> {
    Claim::from_lines(lines).map_err(|damage| format!("the paving, {damage}"))
}
