//! A rectangle of at most 128 cells as bits of a word: its symmetries, its hashes, its picture.

use crate::polyomino::shape::Cell;
use hasami_game::random::SplitMix;

/// Most cells of a board.
pub const MAX_BOARD: u32 = 128;

/// A rectangle; cell (row, column) is bit `row * width + column`.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Every cell.
    pub all: u128,
    /// For every symmetry, the images of the cells of each byte of a set.
    there: Vec<Turned>,
    /// The inverse of `there`.
    back: Vec<Turned>,
    /// For every cell and side, what a stone adds to the hash of each symmetry.
    stones: Vec<[Hashes; 2]>,
}

type Turned = Vec<[u128; 256]>;

/// One hash for each symmetry of the square; those that the rectangle lacks repeat others.
pub type Hashes = [u64; 8];

/// The indices of the bits of `cells`, from the lowest.
pub fn bits(mut cells: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then_some(cells.trailing_zeros() as u8)?;
        cells &= cells - 1;
        Some(cell)
    })
}

/// Visits the bits of `cells` from the lowest: like [`bits`], but one half after the other, which
/// takes fewer instructions in hot loops.
#[inline]
pub fn each_bit(cells: u128, mut visit: impl FnMut(u8)) {
    for (half, first) in [(cells as u64, 0), ((cells >> 64) as u64, 64)] {
        let mut half = half;
        while half != 0 {
            visit(first + half.trailing_zeros() as u8);
            half &= half - 1;
        }
    }
}

impl Grid {
    /// A grid of `height` rows and `width` columns, at least one cell and at most [`MAX_BOARD`].
    #[must_use]
    pub fn new(height: u8, width: u8) -> Self {
        let cells = u32::from(width) * u32::from(height);
        assert!((1..=MAX_BOARD).contains(&cells), "a board of 1 to {MAX_BOARD} cells");
        let mut grid = Self {
            width,
            height,
            all: u128::MAX >> (MAX_BOARD - cells),
            there: Vec::new(),
            back: Vec::new(),
            stones: Vec::new(),
        };
        let mut random = SplitMix::new(0x706f_6c79_6f6d_696e);
        let words: Vec<[u64; 2]> = (0..cells).map(|_| [random.word(), random.word()]).collect();
        grid.stones = vec![[[0; 8]; 2]; cells as usize];
        for kind in 0..8 {
            // A rectangle that is not a square has no symmetry that swaps rows and columns.
            let kind = if width == height { kind } else { kind & 3 };
            let image: Vec<u8> = bits(grid.all).map(|cell| grid.image(cell, kind)).collect();
            let mut origin = image.clone();
            for (cell, &to) in image.iter().enumerate() {
                origin[usize::from(to)] = cell as u8;
                let at = grid.there.len();
                for (hashes, word) in grid.stones[cell].iter_mut().zip(words[usize::from(to)]) {
                    hashes[at] = word;
                }
            }
            grid.there.push(by_bytes(&image));
            grid.back.push(by_bytes(&origin));
        }
        grid
    }

    /// Bit 0 of `kind` mirrors the columns, bit 1 the rows, bit 2 then swaps them.
    fn image(&self, cell: u8, kind: u8) -> u8 {
        let (mut row, mut column) = self.place(cell);
        if kind & 1 != 0 {
            column = self.width - 1 - column;
        }
        if kind & 2 != 0 {
            row = self.height - 1 - row;
        }
        if kind & 4 != 0 {
            (row, column) = (column, row);
        }
        self.cell((row, column))
    }

    /// Row and column of a cell.
    #[must_use]
    pub fn place(&self, cell: u8) -> Cell {
        (cell / self.width, cell % self.width)
    }

    /// The cell at a row and a column of the grid.
    #[must_use]
    pub fn cell(&self, (row, column): Cell) -> u8 {
        row * self.width + column
    }

    /// What a stone on `cell` adds to the hashes; side 0 is Black.
    #[inline]
    #[must_use]
    pub fn stone(&self, cell: u8, side: usize) -> &Hashes {
        &self.stones[usize::from(cell)][side]
    }

    /// The image of a set of cells under a symmetry.
    #[must_use]
    pub fn turned(&self, cells: u128, symmetry: usize) -> u128 {
        moved(cells, &self.there[symmetry])
    }

    /// The cells that [`Grid::turned`] maps to these.
    #[must_use]
    pub fn turned_back(&self, cells: u128, symmetry: usize) -> u128 {
        moved(cells, &self.back[symmetry])
    }

    /// The name of a cell: a letter for the column, a number for the row from the top.
    #[must_use]
    pub fn cell_name(&self, cell: u8) -> String {
        let (row, column) = self.place(cell);
        match column {
            0..26 => format!("{}{}", char::from(b'a' + column), row + 1),
            _ => format!("({}){}", column + 1, row + 1),
        }
    }

    /// The cell with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<u8> {
        bits(self.all).find(|&cell| self.cell_name(cell) == name)
    }

    /// The grid as lines of text, the first row on top.
    pub fn show(&self, sign: impl Fn(u8) -> char) -> String {
        let rows: Vec<String> = (0..self.height)
            .map(|row| (0..self.width).map(|column| sign(self.cell((row, column)))).collect())
            .collect();
        rows.join("\n")
    }
}

/// For every byte of a set of cells, the union of the images of its cells.
fn by_bytes(image: &[u8]) -> Turned {
    let of_byte = |byte: usize, value: usize| {
        (0..8)
            .filter(|bit| value >> bit & 1 == 1)
            .filter_map(|bit| image.get(8 * byte + bit))
            .fold(0, |cells, &to| cells | 1u128 << to)
    };
    (0..16).map(|byte| std::array::from_fn(|value| of_byte(byte, value))).collect()
}

fn moved(cells: u128, turned: &[[u128; 256]]) -> u128 {
    let bytes = cells.to_le_bytes();
    bytes.iter().zip(turned).fold(0, |image, (&byte, map)| image | map[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_there_and_back_changes_nothing() {
        let mut random = SplitMix::new(3);
        for (height, width) in [(1, 1), (4, 4), (11, 11), (5, 7), (8, 16), (1, 128)] {
            let grid = Grid::new(height, width);
            for _ in 0..200 {
                let cells =
                    (u128::from(random.word()) << 64 | u128::from(random.word())) & grid.all;
                for symmetry in 0..8 {
                    let there = grid.turned(cells, symmetry);
                    assert_eq!(there.count_ones(), cells.count_ones());
                    assert_eq!(there & !grid.all, 0);
                    assert_eq!(grid.turned_back(there, symmetry), cells);
                }
            }
        }
    }

    #[test]
    fn hashes_of_turned_stones_are_the_same_set() {
        let grid = Grid::new(5, 5);
        for symmetry in 0..8 {
            let cell = 7;
            let to = grid.turned(1 << cell, symmetry).trailing_zeros() as u8;
            let (mut one, mut other) = (*grid.stone(cell, 0), *grid.stone(to, 0));
            one.sort_unstable();
            other.sort_unstable();
            assert_eq!(one, other);
        }
    }

    #[test]
    fn cells_have_names() {
        let grid = Grid::new(3, 4);
        assert_eq!(grid.cell_name(5), "b2");
        assert_eq!(grid.named("d3"), Some(11));
        assert_eq!(grid.named("e1"), None);
        assert_eq!(grid.show(|cell| if cell == 5 { '#' } else { '.' }), "....\n.#..\n....");
    }
}
