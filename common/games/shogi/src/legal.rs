//! All legal moves of either side, for game records, for defenders that are not in check, and for
//! tests.

use crate::attack::Layers;
use crate::evasions::{Sink, each_form};
use crate::kind::Kind;
use crate::lines::line;
use crate::moves::Move;
use crate::position::Position;
use crate::square::{BOARD, each};
use crate::steps::attacks;

impl Position {
    /// Passes on all legal moves of the side to move.
    pub(crate) fn each_legal(&self, sink: &mut impl Sink) -> bool {
        let us = self.turn();
        let layers = Layers::new(self);
        let own_king = self.king(us);
        if let Some(king) = own_king
            && let Some(check) = self.check_on(&layers, king)
        {
            return self.each_evasion(&layers, king, check, sink);
        }
        let own = layers.sides[us.index()];
        let pinned =
            own_king.map_or(0, |king| layers.screens(us.other(), king, layers.occupied) & own);
        for from in each(own) {
            let kind = self.kind_on(from);
            let mut reached = attacks(us, kind, from, layers.occupied) & !own;
            if kind == Kind::King {
                reached = self.flights(&layers, from);
            } else if pinned & from.bit() != 0
                && let Some(king) = own_king
            {
                reached &= line(from, king);
            }
            if each(reached).any(|to| each_form(us, kind, from, to, sink)) {
                return true;
            }
        }
        self.each_drop(&layers, BOARD & !layers.occupied, sink)
    }

    /// All legal moves of the side to move, appended to the list.
    pub fn legal_moves(&self, list: &mut Vec<Move>) {
        self.each_legal(&mut |mv| {
            list.push(mv);
            false
        });
    }

    /// Whether a move is legal here.
    #[must_use]
    pub fn is_legal(&self, wanted: Move) -> bool {
        self.each_legal(&mut |mv| mv == wanted)
    }
}
