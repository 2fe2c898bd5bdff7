//! What Black can still complete with the stones left, updated from move to move: a stone changes
//! only the placements through its cell. Placements that White has touched, or that need more
//! stones than are left, never come back, so the work decreases during the game.

use std::fmt;

use crate::polyomino::endgame::Endgame;
use crate::polyomino::grid::each_bit;
use crate::polyomino::planes::{LEVELS, PATTERNS, Planes, each_placement};
use crate::polyomino::scan::{Chances, Forks, Placements, WHOLE, Weight};

/// Cells that are processed together, to match the vector lanes.
const LANES: usize = 16;
/// A number for each cell.
type Cells<T> = [[T; LANES]; 128 / LANES];

/// The placements that Black can still complete: free of White's stones, and lacking no more cells
/// than Black has stones left.
#[derive(Clone, Copy)]
pub struct Tally {
    planes: Planes,
    /// Number of placements that lack exactly this many cells.
    totals: [u16; LEVELS + 1],
    /// For one missing cell, two, ...: how many of the placements that lack that many lack this
    /// cell. Entries for more missing cells than there are stones left are out of date.
    through: [Cells<u8>; LEVELS],
}

// No cell is in more placements than the patterns have cells; in units of the smallest part of the
// potential they are at most `1 << LEVELS` times as much.
const _: () = assert!(PATTERNS * LEVELS <= u8::MAX as usize);
const _: () = assert!((PATTERNS * LEVELS) << LEVELS <= i16::MAX as usize);

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tally").field("totals", &self.totals).finish_non_exhaustive()
    }
}

impl Tally {
    /// A tally of no placements.
    pub const NOTHING: Self = Self {
        planes: Planes::NOTHING,
        totals: [0; LEVELS + 1],
        through: [[[0; LANES]; 128 / LANES]; LEVELS],
    };

    /// Counts the placements on a grid with these stones. They must fit: see
    /// [`Placements::can_be_kept`].
    #[must_use]
    pub fn of(placements: &Placements, black: u128, white: u128, left: u32) -> Self {
        let mut tally = Self { planes: Planes::of(placements, black, white), ..Self::NOTHING };
        (left + 1..=LEVELS as u32).for_each(|missing| tally.planes.cut(missing));
        each_placement(placements, tally.planes.alive(), |_, _, placement| {
            let lacks = placement & !black;
            let missing = lacks.count_ones() as usize;
            tally.totals[missing] += 1;
            if let Some(row) = missing.checked_sub(1).map(|row| &mut tally.through[row]) {
                each_bit(lacks, |cell| *at(row, cell) += 1);
            }
        });
        tally
    }

    /// Asserts that two tallies agree on what `left` stones can complete.
    #[cfg(test)]
    pub fn assert_same(&self, other: &Self, left: u32) {
        let levels = LEVELS.min(left as usize);
        assert_eq!(self.totals[..=levels], other.totals[..=levels]);
        assert_eq!(self.planes, other.planes);
        assert_eq!(self.through[..levels], other.through[..levels]);
    }

    /// Adds a Black stone to the stones `black`; Black has `left` more after it.
    #[inline]
    pub fn add_black(&mut self, placements: &Placements, black: u128, cell: u8, left: u32) {
        let masks = placements.masks(cell);
        let touched = self.planes.alive_in(masks);
        self.planes.fill(masks);
        let lacking = !(black | 1 << cell);
        each_placement(placements, &touched, |word, bit, placement| {
            let missing = self.planes.missing_at(word, bit) % LEVELS;
            self.totals[missing + 1] -= 1;
            self.totals[missing] += 1;
            if missing > 0 {
                let (to, from) = self.through.split_at_mut(missing);
                let (to, from) = (&mut to[missing - 1], &mut from[0]);
                each_bit(placement & lacking, |cell| {
                    *at(from, cell) -= 1;
                    *at(to, cell) += 1;
                });
            }
        });
        self.planes.cut(left + 1);
        self.through.iter_mut().for_each(|row| *at(row, cell) = 0);
    }

    /// Adds a White stone.
    #[inline]
    pub fn add_white(&mut self, placements: &Placements, black: u128, cell: u8) {
        let masks = placements.masks(cell);
        let touched = self.planes.alive_in(masks);
        self.planes.block(masks);
        each_placement(placements, &touched, |word, bit, placement| {
            let missing = self.planes.missing_at(word, bit);
            self.totals[missing] -= 1;
            if let Some(row) = self.through.get_mut(missing.wrapping_sub(1)) {
                each_bit(placement & !black, |cell| *at(row, cell) -= 1);
            }
        });
    }

    /// The chances of Black with the stones `black` and `left` more. Forks are searched only if
    /// `forks` is set and there is no threat.
    #[inline]
    #[must_use]
    pub fn chances(&self, placements: &Placements, black: u128, left: u32, forks: bool) -> Chances {
        let mut chances = Chances { won: self.totals[0] > 0, ..Chances::default() };
        for (missing, &count) in (1..=left).zip(&self.totals[1..]) {
            let potential = u64::from(count) * (WHOLE >> missing);
            chances.potential += potential;
            if missing == left {
                chances.tight = potential;
            }
        }
        if left >= 1 && self.totals[1] > 0 {
            chances.threats = where_all(&self.through[0], |count| count > 0);
        } else if forks && left >= 2 && self.totals[2] >= 2 {
            let mut found = Forks::default();
            self.lacking_just(placements, black, 2, |pair| found.add(pair));
            chances.forks = found.found;
        }
        chances
    }

    /// The empty cells of each placement that lacks exactly this many.
    #[inline]
    fn lacking_just(
        &self,
        placements: &Placements,
        black: u128,
        missing: u32,
        mut visit: impl FnMut(u128),
    ) {
        if self.totals[missing as usize] > 0 {
            let lacking = self.planes.lacking(missing);
            each_placement(placements, &lacking, |_, _, placement| visit(placement & !black));
        }
    }

    /// Black's stones in placements that lack at most `most` cells, all of them in `cells`.
    #[must_use]
    pub fn used(&self, placements: &Placements, black: u128, cells: u128, most: u32) -> u128 {
        let mut used = 0;
        for missing in (0..=most).filter(|&missing| self.totals[missing as usize] > 0) {
            let lacking = self.planes.lacking(missing);
            each_placement(placements, &lacking, |_, _, placement| {
                if placement & !(black | cells) == 0 {
                    used |= placement & black;
                }
            });
        }
        used
    }

    /// The placements that two stones complete, or three if `deep`.
    #[must_use]
    pub fn endgame(&self, placements: &Placements, black: u128, deep: bool) -> Endgame {
        let mut endgame = Endgame::default();
        self.lacking_just(placements, black, 2, |pair| endgame.add_pair(pair));
        if deep {
            self.lacking_just(placements, black, 3, |triple| endgame.add_triple(triple));
        }
        endgame
    }

    /// For each cell the potential of the placements that lack it, in units of `WHOLE >> levels`,
    /// the smallest contribution of a placement.
    #[inline]
    fn weights(&self, levels: usize) -> Cells<i16> {
        let mut weights = [[0; LANES]; 128 / LANES];
        for (part, weights) in weights.iter_mut().enumerate() {
            let mut sums = [0; LANES];
            for row in &self.through[..levels] {
                for (sum, &count) in sums.iter_mut().zip(&row[part]) {
                    *sum = *sum * 2 + i16::from(count);
                }
            }
            *weights = sums;
        }
        weights
    }

    /// The heaviest cell within a set and its potential; the last of equals.
    #[inline]
    #[must_use]
    pub fn heaviest(&self, within: u128, left: u32) -> Option<(u8, u64)> {
        let levels = LEVELS.min(left as usize);
        let mut weights = self.weights(levels);
        let mut most = [-1; LANES];
        for (part, weights) in weights.iter_mut().enumerate() {
            let inside = (within >> (LANES * part)) as u16;
            for ((weight, most), bit) in weights.iter_mut().zip(&mut most).zip(&BITS) {
                *weight = if inside & bit == 0 { -1 } else { *weight };
                *most = (*most).max(*weight);
            }
        }
        let most = most.into_iter().fold(-1, i16::max);
        if most < 0 {
            return None;
        }
        let heaviest = where_all(&weights, |weight| weight == most);
        let cell = 127 - heaviest.leading_zeros() as u8;
        Some((cell, u64::from(most.unsigned_abs()) * (WHOLE >> levels)))
    }

    /// The cells whose potential plus tight part is at least `bound`.
    #[inline]
    #[must_use]
    pub fn at_least(&self, bound: u64, left: u32) -> u128 {
        let levels = LEVELS.min(left as usize);
        let bound = bound.div_ceil(WHOLE >> levels);
        let Ok(bound) = i16::try_from(bound) else {
            return 0;
        };
        let mut weights = self.weights(levels);
        if let Some(tight) = (left as usize).checked_sub(1).and_then(|row| self.through.get(row)) {
            for (weights, tight) in weights.iter_mut().zip(tight) {
                for (weight, &tight) in weights.iter_mut().zip(tight) {
                    *weight += i16::from(tight);
                }
            }
        }
        where_all(&weights, |weight| weight >= bound)
    }

    /// The sums over the placements that lack a cell.
    #[inline]
    #[must_use]
    pub fn weight(&self, cell: u8, left: u32) -> Weight {
        let mut weight = Weight::default();
        for (missing, row) in (1..=left).zip(&self.through) {
            let count = u64::from(row[usize::from(cell) / LANES % 8][usize::from(cell) % LANES]);
            weight.potential += count * (WHOLE >> missing);
            weight.peaked += count * (WHOLE >> (2 * missing));
            if missing == left {
                weight.tight = count * (WHOLE >> missing);
            }
        }
        weight
    }
}

const BITS: [u16; LANES] = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

#[inline]
fn at<T>(cells: &mut Cells<T>, cell: u8) -> &mut T {
    &mut cells[usize::from(cell) / LANES % (128 / LANES)][usize::from(cell) % LANES]
}

/// The cells whose number satisfies `is`, written so that the compiler can vectorise it.
#[inline]
fn where_all<T: Copy>(numbers: &Cells<T>, is: impl Fn(T) -> bool) -> u128 {
    // Gathers the lowest bits of eight bytes in the highest byte.
    let gather = |said: u128| (said as u64).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let mut cells = 0;
    for (part, numbers) in numbers.iter().enumerate() {
        let mut said = [0; LANES];
        for (said, &number) in said.iter_mut().zip(numbers) {
            *said = u8::from(is(number));
        }
        let said = u128::from_le_bytes(said);
        cells |= u128::from(gather(said) | gather(said >> 64) << 8) << (LANES * part);
    }
    cells
}
