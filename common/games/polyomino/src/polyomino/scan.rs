//! Scans all placements of the target shapes on a grid together: one word holds one fact about
//! every position of an orientation.

use crate::polyomino::edge::{Edge, Overhang};
use crate::polyomino::endgame::Endgame;
use crate::polyomino::grid::{Grid, bits};
use crate::polyomino::planes::{LEVELS, PATTERNS, Plane, Planes};
use crate::polyomino::shape::{MAX_CELLS, Shape, extent};

/// The potential of a complete placement; each missing cell halves it.
pub const WHOLE: u64 = 1 << 20;

/// One orientation of one shape, at every position of the grid at once.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Number of cells.
    pub size: u32,
    /// Offsets of its cells from the corner of its bounding box.
    offsets: Vec<u32>,
    /// Its cells at the first corner.
    pub(super) cells: u128,
    /// Corners at which it lies within the grid.
    corners: u128,
}

/// The placements that one side may still complete, by number of missing cells.
pub(super) struct Alive {
    pub(super) corners: u128,
    /// The number of missing cells at each corner, in binary, least digit first.
    pub(super) digits: [u128; DIGITS],
}

/// Binary digits of the number of cells of a shape.
const DIGITS: usize = 4;
const _: () = assert!(MAX_CELLS < 1 << DIGITS);

impl Alive {
    /// Corners with exactly this many cells missing.
    #[inline]
    pub(super) fn missing(&self, count: u32) -> u128 {
        let mut corners = self.corners;
        for (at, digit) in self.digits.iter().enumerate() {
            corners &= if count >> at & 1 == 1 { *digit } else { !*digit };
        }
        corners
    }
}

/// The chances of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chances {
    /// Whether a placement is complete.
    pub won: bool,
    /// Cells that complete a placement.
    pub threats: u128,
    /// Cells that make two different threats at once.
    pub forks: u128,
    /// Σ 2^(−missing) in units of [`WHOLE`], over what the stones left can still fill.
    pub potential: u64,
    /// The part of it that needs all stones left.
    pub tight: u64,
}

/// The sums over the placements through each cell.
pub struct Weights {
    /// Their potential.
    pub potential: [u64; 128],
    /// The part of it that needs all stones left.
    pub tight: [u64; 128],
    /// The same sum, but each missing cell divides by four: a better guide to good moves.
    pub peaked: [u64; 128],
}

/// The sums over the placements through one cell, as in [`Weights`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Their potential.
    pub potential: u64,
    /// The part of it that needs all stones left.
    pub tight: u64,
    /// The same sum, but each missing cell divides by four.
    pub peaked: u64,
}

impl Weights {
    /// The weights of one cell.
    #[must_use]
    pub fn of(&self, cell: u8) -> Weight {
        let at = usize::from(cell);
        Weight { potential: self.potential[at], tight: self.tight[at], peaked: self.peaked[at] }
    }

    /// The cells whose potential plus tight part is at least `bound`.
    #[must_use]
    pub fn at_least(&self, bound: u64) -> u128 {
        let both =
            self.potential.iter().zip(&self.tight).map(|(potential, tight)| potential + tight);
        both.zip(0..).fold(0, |cells, (both, cell)| cells | u128::from(both >= bound) << cell)
    }

    /// The heaviest cell within a set, the last of equals, and its potential.
    #[must_use]
    pub fn heaviest(&self, within: u128) -> Option<(u8, u64)> {
        let potential = |cell: u8| self.potential[usize::from(cell)];
        bits(within).max_by_key(|&cell| potential(cell)).map(|cell| (cell, potential(cell)))
    }
}

/// All placements of some shapes on a grid.
#[derive(Clone, Debug)]
pub struct Placements {
    pub(super) patterns: Vec<Pattern>,
    /// For each cell and pattern the corners of the placements through it, as two halves.
    masks: Vec<u64>,
    /// The planes without any stones, if they fit.
    start: Option<Box<Planes>>,
    /// Placements over the edge, if the grid is a window on a larger board.
    edge: Edge,
    /// Cells of the smallest shape.
    pub smallest: u32,
}

impl Placements {
    /// Every placement within the grid and, for a window, those that extend over its edge.
    #[must_use]
    pub fn new(grid: &Grid, shapes: &[Shape], window: bool) -> Self {
        let mut placements = Self {
            patterns: Vec::new(),
            masks: Vec::new(),
            start: None,
            edge: Edge::default(),
            smallest: shapes.iter().map(|shape| shape.size() as u32).min().unwrap_or(u32::MAX),
        };
        for shape in shapes {
            for cells in shape.orientations() {
                let (tall, wide) = extent(&cells);
                if tall <= grid.height && wide <= grid.width {
                    let offsets: Vec<u32> =
                        cells.iter().map(|&cell| u32::from(grid.cell(cell))).collect();
                    let corners = bits(grid.all).filter(|&corner| {
                        let (row, column) = grid.place(corner);
                        row + tall <= grid.height && column + wide <= grid.width
                    });
                    placements.patterns.push(Pattern {
                        size: cells.len() as u32,
                        cells: offsets.iter().fold(0, |all, &at| all | 1 << at),
                        offsets,
                        corners: corners.fold(0, |all, corner| all | 1 << corner),
                    });
                }
                if window {
                    placements.edge.add(grid, &cells);
                }
            }
        }
        placements.edge.finish(grid);
        for cell in bits(grid.all) {
            for pattern in &placements.patterns {
                let corners = pattern.through(cell);
                placements.masks.extend([corners as u64, (corners >> 64) as u64]);
            }
        }
        let small = |pattern: &Pattern| pattern.size as usize <= LEVELS;
        if placements.patterns.len() <= PATTERNS && placements.patterns.iter().all(small) {
            let mut start = Planes::NOTHING;
            for (at, pattern) in placements.patterns.iter().enumerate() {
                start.add_pattern(at, pattern.size, pattern.corners);
            }
            placements.start = Some(Box::new(start));
        }
        placements
    }

    /// Whether they fit into `Planes`.
    #[must_use]
    pub fn can_be_kept(&self) -> bool {
        self.start.is_some()
    }

    /// The planes without any stones; empty if they do not fit.
    #[must_use]
    pub(super) fn start(&self) -> &Planes {
        self.start.as_deref().unwrap_or(&Planes::NOTHING)
    }

    /// For each pattern the corners of its placements through a cell, as two halves.
    #[inline]
    pub(super) fn masks(&self, cell: u8) -> &[u64] {
        let words = 2 * self.patterns.len();
        &self.masks[usize::from(cell) * words..][..words]
    }

    /// All placements as sets of cells.
    pub fn iter(&self) -> impl Iterator<Item = u128> + '_ {
        self.patterns
            .iter()
            .flat_map(|pattern| bits(pattern.corners).map(move |corner| pattern.cells << corner))
    }

    /// The chances of a side with the stones `own` against `other`, with at most `left` more
    /// stones.
    #[inline]
    #[must_use]
    pub fn chances(&self, own: u128, other: u128, left: u32) -> Chances {
        let mut chances = Chances::default();
        let mut forks = Forks::default();
        for pattern in &self.patterns {
            let alive = pattern.alive(own, other);
            if alive.corners == 0 {
                continue;
            }
            chances.won |= alive.missing(0) != 0;
            for missing in 1..=left.min(pattern.size) {
                let corners = alive.missing(missing);
                if corners == 0 {
                    continue;
                }
                let potential = u64::from(corners.count_ones()) * (WHOLE >> missing);
                chances.potential += potential;
                if missing == left {
                    chances.tight += potential;
                }
                match missing {
                    1 => pattern.offsets.iter().for_each(|at| chances.threats |= corners << at),
                    2 => bits(corners).for_each(|at| forks.add(pattern.cells << at & !own)),
                    _ => {}
                }
            }
        }
        chances.threats &= !own;
        chances.forks = forks.found;
        chances
    }

    /// The placements that `own` can still complete with two stones, or with three if `deep`.
    #[must_use]
    pub fn endgame(&self, own: u128, other: u128, deep: bool) -> Endgame {
        let mut endgame = Endgame::default();
        for pattern in &self.patterns {
            let alive = pattern.alive(own, other);
            bits(alive.missing(2)).for_each(|at| endgame.add_pair(pattern.cells << at & !own));
            if deep {
                bits(alive.missing(3))
                    .for_each(|at| endgame.add_triple(pattern.cells << at & !own));
            }
        }
        endgame
    }

    /// Whether some placement without `other`'s stones lacks at most `reach` of `own`'s, anywhere
    /// on an infinite board.
    #[must_use]
    pub fn within_reach(&self, own: u128, other: u128, reach: u32, infinite: bool) -> bool {
        if infinite && reach >= self.smallest {
            return true;
        }
        let on_grid = if self.can_be_kept() {
            Planes::of(self, own, other).any_within(reach)
        } else {
            self.patterns.iter().any(|pattern| {
                let alive = pattern.alive(own, other);
                (0..=reach.min(pattern.size)).any(|missing| alive.missing(missing) != 0)
            })
        };
        // A placement has at most `reach` cells that are not `own`, on the grid or outside.
        let stones = |_| self.smallest.saturating_sub(reach);
        on_grid
            || self.edge.any(own, reach, stones, |&Overhang { inside, outside }| {
                inside & other == 0 && (inside & !own).count_ones() + outside <= reach
            })
    }

    /// The stones of `own` in placements that lack at most `most` cells, all of them in `cells`.
    #[must_use]
    pub fn used(&self, own: u128, other: u128, cells: u128, most: u32) -> u128 {
        let mut used = 0;
        for pattern in &self.patterns {
            let alive = pattern.alive(own, other);
            for missing in 0..=most.min(pattern.size) {
                for at in bits(alive.missing(missing)) {
                    let placement = pattern.cells << at;
                    if placement & !(own | cells) == 0 {
                        used |= placement & own;
                    }
                }
            }
        }
        used
    }

    /// The cells that complete a placement for `own`.
    #[must_use]
    pub fn threats(&self, own: u128, other: u128) -> u128 {
        if !self.can_be_kept() {
            return self.chances(own, other, 1).threats;
        }
        let threats = self.cells_of(&Planes::of(self, own, other).lacking(1));
        threats & !own
    }

    /// The cells of the placements in a plane.
    fn cells_of(&self, plane: &Plane) -> u128 {
        let mut cells = 0;
        for (pattern, halves) in self.patterns.iter().zip(plane.chunks_exact(2)) {
            let corners = u128::from(halves[0]) | u128::from(halves[1]) << 64;
            if corners != 0 {
                pattern.offsets.iter().for_each(|at| cells |= corners << at);
            }
        }
        cells
    }

    /// The cells that `own` lacks of the placements that at most `most` stones complete.
    #[must_use]
    pub fn lacking(&self, own: u128, other: u128, most: u32) -> u128 {
        let mut cells = 0;
        for pattern in &self.patterns {
            let alive = pattern.alive(own, other);
            let corners =
                (1..=most.min(pattern.size)).fold(0, |all, missing| all | alive.missing(missing));
            pattern.offsets.iter().for_each(|at| cells |= corners << at);
        }
        cells & !own
    }

    /// For each cell, the weight of the placements through it that `left` stones can complete.
    #[must_use]
    pub fn weights(&self, own: u128, other: u128, left: u32) -> Weights {
        let mut weights = Weights { potential: [0; 128], tight: [0; 128], peaked: [0; 128] };
        for pattern in &self.patterns {
            let alive = pattern.alive(own, other);
            for missing in 1..=left.min(pattern.size) {
                let (half, quarter) = (WHOLE >> missing, WHOLE >> (2 * missing).min(20));
                for corner in bits(alive.missing(missing)) {
                    for &at in &pattern.offsets {
                        let cell = (usize::from(corner) + at as usize) & 127;
                        weights.potential[cell] += half;
                        weights.peaked[cell] += quarter;
                        if missing == left {
                            weights.tight[cell] += half;
                        }
                    }
                }
            }
        }
        weights
    }

    /// Whether `own` could complete a placement with one stone if up to `spare` more of its stones
    /// were over the edge.
    #[must_use]
    pub fn one_is_enough(&self, own: u128, other: u128, spare: u32) -> bool {
        let stones = own.count_ones();
        let on_grid = if self.can_be_kept() {
            Planes::of(self, own, other).any_within(1)
        } else {
            self.patterns.iter().filter(|pattern| pattern.size <= stones + 1).any(|pattern| {
                let alive = pattern.alive(own, other);
                alive.missing(0) | alive.missing(1) != 0
            })
        };
        // At most one cell is neither `own` nor outside, and none if not all outside cells are own.
        let least = |outside| (self.smallest).saturating_sub(outside + u32::from(outside <= spare));
        let hangs_over = |&Overhang { outside, inside }: &Overhang| {
            let open = inside & !own;
            // One cell is left to fill: over the edge, or on the grid.
            let nearly = if outside > spare { open == 0 } else { open & open.wrapping_sub(1) == 0 };
            nearly && inside & other == 0
        };
        on_grid
            || stones + spare + 1 >= self.smallest
                && self.edge.any(own, spare + 1, least, hangs_over)
    }

    /// Adds cells to `zone` until no placement could lack one cell or less if `own` had `spare`
    /// more stones outside the zone: two cells of each such placement suffice. A placement that
    /// already lacks a single cell cannot be guarded and is skipped.
    #[must_use]
    pub fn guarded(&self, own: u128, other: u128, spare: u32, mut zone: u128) -> u128 {
        let stones = own.count_ones();
        let (mut near, mut through) = (Vec::new(), [0u32; 128]);
        let mut add = |cells: u128, zone: u128| {
            if (cells & zone).count_ones() < 2 && cells.count_ones() >= 2 {
                near.push(cells);
                bits(cells).for_each(|cell| through[usize::from(cell)] += 1);
            }
        };
        for pattern in self.patterns.iter().filter(|pattern| pattern.size <= stones + spare + 1) {
            let alive = pattern.alive(own, other);
            for missing in 2..=(spare + 1).min(pattern.size) {
                bits(alive.missing(missing)).for_each(|at| add(pattern.cells << at & !own, zone));
            }
        }
        // With fewer than two open cells on the grid there is nothing to guard.
        for &Overhang { outside, inside } in self.edge.reaching_out(spare.saturating_sub(1)) {
            let open = inside & !own;
            if inside & other == 0 && open.count_ones() + outside <= spare + 1 {
                add(open, zone);
            }
        }
        for cells in near {
            while (cells & zone).count_ones() < 2 {
                let best = bits(cells & !zone).max_by_key(|&cell| through[usize::from(cell)]);
                best.iter().for_each(|cell| zone |= 1 << cell);
            }
        }
        zone
    }
}

impl Pattern {
    /// Where the pattern is free of `other`'s stones, and how many of its cells are not `own`.
    #[inline]
    pub(super) fn alive(&self, own: u128, other: u128) -> Alive {
        let (free, open) = (!other, !own);
        let mut corners = self.corners;
        let mut digits = [0; DIGITS];
        for &at in &self.offsets {
            corners &= free >> at;
            let mut carry = open >> at;
            for digit in &mut digits {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
        Alive { corners, digits }
    }

    /// The corners of its placements through a cell.
    fn through(&self, cell: u8) -> u128 {
        let corners = self.offsets.iter().filter_map(|&at| u32::from(cell).checked_sub(at));
        corners.fold(0, |all, corner| all | 1 << corner) & self.corners
    }
}

/// Finds cells that two placements with two missing cells share, with different partners.
#[derive(Default)]
pub(super) struct Forks {
    once: u128,
    partner: Partners,
    pub(super) found: u128,
}

struct Partners([u8; 128]);

impl Default for Partners {
    fn default() -> Self {
        Self([0; 128])
    }
}

impl Forks {
    #[inline]
    pub(super) fn add(&mut self, pair: u128) {
        let (one, two) = (pair.trailing_zeros() as u8, 127 - pair.leading_zeros() as u8);
        for (cell, other) in [(one, two), (two, one)] {
            let partner = &mut self.partner.0[usize::from(cell)];
            if self.once >> cell & 1 == 0 {
                *partner = other;
            } else if *partner != other {
                self.found |= 1 << cell;
            }
        }
        self.once |= pair;
    }
}
