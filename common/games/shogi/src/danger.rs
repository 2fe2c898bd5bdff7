//! All squares that a side attacks, by shifting whole sets: the king's flight squares need up to
//! nine of them at once.

use crate::attack::Layers;
use crate::lines::{DIAGONAL, STRAIGHT, ahead, diagonal, forward, straight};
use crate::side::Side;
use crate::square::{BOARD, FAR, Squares, each};
use crate::steps::ring;

/// Each square moved by some files and ranks; squares that leave the board are dropped.
#[inline]
const fn shift(set: Squares, files: i32, ranks: i32) -> Squares {
    // Squares that would leave at the end of their file would come back on the next one.
    let leaving = match ranks {
        -2 => FAR[0][2],
        -1 => FAR[0][1],
        1 => FAR[1][1],
        2 => FAR[1][2],
        _ => 0,
    };
    let set = set & !leaving;
    let by = files * 9 + ranks;
    (if by >= 0 { set << by } else { set >> -by }) & BOARD
}

impl Layers {
    /// The squares of `zone` that `by` attacks, when `occupied` are the squares that stop lines.
    #[must_use]
    #[inline]
    pub fn danger(&self, by: Side, zone: Squares, occupied: Squares) -> Squares {
        let own = self.sides[by.index()];
        // Forward for this side.
        let up = if matches!(by, Side::Black) { -1 } else { 1 };
        let (silvers, golds) = (self.silvers & own, self.golds & own);
        let knights = self.knights & own;
        let ahead_of = (self.pawns & own) | silvers | golds;
        let both = silvers | golds;
        let mut found = if up < 0 {
            shift(ahead_of, 0, -1)
                | shift(both, 1, -1)
                | shift(both, -1, -1)
                | shift(knights, 1, -2)
                | shift(knights, -1, -2)
                | shift(silvers, 1, 1)
                | shift(silvers, -1, 1)
                | shift(golds, 0, 1)
        } else {
            shift(ahead_of, 0, 1)
                | shift(both, 1, 1)
                | shift(both, -1, 1)
                | shift(knights, 1, 2)
                | shift(knights, -1, 2)
                | shift(silvers, 1, -1)
                | shift(silvers, -1, -1)
                | shift(golds, 0, -1)
        };
        found |= shift(golds, 1, 0) | shift(golds, -1, 0);
        for from in each(self.rings & own) {
            found |= ring(from);
        }
        for from in each(self.bishops & own) {
            if DIAGONAL[from.number()] & zone != 0 {
                found |= diagonal(from, occupied);
            }
        }
        for from in each(self.rooks & own) {
            if STRAIGHT[from.number()] & zone != 0 {
                found |= straight(from, occupied);
            }
        }
        for from in each(self.lances & own) {
            if ahead(by.index(), from) & zone != 0 {
                found |= forward(by.index(), from, occupied);
            }
        }
        found & zone
    }
}
