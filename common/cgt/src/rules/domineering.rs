//! Domineering: Left places dominoes upright, Right across, on the free cells of a board; a player
//! who cannot move loses.

use super::Rules;

/// The rules of Domineering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Domineering;

/// Free cells, at most 64, in their bounding box. Boards that are mirror images of each other are
/// equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    width: u8,
    height: u8,
    /// Row by row, the first cell in the lowest bit.
    free: u64,
}

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBoard {
    /// More than 64 cells.
    #[error("a board of {width}x{height}; expected at most 64 cells")]
    TooLarge {
        /// Width of the board.
        width: usize,
        /// Height of the board.
        height: usize,
    },
    /// An invalid character.
    #[error("row {row}, column {column}: `{letter}`; expected `.` for a free cell or `#`")]
    Letter {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
        /// The character found.
        letter: char,
    },
}

impl Board {
    /// A rectangle of free cells.
    pub fn rectangle(width: u8, height: u8) -> Result<Self, BadBoard> {
        let cells = usize::from(width) * usize::from(height);
        if cells > 64 {
            return Err(BadBoard::TooLarge { width: width.into(), height: height.into() });
        }
        let free = if cells == 64 { u64::MAX } else { (1 << cells) - 1 };
        Ok(Self { width, height, free }.tidy())
    }

    /// Parses rows of `.` and `#`; cells missing from a short row are not free.
    pub fn parse<'a>(rows: impl IntoIterator<Item = &'a str>) -> Result<Self, BadBoard> {
        let rows: Vec<Vec<char>> = rows.into_iter().map(|row| row.chars().collect()).collect();
        let (width, height) = (rows.iter().map(Vec::len).max().unwrap_or(0), rows.len());
        if width * height > 64 {
            return Err(BadBoard::TooLarge { width, height });
        }
        let mut free = 0;
        for (y, row) in rows.iter().enumerate() {
            for (x, &letter) in row.iter().enumerate() {
                match letter {
                    '.' => free |= 1 << (y * width + x),
                    '#' => {}
                    _ => return Err(BadBoard::Letter { row: y + 1, column: x + 1, letter }),
                }
            }
        }
        Ok(Self { width: width as u8, height: height as u8, free }.tidy())
    }

    /// Number of free cells.
    pub fn cells(&self) -> u32 {
        self.free.count_ones()
    }

    /// The transposed board, which exchanges the players.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut free = 0;
        for y in 0..self.height {
            for x in 0..self.width {
                free |= (self.free >> (y * self.width + x) & 1) << (x * self.height + y);
            }
        }
        Self { width: self.height, height: self.width, free }.tidy()
    }

    /// Rows of `.` for free cells and `#`, from the first, with `/` between.
    pub fn picture(&self) -> String {
        let sign = |free: u64, x: u8| if free >> x & 1 == 1 { '.' } else { '#' };
        let row = |y| (0..self.width).map(|x| sign(self.row(y), x)).collect::<String>();
        (0..self.height).map(row).collect::<Vec<_>>().join("/")
    }

    /// Encoding, unique for each board: width, height, cells.
    pub fn key(&self) -> [u8; 10] {
        let mut key = [0; 10];
        (key[0], key[1]) = (self.width, self.height);
        key[2..].copy_from_slice(&self.free.to_le_bytes());
        key
    }

    /// The cells of a row of the box.
    fn row(&self, y: u8) -> u64 {
        (self.free >> (y * self.width)) & row_of(self.width)
    }

    /// Moves the cells into the smallest box and takes the least of its mirror images.
    fn tidy(self) -> Self {
        if self.free == 0 {
            return Self { width: 0, height: 0, free: 0 };
        }
        let rows: Vec<u64> = (0..self.height).map(|y| self.row(y)).collect();
        let first = rows.iter().take_while(|&&row| row == 0).count();
        let last = rows.iter().rposition(|&row| row != 0).unwrap_or(0);
        let shadow = rows.iter().fold(0, |all, row| all | row);
        let from = shadow.trailing_zeros();
        let width = 64 - shadow.leading_zeros() - from;
        let rows = &rows[first..=last];
        let mirrored = |row: u64| row.reverse_bits() >> (64 - width);
        let packed = |down: bool, across: bool| {
            let row = |&row: &u64| if across { mirrored(row >> from) } else { row >> from };
            let add = |free: u64, row: u64| free << (width % 64) | row;
            // The first row is in the lowest bits, so it is added last.
            if down {
                rows.iter().map(row).fold(0, add)
            } else {
                rows.iter().rev().map(row).fold(0, add)
            }
        };
        let free = packed(false, false)
            .min(packed(false, true))
            .min(packed(true, false))
            .min(packed(true, true));
        Self { width: width as u8, height: rows.len() as u8, free }
    }

    /// All boards after a domino on a cell of `starts` and the one `step` after it.
    fn after(&self, starts: u64, step: u8) -> Vec<Self> {
        let mut boards = Vec::with_capacity(starts.count_ones() as usize);
        let mut rest = starts;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            boards.push(Self { free: self.free & !(cell | cell << step), ..*self }.tidy());
        }
        boards.sort_unstable_by_key(|board| (board.width, board.height, board.free));
        boards.dedup();
        boards
    }

    /// Cells that are not in the last column of the box.
    fn not_last_column(&self) -> u64 {
        let row = row_of(self.width) >> 1;
        (0..self.height).fold(0, |all, y| all | row << (y * self.width))
    }

    /// All cells connected with this one.
    fn connected(&self, cell: u64) -> u64 {
        let inner = self.not_last_column();
        let mut found = cell;
        loop {
            let across = (found & inner) << 1 | (found >> 1 & inner);
            let along = shifted(found, self.width) | found >> (self.width % 64);
            let more = (found | across | along) & self.free;
            if more == found {
                return found;
            }
            found = more;
        }
    }
}

/// Shifts up by a row; a row of 64 cells has none above it.
fn shifted(cells: u64, width: u8) -> u64 {
    cells.checked_shl(u32::from(width)).unwrap_or(0)
}

fn row_of(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Rules for Domineering {
    type Position = Board;

    fn left_moves(&self, board: &Board) -> Vec<Board> {
        if board.height < 2 {
            return Vec::new();
        }
        board.after(board.free & board.free >> board.width, board.width)
    }

    fn right_moves(&self, board: &Board) -> Vec<Board> {
        board.after(board.free & board.free >> 1 & board.not_last_column(), 1)
    }

    fn parts(&self, board: &Board) -> Option<Vec<Board>> {
        let mut rest = board.free;
        let mut parts = Vec::new();
        while rest != 0 {
            let part = board.connected(rest & rest.wrapping_neg());
            if part == board.free {
                return None;
            }
            rest &= !part;
            // Neither player can move on a single cell.
            if part.count_ones() > 1 {
                parts.push(Board { free: part, ..*board }.tidy());
            }
        }
        Some(parts)
    }
}
