//! Who attacks what: the sets of kinds of a position, attackers of a square, pieces that stand
//! alone between a king and a sliding piece.

use crate::kind::Kind;
use crate::lines::{DIAGONAL, STRAIGHT, ahead, between, diagonal, forward, straight};
use crate::position::Position;
use crate::side::Side;
use crate::square::{Square, Squares, each, first, several};
use crate::steps::{ring, step};

/// The sets of kinds of a position, both sides together, computed once for all questions about it.
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    /// Unpromoted pawns.
    pub pawns: Squares,
    /// Unpromoted lances.
    pub lances: Squares,
    /// Unpromoted knights.
    pub knights: Squares,
    /// Unpromoted silvers.
    pub silvers: Squares,
    /// Golds, and all that moves like one.
    pub golds: Squares,
    /// Bishops and horses.
    pub bishops: Squares,
    /// Rooks and dragons.
    pub rooks: Squares,
    /// Promoted pieces.
    pub promoted: Squares,
    /// Kings, horses and dragons: they attack all squares around them.
    pub rings: Squares,
    /// All pieces.
    pub occupied: Squares,
    /// Pieces by side.
    pub sides: [Squares; 2],
}

impl Layers {
    /// The sets of a position.
    #[must_use]
    #[inline]
    pub fn new(position: &Position) -> Self {
        let [a, b, c, promoted] = position.planes();
        let (bishops, rooks) = (c & b & !a, c & b & a);
        let plain = !promoted;
        let low = !c & plain;
        Self {
            pawns: a & !b & low,
            lances: !a & b & low,
            knights: a & b & low,
            silvers: c & !a & !b & plain,
            // No number is promoted and 0 in the other bits, so the rest of the promoted are golds.
            golds: (c & a & !b & plain) | (promoted & !(c & b)),
            bishops,
            rooks,
            promoted,
            rings: position.kings() | ((bishops | rooks) & promoted),
            occupied: position.occupied(),
            sides: [position.side(Side::Black), position.side(Side::White)],
        }
    }

    /// Pieces of `by` that attack a square, when `occupied` are the squares that stop lines.
    #[must_use]
    #[inline]
    pub fn attackers(&self, by: Side, square: Square, occupied: Squares) -> Squares {
        let (at, back) = (square.number(), by.other());
        let own = self.sides[by.index()];
        let mut found = (step(back, Kind::Pawn, square) & self.pawns)
            | (step(back, Kind::Knight, square) & self.knights)
            | (step(back, Kind::Silver, square) & self.silvers)
            | (step(back, Kind::Gold, square) & self.golds)
            | (ring(square) & self.rings);
        if DIAGONAL[at] & self.bishops & own != 0 {
            found |= diagonal(square, occupied) & self.bishops;
        }
        if STRAIGHT[at] & self.rooks & own != 0 {
            found |= straight(square, occupied) & self.rooks;
        }
        if ahead(back.index(), square) & self.lances & own != 0 {
            found |= forward(back.index(), square, occupied) & self.lances;
        }
        found & own
    }

    /// How many pieces of Black and of White attack a square.
    #[must_use]
    #[inline]
    pub fn cover(&self, square: Square) -> [u32; 2] {
        let (at, occupied) = (square.number(), self.occupied);
        let mut either = ring(square) & self.rings;
        if DIAGONAL[at] & self.bishops != 0 {
            either |= diagonal(square, occupied) & self.bishops;
        }
        if STRAIGHT[at] & self.rooks != 0 {
            either |= straight(square, occupied) & self.rooks;
        }
        Side::BOTH.map(|by| {
            let back = by.other();
            let mut found = either
                | (step(back, Kind::Pawn, square) & self.pawns)
                | (step(back, Kind::Knight, square) & self.knights)
                | (step(back, Kind::Silver, square) & self.silvers)
                | (step(back, Kind::Gold, square) & self.golds);
            if ahead(back.index(), square) & self.lances != 0 {
                found |= forward(back.index(), square, occupied) & self.lances;
            }
            each(found & self.sides[by.index()]).count() as u32
        })
    }

    /// Whether a piece of `by` attacks a square.
    #[must_use]
    #[inline]
    pub fn attacked(&self, by: Side, square: Square, occupied: Squares) -> bool {
        self.attackers(by, square, occupied) != 0
    }

    /// Pieces of either side that stand alone between a square and a sliding piece of `by`.
    #[must_use]
    #[inline]
    pub fn screens(&self, by: Side, square: Square, occupied: Squares) -> Squares {
        let at = square.number();
        let sliders = self.sides[by.index()]
            & ((DIAGONAL[at] & self.bishops)
                | (STRAIGHT[at] & self.rooks)
                | (ahead(by.other().index(), square) & self.lances));
        let mut found = 0;
        for slider in each(sliders) {
            let inside = between(square, slider) & occupied;
            if inside != 0 && !several(inside) {
                found |= inside;
            }
        }
        found
    }
}

impl Position {
    /// Whether a side has a king that is attacked.
    #[must_use]
    pub fn in_check(&self, side: Side) -> bool {
        self.king(side)
            .is_some_and(|king| Layers::new(self).attacked(side.other(), king, self.occupied()))
    }

    /// How the side to move is checked, if it is: the squares where a piece other than the king can
    /// end the check (none for a double check), and whether the checker is at a distance.
    #[must_use]
    #[inline]
    pub(crate) fn check_on(&self, layers: &Layers, king: Square) -> Option<Check> {
        let them = self.turn().other();
        let checkers = layers.attackers(them, king, layers.occupied);
        let checker = first(checkers)?;
        if several(checkers) {
            return Some(Check { capture: 0, between: 0 });
        }
        Some(Check { capture: checkers, between: between(king, checker) })
    }
}

/// How to answer a check with a piece other than the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    /// The checker, if it is the only one.
    pub capture: Squares,
    /// The squares between the king and the only checker.
    pub between: Squares,
}
