//! The board of a paving: the placements of the shapes, the possible pairs, and the symmetries.
//! Sets of cells are bits, cell 0 at the top left, row by row.

use crate::paving::Pairs;
use crate::polyomino::shape::{Shape, extent};
use hasami_game::random::SplitMix;

/// Most cells of a board.
pub const MAX_CELLS: usize = 121;

/// A hash of two words for each symmetry of the board; those of an oblong board fill it twice.
pub(super) type Signs = [[u64; 2]; 8];

/// A board with all placements of the shapes.
#[derive(Clone, Debug)]
pub struct Board {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Which two cells may be a pair.
    pub pairs: Pairs,
    /// Every placement of every shape, in order, without duplicates.
    pub placements: Vec<u128>,
    /// All cells with a cell to their right.
    not_last: u128,
    /// For each cell, a random hash of its image under each symmetry.
    signs: Vec<Signs>,
}

impl Board {
    /// The board of this size with these shapes.
    #[must_use]
    pub fn new(shapes: &[Shape], width: u8, height: u8, pairs: Pairs) -> Self {
        let mut placements: Vec<u128> = Vec::new();
        for cells in shapes.iter().flat_map(Shape::orientations) {
            let (tall, wide) = extent(&cells);
            for top in 0..(height + 1).saturating_sub(tall) {
                for left in 0..(width + 1).saturating_sub(wide) {
                    let bit = |&(row, column): &(u8, u8)| {
                        1u128
                            << (u32::from(row + top) * u32::from(width) + u32::from(column + left))
                    };
                    placements.push(cells.iter().map(bit).sum());
                }
            }
        }
        placements.sort_unstable();
        placements.dedup();
        let columns = 0..u32::from(width) * u32::from(height);
        let last = |cell: &u32| cell % u32::from(width) + 1 < u32::from(width);
        let not_last = columns.filter(last).map(|cell| 1u128 << cell).sum();
        let signs = signs(width, height);
        Self { width, height, pairs, placements, not_last, signs }
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> u8 {
        self.width * self.height
    }

    /// Whether two different cells may be a pair.
    #[must_use]
    pub fn may_pair(&self, a: u8, b: u8) -> bool {
        let apart =
            (a / self.width).abs_diff(b / self.width) + (a % self.width).abs_diff(b % self.width);
        match self.pairs {
            Pairs::Any => a != b,
            Pairs::Adjacent => apart == 1,
        }
    }

    /// The cells that share an edge with this one.
    pub(super) fn neighbours(&self, cell: u8) -> impl Iterator<Item = u8> {
        let (row, column) = (cell / self.width, cell % self.width);
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < self.width).then_some(cell + 1);
        let up = (row > 0).then(|| cell - self.width);
        let down = (row + 1 < self.height).then_some(cell + self.width);
        [left, right, up, down].into_iter().flatten()
    }

    /// The cells of a set that can be in a pair within it.
    pub(super) fn useful(&self, set: u128) -> u128 {
        match self.pairs {
            Pairs::Any if set.is_power_of_two() => 0,
            Pairs::Any => set,
            Pairs::Adjacent => {
                let (across, down) = self.dominoes(set);
                across | across << 1 | down | down << self.width
            }
        }
    }

    /// Number of pairs within a set.
    pub(super) fn pair_count(&self, set: u128) -> u32 {
        match self.pairs {
            Pairs::Any => {
                let cells = set.count_ones();
                cells * cells.saturating_sub(1) / 2
            }
            Pairs::Adjacent => {
                let (across, down) = self.dominoes(set);
                across.count_ones() + down.count_ones()
            }
        }
    }

    /// The pairs within a set, in order.
    pub(super) fn pairs_in(&self, set: u128) -> impl Iterator<Item = (u8, u8)> {
        bits(set).flat_map(move |a| {
            let later = bits(set & (!1 << a));
            later.filter(move |&b| self.may_pair(a, b)).map(move |b| (a, b))
        })
    }

    /// The first cells of the dominoes within a set, horizontal and vertical.
    fn dominoes(&self, set: u128) -> (u128, u128) {
        (set & set >> 1 & self.not_last, set & set >> self.width)
    }

    /// Hashes of a set of cells under each symmetry; different for different sets, with high
    /// probability.
    pub(super) fn signs(&self, set: u128) -> Signs {
        // The empty set must contribute to a sum.
        let mut sums = [[1u64; 2]; 8];
        for cell in bits(set) {
            add(&mut sums, &self.signs[usize::from(cell)]);
        }
        sums.map(|sign| sign.map(mix))
    }

    /// The name of a cell: its column as a letter, and its row.
    pub(super) fn cell_name(&self, cell: u8) -> String {
        let (row, column) = (cell / self.width, cell % self.width);
        match column {
            0..26 => format!("{}{}", char::from(b'a' + column), row + 1),
            _ => format!("{}:{}", column + 1, row + 1),
        }
    }
}

/// The cells of a set, from the first.
pub(super) fn bits(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let cell = set.trailing_zeros() as u8;
            set &= set - 1;
            cell
        })
    })
}

/// Mixes a sum of hashes, so that sums of such numbers distinguish sets of sets.
fn mix(sum: u64) -> u64 {
    let x = (sum ^ sum >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ x >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 32
}

/// Adds hashes to hashes.
pub(super) fn add(sums: &mut Signs, signs: &Signs) {
    for (sum, sign) in sums.as_flattened_mut().iter_mut().zip(signs.as_flattened()) {
        *sum = sum.wrapping_add(*sign);
    }
}

fn signs(width: u8, height: u8) -> Vec<Signs> {
    let mut random = SplitMix::new(0x7061_7669_6e67);
    let own: Vec<[u64; 2]> = (0..MAX_CELLS).map(|_| [random.word(), random.word()]).collect();
    let turned = |cell: u8, turn: usize| {
        let (mut row, mut column) = (cell / width, cell % width);
        if turn & 1 != 0 {
            column = width - 1 - column;
        }
        if turn & 2 != 0 {
            row = height - 1 - row;
        }
        if turn & 4 != 0 && width == height {
            (row, column) = (column, row);
        }
        own[usize::from(row * width + column)]
    };
    (0..width * height).map(|cell| std::array::from_fn(|turn| turned(cell, turn))).collect()
}
