//! Whether a position can be asked about: everything that the rules forbid is refused, with what is
//! wrong and where.

use crate::attack::Layers;
use crate::fault::Fault;
use crate::kind::Kind;
use crate::position::Position;
use crate::side::Side;
use crate::square::{Square, Squares, each, file_of, several};

/// The squares of all pieces of an unpromoted kind, or of its promoted form too.
fn squares(position: &Position, matches: impl Fn(Side, Kind) -> bool) -> Squares {
    each(position.occupied())
        .filter(|&at| position.piece_on(at).is_some_and(|piece| matches(piece.side, piece.kind)))
        .fold(0, |set, at| set | at.bit())
}

/// How many pieces of an unpromoted kind there are, promoted ones and both hands included.
#[must_use]
pub fn count(position: &Position, kind: Kind) -> u32 {
    let on_board = squares(position, |_, found| found.base() == kind).count_ones();
    let in_hands =
        Side::BOTH.map(|side| if kind == Kind::King { 0 } else { position.hand(side).count(kind) });
    on_board + in_hands[0] + in_hands[1]
}

/// Checks a position in which `attacker` wants to mate.
///
/// # Errors
/// What the rules forbid, and on which square or file.
pub fn check(position: &Position, attacker: Side) -> Result<(), Fault> {
    let defender = attacker.other();
    if position.king(defender).is_none() {
        return Err(Fault::new(format!("no king of {}, the side to be mated", defender.word())));
    }
    check_board(position)?;
    let waiting = position.turn().other();
    if let Some(king) = position.king(waiting) {
        let layers = Layers::new(position);
        let checkers = layers.attackers(position.turn(), king, position.occupied());
        if let Some(checker) = each(checkers).next() {
            return Err(Fault::new(format!(
                "the king of {} on {king} is in check by the piece on {checker}, but {} is to move",
                waiting.word(),
                position.turn().word()
            )));
        }
    }
    Ok(())
}

/// Checks what does not depend on the side to move: numbers of pieces, pawns, pieces without moves.
///
/// # Errors
/// What the rules forbid, and on which square or file.
pub fn check_board(position: &Position) -> Result<(), Fault> {
    for kind in Kind::HELD {
        let (found, most) = (count(position, kind), kind.in_a_set());
        if found > most {
            return Err(Fault::new(format!(
                "{found} pieces of kind {}, promoted and in hand included; a set has {most}",
                kind.name()
            )));
        }
    }
    for side in Side::BOTH {
        for kind in [Kind::Pawn, Kind::Lance, Kind::Knight] {
            let stuck = squares(position, |of, found| of == side && found == kind)
                & crate::evasions::dead(side, kind);
            if let Some(square) = each(stuck).next() {
                let (side, kind) = (side.word(), kind.name());
                return Err(Fault::new(format!("{side}'s {kind} on {square} can never move")));
            }
        }
        let pawns = squares(position, |of, found| of == side && found == Kind::Pawn);
        for file in 0..9 {
            let column = pawns & file_of(Square::at(file, 0));
            if several(column) {
                let at: Vec<String> = each(column).map(|square| square.to_string()).collect();
                return Err(Fault::new(format!(
                    "{} unpromoted pawns of {} on file {}: {}",
                    at.len(),
                    side.word(),
                    file + 1,
                    at.join(", ")
                )));
            }
        }
    }
    Ok(())
}
