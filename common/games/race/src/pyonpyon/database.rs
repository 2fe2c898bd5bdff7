//! The strong solution of Pyonpyon shogi: the exact value of every position, computed backwards
//! from the end of the game.

use std::sync::Arc;

use hasami_database::{DatabaseError, Header, Piece, Plan, Reader, Staged, Value, Values};

use super::NoMove;
use super::number::Numbering;
use super::position::{Board, Position};
use super::row::Rows;
use hasami_game::race::{Exact, Player};
use hasami_spec::params::ParamError;

/// Marks the end of a list of moves.
const NO_MOVE: u16 = u16::MAX;

/// Computes all values of a board with `R` rows.
pub struct Solution<const R: usize> {
    numbering: Numbering<R>,
    no_move: NoMove,
    rules: String,
    facts: Vec<Facts>,
}

/// Precomputed facts about a row.
struct Facts {
    /// The row from the view of the other side.
    mirror: u16,
    /// The rows after a move from the view of the other side; unused ones at the end.
    after: [u16; 4],
    /// Whether the side to move has arrived.
    arrived: bool,
    /// Whether the other side has arrived.
    other_arrived: bool,
}

/// The best move values, for the side to move.
#[derive(Clone, Copy)]
struct Best {
    /// The fastest loss of the opponent.
    loss: u8,
    /// The slowest win of the opponent.
    win: u8,
    draw: bool,
}

impl Best {
    const NOTHING: Self = Self { loss: u8::MAX, win: 0, draw: false };

    fn take(&mut self, value: Value) {
        if value == Value::DRAW {
            self.draw = true;
        } else if value.is_win() {
            self.win = self.win.max(value.0);
        } else {
            self.loss = self.loss.min(value.0);
        }
    }

    fn value(self) -> Result<Value, DatabaseError> {
        let plies = match self {
            Self { loss, .. } if loss < u8::MAX => u32::from(loss) + 1,
            Self { draw: true, .. } => return Ok(Value::DRAW),
            Self { win, .. } => u32::from(win) + 1,
        };
        Value::decided(plies).ok_or(DatabaseError::TooLong { plies })
    }
}

impl<const R: usize> Solution<R> {
    /// Prepares the solution of boards with these rows.
    #[must_use]
    pub fn new(rows: &Rows, no_move: NoMove) -> Self {
        let facts = |number| {
            let mut after = [NO_MOVE; 4];
            for (place, (_, moved)) in after.iter_mut().zip(rows.moves(number)) {
                *place = rows.mirror(moved);
            }
            let mirror = rows.mirror(number);
            let arrived = rows.arrived(number);
            Facts { mirror, after, arrived, other_arrived: rows.arrived(mirror) }
        };
        Self {
            numbering: Numbering::new(rows),
            no_move,
            rules: rules(R as u8, rows, no_move),
            facts: (0..rows.count() as u16).map(facts).collect(),
        }
    }

    /// The numbering of its positions.
    #[must_use]
    pub fn numbering(&self) -> &Numbering<R> {
        &self.numbering
    }

    fn value(&self, rows: [u16; R], values: &Values) -> Result<Value, DatabaseError> {
        let facts = rows.map(|row| &self.facts[usize::from(row)]);
        if facts.iter().all(|facts| facts.arrived) {
            return Ok(Value::NONE);
        }
        if facts.iter().all(|facts| facts.other_arrived) {
            return Ok(Value(0));
        }
        if let Some(best) = self.best(rows, values) {
            return best.value();
        }
        match self.no_move {
            NoMove::Loses => Ok(Value(0)),
            NoMove::Draw => Ok(Value::DRAW),
            NoMove::Pass => {
                // The other side has a move, or both had arrived. Its value is looked up from
                // earlier layers, because its own is being computed.
                let turned = facts.map(|facts| facts.mirror);
                let best = self.best(turned, values).expect("a move of the other side");
                let mut passed = Best::NOTHING;
                passed.take(best.value()?);
                passed.value()
            }
        }
    }

    /// The best move, if there is one.
    #[inline]
    fn best(&self, rows: [u16; R], values: &Values) -> Option<Best> {
        let turned = rows.map(|row| self.facts[usize::from(row)].mirror);
        let mut best = Best::NOTHING;
        let mut moved = false;
        for at in 0..R {
            if at > 0 && rows[at] == rows[at - 1] {
                continue;
            }
            for &after in &self.facts[usize::from(rows[at])].after {
                if after == NO_MOVE {
                    break;
                }
                moved = true;
                let mut next = turned;
                next[at] = after;
                best.take(values.get(self.numbering.number(next)));
            }
        }
        moved.then_some(best)
    }
}

/// The canonical spelling of the rules of a database.
fn rules(height: u8, rows: &Rows, no_move: NoMove) -> String {
    let (columns, home) = (rows.columns(), rows.home());
    format!("rows={height} columns={columns} home={home} no-move={}", no_move.word())
}

impl<const R: usize> Plan for Solution<R> {
    fn header(&self) -> Header {
        Header {
            game: "pyonpyon".to_string(),
            rules: self.rules.clone(),
            values: self.numbering.count(),
        }
    }

    fn steps(&self) -> usize {
        self.numbering.layers().len()
    }

    fn final_after(&self, step: usize) -> u64 {
        self.numbering.end(step)
    }

    fn tasks(&self, step: usize) -> usize {
        self.numbering.layers()[step].len()
    }

    fn fill(&self, step: usize, task: usize, values: &Values) -> Result<(), DatabaseError> {
        let mut trouble = None;
        self.numbering.for_each(&self.numbering.layers()[step][task], |number, rows| {
            match self.value(rows, values) {
                Ok(value) => values.set(number, value),
                Err(error) => trouble = Some(error),
            }
        });
        trouble.map_or(Ok(()), Err)
    }
}

impl<const R: usize> Staged for Solution<R> {
    fn stages(&self) -> usize {
        self.steps()
    }

    /// A layer depends on earlier ones only, so every combination of classes is a piece.
    fn pieces(&self, stage: usize) -> Vec<Piece> {
        let layer = self.numbering.layers()[stage].iter().enumerate();
        layer
            .map(|(task, classes)| Piece {
                tasks: vec![(stage, task)],
                numbers: vec![self.numbering.numbers(classes)],
            })
            .collect()
    }
}

/// An open database of a board.
#[derive(Clone, Debug)]
pub struct Database {
    board: Arc<Board>,
    no_move: NoMove,
    numbering: AnyNumbering,
    reader: Arc<Reader>,
}

#[derive(Clone, Debug)]
enum AnyNumbering {
    One(Arc<Numbering<1>>),
    Two(Arc<Numbering<2>>),
    Three(Arc<Numbering<3>>),
}

/// Most rows of a database.
pub const MAX_ROWS: u8 = 3;

impl Database {
    /// Opens the database in `reader` for this board and this rule.
    ///
    /// # Errors
    /// If it is about something else.
    pub fn new(board: &Board, no_move: NoMove, reader: Reader) -> Result<Self, ParamError> {
        let expected = rules(board.height, &board.rows, no_move);
        let found = reader.header();
        if found.game != "pyonpyon" || found.rules != expected || board.height > MAX_ROWS {
            let found = format!("{} {}", found.game, found.rules);
            return Err(ParamError::bad("database", found, format!("pyonpyon {expected}")));
        }
        let numbering = match board.height {
            1 => AnyNumbering::One(Arc::new(Numbering::new(&board.rows))),
            2 => AnyNumbering::Two(Arc::new(Numbering::new(&board.rows))),
            _ => AnyNumbering::Three(Arc::new(Numbering::new(&board.rows))),
        };
        Ok(Self { board: Arc::new(board.clone()), no_move, numbering, reader: Arc::new(reader) })
    }

    /// What happens to a player without a move.
    #[must_use]
    pub fn no_move(&self) -> NoMove {
        self.no_move
    }

    /// The game and its rules.
    #[must_use]
    pub fn about(&self) -> String {
        let header = self.reader.header();
        format!("{} {}", header.game, header.rules)
    }

    /// The BLAKE3 hash of the file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn checksum(&self) -> Result<String, DatabaseError> {
        self.reader.checksum()
    }

    /// The number of indices: 1,540 more than positions on the whole board.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.reader.header().values
    }

    /// The position with this number, the first player to move, and its value: for drawing
    /// positions by value. `None` if the first player has already won.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn nth(&self, number: u64) -> Result<Option<(Position, Exact)>, DatabaseError> {
        let mut rows = [0; super::position::MAX_ROWS];
        let found = match &self.numbering {
            AnyNumbering::One(numbering) => {
                numbering.rows(number).map(|found| rows[..1].copy_from_slice(&found))
            }
            AnyNumbering::Two(numbering) => {
                numbering.rows(number).map(|found| rows[..2].copy_from_slice(&found))
            }
            AnyNumbering::Three(numbering) => {
                numbering.rows(number).map(|found| rows[..3].copy_from_slice(&found))
            }
        };
        let value = Exact::from_value(self.reader.value(number)?);
        let position = Position { rows, mover: Player::First, left: None };
        Ok(found.and(value).map(|value| (position, value)))
    }

    /// The exact value of a position for its side to move; `None` if that side has already won.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn value(&self, position: &Position) -> Result<Option<Exact>, DatabaseError> {
        let [a, b, c, _] = self.board.seen_by(position, position.mover);
        let number = match &self.numbering {
            AnyNumbering::One(numbering) => numbering.number([a]),
            AnyNumbering::Two(numbering) => numbering.number([a, b]),
            AnyNumbering::Three(numbering) => numbering.number([a, b, c]),
        };
        Ok(Exact::from_value(self.reader.value(number)?))
    }
}
