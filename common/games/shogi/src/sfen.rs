//! SFEN: positions as in `lnsgkgsnl/1r5b1/… b 2P 1`.

use crate::fault::Fault;
use crate::kind::Kind;
use crate::position::{Piece, Position};
use crate::side::Side;
use crate::square::Square;

/// The usual start.
pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The letter of a kind, without the `+` of promotion.
#[must_use]
pub const fn letter(kind: Kind) -> char {
    match kind.base() {
        Kind::Pawn => 'P',
        Kind::Lance => 'L',
        Kind::Knight => 'N',
        Kind::Silver => 'S',
        Kind::Gold => 'G',
        Kind::Bishop => 'B',
        Kind::Rook => 'R',
        _ => 'K',
    }
}

/// The piece of a letter: capitals are Black's.
pub(crate) fn piece(letter: char) -> Option<Piece> {
    let side = if letter.is_ascii_uppercase() { Side::Black } else { Side::White };
    let upper = letter.to_ascii_uppercase();
    let kind = Kind::HELD.into_iter().chain([Kind::King]);
    let kind = kind.into_iter().find(|&kind| self::letter(kind) == upper)?;
    Some(Piece { side, kind })
}

/// Reads an SFEN. The words may be separated by spaces or by `_`; a leading `sfen`, the hands and
/// the number of the move may be left out.
///
/// # Errors
/// If it is not an SFEN. Whether the position is legal is not checked.
pub fn read(text: &str) -> Result<Position, Fault> {
    let mut words =
        text.split(|c: char| c.is_whitespace() || c == '_').filter(|word| !word.is_empty());
    let mut board = words.next();
    if board == Some("sfen") {
        board = words.next();
    }
    let board = board.ok_or_else(|| Fault::new("an empty text; expected an SFEN"))?;
    let mut position = read_board(board)?;
    match words.next() {
        None | Some("b") => {}
        Some("w") => position.set_turn(Side::White),
        Some(other) => {
            return Err(Fault::new(format!("side to move {other:?}; expected b or w")));
        }
    }
    read_hands(words.next().unwrap_or("-"), &mut position)?;
    match words.next() {
        None => {}
        Some(number) if number.parse::<u32>().is_ok() => {}
        Some(other) => {
            return Err(Fault::new(format!("{other:?} after the hands; expected a move number")));
        }
    }
    match words.next() {
        None => Ok(position),
        Some(more) => Err(Fault::new(format!("{more:?} after the end of the SFEN"))),
    }
}

fn read_board(text: &str) -> Result<Position, Fault> {
    let mut position = Position::empty();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 9 {
        return Err(Fault::new(format!("{} ranks in {text:?}; expected 9", ranks.len())));
    }
    for (rank, row) in (0u8..).zip(ranks) {
        let mut files = 0u8;
        let mut promoted = false;
        for sign in row.chars() {
            let bad =
                |what: String| Fault::new(format!("rank {}: {what}", char::from(b'a' + rank)));
            if let Some(empty) = sign.to_digit(10) {
                if promoted || empty == 0 {
                    return Err(bad(format!("{sign:?} in {row:?}")));
                }
                files = files.saturating_add(empty as u8);
                continue;
            }
            if sign == '+' && !promoted {
                promoted = true;
                continue;
            }
            let mut piece = piece(sign).ok_or_else(|| bad(format!("{sign:?} is no piece")))?;
            if promoted && !piece.kind.promotes() {
                return Err(bad(format!("a {} does not promote", piece.kind.name())));
            }
            if files > 8 {
                return Err(bad(format!("more than 9 files in {row:?}")));
            }
            if promoted {
                piece.kind = piece.kind.promoted();
            }
            promoted = false;
            let square = Square::at(8 - files, rank);
            place(&mut position, piece, square)?;
            files += 1;
        }
        if files != 9 || promoted {
            let rank = char::from(b'a' + rank);
            return Err(Fault::new(format!("rank {rank}: {row:?} has {files} files; expected 9")));
        }
    }
    Ok(position)
}

/// Puts a piece on the board; a second king of a side is refused, because a position has no place
/// for it.
pub(crate) fn place(position: &mut Position, piece: Piece, square: Square) -> Result<(), Fault> {
    if let (Kind::King, Some(first)) = (piece.kind, position.king(piece.side)) {
        let side = piece.side.word();
        return Err(Fault::new(format!("two kings of {side}, on {first} and {square}")));
    }
    if position.occupied() & square.bit() != 0 {
        return Err(Fault::new(format!("two pieces on {square}")));
    }
    position.put(piece, square);
    Ok(())
}

fn read_hands(text: &str, position: &mut Position) -> Result<(), Fault> {
    if text == "-" {
        return Ok(());
    }
    let bad = || Fault::new(format!("hands {text:?}; expected as in 2Pg, or -"));
    let mut count: Option<u32> = None;
    for sign in text.chars() {
        if let Some(digit) = sign.to_digit(10) {
            let so_far = count.unwrap_or(0) * 10 + digit;
            if so_far == 0 || so_far > 99 {
                return Err(bad());
            }
            count = Some(so_far);
            continue;
        }
        let Piece { side, kind } = piece(sign).ok_or_else(bad)?;
        if kind == Kind::King {
            return Err(Fault::new("a king in hand"));
        }
        let hand = position.hand(side);
        add(&mut *position, side, kind, hand.count(kind) + count.take().unwrap_or(1))?;
    }
    if count.is_some() { Err(bad()) } else { Ok(()) }
}

/// Sets the count of a kind in a hand, at most what a set of pieces has.
pub(crate) fn add(
    position: &mut Position,
    side: Side,
    kind: Kind,
    count: u32,
) -> Result<(), Fault> {
    let most = kind.in_a_set();
    if count > most {
        let (side, name) = (side.word(), kind.name());
        return Err(Fault::new(format!(
            "{count} of kind {name} in the hand of {side}; a set has {most}"
        )));
    }
    position.set_hand(side, position.hand(side).with(kind, count));
    Ok(())
}

/// Writes a position as an SFEN with the move number 1.
#[must_use]
pub fn write(position: &Position) -> String {
    let mut text = String::with_capacity(80);
    for rank in 0..9 {
        let mut empty = 0;
        for file in (0..9).rev() {
            let Some(piece) = position.piece_on(Square::at(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            if piece.kind.is_promoted() {
                text.push('+');
            }
            text.push(signed(piece.side, piece.kind));
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank < 8 {
            text.push('/');
        }
    }
    text.push_str(if position.turn() == Side::Black { " b " } else { " w " });
    let mut hands = String::new();
    for side in Side::BOTH {
        for kind in Kind::HELD.into_iter().rev() {
            match position.hand(side).count(kind) {
                0 => {}
                1 => hands.push(signed(side, kind)),
                count => hands.push_str(&format!("{count}{}", signed(side, kind))),
            }
        }
    }
    text.push_str(if hands.is_empty() { "-" } else { &hands });
    text.push_str(" 1");
    text
}

fn signed(side: Side, kind: Kind) -> char {
    let sign = letter(kind);
    if side == Side::Black { sign } else { sign.to_ascii_lowercase() }
}

/// Gives a side all pieces that are neither on the board nor in a hand (kings are not filled in).
///
/// # Errors
/// If there are more pieces of a kind than a set has.
pub fn fill_hand(position: &mut Position, side: Side) -> Result<(), Fault> {
    for kind in Kind::HELD {
        let others = crate::legality::count(position, kind);
        let most = kind.in_a_set();
        let missing = most.checked_sub(others).ok_or_else(|| {
            Fault::new(format!("{others} of kind {}; a set has {most}", kind.name()))
        })?;
        let hand = position.hand(side);
        position.set_hand(side, hand.with(kind, hand.count(kind) + missing));
    }
    Ok(())
}
