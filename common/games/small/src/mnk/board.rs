//! The board: its cells as bits of a word, its lines, its symmetries, its picture.

/// A board of at most 64 cells; cell (column, row) is bit `row * width + column`.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// Columns.
    pub(super) width: u8,
    /// Rows.
    pub(super) height: u8,
    /// Every cell.
    pub(super) all: u64,
    /// Every line that wins.
    pub(super) lines: Vec<u64>,
    /// The image of each cell under each symmetry; the first is the identity.
    there: Vec<[u8; 64]>,
    /// The inverse of `there`.
    back: Vec<[u8; 64]>,
}

/// The indices of the bits of `cells`, from the lowest.
pub(super) fn bits(mut cells: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then_some(cells.trailing_zeros() as u8)?;
        cells &= cells - 1;
        Some(cell)
    })
}

impl Board {
    /// A board with lines of `line` cells; only with the identity unless `symmetric`.
    pub(super) fn new(width: u8, height: u8, line: u8, symmetric: bool) -> Self {
        let mut board = Self {
            width,
            height,
            all: u64::MAX >> (64 - u32::from(width) * u32::from(height)),
            lines: Vec::new(),
            there: Vec::new(),
            back: Vec::new(),
        };
        let (columns, rows) = (i32::from(width), i32::from(height));
        for row in 0..rows {
            for column in 0..columns {
                for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    board.add_line(column, row, right, down, line);
                }
            }
        }
        board.lines.sort_unstable();
        board.lines.dedup();
        let kinds = match (symmetric, width == height) {
            (false, _) => 1,
            (true, false) => 4,
            (true, true) => 8,
        };
        (0..kinds).for_each(|kind| board.add_symmetry(kind));
        board
    }

    fn add_line(&mut self, column: i32, row: i32, right: i32, down: i32, line: u8) {
        let mut cells = 0;
        for step in 0..i32::from(line) {
            let (column, row) = (column + step * right, row + step * down);
            let inside = (0..i32::from(self.width)).contains(&column)
                && (0..i32::from(self.height)).contains(&row);
            if !inside {
                return;
            }
            cells |= 1u64 << (row * i32::from(self.width) + column);
        }
        self.lines.push(cells);
    }

    /// Bit 0 of `kind` mirrors the columns, bit 1 the rows, bit 2 then swaps them.
    fn add_symmetry(&mut self, kind: u8) {
        let (mut there, mut back) = ([0; 64], [0; 64]);
        for cell in bits(self.all) {
            let (mut column, mut row) = (cell % self.width, cell / self.width);
            if kind & 1 != 0 {
                column = self.width - 1 - column;
            }
            if kind & 2 != 0 {
                row = self.height - 1 - row;
            }
            if kind & 4 != 0 {
                std::mem::swap(&mut column, &mut row);
            }
            let image = row * self.width + column;
            there[usize::from(cell)] = image;
            back[usize::from(image)] = cell;
        }
        self.there.push(there);
        self.back.push(back);
    }

    /// The number of symmetries; number 0 is the identity.
    pub(super) fn symmetries(&self) -> usize {
        self.there.len()
    }

    /// The image of a set of cells.
    pub(super) fn turned(&self, cells: u64, symmetry: usize) -> u64 {
        moved(cells, &self.there[symmetry])
    }

    /// The cells that [`Board::turned`] maps to these.
    pub(super) fn turned_back(&self, cells: u64, symmetry: usize) -> u64 {
        moved(cells, &self.back[symmetry])
    }

    /// The name of a cell: a letter for the column, a number for the row.
    pub(super) fn cell_name(&self, cell: u8) -> String {
        let column = cell % self.width;
        let row = cell / self.width + 1;
        // After z come the capitals, and a board of one long row goes further.
        match column {
            0..26 => format!("{}{row}", char::from(b'a' + column)),
            26..52 => format!("{}{row}", char::from(b'A' + column - 26)),
            _ => format!("({}){row}", column + 1),
        }
    }

    /// The board as lines of text, the first row on top.
    pub(super) fn show(&self, sign: impl Fn(u8) -> char) -> String {
        let rows: Vec<String> = (0..self.height)
            .map(|row| (0..self.width).map(|column| sign(row * self.width + column)).collect())
            .collect();
        rows.join("\n")
    }
}

fn moved(cells: u64, map: &[u8; 64]) -> u64 {
    bits(cells).fold(0, |image, cell| image | 1 << map[usize::from(cell)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boards_of_tic_tac_toe_have_eight_and_ten_lines() {
        assert_eq!(Board::new(3, 3, 3, true).lines.len(), 8);
        assert_eq!(Board::new(4, 4, 4, true).lines.len(), 10);
        assert_eq!(Board::new(8, 8, 1, true).lines.len(), 64);
        assert_eq!(Board::new(3, 2, 4, true).lines.len(), 0);
    }

    #[test]
    fn symmetries_are_different_keep_the_lines_and_can_be_undone() {
        for (width, height, count) in [(3, 3, 8), (8, 8, 8), (4, 3, 4), (5, 2, 4)] {
            let board = Board::new(width, height, 2, true);
            assert_eq!(board.symmetries(), count);
            for symmetry in 0..count {
                let mut lines: Vec<u64> =
                    board.lines.iter().map(|&line| board.turned(line, symmetry)).collect();
                lines.sort_unstable();
                assert_eq!(lines, board.lines);
                assert!(!board.there[..symmetry].contains(&board.there[symmetry]));
                for cell in bits(board.all) {
                    let image = board.turned(1 << cell, symmetry);
                    assert_eq!(board.turned_back(image, symmetry), 1 << cell);
                }
            }
        }
    }
}
