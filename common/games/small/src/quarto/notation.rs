//! The notation of positions: sixteen characters for the cells row by row, a hexadecimal digit for
//! a piece and `.` for none, and then the piece in hand: `...0.fd1...2....,c`.
//!
//! The parser also accepts `/` or spaces between rows, `:` or nothing instead of the comma, and
//! capitals.

use super::position::{NO_PIECE, Position};

/// Parses a position.
///
/// # Errors
/// What was expected, with the place of the error in the text.
pub fn read(text: &str) -> Result<Position, String> {
    const FORM: &str = "16 cells (0-9, a-f or .) row by row, a comma and the piece in hand";
    let mut marks = Vec::with_capacity(17);
    for (at, found) in text.chars().enumerate() {
        match found {
            '/' | ' ' | ',' | ':' => {}
            '.' => marks.push((at, None)),
            _ => match found.to_digit(16) {
                Some(piece) => marks.push((at, Some(piece as u8))),
                None => return Err(format!("{FORM}; found {found:?} at character {}", at + 1)),
            },
        }
        if marks.len() > 17 {
            return Err(format!("{FORM}; found more from character {} on", at + 1));
        }
    }
    let Some((cells, &[(_, hand)])) = marks.split_at_checked(16) else {
        return Err(format!("{FORM}; found {} of these 17 signs", marks.len()));
    };
    let Some(hand) = hand else {
        return Err(format!("{FORM}; found no piece in hand"));
    };
    let mut position = Position { left: u16::MAX, hand: NO_PIECE, ..Position::START };
    for (cell, &(at, piece)) in cells.iter().enumerate() {
        if let Some(piece) = piece {
            position = taken(position, piece, at)?.place(cell as u8);
        }
    }
    if position.has_line() {
        return Err("a board without four in a line that share a bit: the game is over".to_string());
    }
    let (at, _) = marks[16];
    taken(position, hand, at)
}

/// The position with a piece removed from those left.
fn taken(position: Position, piece: u8, at: usize) -> Result<Position, String> {
    if position.left >> piece & 1 == 0 {
        let place = at + 1;
        return Err(format!("every piece once; found {piece:x} again at character {place}"));
    }
    Ok(position.give(piece))
}

/// The canonical spelling of a position; `-` if no piece is in hand.
#[must_use]
pub fn write(position: &Position) -> String {
    let sign = |piece: Option<u8>, none| {
        piece.and_then(|piece| char::from_digit(piece.into(), 16)).unwrap_or(none)
    };
    let cells: String = (0..16).map(|cell| sign(position.at(cell), '.')).collect();
    format!("{cells},{}", sign(position.hand(), '-'))
}
