//! Proves a value by a table: parts with their values, each checked from its moves and the lines
//! before it.
//!
//! A part P has the value v if, with K the moves to sums of parts of earlier lines,
//! - the game of the moves in K has the value v (its territory, if neither player gains by any of
//!   them), and
//! - every other move has an answer to a sum of parts of earlier lines that is at most v, for a move of Black,
//!   or at least v, for one of White.
//!
//! Such a move is no better than v for the player who makes it, so it changes nothing (the gift
//! horse principle). Every line rests on earlier ones alone, so nothing is circular, whatever else
//! play might do. Territory that certainly belongs to one colour needs no line (`go/secure.rs` has
//! the proof).
//!
//! This shares the rules of the board and of counting with the search for values; the parts, their
//! normal forms and the pruning are computed here by other means.

use std::collections::HashMap;

use hasami_cgt::{Games, Value};

use super::board::{Board, Cell, Colour, Played, Point, Suicide};
use super::territory::territory;
use super::value::Unvalued;

/// A line of a table: a part, in any orientation, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The part with its walls.
    pub board: Board,
    /// Its value.
    pub value: Value,
}

/// Why a table is not a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A line does not follow from those before it.
    #[error("line {line} of its table does not follow from the lines before: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// The reason.
        why: &'static str,
    },
    /// The lines do not give the value.
    #[error("its table does not give the value: {why}")]
    Sum {
        /// The reason.
        why: &'static str,
    },
    /// A limit is reached.
    #[error(transparent)]
    Unvalued(#[from] Unvalued),
}

/// Checks that a board has a value, by a table of parts.
///
/// # Errors
/// If some line does not follow, or the lines do not give the value.
pub fn check_table(
    games: &mut Games,
    board: &Board,
    value: Value,
    lines: &[Line],
    suicide: Suicide,
) -> Result<(), TableError> {
    let mut checked = Checked { known: HashMap::new(), suicide };
    for (at, line) in lines.iter().enumerate() {
        let refused = |why| TableError::Line { line: at + 1, why };
        let found = pieces(&line.board);
        let [piece] = &found[..] else { return Err(refused("it is not one part")) };
        checked.follows(games, piece, line.value)?.map_err(refused)?;
        let (normal, negative) = least(piece);
        let value = if negative { neg(games, line.value)? } else { line.value };
        checked.known.insert(normal, value);
    }
    match checked.sum(games, board, 0)? {
        None => Err(TableError::Sum { why: "a part of the board is missing" }),
        Some(sum) if sum == value => Ok(()),
        Some(_) => Err(TableError::Sum { why: "the sum of its parts is another" }),
    }
}

struct Checked {
    /// By the least of the sixteen orientations.
    known: HashMap<Board, Value>,
    suicide: Suicide,
}

impl Checked {
    /// Checks from the known lines whether a part has a value; otherwise says why not.
    fn follows(
        &self,
        games: &mut Games,
        part: &Board,
        value: Value,
    ) -> Result<Result<(), &'static str>, Unvalued> {
        let mut options = [Vec::new(), Vec::new()];
        for (side, colour) in Colour::BOTH.into_iter().enumerate() {
            for point in part.empty() {
                let Ok(played) = part.play(colour, point, self.suicide) else { continue };
                match self.sum(games, &played.board, played.prisoners)? {
                    Some(after) => options[side].push(after),
                    None => {
                        if !self.answered(games, &played, point, colour, value)? {
                            return Ok(Err("a move of it is neither valued nor answered"));
                        }
                    }
                }
            }
        }
        let stop = games.integer(territory(part))?;
        let mut gains = false;
        for &option in &options[0] {
            gains |= games.le(stop, option)?;
        }
        for &option in &options[1] {
            gains |= games.le(option, stop)?;
        }
        let found = if gains { games.make(&options[0], &options[1])? } else { stop };
        Ok(if found == value { Ok(()) } else { Err("its moves make another value") })
    }

    /// Whether the other side has an answer that leaves no more than the value. Answers adjacent to
    /// the move are tried first: usually one of them does.
    fn answered(
        &self,
        games: &mut Games,
        to: &Played,
        at: Point,
        colour: Colour,
        value: Value,
    ) -> Result<bool, Unvalued> {
        for point in to.board.neighbours(at).chain(to.board.empty()) {
            let Ok(played) = to.board.play(colour.other(), point, self.suicide) else { continue };
            let prisoners = to.prisoners + played.prisoners;
            let Some(after) = self.sum(games, &played.board, prisoners)? else { continue };
            let enough = match colour {
                Colour::Black => games.le(after, value)?,
                Colour::White => games.le(value, after)?,
            };
            if enough {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The value of a board, if all its parts are known.
    fn sum(
        &self,
        games: &mut Games,
        board: &Board,
        prisoners: i64,
    ) -> Result<Option<Value>, Unvalued> {
        let mut sum = games.integer(prisoners)?;
        for piece in pieces(board) {
            let value = match certain(&piece) {
                Some(points) => games.integer(points)?,
                None => {
                    let (normal, negative) = least(&piece);
                    match self.known.get(&normal) {
                        None => return Ok(None),
                        Some(&value) if negative => neg(games, value)?,
                        Some(&value) => value,
                    }
                }
            };
            sum = games.add(sum, value)?;
        }
        Ok(Some(sum))
    }
}

fn neg(games: &mut Games, value: Value) -> Result<Value, Unvalued> {
    Ok(games.neg(value)?)
}

/// The parts of a board by colouring: every open point gets the least number of the open points it
/// is connected to, until nothing changes. A stone connected to an immortal one is immortal.
fn pieces(board: &Board) -> Vec<Board> {
    let mut board = board.clone();
    let all = board.cells().len();
    let mut changed = true;
    while changed {
        changed = false;
        for point in 0..all {
            if let Cell::Stone(colour) = board.at(point)
                && board.neighbours(point).any(|near| board.at(near) == Cell::Wall(colour))
            {
                board.set(point, Cell::Wall(colour));
                changed = true;
            }
        }
    }
    let mut colours: Vec<Point> = (0..all).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for point in (0..all).filter(|&point| board.at(point).is_open()) {
            for near in board.neighbours(point).filter(|&near| board.at(near).is_open()) {
                if colours[near] < colours[point] {
                    colours[point] = colours[near];
                    changed = true;
                }
            }
        }
    }
    let firsts = (0..all).filter(|&point| board.at(point).is_open() && colours[point] == point);
    firsts.map(|first| alone(&board, |point| colours[point] == first)).collect()
}

/// The open points that belong, and the walls adjacent to them, in the smallest box.
fn alone(board: &Board, belongs: impl Fn(Point) -> bool) -> Board {
    let (rows, columns) = (board.rows(), board.columns());
    let inside = |point: Point| board.at(point).is_open() && belongs(point);
    let kept = |point: Point| match board.at(point) {
        Cell::Wall(_) => board.neighbours(point).any(inside),
        _ => inside(point),
    };
    let in_row = |row: &usize| (0..columns).any(|column| kept(row * columns + column));
    let in_column = |column: &usize| (0..rows).any(|row| kept(row * columns + column));
    let top = (0..rows).find(in_row).unwrap_or(0);
    let bottom = (0..rows).rfind(in_row).unwrap_or(0);
    let left = (0..columns).find(in_column).unwrap_or(0);
    let right = (0..columns).rfind(in_column).unwrap_or(0);
    let mut cells = Vec::new();
    for at in top..=bottom {
        for point in (left..=right).map(|column| at * columns + column) {
            cells.push(if kept(point) { board.at(point) } else { Cell::Outside });
        }
    }
    Board::new(right - left + 1, cells)
}

/// The least orientation of a part and of its negative, and whether that is the negative.
fn least(part: &Board) -> (Board, bool) {
    let mut best: Option<(Board, bool)> = None;
    for negative in [false, true] {
        let mut turned = if negative { part.reversed() } else { part.clone() };
        for turn in 0..8 {
            turned = if turn == 4 { mirrored(&turned) } else { quarter(&turned) };
            if best.as_ref().is_none_or(|(board, _)| turned < *board) {
                best = Some((turned.clone(), negative));
            }
        }
    }
    best.expect("sixteen positions")
}

/// The board rotated by a quarter turn.
fn quarter(board: &Board) -> Board {
    let (rows, columns) = (board.rows(), board.columns());
    let cells = (0..columns).flat_map(|column| {
        (0..rows).rev().map(move |row| row * columns + column).collect::<Vec<_>>()
    });
    Board::new(rows, cells.map(|point| board.at(point)).collect())
}

fn mirrored(board: &Board) -> Board {
    let rows = board.cells().chunks(board.columns());
    Board::new(board.columns(), rows.flat_map(|row| row.iter().rev().copied()).collect())
}

/// Territory in which every point touches a wall of one colour and none of the other, without a
/// stone of that colour: one point for each place, two for each dead stone.
fn certain(part: &Board) -> Option<i64> {
    let open = || (0..part.cells().len()).filter(|&point| part.at(point).is_open());
    let walls: Vec<Colour> = (part.cells().iter())
        .filter_map(|cell| if let Cell::Wall(colour) = cell { Some(*colour) } else { None })
        .collect();
    let owner = *walls.first()?;
    let touches = |point| part.neighbours(point).any(|near| part.at(near) == Cell::Wall(owner));
    let sound = walls.iter().all(|&colour| colour == owner)
        && open().all(|point| part.at(point) != Cell::Stone(owner) && touches(point));
    let worth = |point| if part.at(point) == Cell::Empty { 1 } else { 2 };
    sound.then(|| owner.sign() * open().map(worth).sum::<i64>())
}
