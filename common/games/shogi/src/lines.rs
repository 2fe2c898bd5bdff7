//! Rays, and what sliding pieces reach along them. All tables are computed by the compiler.

use crate::square::{Square, Squares};

/// Steps of file and rank. A direction with an even number leads to higher squares; its opposite is
/// the next odd number.
const STEPS: [(i8, i8); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1), (1, 1), (-1, -1)];
/// No line.
const NONE: u8 = 8;

/// The square a number of files and ranks away, as a set; empty if that is off the board.
pub(crate) const fn offset(from: usize, files: i8, ranks: i8) -> Squares {
    let (file, rank) = ((from / 9) as i8 + files, (from % 9) as i8 + ranks);
    if file < 0 || file > 8 || rank < 0 || rank > 8 { 0 } else { 1 << (file * 9 + rank) }
}

const fn rays() -> [[Squares; 81]; 8] {
    let mut rays = [[0; 81]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = STEPS[direction];
        let mut from = 0;
        while from < 81 {
            let mut steps = 1;
            while steps < 9 {
                rays[direction][from] |= offset(from, files * steps, ranks * steps);
                steps += 1;
            }
            from += 1;
        }
        direction += 1;
    }
    rays
}

/// Squares ahead in a direction.
static RAYS: [[Squares; 81]; 8] = rays();

const fn directions() -> [[u8; 81]; 81] {
    let rays = rays();
    let mut all = [[NONE; 81]; 81];
    let mut from = 0;
    while from < 81 {
        let mut direction = 0;
        while direction < 8 {
            let mut rest = rays[direction][from];
            while rest != 0 {
                all[from][rest.trailing_zeros() as usize] = direction as u8;
                rest &= rest - 1;
            }
            direction += 1;
        }
        from += 1;
    }
    all
}

/// The direction from one square to another, if they share a line.
static DIRECTIONS: [[u8; 81]; 81] = directions();

const fn crosses(first: usize) -> [Squares; 81] {
    let rays = rays();
    let mut all = [0; 81];
    let mut from = 0;
    while from < 81 {
        let mut direction = first;
        while direction < first + 4 {
            all[from] |= rays[direction][from];
            direction += 1;
        }
        from += 1;
    }
    all
}

/// What a rook reaches on an empty board.
pub(crate) static STRAIGHT: [Squares; 81] = crosses(0);
/// What a bishop reaches on an empty board.
pub(crate) static DIAGONAL: [Squares; 81] = crosses(4);

/// What is reached in one direction: up to the first occupied square and with it.
#[inline]
fn reach(direction: usize, from: Square, occupied: Squares) -> Squares {
    let ray = RAYS[direction][from.number()];
    let hit = occupied & ray;
    if direction & 1 == 0 {
        // All bits up to the lowest one that is set; all bits if none is.
        ray & (hit ^ hit.wrapping_sub(1))
    } else {
        ray & (Squares::MAX << (127 - (hit | 1).leading_zeros()))
    }
}

/// What a rook reaches.
#[must_use]
#[inline]
pub fn straight(from: Square, occupied: Squares) -> Squares {
    reach(0, from, occupied)
        | reach(1, from, occupied)
        | reach(2, from, occupied)
        | reach(3, from, occupied)
}

/// What a bishop reaches.
#[must_use]
#[inline]
pub fn diagonal(from: Square, occupied: Squares) -> Squares {
    reach(4, from, occupied)
        | reach(5, from, occupied)
        | reach(6, from, occupied)
        | reach(7, from, occupied)
}

/// What a lance of Black (0) or White (1) reaches.
#[must_use]
#[inline]
pub fn forward(side: usize, from: Square, occupied: Squares) -> Squares {
    if side == 0 { reach(1, from, occupied) } else { reach(0, from, occupied) }
}

/// What a lance reaches on an empty board.
#[must_use]
#[inline]
pub fn ahead(side: usize, from: Square) -> Squares {
    RAYS[1 - side][from.number()]
}

/// The squares strictly between two squares of one line; empty otherwise.
#[must_use]
#[inline]
pub fn between(one: Square, other: Square) -> Squares {
    let direction = usize::from(DIRECTIONS[one.number()][other.number()]);
    if direction == usize::from(NONE) {
        return 0;
    }
    RAYS[direction][one.number()] & RAYS[direction ^ 1][other.number()]
}

/// The whole line through two squares; empty if they share none.
#[must_use]
#[inline]
pub fn line(one: Square, other: Square) -> Squares {
    let direction = usize::from(DIRECTIONS[one.number()][other.number()]);
    if direction == usize::from(NONE) {
        return 0;
    }
    RAYS[direction][one.number()] | RAYS[direction ^ 1][one.number()] | one.bit()
}
