//! Where pieces step, and from where a step gives check. All tables are computed by the compiler.

use crate::kind::Kind;
use crate::lines::{diagonal, forward, offset, straight};
use crate::side::Side;
use crate::square::{FAR, Square, Squares};

/// Steps as Black sees them: files, then ranks, which fall towards the far end.
const PAWN: &[(i8, i8)] = &[(0, -1)];
const KNIGHT: &[(i8, i8)] = &[(-1, -2), (1, -2)];
const SILVER: &[(i8, i8)] = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD: &[(i8, i8)] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const CROSS: &[(i8, i8)] = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
const CORNERS: &[(i8, i8)] = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
const RING: &[(i8, i8)] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The steps of a kind; for horse and dragon those beside sliding, none for other sliding pieces.
const fn steps_of(kind: Kind) -> &'static [(i8, i8)] {
    match kind {
        Kind::Pawn => PAWN,
        Kind::Knight => KNIGHT,
        Kind::Silver => SILVER,
        Kind::King => RING,
        Kind::Horse => CROSS,
        Kind::Dragon => CORNERS,
        Kind::Lance | Kind::Bishop | Kind::Rook => &[],
        _ => GOLD,
    }
}

const fn steps() -> [[[Squares; 81]; 16]; 2] {
    let mut all = [[[0; 81]; 16]; 2];
    let mut kind = 0;
    while kind < 16 {
        let steps = steps_of(Kind::from_number(kind));
        let mut from = 0;
        while from < 81 {
            let mut at = 0;
            while at < steps.len() {
                let (files, ranks) = steps[at];
                all[0][kind][from] |= offset(from, files, ranks);
                all[1][kind][from] |= offset(from, files, -ranks);
                at += 1;
            }
            from += 1;
        }
        kind += 1;
    }
    all
}

/// Steps by side, kind and square.
static STEPS: [[[Squares; 81]; 16]; 2] = steps();

/// From where a pawn, knight, silver or gold (by number) can move so that it checks a king on the
/// last index, promoting or not.
const fn origins() -> [[[Squares; 81]; 6]; 2] {
    let steps = steps();
    let mut all = [[[0; 81]; 6]; 2];
    let mut side = 0;
    while side < 2 {
        let mut kind = 1;
        while kind < 6 {
            let mut king = 0;
            while king < 81 {
                // A step back from the king is a step of the other side's piece.
                let back = &steps[1 - side];
                let mut targets = back[kind][king];
                let mut promoting = if kind < 5 { back[Kind::Gold as usize][king] } else { 0 };
                let mut found = 0;
                while targets != 0 {
                    found |= back[kind][targets.trailing_zeros() as usize];
                    targets &= targets - 1;
                }
                while promoting != 0 {
                    let to = promoting.trailing_zeros() as usize;
                    let from = back[kind][to];
                    let zone = FAR[side][3];
                    found |= if zone >> to & 1 == 1 { from } else { from & zone };
                    promoting &= promoting - 1;
                }
                all[side][kind][king] = found;
                king += 1;
            }
            kind += 1;
        }
        side += 1;
    }
    all
}

static ORIGINS: [[[Squares; 81]; 6]; 2] = origins();

/// The steps of a kind (not what it slides to).
#[must_use]
#[inline]
pub fn step(side: Side, kind: Kind, from: Square) -> Squares {
    STEPS[side.index()][kind.number()][from.number()]
}

/// Where a pawn, knight, silver or gold of `side` must stand to be able to check a king by a move of
/// its own; a superset of what the position allows.
#[must_use]
#[inline]
pub fn origin(side: Side, kind: Kind, king: Square) -> Squares {
    ORIGINS[side.index()][kind.number() % 6][king.number()]
}

/// The eight squares around a square.
#[must_use]
#[inline]
pub fn ring(square: Square) -> Squares {
    STEPS[0][0][square.number()]
}

/// All squares that a piece attacks.
#[must_use]
#[inline]
pub fn attacks(side: Side, kind: Kind, from: Square, occupied: Squares) -> Squares {
    let steps = step(side, kind, from);
    match kind {
        Kind::Lance => forward(side.index(), from, occupied),
        Kind::Bishop | Kind::Horse => diagonal(from, occupied) | steps,
        Kind::Rook | Kind::Dragon => straight(from, occupied) | steps,
        _ => steps,
    }
}
