//! Game records: a position and the moves from there, in USI, KIF or CSA.

use encoding_rs::SHIFT_JIS;

use crate::fault::Fault;
use crate::moves::{Move, Origin};
use crate::position::Position;
use crate::square::Square;
use crate::{csa, kif, sfen};

/// A game, or a position without moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The position before the first move. It may be illegal: see [`crate::legality`].
    pub start: Position,
    /// The moves, each legal where it is played.
    pub moves: Vec<Move>,
    end: Position,
}

impl Game {
    /// A position without moves.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { start, moves: Vec::new(), end: start }
    }

    /// Adds a legal move.
    pub fn push(&mut self, mv: Move) {
        self.end = self.end.play(mv);
        self.moves.push(mv);
    }

    /// The position after the last move.
    #[must_use]
    pub fn last(&self) -> Position {
        self.end
    }

    /// The position after so many moves; `None` if there are fewer.
    #[must_use]
    pub fn after(&self, moves: usize) -> Option<Position> {
        let played = self.moves.get(..moves)?;
        Some(played.iter().fold(self.start, |position, &mv| position.play(mv)))
    }
}

/// Decodes a file: UTF-8, or Shift_JIS as older KIF files.
///
/// # Errors
/// If it is neither.
pub fn decode(bytes: &[u8]) -> Result<String, Fault> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.trim_start_matches('\u{feff}').to_string());
    }
    let (text, _, broken) = SHIFT_JIS.decode(bytes);
    if broken {
        return Err(Fault::new("found neither UTF-8 nor Shift_JIS"));
    }
    Ok(text.into_owned())
}

/// Reads a game in any notation: USI or SFEN on one line, CSA, or KIF.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(text: &str) -> Result<Game, Fault> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().next().unwrap_or("");
    let usi = ["position", "startpos", "sfen"].iter().any(|word| first.starts_with(word));
    if usi || first.split('/').count() == 9 {
        return read_usi(first);
    }
    let of_csa = |line: &str| {
        ["V2", "V1", "V3", "N+", "N-", "P+", "P-", "PI", "P1"]
            .iter()
            .any(|head| line.starts_with(head))
    };
    if lines().any(of_csa) { csa::read(text) } else { kif::read(text) }
}

/// Reads `startpos moves 7g7f …`, `sfen … moves …`, or an SFEN; `_` may stand for spaces.
///
/// # Errors
/// What is wrong.
pub fn read_usi(text: &str) -> Result<Game, Fault> {
    let text = text.replace('_', " ");
    let text = text.trim();
    let text = text.strip_prefix("position").unwrap_or(text).trim();
    let (start, moves) = match text.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None => (text, ""),
    };
    let start = if start == "startpos" { sfen::START } else { start };
    let mut game = Game::new(sfen::read(start)?);
    for (number, word) in (1..).zip(moves.split_whitespace()) {
        let mv = usi_move(&game.last(), word)
            .map_err(|fault| Fault::new(format!("move {number}: {fault}")))?;
        game.push(mv);
    }
    Ok(game)
}

/// Reads a move in USI, as in `7g7f`, `8h2b+`, `P*5e`, that must be legal here.
///
/// # Errors
/// If it is no move, or not legal; the message says why if that is simple.
pub fn usi_move(position: &Position, text: &str) -> Result<Move, Fault> {
    let mv = parse_usi(text)
        .ok_or_else(|| Fault::new(format!("found {text:?}; expected a move as in 7g7f or P*5e")))?;
    legal(position, mv)
}

/// The move itself, if it is legal here.
pub(crate) fn legal(position: &Position, mv: Move) -> Result<Move, Fault> {
    if position.is_legal(mv) { Ok(mv) } else { Err(Fault::new(why_not(position, mv))) }
}

fn parse_usi(text: &str) -> Option<Move> {
    let (body, promotes) = match text.strip_suffix('+') {
        Some(body) => (body, true),
        None => (text, false),
    };
    if !body.is_ascii() || body.len() != 4 {
        return None;
    }
    let (start, to) = (&body[..2], Square::named(&body[2..])?);
    if let Some(from) = Square::named(start) {
        return (from != to).then(|| Move::board(from, to, promotes));
    }
    let letter = start.strip_suffix('*')?.chars().next()?;
    let piece = sfen::piece(letter).filter(|piece| piece.kind != crate::kind::Kind::King)?;
    (letter.is_ascii_uppercase() && !promotes).then(|| Move::drop(piece.kind, to))
}

/// The first reason why a move is not legal.
fn why_not(position: &Position, mv: Move) -> String {
    let us = position.turn();
    match mv.origin() {
        Origin::Board(from) => match position.piece_on(from) {
            None => format!("{mv} is not legal: no piece on {from}"),
            Some(piece) if piece.side != us => {
                format!("{mv} is not legal: {}'s piece on {from}", us.other().word())
            }
            Some(_) if position.side(us) & mv.to().bit() != 0 => {
                format!("{mv} is not legal: an own piece on {}", mv.to())
            }
            Some(piece) => format!("{mv} is not legal for the {} here", piece.kind.name()),
        },
        Origin::Hand(kind) if !position.hand(us).has(kind) => {
            format!("{mv} is not legal: no {} in hand", kind.name())
        }
        Origin::Hand(_) if position.occupied() & mv.to().bit() != 0 => {
            format!("{mv} is not legal: {} is occupied", mv.to())
        }
        Origin::Hand(_) => format!("{mv} is not legal here"),
    }
}
