//! Proves values by a table: parts with their values or bounds, each checked from its moves and the
//! lines before it. `docs/certificates-values.md` has the rule and its proof.
//!
//! A part is worth at least `a` if `a` is the value of the game of these moves (its territory, if
//! neither player gains by any of them): Black's moves to sums with known lower bounds, and White's
//! moves, except those that Black answers with at least `a`. Such a move is no better than `a` for
//! White, so it changes nothing (the gift horse principle). Upper bounds are the mirror image; a
//! value is both. Every line rests on earlier ones alone, so nothing is circular, whatever else play
//! might do. Territory that certainly belongs to one colour needs no line.
//!
//! This shares the rules of the board and of counting with the search for values; the parts, their
//! normal forms and the pruning are computed here by other means.

use std::collections::HashMap;

use hasami_cgt::{Games, Value};

use super::board::{Board, Cell, Colour, Played, Point, Suicide};
use super::territory::territory;
use super::value::Unvalued;

/// What a line claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// The part is worth the value.
    Value,
    /// It is worth at least the value.
    Least,
    /// It is worth at most the value.
    Most,
}

/// A line of a table: a part, in any orientation, and its value or a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is claimed.
    pub claimed: Claimed,
    /// The part with its walls.
    pub board: Board,
    /// Its value.
    pub value: Value,
}

/// What is known of a part or a board.
#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    low: Option<Value>,
    high: Option<Value>,
}

impl Bounds {
    fn exactly(value: Value) -> Self {
        Self { low: Some(value), high: Some(value) }
    }

    fn value(self) -> Option<Value> {
        self.low.filter(|_| self.low == self.high)
    }

    /// The lower bound for side 0, Black, and the upper one for White.
    fn of(self, side: usize) -> Option<Value> {
        if side == 0 { self.low } else { self.high }
    }
}

/// A part with a line.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    bounds: Bounds,
    /// The lines that the bounds are from.
    lines: [usize; 2],
}

/// A move of a part, and what is known of the board after it.
struct Move {
    point: Point,
    played: Played,
    after: Bounds,
}

/// The lines of a table that hold.
#[derive(Debug)]
pub struct Table {
    /// By the least of the sixteen orientations.
    known: HashMap<Board, Known>,
    suicide: Suicide,
    lines: usize,
    /// The lines that were looked up since the last one was added.
    used: Vec<usize>,
}

/// Why a line does not hold.
pub type Refused = &'static str;

impl Table {
    /// Without any line.
    #[must_use]
    pub fn new(suicide: Suicide) -> Self {
        Self { known: HashMap::new(), suicide, lines: 0, used: Vec::new() }
    }

    /// Checks a line, and adds it if it holds: then these are the lines that it rests on.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn add(
        &mut self,
        games: &mut Games,
        line: &Line,
    ) -> Result<Result<Vec<usize>, Refused>, Unvalued> {
        let found = pieces(&line.board);
        let [piece] = &found[..] else { return Ok(Err("it is not one part")) };
        self.used.clear();
        if let Err(why) = self.follows(games, piece, line.claimed, line.value)? {
            return Ok(Err(why));
        }
        let (normal, negative) = least(piece);
        let value = if negative { neg(games, line.value)? } else { line.value };
        let known = self.known.entry(normal).or_default();
        let [mut low, mut high] = [line.claimed != Claimed::Most, line.claimed != Claimed::Least];
        if negative {
            (low, high) = (high, low);
        }
        if low {
            known.bounds.low = Some(value);
            known.lines[0] = self.lines;
        }
        if high {
            known.bounds.high = Some(value);
            known.lines[1] = self.lines;
        }
        self.lines += 1;
        Ok(Ok(self.used_lines()))
    }

    /// The value of a board by the lines, if they give one, and the lines that it rests on.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn worth(
        &mut self,
        games: &mut Games,
        board: &Board,
    ) -> Result<Option<(Value, Vec<usize>)>, Unvalued> {
        self.used.clear();
        let value = self.bounds(games, board, 0)?.value();
        Ok(value.map(|value| (value, self.used_lines())))
    }

    fn used_lines(&mut self) -> Vec<usize> {
        self.used.sort_unstable();
        self.used.dedup();
        std::mem::take(&mut self.used)
    }

    /// Checks from the known lines whether a part has a value or bound; otherwise says why not.
    fn follows(
        &mut self,
        games: &mut Games,
        part: &Board,
        claimed: Claimed,
        value: Value,
    ) -> Result<Result<(), Refused>, Unvalued> {
        let mut moves = [Vec::new(), Vec::new()];
        for (colour, moves) in Colour::BOTH.into_iter().zip(&mut moves) {
            for point in part.empty() {
                let Ok(played) = part.play(colour, point, self.suicide) else { continue };
                let after = self.bounds(games, &played.board, played.prisoners)?;
                moves.push(Move { point, played, after });
            }
        }
        for (side, other) in [(0, Claimed::Most), (1, Claimed::Least)] {
            if claimed == other {
                continue;
            }
            let Some(bound) = self.bound(games, part, &moves, side, value)? else {
                return Ok(Err("a move of it is neither valued nor answered"));
            };
            if bound != value {
                return Ok(Err("its moves make another value"));
            }
        }
        Ok(Ok(()))
    }

    /// The lower bound that Black's known moves give (side 0), or the upper one of White; `None` if
    /// a move of the other side is neither valued nor answered.
    fn bound(
        &mut self,
        games: &mut Games,
        part: &Board,
        moves: &[Vec<Move>; 2],
        side: usize,
        value: Value,
    ) -> Result<Option<Value>, Unvalued> {
        let mut options = [Vec::new(), Vec::new()];
        options[side].extend(moves[side].iter().filter_map(|one| one.after.of(side)));
        for one in &moves[1 - side] {
            let kept = match one.after.value() {
                Some(value) => value,
                None if self.answered(games, one, side, value)? => continue,
                None => match one.after.of(side) {
                    Some(bound) => bound,
                    None => return Ok(None),
                },
            };
            options[1 - side].push(kept);
        }
        let stop = games.integer(territory(part))?;
        let mut gains = false;
        for &option in &options[0] {
            gains |= games.le(stop, option)?;
        }
        for &option in &options[1] {
            gains |= games.le(option, stop)?;
        }
        Ok(Some(if gains { games.make(&options[0], &options[1])? } else { stop }))
    }

    /// Whether this side has an answer to a move of the other that is as good as the value. Answers
    /// adjacent to the move are tried first: usually one of them does.
    fn answered(
        &mut self,
        games: &mut Games,
        to: &Move,
        side: usize,
        value: Value,
    ) -> Result<bool, Unvalued> {
        let board = &to.played.board;
        for point in board.neighbours(to.point).chain(board.empty()) {
            let Ok(played) = board.play(Colour::BOTH[side], point, self.suicide) else { continue };
            let prisoners = to.played.prisoners + played.prisoners;
            let after = self.bounds(games, &played.board, prisoners)?;
            let enough = match after.of(side) {
                None => false,
                Some(after) if side == 0 => games.le(value, after)?,
                Some(after) => games.le(after, value)?,
            };
            if enough {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The bounds of a board: the sums of those of its parts.
    fn bounds(
        &mut self,
        games: &mut Games,
        board: &Board,
        prisoners: i64,
    ) -> Result<Bounds, Unvalued> {
        let mut sum = Bounds::exactly(games.integer(prisoners)?);
        for piece in pieces(board) {
            let part = self.of_part(games, &piece)?;
            let exact = sum.value().is_some() && part.value().is_some();
            sum.low = add(games, sum.low, part.low)?;
            sum.high = if exact { sum.low } else { add(games, sum.high, part.high)? };
            if sum.low.is_none() && sum.high.is_none() {
                break;
            }
        }
        Ok(sum)
    }

    fn of_part(&mut self, games: &mut Games, piece: &Board) -> Result<Bounds, Unvalued> {
        if let Some(points) = certain(piece) {
            return Ok(Bounds::exactly(games.integer(points)?));
        }
        let (normal, negative) = least(piece);
        let Some(&Known { bounds, lines }) = self.known.get(&normal) else {
            return Ok(Bounds::default());
        };
        for (bound, line) in [bounds.low, bounds.high].into_iter().zip(lines) {
            self.used.extend(bound.map(|_| line));
        }
        if !negative {
            return Ok(bounds);
        }
        let low = bounds.high.map(|value| neg(games, value)).transpose()?;
        let high = bounds.low.map(|value| neg(games, value)).transpose()?;
        Ok(Bounds { low, high })
    }
}

fn add(
    games: &mut Games,
    sum: Option<Value>,
    part: Option<Value>,
) -> Result<Option<Value>, Unvalued> {
    match (sum, part) {
        (Some(sum), Some(part)) => Ok(Some(games.add(sum, part)?)),
        _ => Ok(None),
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
