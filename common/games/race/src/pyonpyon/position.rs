//! Positions: rows by their numbers and the side to move. Written as
//! `GG.SS.G.S/GGG...SSS/GGG...SSS:first`: `S` for the first player, who moves right, `G` for the
//! second, `.` for an empty cell, and the side to move (first by default).

use super::row::{Row, Rows};
use hasami_game::race::{Player, split_mover};
use hasami_spec::params::ParamError;

/// Most rows of a board.
pub const MAX_ROWS: usize = 4;

/// A position, with the number of plies left if they are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Numbers of the rows from the top, in [`Rows`]; 0 beyond the last.
    pub rows: [u16; MAX_ROWS],
    /// The side to move.
    pub mover: Player,
    /// Plies left.
    pub left: Option<u16>,
}

/// A board: its height, and all possible rows.
#[derive(Clone, Debug)]
pub struct Board {
    /// The rows of its width.
    pub rows: Rows,
    /// Number of rows of the board.
    pub height: u8,
}

impl Board {
    /// The rows of a position that the board has.
    #[must_use]
    pub fn used<'a>(&self, position: &'a Position) -> &'a [u16] {
        &position.rows[..usize::from(self.height)]
    }

    /// The rows from the view of `player`: own pieces move right.
    #[must_use]
    pub fn seen_by(&self, position: &Position, player: Player) -> [u16; MAX_ROWS] {
        let mut rows = position.rows;
        if player == Player::Second {
            let used = &mut rows[..usize::from(self.height)];
            used.iter_mut().for_each(|row| *row = self.rows.mirror(*row));
        }
        rows
    }

    /// The same, sorted: rows are interchangeable.
    #[must_use]
    pub fn sorted_for(&self, position: &Position, player: Player) -> [u16; MAX_ROWS] {
        let mut rows = self.seen_by(position, player);
        rows[..usize::from(self.height)].sort_unstable();
        rows
    }

    /// Whether all pieces of `player` are at their goal.
    #[must_use]
    pub fn arrived(&self, position: &Position, player: Player) -> bool {
        let rows = self.seen_by(position, player);
        rows[..usize::from(self.height)].iter().all(|&row| self.rows.arrived(row))
    }

    /// The starting position.
    #[must_use]
    pub fn start(&self) -> Position {
        let last = self.rows.count() as u16 - 1;
        let mut rows = [0; MAX_ROWS];
        rows[..usize::from(self.height)].fill(last);
        Position { rows, mover: Player::First, left: None }
    }

    /// The cells of the board, rows joined by `between`.
    #[must_use]
    pub fn draw(&self, position: &Position, between: &str) -> String {
        let lines: Vec<String> = self
            .used(position)
            .iter()
            .map(|&number| {
                let row = self.rows.row(number);
                (0..self.rows.columns())
                    .map(|column| match 1 << column {
                        bit if row.first & bit != 0 => 'S',
                        bit if row.second & bit != 0 => 'G',
                        _ => '.',
                    })
                    .collect()
            })
            .collect();
        lines.join(between)
    }

    /// The canonical spelling of a position.
    #[must_use]
    pub fn spell(&self, position: &Position) -> String {
        format!("{}:{}", self.draw(position, "/"), position.mover.word())
    }

    /// Parses a position; `start` is the starting position.
    ///
    /// # Errors
    /// Says which row and column is wrong and what was expected there.
    pub fn parse(&self, text: &str) -> Result<Position, ParamError> {
        let (cells, mover) =
            read_cells(text, (self.height, self.rows.columns(), self.rows.home()))?;
        let Some(cells) = cells else { return Ok(Position { mover, ..self.start() }) };
        let mut rows = [0; MAX_ROWS];
        for (row, cells) in rows.iter_mut().zip(cells) {
            *row = self.rows.number(cells).expect("a number for every row of checked cells");
        }
        Ok(Position { rows, mover, left: None })
    }
}

/// Parses the rows of a position on a board with these numbers of rows, columns and home columns,
/// without building the board; `None` for `start`.
///
/// # Errors
/// Says which row and column is wrong and what was expected there.
pub(super) fn read_cells(
    text: &str,
    (height, columns, home): (u8, u8, u8),
) -> Result<(Option<Vec<Row>>, Player), ParamError> {
    let bad = |expected: String| ParamError::bad("position", text, expected);
    let (board, mover) = split_mover(text)?;
    if board == "start" {
        return Ok((None, mover));
    }
    let lines: Vec<&str> = board.split('/').collect();
    if lines.len() != usize::from(height) {
        let found = lines.len();
        return Err(bad(format!("start, or {height} rows with / between them, not {found}")));
    }
    let rows = lines.iter().enumerate().map(|(at, line)| {
        read_row(line, columns, home).map_err(|what| bad(format!("{what} in row {}", at + 1)))
    });
    let rows = rows.collect::<Result<Vec<Row>, _>>()?;
    let near = (1u16 << home) - 1;
    let arrived = rows.iter().all(|row| match mover {
        Player::First => row.first == near << (columns - home),
        Player::Second => row.second == near,
    });
    if arrived {
        let mover = mover.word();
        return Err(bad(format!("a game that goes on: the {mover} player has won already")));
    }
    Ok((Some(rows), mover))
}

/// Parses a row; the error says what was expected.
fn read_row(line: &str, columns: u8, home: u8) -> Result<Row, String> {
    let found = line.chars().count();
    if found != usize::from(columns) {
        return Err(format!("{columns} cells, not {found},"));
    }
    let mut row = Row { first: 0, second: 0 };
    for (column, cell) in line.chars().enumerate() {
        match cell {
            'S' => row.first |= 1 << column,
            'G' => row.second |= 1 << column,
            '.' => {}
            _ => return Err(format!("S, G or . in column {}, not {cell:?},", column + 1)),
        }
    }
    let (first, second) = (row.first.count_ones(), row.second.count_ones());
    if (first, second) != (home.into(), home.into()) {
        return Err(format!(
            "{home} S and {home} G (pieces stay in their row), not {first} and {second},"
        ));
    }
    Ok(row)
}
