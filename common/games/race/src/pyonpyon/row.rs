//! One row of the board. Pieces never leave their row, so a row has few states. Each has a number,
//! which makes moves, mirror image and progress table lookups.
//!
//! Rows are numbered by decreasing progress, so a database that processes the numbers from 0 meets
//! every row after those that it can become.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// A row of the board: the cells of each player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Cells of the first player's pieces, which move to higher bits.
    pub first: u16,
    /// Cells of the second player's pieces.
    pub second: u16,
}

/// All rows of one width, with everything the rules need of them.
#[derive(Clone, Debug)]
pub struct Rows {
    columns: u8,
    home: u8,
    rows: Vec<Row>,
    /// Steps made by all pieces of a row.
    progress: Vec<u8>,
    /// The row from the other side: reversed, with the sides swapped.
    mirror: Vec<u16>,
    /// Moves of the first player: the column, and the row after it. Each row has `home` slots;
    /// unused ones at the end hold `NO_MOVE`.
    moves: Vec<(u8, u16)>,
    /// Whether all of the first player's pieces are at their goal.
    arrived: Vec<bool>,
    /// Moves that the first player needs to arrive if the second makes way as well as it can.
    needed: Vec<u16>,
    /// Row numbers by pieces, sorted: an array indexed by `second << columns | first` is far too
    /// sparse.
    numbers: Vec<(u32, u16)>,
}

/// Marks the end of a list of moves.
const NO_MOVE: (u8, u16) = (u8::MAX, u16::MAX);

impl Rows {
    /// All rows with `columns` cells and `home` pieces of each side. `columns` is at most 12 and
    /// more than two homes, so there are at most 34,650 rows.
    #[must_use]
    pub fn new(columns: u8, home: u8) -> Self {
        // Generators make thousands of games on one board: copying is much faster than computing.
        static MADE: Mutex<BTreeMap<(u8, u8), Rows>> = Mutex::new(BTreeMap::new());
        match MADE.lock() {
            Ok(mut made) => {
                made.entry((columns, home)).or_insert_with(|| Self::computed(columns, home)).clone()
            }
            // A thread panicked while it computed rows, because the size was out of range.
            Err(_) => Self::computed(columns, home),
        }
    }

    fn computed(columns: u8, home: u8) -> Self {
        assert!((1..=12).contains(&columns) && home >= 1 && columns > 2 * home, "a known size");
        let of_home = |cells: &u16| cells.count_ones() == u32::from(home);
        let all: Vec<u16> = (0..1u16 << columns).filter(of_home).collect();
        let mut rows = Vec::new();
        for &first in &all {
            let free = all.iter().filter(|&&second| first & second == 0);
            rows.extend(free.map(|&second| Row { first, second }));
        }
        let steps = |row: &Row| progress(*row, columns, home);
        rows.sort_by_key(|row| (std::cmp::Reverse(steps(row)), row.first, row.second));
        let mut numbers: Vec<(u32, u16)> =
            rows.iter().zip(0..).map(|(row, number)| (name(*row), number)).collect();
        numbers.sort_unstable();
        let mut table = Self {
            columns,
            home,
            progress: rows.iter().map(steps).collect(),
            mirror: Vec::new(),
            moves: Vec::new(),
            arrived: Vec::new(),
            needed: Vec::new(),
            rows,
            numbers,
        };
        let goal = ((1 << home) - 1) << (columns - home);
        table.arrived = table.rows.iter().map(|row| row.first == goal).collect();
        table.mirror = table.rows.iter().map(|row| table.known(row.mirrored(columns))).collect();
        for row in &table.rows {
            let mut moves: Vec<(u8, u16)> = (0..columns)
                .filter_map(|column| Some((column, row.moved(column, columns)?)))
                .map(|(column, after)| (column, table.known(after)))
                .collect();
            moves.resize(usize::from(home), NO_MOVE);
            table.moves.extend(moves);
        }
        for number in 0..table.rows.len() as u16 {
            let needed = table.moves_to_arrive(number);
            table.needed.push(needed);
        }
        table
    }

    /// From rows with more progress, which are known already.
    fn moves_to_arrive(&self, number: u16) -> u16 {
        if self.arrived(number) {
            return 0;
        }
        let own = self.moves(number).map(|(_, after)| self.needed(after).saturating_add(1));
        let other =
            self.moves(self.mirror(number)).map(|(_, after)| self.needed(self.mirror(after)));
        own.chain(other).min().unwrap_or(u16::MAX)
    }

    /// The number of rows.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The number of cells of a row.
    #[must_use]
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The number of pieces of each side in a row.
    #[must_use]
    pub fn home(&self) -> u8 {
        self.home
    }

    /// The number of a row, if it has the right number of pieces.
    #[must_use]
    pub fn number(&self, row: Row) -> Option<u16> {
        let found = self.numbers.binary_search_by_key(&name(row), |&(name, _)| name);
        found.ok().map(|at| self.numbers[at].1)
    }

    fn known(&self, row: Row) -> u16 {
        self.number(row).expect("a row of this width")
    }

    /// The pieces of row `number`.
    #[must_use]
    pub fn row(&self, number: u16) -> Row {
        self.rows[usize::from(number)]
    }

    /// The row from the view of the other side.
    #[must_use]
    pub fn mirror(&self, number: u16) -> u16 {
        self.mirror[usize::from(number)]
    }

    /// Whether all pieces of the first player are in the last columns.
    #[must_use]
    pub fn arrived(&self, number: u16) -> bool {
        self.arrived[usize::from(number)]
    }

    /// Lower bound on the first player's moves, even if the second makes way; `u16::MAX` if no
    /// number is enough.
    #[must_use]
    pub fn needed(&self, number: u16) -> u16 {
        self.needed[usize::from(number)]
    }

    /// Steps that all pieces of the row have made.
    #[must_use]
    pub fn progress(&self, number: u16) -> u8 {
        self.progress[usize::from(number)]
    }

    /// The first player's moves: the column, and the number of the row after it.
    pub fn moves(&self, number: u16) -> impl Iterator<Item = (u8, u16)> + '_ {
        let home = usize::from(self.home);
        let from = usize::from(number) * home;
        self.moves[from..from + home].iter().copied().take_while(|&mv| mv != NO_MOVE)
    }
}

impl Row {
    /// The row after the first player's piece on `column` has moved, if it can.
    fn moved(self, column: u8, columns: u8) -> Option<Self> {
        let piece = 1u16 << column;
        if self.first & piece == 0 {
            return None;
        }
        let taken = self.first | self.second;
        let to = (column + 1..columns).find(|&to| taken & 1 << to == 0)?;
        Some(Self { first: self.first & !piece | 1 << to, ..self })
    }

    /// Reversed, with the sides swapped.
    fn mirrored(self, columns: u8) -> Self {
        let turned = |cells: u16| cells.reverse_bits() >> (16 - columns);
        Self { first: turned(self.second), second: turned(self.first) }
    }
}

fn name(row: Row) -> u32 {
    u32::from(row.first) << 16 | u32::from(row.second)
}

fn progress(row: Row, columns: u8, home: u8) -> u8 {
    let reached = |cells: u16| (0..columns).filter(|&at| cells & 1 << at != 0).sum::<u8>();
    let begun = home * (home - 1) / 2;
    reached(row.first) + reached(row.mirrored(columns).first) - 2 * begun
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_nine_has_1680_states_from_start_to_end() {
        let rows = Rows::new(9, 3);
        assert_eq!(rows.count(), 1680);
        assert_eq!(rows.progress(0), 36);
        assert!(rows.arrived(0) && rows.arrived(rows.mirror(0)));
        let start = Row { first: 0b111, second: 0b1_1100_0000 };
        assert_eq!(rows.number(start), Some(1679));
        assert_eq!(rows.progress(1679), 0);
        assert_eq!(rows.number(Row { first: 0b11, second: 0b1_1100_0000 }), None);
        // Twenty rows for each placement of the other side's pieces.
        assert_eq!((0..1680).filter(|&row| rows.arrived(row)).count(), 20);
    }

    #[test]
    fn moves_jump_over_everybody_and_never_off_the_board() {
        let rows = Rows::new(9, 3);
        for number in 0..1680 {
            assert_eq!(rows.mirror(rows.mirror(number)), number);
            assert_eq!(rows.progress(rows.mirror(number)), rows.progress(number));
            let row = rows.row(number);
            assert_eq!(rows.number(row), Some(number));
            for (column, after) in rows.moves(number) {
                assert!(after < number, "progress grows, so numbers fall");
                let moved = rows.row(after);
                assert_eq!(moved.second, row.second);
                let to = (moved.first & !row.first).trailing_zeros();
                assert_eq!(row.first & !moved.first, 1 << column);
                let between =
                    (u32::from(column) + 1..to).all(|at| (row.first | row.second) & 1 << at != 0);
                assert!(between && to > u32::from(column));
            }
        }
    }
}
