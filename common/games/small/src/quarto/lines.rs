//! The ten lines of the board, and for every set of cells the cells that complete a line with it.
//!
//! A piece wins on a cell if three other cells of a line hold pieces that share one of its four bit
//! values. With one 16-bit set of cells for each of the eight bit values, that is a table lookup:
//! [`completing`].

use std::sync::LazyLock;

/// Rows, columns and diagonals as sets of cells; cell 0 is the lowest bit.
pub(super) const LINES: [u16; 10] =
    [0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248];

/// For every set of cells: the cells outside it that are the fourth of a line.
pub(super) type Completing = [u16; 1 << 16];

static COMPLETING: LazyLock<Box<Completing>> = LazyLock::new(|| {
    let table: Vec<u16> = (0..=u16::MAX).map(completing_slowly).collect();
    table.try_into().expect("an entry for each of 2^16 sets")
});

/// The table; keep the reference in hot code.
pub(super) fn completing() -> &'static Completing {
    &COMPLETING
}

fn completing_slowly(cells: u16) -> u16 {
    let missing = LINES.iter().map(|line| line & !cells);
    missing.filter(|missing| missing.count_ones() == 1).fold(0, |all, missing| all | missing)
}

/// Whether a whole line is in a set of cells.
pub(super) fn holds_line(cells: u16) -> bool {
    LINES.iter().any(|line| line & !cells == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_rows_columns_and_diagonals() {
        let cell = |row: usize, column: usize| 1u16 << (4 * row + column);
        let set = |cells: [u16; 4]| cells.iter().fold(0, |all, cell| all | cell);
        let mut expected = Vec::new();
        for i in 0..4 {
            expected.push(set([0, 1, 2, 3].map(|j| cell(i, j))));
            expected.push(set([0, 1, 2, 3].map(|j| cell(j, i))));
        }
        expected.push(set([0, 1, 2, 3].map(|j| cell(j, j))));
        expected.push(set([0, 1, 2, 3].map(|j| cell(j, 3 - j))));
        let mut found = LINES.to_vec();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_cell_completes_a_line_if_the_set_holds_one_with_it_only() {
        for cells in (0..=u16::MAX).step_by(7) {
            for cell in 0..16 {
                let with = cells | 1 << cell;
                let new = LINES.iter().any(|line| with & line == *line && cells & line != *line);
                assert_eq!(completing()[usize::from(cells)] >> cell & 1 == 1, new);
            }
        }
    }
}
