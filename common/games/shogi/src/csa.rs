//! CSA: positions and game records of the computer shogi association.

use crate::fault::Fault;
use crate::kind::Kind;
use crate::moves::{Move, Origin};
use crate::position::{Piece, Position};
use crate::record::{Game, legal};
use crate::sfen::{self, place};
use crate::side::Side;
use crate::square::Square;

/// The two letters of a kind.
#[must_use]
pub const fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::King => "OU",
        Kind::Pawn => "FU",
        Kind::Lance => "KY",
        Kind::Knight => "KE",
        Kind::Silver => "GI",
        Kind::Gold => "KI",
        Kind::Bishop => "KA",
        Kind::Rook => "HI",
        Kind::ProPawn => "TO",
        Kind::ProLance => "NY",
        Kind::ProKnight => "NK",
        Kind::ProSilver => "NG",
        Kind::Horse => "UM",
        Kind::Dragon => "RY",
    }
}

fn kind_of(text: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|&kind| word(kind) == text)
}

fn side_of(sign: &str) -> Option<Side> {
    match sign {
        "+" => Some(Side::Black),
        "-" => Some(Side::White),
        _ => None,
    }
}

/// A square as in 77; `None` inside is the hand, 00.
fn square_of(text: &str) -> Option<Option<Square>> {
    match text.as_bytes() {
        b"00" => Some(None),
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => {
            Some(Some(Square::at(file - b'1', rank - b'1')))
        }
        _ => None,
    }
}

/// Reads a CSA text.
///
/// # Errors
/// What is wrong, with the line.
pub fn read(text: &str) -> Result<Game, Fault> {
    let mut start = Start::default();
    let mut game: Option<Game> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let at = |fault: Fault| Fault::new(format!("line {number}: {fault}"));
        if line.starts_with('\'') {
            continue;
        }
        for part in line.trim().split(',').filter(|part| !part.is_empty()) {
            match part.as_bytes() {
                [b'%', ..] | [b'/'] => {
                    return game.map_or_else(|| start.finish(Side::Black).map(Game::new), Ok);
                }
                [b'P', ..] if game.is_none() => start.read(part).map_err(at)?,
                [b'+' | b'-'] if game.is_none() => {
                    let turn = side_of(part).unwrap_or(Side::Black);
                    game = Some(Game::new(start.finish(turn).map_err(at)?));
                }
                [b'+' | b'-', ..] => {
                    let game = game.as_mut().ok_or_else(|| {
                        at(Fault::new(format!("{part:?} before the side to move")))
                    })?;
                    let mv = read_move(&game.last(), part).map_err(at)?;
                    game.push(mv);
                }
                [b'V' | b'N' | b'$' | b'T', ..] => {}
                _ => return Err(at(Fault::new(format!("found {part:?}; expected CSA")))),
            }
        }
    }
    game.map_or_else(|| start.finish(Side::Black).map(Game::new), Ok)
}

/// The position before the first move.
struct Start {
    position: Position,
    /// The side that has all other pieces (`AL`).
    rest: Option<Side>,
    given: bool,
}

impl Default for Start {
    fn default() -> Self {
        Self { position: Position::empty(), rest: None, given: false }
    }
}

impl Start {
    fn read(&mut self, line: &str) -> Result<(), Fault> {
        self.given = true;
        let bad = || Fault::new(format!("found {line:?}; expected a line of a CSA position"));
        if !line.is_ascii() {
            return Err(bad());
        }
        let (head, rest) = line.split_at(2.min(line.len()));
        match head.as_bytes() {
            b"PI" => self.usual(rest).ok_or_else(bad),
            [b'P', rank @ b'1'..=b'9'] => self.row(rank - b'1', rest),
            b"P+" => self.pieces(Side::Black, rest),
            b"P-" => self.pieces(Side::White, rest),
            _ => Err(bad()),
        }
    }

    /// The usual start without the pieces that are listed.
    fn usual(&mut self, without: &str) -> Option<()> {
        let full = sfen::read(sfen::START).ok()?;
        let mut removed = 0;
        for at in (0..without.len()).step_by(4) {
            let square = square_of(without.get(at..at + 2)?)??;
            let kind = kind_of(without.get(at + 2..at + 4)?)?;
            (full.piece_on(square)?.kind == kind).then_some(())?;
            removed |= square.bit();
        }
        for number in 0..81 {
            let square = Square::new(number)?;
            if let (Some(piece), 0) = (full.piece_on(square), removed & square.bit()) {
                place(&mut self.position, piece, square).ok()?;
            }
        }
        Some(())
    }

    fn row(&mut self, rank: u8, row: &str) -> Result<(), Fault> {
        let row = format!("{row:<27}");
        for column in 0..9u8 {
            let cell = &row[usize::from(column) * 3..][..3];
            if cell.trim() == "*" || cell.trim().is_empty() {
                continue;
            }
            let piece = side_of(&cell[..1]).zip(kind_of(&cell[1..]));
            let (side, kind) = piece.ok_or_else(|| {
                Fault::new(format!("{cell:?} in rank {}; expected as in +FU", rank + 1))
            })?;
            place(&mut self.position, Piece { side, kind }, Square::at(8 - column, rank))?;
        }
        Ok(())
    }

    fn pieces(&mut self, side: Side, list: &str) -> Result<(), Fault> {
        for at in (0..list.len()).step_by(4) {
            let item = list.get(at..at + 4).unwrap_or("");
            if item == "00AL" {
                self.rest = Some(side);
                continue;
            }
            let bad = || Fault::new(format!("{:?}; expected as in 00FU or 77FU", &list[at..]));
            let square = item.get(..2).and_then(square_of).ok_or_else(bad)?;
            let kind = item.get(2..).and_then(kind_of).ok_or_else(bad)?;
            match square {
                Some(square) => place(&mut self.position, Piece { side, kind }, square)?,
                None if kind == Kind::King || kind.is_promoted() => return Err(bad()),
                None => {
                    let count = self.position.hand(side).count(kind) + 1;
                    sfen::add(&mut self.position, side, kind, count)?;
                }
            }
        }
        Ok(())
    }

    fn finish(&self, turn: Side) -> Result<Position, Fault> {
        if !self.given {
            return Err(Fault::new("no position; expected PI or P1 to P9"));
        }
        let mut position = self.position;
        if let Some(side) = self.rest {
            sfen::fill_hand(&mut position, side)?;
        }
        position.set_turn(turn);
        Ok(position)
    }
}

/// Reads a move as in `+7776FU`: the kind is that after the move.
///
/// # Errors
/// If it is no move, or not legal.
pub fn read_move(position: &Position, text: &str) -> Result<Move, Fault> {
    let bad = || Fault::new(format!("found {text:?}; expected a move as in +7776FU"));
    let side = text.get(..1).and_then(side_of).ok_or_else(bad)?;
    let from = text.get(1..3).and_then(square_of).ok_or_else(bad)?;
    let to = text.get(3..5).and_then(square_of).flatten().ok_or_else(bad)?;
    let kind = text.get(5..7).and_then(kind_of).ok_or_else(bad)?;
    if side != position.turn() {
        let turn = position.turn().word();
        return Err(Fault::new(format!("{text:?}, but {turn} is to move")));
    }
    let mv = match from {
        None => Move::drop(kind, to),
        Some(from) => {
            let before = position.piece_on(from).map(|piece| piece.kind);
            let promotes = before.is_some_and(|before| before != kind);
            if promotes && before.map(Kind::promoted) != Some(kind) {
                return Err(Fault::new(format!("{text:?}: the piece on {from} is another")));
            }
            if from == to {
                return Err(bad());
            }
            Move::board(from, to, promotes)
        }
    };
    legal(position, mv)
}

/// A move of the side to move as CSA writes it.
#[must_use]
pub fn spell(position: &Position, mv: Move) -> String {
    let digits = |square: Square| format!("{}{}", square.file() + 1, square.rank() + 1);
    let sign = if position.turn() == Side::Black { '+' } else { '-' };
    let to = digits(mv.to());
    match mv.origin() {
        Origin::Hand(kind) => format!("{sign}00{to}{}", word(kind)),
        Origin::Board(from) => {
            let kind = position.kind_on(from);
            let kind = if mv.promotes() { kind.promoted() } else { kind };
            format!("{sign}{}{to}{}", digits(from), word(kind))
        }
    }
}
