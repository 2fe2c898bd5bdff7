//! All placements of all patterns at once: which are free of one side's stones, and how many of the
//! other's each lacks. Stones are added one at a time.

use crate::polyomino::scan::Placements;

/// Most patterns that fit; no pair of shapes has more.
pub const PATTERNS: usize = 16;
/// Cells of the largest shape that fits.
pub const LEVELS: usize = 7;
const DIGITS: usize = 3;
const _: () = assert!(LEVELS < 1 << DIGITS);

/// One bit for every corner of every pattern, as halves of the words of [`super::scan`].
pub type Plane = [u64; 2 * PATTERNS];

/// Which placements are alive, and how many cells they lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planes {
    alive: Plane,
    /// The number of missing cells in binary, least digit first; also for dead placements.
    digits: [Plane; DIGITS],
}

impl Planes {
    /// Planes without placements.
    pub const NOTHING: Self =
        Self { alive: [0; 2 * PATTERNS], digits: [[0; 2 * PATTERNS]; DIGITS] };

    /// Adds a pattern of `size` cells; every placement of it lacks all of them.
    pub fn add_pattern(&mut self, at: usize, size: u32, corners: u128) {
        (self.alive[2 * at], self.alive[2 * at + 1]) = (corners as u64, (corners >> 64) as u64);
        for (digit, plane) in self.digits.iter_mut().enumerate() {
            let all = u64::from(size >> digit & 1).wrapping_neg();
            (plane[2 * at], plane[2 * at + 1]) = (all, all);
        }
    }

    /// The placements with these stones.
    #[must_use]
    pub fn of(placements: &Placements, own: u128, other: u128) -> Self {
        let mut planes = *placements.start();
        super::grid::each_bit(other, |cell| planes.block(placements.masks(cell)));
        super::grid::each_bit(own, |cell| planes.fill(placements.masks(cell)));
        planes
    }

    /// Adds a stone to the placements in `masks`.
    #[inline]
    pub fn fill(&mut self, masks: &[u64]) {
        let [ones, twos, fours] = &mut self.digits;
        let planes = ones.iter_mut().zip(twos).zip(fours);
        for (((one, two), four), &mask) in planes.zip(masks) {
            // Subtract one: borrow where a digit was 0.
            let borrow = mask & !*one;
            *one ^= mask;
            *four ^= borrow & !*two;
            *two ^= borrow;
        }
    }

    /// Kills the placements in `masks`.
    #[inline]
    pub fn block(&mut self, masks: &[u64]) {
        for (alive, &mask) in self.alive.iter_mut().zip(masks) {
            *alive &= !mask;
        }
    }

    /// Kills the placements that lack exactly this many.
    #[inline]
    pub fn cut(&mut self, missing: u32) {
        if missing as usize <= LEVELS {
            let just = self.lacking(missing);
            self.block(&just);
        }
    }

    /// The placements that lack exactly this many, at most [`LEVELS`].
    #[inline]
    #[must_use]
    pub fn lacking(&self, missing: u32) -> Plane {
        let unwanted = |digit: u32| u64::from(missing >> digit & 1).wrapping_sub(1);
        let (no_one, no_two, no_four) = (unwanted(0), unwanted(1), unwanted(2));
        let [ones, twos, fours] = &self.digits;
        let mut just = [0; 2 * PATTERNS];
        for (at, just) in just.iter_mut().enumerate() {
            *just = self.alive[at] & (ones[at] ^ no_one) & (twos[at] ^ no_two);
            *just &= fours[at] ^ no_four;
        }
        just
    }

    /// Whether one lacks at most this many.
    #[inline]
    #[must_use]
    pub fn any_within(&self, reach: u32) -> bool {
        (0..=reach.min(LEVELS as u32)).any(|missing| !is_empty(&self.lacking(missing)))
    }

    /// Those in `masks` that are alive.
    #[inline]
    #[must_use]
    pub fn alive_in(&self, masks: &[u64]) -> Plane {
        let mut touched = [0; 2 * PATTERNS];
        for ((touched, alive), mask) in touched.iter_mut().zip(&self.alive).zip(masks) {
            *touched = alive & mask;
        }
        touched
    }

    /// How many cells the placement at a bit of a word lacks.
    #[inline]
    #[must_use]
    pub fn missing_at(&self, word: usize, bit: u32) -> usize {
        let [ones, twos, fours] = &self.digits;
        let digit = |plane: &Plane| (plane[word] >> bit & 1) as usize;
        digit(ones) | digit(twos) << 1 | digit(fours) << 2
    }

    /// All placements that are alive.
    #[must_use]
    pub fn alive(&self) -> &Plane {
        &self.alive
    }
}

/// Whether there is no placement.
#[inline]
#[must_use]
pub fn is_empty(plane: &Plane) -> bool {
    plane.iter().fold(0, |all, word| all | word) == 0
}

/// Visits the placements of a plane, by word and bit, with their cells.
#[inline]
pub fn each_placement(
    placements: &Placements,
    plane: &Plane,
    mut visit: impl FnMut(usize, u32, u128),
) {
    for (at, pattern) in placements.patterns.iter().enumerate() {
        for (word, cells) in [(2 * at, pattern.cells), (2 * at + 1, pattern.cells << 64)] {
            let mut half = plane[word % (2 * PATTERNS)];
            while half != 0 {
                let bit = half.trailing_zeros();
                visit(word % (2 * PATTERNS), bit, cells << bit);
                half &= half - 1;
            }
        }
    }
}
