//! Families by name, and the spelling of their positions.

use std::sync::OnceLock;

use hasami_cgt::rules::clobber::ClobberBoard;
use hasami_cgt::rules::domineering;
use hasami_cgt::rules::toads::Strip;

use super::game::{Game, MAX_TEXT, go_text};
use crate::go::{Board, Corridor, corridor, rooms};

/// A family of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Domineering: `ROWSxCOLUMNS`, or rows of `.` and `#` with `/` between.
    Domineering,
    /// Clobber: rows of `x`, `o` and `.`.
    Clobber,
    /// Toads and frogs: a strip of `T`, `F` and `.`.
    Toads,
    /// A corridor of Go: `N`, `open-N`, `goldK-N` or `socketK-N`.
    GoCorridor,
    /// A room of Go with one door, by its number in the list of all rooms.
    GoRoom,
    /// A board of Go: rows separated by `/`.
    Go,
    /// An expression.
    Cgt,
}

/// A position that can be valued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// Free cells.
    Domineering(domineering::Board),
    /// Stones.
    Clobber(ClobberBoard),
    /// A strip of toads and frogs.
    Toads(Strip),
    /// A board of Go.
    Go(Board),
    /// An expression that parses.
    Expression(String),
}

/// Why a text is not a position of a family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{expected}")]
pub struct BadPosition {
    /// What was expected.
    pub expected: String,
}

/// Most points of a numbered room.
const LARGEST_ROOM: usize = 8;
/// The longest corridor.
const LONGEST: usize = 76;
impl Family {
    /// All families by their names.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("domineering", Self::Domineering),
        ("clobber", Self::Clobber),
        ("toads", Self::Toads),
        ("go-corridor", Self::GoCorridor),
        ("go-room", Self::GoRoom),
        ("go", Self::Go),
        ("cgt", Self::Cgt),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, one)| *one == self).map_or("?", |(name, _)| name)
    }

    /// Reads a position.
    ///
    /// # Errors
    /// If it is invalid; the message says what is expected.
    pub fn read(self, text: &str) -> Result<Position, BadPosition> {
        if text.len() > MAX_TEXT || text.contains(char::is_control) || text.trim() != text {
            return bad(format!("one line of at most {MAX_TEXT} bytes, without space around it"));
        }
        match self {
            Self::Domineering => domineering_board(text).map(Position::Domineering),
            Self::Clobber => wrong(ClobberBoard::parse(text)).map(Position::Clobber),
            Self::Toads => wrong(Strip::parse(text)).map(Position::Toads),
            Self::GoCorridor => read_corridor(text).map(Position::Go),
            Self::GoRoom => read_room(text).map(Position::Go),
            Self::Go => wrong(Board::parse(&text.replace('/', "\n"))).map(Position::Go),
            Self::Cgt => Game::Expression.read(text),
        }
    }

    /// The game, and a position of this family as the game spells it, complete in itself.
    ///
    /// # Errors
    /// If the position is invalid.
    pub fn in_full(self, text: &str) -> Result<(Game, String), BadPosition> {
        Ok(match self.read(text)? {
            Position::Domineering(_) => (Game::Domineering, domineering_rows(text)),
            Position::Clobber(board) => (Game::Clobber, board.to_string()),
            Position::Toads(strip) => (Game::Toads, strip.to_string()),
            Position::Go(board) => (Game::Go, go_text(&board)),
            Position::Expression(text) => (Game::Expression, text),
        })
    }
}

pub(super) fn bad<T>(expected: String) -> Result<T, BadPosition> {
    Err(BadPosition { expected })
}

pub(super) fn wrong<T>(read: Result<T, impl std::fmt::Display>) -> Result<T, BadPosition> {
    read.map_err(|error| BadPosition { expected: format!("a position of this family ({error})") })
}

/// The rows of a board that was read; short ones are filled up.
fn domineering_rows(text: &str) -> String {
    let sides = text.split_once('x').map(|(rows, columns)| (rows.parse(), columns.parse()));
    let rows: Vec<String> = match sides {
        Some((Ok(rows), Ok(columns))) => vec![".".repeat(columns); rows],
        _ => text.split('/').map(str::to_string).collect(),
    };
    let columns = rows.iter().map(String::len).max().unwrap_or(0);
    let full: Vec<String> = rows.iter().map(|row| format!("{row:#<columns$}")).collect();
    full.join("/")
}

fn domineering_board(text: &str) -> Result<domineering::Board, BadPosition> {
    let sides = text.split_once('x').map(|(rows, columns)| (rows.parse(), columns.parse()));
    if let Some((Ok(rows), Ok(columns))) = sides {
        let inside = |side: u8| (1..=64).contains(&side);
        if !inside(rows) || !inside(columns) {
            return bad("ROWSxCOLUMNS, each from 1 to 64".to_string());
        }
        return wrong(domineering::Board::rectangle(columns, rows));
    }
    if text.chars().all(|sign| "./#".contains(sign)) && text.contains('.') {
        wrong(domineering::Board::parse(text.split('/')))
    } else {
        bad("ROWSxCOLUMNS, or rows of . and # with / between".to_string())
    }
}

fn read_corridor(text: &str) -> Result<Board, BadPosition> {
    let expected = format!(
        "N, open-N, goldK-N or socketK-N, with N from 1 to {LONGEST} and K from 1, {LONGEST} in all"
    );
    let (kind, length) = text.rsplit_once('-').unwrap_or(("", text));
    let number = |text: &str| text.parse::<usize>().ok().filter(|n| (1..=LONGEST).contains(n));
    let of = |name: &str| kind.strip_prefix(name).and_then(number);
    let kind = match (kind, of("gold"), of("socket")) {
        ("", _, _) => Corridor::Blocked,
        ("open", _, _) => Corridor::Open,
        (_, Some(stones), _) => Corridor::Gold(stones),
        (_, _, Some(stones)) => Corridor::Socket(stones),
        _ => return bad(expected),
    };
    let stones = match kind {
        Corridor::Gold(stones) | Corridor::Socket(stones) => stones,
        _ => 0,
    };
    match number(length).filter(|length| length + stones <= LONGEST) {
        Some(length) => Ok(corridor(kind, length)),
        None => bad(expected),
    }
}

/// All numbered rooms.
fn all_rooms() -> &'static [Board] {
    static ROOMS: OnceLock<Vec<Board>> = OnceLock::new();
    ROOMS.get_or_init(|| rooms(LARGEST_ROOM))
}

/// The number of points of a room.
#[must_use]
pub fn room_points(number: usize) -> Option<usize> {
    let room = all_rooms().get(number)?;
    Some(room.cells().iter().filter(|cell| cell.is_open()).count())
}

fn read_room(text: &str) -> Result<Board, BadPosition> {
    let rooms = all_rooms();
    let number = text.parse::<usize>().ok();
    match number.and_then(|number| rooms.get(number)) {
        Some(room) => Ok(room.clone()),
        None => bad(format!("the number of a room, 0 to {}", rooms.len() - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn positions_are_read_by_their_families() {
        for (family, text) in [
            (Family::Domineering, "2x3"),
            (Family::Domineering, "../.#"),
            (Family::Clobber, "xo/ox"),
            (Family::Toads, "TT.FF"),
            (Family::GoCorridor, "64"),
            (Family::GoCorridor, "open-4"),
            (Family::GoCorridor, "gold2-3"),
            (Family::GoCorridor, "socket1-3"),
            (Family::GoRoom, "94"),
            (Family::Go, "XXX/O.X/XXX"),
            (Family::Cgt, "{3|||2||1|0}"),
        ] {
            assert!(family.read(text).is_ok(), "{} {text}", family.name());
        }
        for (family, text, message) in [
            (Family::Domineering, "0x3", "each from 1 to 64"),
            (Family::Domineering, "9x9", "at most 64 cells"),
            (Family::Domineering, "##", "ROWSxCOLUMNS"),
            (Family::Clobber, "xoz", "row 1, column 3"),
            (Family::GoCorridor, "silver-3", "open-N"),
            (Family::GoCorridor, "0", "from 1 to 76"),
            (Family::GoRoom, "99999", "the number of a room, 0 to "),
            (Family::Go, "XX/X", "line 2, column 2"),
            (Family::Cgt, "{1|", "an expression (column"),
            (Family::Cgt, "1\n", "one line"),
        ] {
            let error = family.read(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_a_family(text in "[xo.TFXO#/0-9gold{}|*^,-]{0,24}") {
            for (_, family) in Family::NAMES {
                let _ = family.read(&text);
            }
        }
    }
}
