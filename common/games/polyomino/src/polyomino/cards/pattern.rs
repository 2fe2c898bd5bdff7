//! One card: its cells, its images, its bytes, and where it matches a position.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::polyomino::grid::{Grid, bits};
use crate::polyomino::shape::Cell;

/// A winning pattern in the corner of its bounding box; the least of its images.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card {
    stones: u32,
    needs: Vec<Cell>,
    free: Vec<Cell>,
}

/// Most cells of a card, and most stones that it may need: more than any search has found.
const MOST_CELLS: usize = 128;
const MOST_STONES: u8 = 64;
/// Longest side of a card.
const LONGEST: u8 = 127;
const CHECKSUM: usize = 4;

impl Card {
    /// A card with these cells; `None` if it needs no stone on the board, or none to be played.
    pub fn new(
        needs: impl Iterator<Item = Cell>,
        free: impl Iterator<Item = Cell>,
        stones: u32,
    ) -> Option<Self> {
        let card = Self { stones, needs: needs.collect(), free: free.collect() };
        let empty = card.needs.is_empty() || stones == 0;
        (!empty).then(|| card.orientations().into_iter().next()).flatten()
    }

    /// All distinct rotations and reflections, the least first.
    pub fn orientations(&self) -> BTreeSet<Self> {
        (0..8).map(|kind| self.turned(kind)).collect()
    }

    fn turned(&self, kind: u8) -> Self {
        let image = |&(row, column): &Cell| {
            let (mut row, mut column) = (i16::from(row), i16::from(column));
            if kind & 1 != 0 {
                column = -column;
            }
            if kind & 2 != 0 {
                row = -row;
            }
            if kind & 4 != 0 { (column, row) } else { (row, column) }
        };
        let all = || self.needs.iter().chain(&self.free).map(image);
        let top = all().map(|cell| cell.0).min().unwrap_or(0);
        let left = all().map(|cell| cell.1).min().unwrap_or(0);
        let corner = |cell: &Cell| {
            let (row, column) = image(cell);
            ((row - top) as u8, (column - left) as u8)
        };
        let images = |cells: &[Cell]| {
            let mut images: Vec<Cell> = cells.iter().map(corner).collect();
            images.sort_unstable();
            images
        };
        Self { stones: self.stones, needs: images(&self.needs), free: images(&self.free) }
    }

    /// Rows and columns of its bounding box.
    fn extent(&self) -> (u8, u8) {
        let all = || self.needs.iter().chain(&self.free);
        let tall = all().map(|cell| cell.0).max().map_or(0, |row| row + 1);
        let wide = all().map(|cell| cell.1).max().map_or(0, |column| column + 1);
        (tall, wide)
    }

    /// Stones, the number of cells that it needs, all cells, and a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.stones as u8, self.needs.len() as u8];
        for &(row, column) in self.needs.iter().chain(&self.free) {
            bytes.extend([row, column]);
        }
        let sum = blake3::hash(&bytes);
        bytes.extend(&sum.as_bytes()[..CHECKSUM]);
        bytes
    }

    /// Reads the output of [`Card::to_bytes`]; `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (said, sum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
        let &[stones, needs, ref cells @ ..] = said else { return None };
        let (cells, rest) = cells.as_chunks::<2>();
        let sound = blake3::hash(said).as_bytes()[..CHECKSUM] == *sum
            && rest.is_empty()
            && (1..=MOST_STONES).contains(&stones)
            && cells.len() <= MOST_CELLS
            && cells.iter().flatten().all(|&side| side < LONGEST);
        let cells: Vec<Cell> = cells.iter().map(|&[row, column]| (row, column)).collect();
        let (needs, free) = cells.split_at_checked(usize::from(needs)).filter(|_| sound)?;
        Self::new(needs.iter().copied(), free.iter().copied(), stones.into())
    }
}

/// One orientation of a card at every position of a grid at once.
#[derive(Debug)]
pub struct Laid {
    /// Number of stones that Black needs.
    pub stones: u32,
    /// Positions of its corner at which it lies on the grid.
    corners: u128,
    needs: Vec<u8>,
    free: Vec<u8>,
    cells: u128,
    uses: Arc<AtomicU32>,
}

impl Laid {
    /// This orientation of a card; `None` if it is larger than the grid.
    pub fn new(card: &Card, uses: &Arc<AtomicU32>, grid: &Grid) -> Option<Self> {
        let (tall, wide) = card.extent();
        if tall > grid.height || wide > grid.width {
            return None;
        }
        let fits = |corner: &u8| {
            let (row, column) = grid.place(*corner);
            row + tall <= grid.height && column + wide <= grid.width
        };
        let all = card.needs.iter().chain(&card.free);
        Some(Self {
            stones: card.stones,
            corners: bits(grid.all).filter(fits).fold(0, |all, corner| all | 1 << corner),
            needs: card.needs.iter().map(|&cell| grid.cell(cell)).collect(),
            free: card.free.iter().map(|&cell| grid.cell(cell)).collect(),
            cells: all.fold(0, |cells, &cell| cells | 1 << grid.cell(cell)),
            uses: Arc::clone(uses),
        })
    }

    /// The step from the first cell that it needs to the second.
    pub fn step(&self) -> u8 {
        self.needs.get(1).map_or(0, |second| second - self.needs[0])
    }

    /// The cells of one position where it matches these stones, and how many more it needs; `pairs`
    /// are Black's stones with another one a step further.
    #[inline]
    pub fn found(&self, pairs: u128, black: u128, white: u128) -> Option<(u128, u32)> {
        let mut corners = self.corners & pairs >> self.needs[0];
        for &at in self.needs.iter().skip(2) {
            if corners == 0 {
                return None;
            }
            corners &= black >> at;
        }
        for &at in &self.free {
            if corners == 0 {
                return None;
            }
            corners &= !(white >> at);
        }
        if corners == 0 {
            return None;
        }
        self.uses.fetch_add(1, Relaxed);
        Some((self.cells << corners.trailing_zeros(), self.stones))
    }
}
