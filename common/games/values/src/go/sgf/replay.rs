//! Replays the nodes of a record on a board.

use std::collections::HashSet;

use sgf_parse::go::{self, Move, Prop};
use sgf_parse::{Color, SgfNode};

use super::super::board::{Board, Cell, Colour, Illegal, Point, Suicide};
use super::{NodeFault, SgfPosition};

/// SGF names points with one letter for each coordinate: a to z, then A to Z.
const MAX_SIZE: u8 = 52;
/// Boards up to this size may write a pass as `tt`.
const TT_SIZE: usize = 19;

/// A record replayed up to some node.
pub(super) struct Replay {
    board: Board,
    suicide: Suicide,
    komi: Option<f64>,
    handicap: i64,
    prisoners: [usize; 2],
    ko: Option<Point>,
    /// From the last move or `PL`.
    to_move: Option<Colour>,
    /// Whether it comes from `PL` of the last node.
    declared: bool,
}

impl Replay {
    /// The empty board that the root describes.
    pub fn new(root: &SgfNode<Prop>, suicide: Suicide) -> Result<Self, NodeFault> {
        let (columns, rows) = match root.get_property("SZ") {
            None => (19, 19),
            Some(Prop::SZ((columns, rows)))
                if (1..=MAX_SIZE).contains(columns) && (1..=MAX_SIZE).contains(rows) =>
            {
                (usize::from(*columns), usize::from(*rows))
            }
            Some(other) => {
                let expected = format!("SZ[N] or SZ[COLUMNS:ROWS], each from 1 to {MAX_SIZE}");
                return Err(wrong(other, expected));
            }
        };
        let own_rules = match root.get_property("RU") {
            Some(Prop::RU(rules)) => rules.text.trim().to_ascii_lowercase(),
            _ => String::new(),
        };
        let suicide = match own_rules.as_str() {
            "nz" | "goe" => Suicide::Allowed,
            _ => suicide,
        };
        Ok(Self {
            board: Board::new(columns, vec![Cell::Empty; columns * rows]),
            suicide,
            komi: komi(root)?,
            handicap: handicap(root)?,
            prisoners: [0, 0],
            ko: None,
            to_move: None,
            declared: false,
        })
    }

    /// Sets up the stones of a node and plays its move.
    pub fn node(&mut self, node: &SgfNode<Prop>) -> Result<(), NodeFault> {
        self.declared = false;
        self.set_up(node)?;
        let allowed = node.properties().any(|property| *property == Prop::KO);
        let mut moves = node.properties().filter_map(move_of);
        let Some(first) = moves.next() else { return Ok(()) };
        if moves.next().is_some() {
            return Err(NodeFault::TwoMoves);
        }
        match first {
            (colour, Ok(Some(point))) => self.play(colour, point, allowed)?,
            (colour, Ok(None)) => self.pass(colour),
            (_, Err(property)) => return Err(self.no_point(property)),
        }
        Ok(())
    }

    fn set_up(&mut self, node: &SgfNode<Prop>) -> Result<(), NodeFault> {
        let mut changed = HashSet::new();
        for property in node.properties() {
            let (cell, points) = match property {
                Prop::AB(points) => (Cell::Stone(Colour::Black), points),
                Prop::AW(points) => (Cell::Stone(Colour::White), points),
                Prop::AE(points) => (Cell::Empty, points),
                Prop::PL(colour) => {
                    self.to_move = Some(match colour {
                        Color::Black => Colour::Black,
                        Color::White => Colour::White,
                    });
                    self.declared = true;
                    continue;
                }
                Prop::Invalid(name, _) if matches!(name.as_str(), "AB" | "AW" | "AE") => {
                    return Err(self.no_point(property));
                }
                Prop::Invalid(name, _) if name == "PL" => {
                    return Err(wrong(property, "PL[B] or PL[W]".to_string()));
                }
                _ => continue,
            };
            for &point in points {
                let place = self.point(point).ok_or_else(|| self.no_point(property))?;
                if !changed.insert(place) {
                    let found = format!("the point {} twice", self.name(place));
                    let expected = "each point once in the set-up of a node".to_string();
                    return Err(NodeFault::Property { found, expected });
                }
                self.board.set(place, cell);
            }
        }
        if !changed.is_empty() {
            self.ko = None;
            if let Some(point) = self.board.choked() {
                return Err(NodeFault::NoLiberty(self.name(point)));
            }
        }
        Ok(())
    }

    fn pass(&mut self, colour: Colour) {
        self.ko = None;
        self.moved(colour);
    }

    fn play(&mut self, colour: Colour, point: go::Point, allowed: bool) -> Result<(), NodeFault> {
        let Some(place) = self.point(point) else {
            // Old records write a pass as a point outside of the board.
            let small = self.board.columns() <= TT_SIZE && self.board.rows() <= TT_SIZE;
            if small && (point.x, point.y) == (19, 19) {
                self.pass(colour);
                return Ok(());
            }
            return Err(self.no_point(&match colour {
                Colour::Black => Prop::B(Move::Move(point)),
                Colour::White => Prop::W(Move::Move(point)),
            }));
        };
        let illegal = |reason| NodeFault::Illegal { colour, point: self.name(place), reason };
        if self.ko == Some(place) && !allowed && self.to_move == Some(colour) {
            return Err(illegal("it retakes a ko at once"));
        }
        let played = self.board.play(colour, place, self.suicide).map_err(|fault| match fault {
            Illegal::NotEmpty => illegal("there is a stone"),
            Illegal::Suicide => illegal("the stone would have no liberty"),
        })?;
        self.board = played.board;
        let by_black = (played.prisoners > 0) as usize;
        self.prisoners[1 - by_black] += played.taken.len();
        self.ko = match played.taken[..] {
            [taken] if self.alone_with_one_liberty(place) => Some(taken),
            _ => None,
        };
        self.moved(colour);
        Ok(())
    }

    fn moved(&mut self, colour: Colour) {
        if !self.declared {
            self.to_move = Some(colour.other());
        }
    }

    fn alone_with_one_liberty(&self, place: Point) -> bool {
        let empty = self.board.neighbours(place).filter(|&next| self.board.at(next) == Cell::Empty);
        empty.count() == 1 && self.board.chain(place).len() == 1
    }

    /// The position; `next` plays the next move of the record.
    pub fn position(self, node: usize, last: usize, next: Option<Colour>) -> SgfPosition {
        let first = if self.handicap > 0 { Colour::White } else { Colour::Black };
        let to_move = if self.declared { self.to_move } else { next.or(self.to_move) };
        SgfPosition {
            to_move: to_move.unwrap_or(first),
            // A ko binds the player who would retake it, not one who moves twice.
            ko: self.ko.filter(|_| to_move == self.to_move),
            board: self.board,
            node,
            last,
            komi: self.komi,
            handicap: self.handicap,
            prisoners: self.prisoners,
        }
    }

    fn point(&self, point: go::Point) -> Option<Point> {
        let (column, row) = (usize::from(point.x), usize::from(point.y));
        let inside = column < self.board.columns() && row < self.board.rows();
        inside.then(|| row * self.board.columns() + column)
    }

    fn name(&self, place: Point) -> String {
        let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
        let columns = self.board.columns();
        [letters[place % columns], letters[place / columns]].iter().collect()
    }

    fn no_point(&self, property: &Prop) -> NodeFault {
        let (columns, rows) = (self.board.columns(), self.board.rows());
        wrong(property, format!("points like cd on a board of {columns} columns and {rows} rows"))
    }
}

/// The player of a node's move.
pub(super) fn mover(node: &SgfNode<Prop>) -> Option<Colour> {
    node.properties().find_map(move_of).map(|(colour, _)| colour)
}

/// A move: a point, a pass, or a property that is neither.
fn move_of(property: &Prop) -> Option<(Colour, Result<Option<go::Point>, &Prop>)> {
    let point = |played: &Move| match played {
        Move::Pass => Ok(None),
        Move::Move(point) => Ok(Some(*point)),
    };
    match property {
        Prop::B(played) => Some((Colour::Black, point(played))),
        Prop::W(played) => Some((Colour::White, point(played))),
        Prop::Invalid(name, _) if name == "B" => Some((Colour::Black, Err(property))),
        Prop::Invalid(name, _) if name == "W" => Some((Colour::White, Err(property))),
        _ => None,
    }
}

fn komi(root: &SgfNode<Prop>) -> Result<Option<f64>, NodeFault> {
    match root.get_property("KM") {
        Some(Prop::KM(komi)) if komi.is_finite() => Ok(Some(*komi)),
        Some(Prop::Invalid(_, values)) if is_blank(values) => Ok(None),
        Some(other) => Err(wrong(other, "a number like KM[6.5]".to_string())),
        None => Ok(None),
    }
}

/// Programs also write `HA[0]` and `HA[1]`, which SGF does not define.
fn handicap(root: &SgfNode<Prop>) -> Result<i64, NodeFault> {
    match root.get_property("HA") {
        Some(Prop::HA(stones)) => Ok(*stones),
        Some(Prop::Invalid(_, values))
            if is_blank(values) || values == &["0"] || values == &["1"] =>
        {
            Ok(0)
        }
        Some(other) => Err(wrong(other, "a number like HA[2]".to_string())),
        None => Ok(0),
    }
}

fn is_blank(values: &[String]) -> bool {
    values.iter().all(|value| value.trim().is_empty())
}

fn wrong(property: &Prop, expected: String) -> NodeFault {
    let found = match property {
        Prop::Invalid(name, values) => format!("{name}[{}]", values.join("][")),
        Prop::AB(points) | Prop::AW(points) | Prop::AE(points) => {
            let name = sgf_parse::SgfProp::identifier(property);
            let mut points: Vec<String> = points.iter().map(letters).collect();
            points.sort();
            format!("{name}[{}]", points.join("]["))
        }
        Prop::B(Move::Move(point)) => format!("B[{}]", letters(point)),
        Prop::W(Move::Move(point)) => format!("W[{}]", letters(point)),
        other => other.to_string(),
    };
    NodeFault::Property { found, expected }
}

fn letters(point: &go::Point) -> String {
    let letter = |at: u8| if at < 26 { b'a' + at } else { b'A' + at - 26 };
    [letter(point.x), letter(point.y)].map(char::from).iter().collect()
}
