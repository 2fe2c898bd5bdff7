//! States and moves as bytes. Bytes may come from strangers: whatever is not a state is refused.
//!
//! A state: 0 or 1 for the side to move (0 is the attacker), four bytes of the rank, eleven bytes of
//! occupied squares, then a byte for each piece in the order of squares: its kind, and 16 if it is
//! White's. The defender holds all pieces of the game that are nowhere else.

use crate::hand::{Hand, Rank};
use crate::kind::Kind;
use crate::legality;
use crate::moves::{Move, Origin};
use crate::position::{Piece, Position};
use crate::problem::Shogi;
use crate::side::Side;
use crate::square::{BOARD, Squares, each};

/// Bytes before those of the pieces.
const HEAD: usize = 1 + 4 + 11;

/// Appends a state.
pub(crate) fn encode(state: &Position, attacker: Side, out: &mut Vec<u8>) {
    out.push(u8::from(state.turn() != attacker));
    out.extend(state.rank(attacker).bits().to_le_bytes());
    out.extend(&state.occupied().to_le_bytes()[..11]);
    for square in each(state.occupied()) {
        let white = state.side(Side::White) & square.bit() != 0;
        out.push(state.kind_on(square).number() as u8 | u8::from(white) << 4);
    }
}

/// Reads a state of the game.
pub(crate) fn decode(bytes: &[u8], game: &Shogi) -> Result<Position, String> {
    let (head, pieces) = bytes.split_at_checked(HEAD).ok_or("too few bytes")?;
    let mut position = Position::empty();
    position.set_turn(match head[0] {
        0 => game.attacker,
        1 => game.attacker.other(),
        other => return Err(format!("{other} for the side to move; expected 0 or 1")),
    });
    let rank = head[1..5].try_into().map(u32::from_le_bytes).map_err(|_| "no rank")?;
    let rank = Rank::from_bits(rank);
    let mut occupied = [0; 16];
    occupied[..11].copy_from_slice(&head[5..]);
    let occupied = Squares::from_le_bytes(occupied);
    if occupied & !BOARD != 0 || occupied.count_ones() as usize != pieces.len() {
        return Err("squares beyond the board, or not as many pieces as squares".to_string());
    }
    for (square, &byte) in each(occupied).zip(pieces) {
        let kind = Kind::from_number(usize::from(byte & 15));
        if kind.number() != usize::from(byte & 15) || byte > 31 {
            return Err(format!("no piece has the number {byte}"));
        }
        let side = if byte & 16 == 0 { Side::Black } else { Side::White };
        crate::sfen::place(&mut position, Piece { side, kind }, square)
            .map_err(|fault| fault.to_string())?;
    }
    give_hands(&mut position, rank.hand, game)?;
    // Any number of plies: a verdict may be known for more than were asked for.
    position.set_left(rank.left);
    let kings = |of: &Position| of.king(game.attacker).is_some();
    if kings(&position) != kings(&game.root) {
        return Err("the attacker's king appeared or vanished".to_string());
    }
    legality::check(&position, game.attacker).map_err(|fault| fault.to_string())?;
    Ok(position)
}

/// The attacker gets `hand`, the defender what is left of the set.
fn give_hands(position: &mut Position, hand: Hand, game: &Shogi) -> Result<(), String> {
    position.set_hand(game.attacker, hand);
    for kind in Kind::HELD {
        let (all, found) = (game.set.count(kind), legality::count(position, kind));
        let rest = all
            .checked_sub(found)
            .ok_or_else(|| format!("{found} of kind {}; the game has {all}", kind.name()))?;
        let defender = game.attacker.other();
        let held = position.hand(defender);
        position.set_hand(defender, held.with(kind, rest));
    }
    Ok(())
}

/// Two bytes: the square it goes to (128 added if it promotes), then the square it comes from, or
/// 81 + the number of the dropped kind.
pub(crate) fn put_move(mv: Move, out: &mut Vec<u8>) {
    let from = match mv.origin() {
        Origin::Board(from) => from.number() as u8,
        Origin::Hand(kind) => 81 + kind.number() as u8,
    };
    out.extend([mv.to().number() as u8 | u8::from(mv.promotes()) << 7, from]);
}

/// Reads the bytes of a move.
pub(crate) fn take_move(to: u8, from: u8) -> Result<Move, String> {
    let bad = || format!("the bytes {to} {from} are no move");
    if from > 127 {
        return Err(bad());
    }
    let bits = u16::from(to & 127) | u16::from(from) << 7 | u16::from(to >> 7) << 14;
    Move::from_bits(bits).ok_or_else(bad)
}

/// Whether a move can be shown and played here at all, legal or not: an own piece is there.
pub(crate) fn movable(state: &Position, mv: Move) -> Result<(), String> {
    let us = state.turn();
    let there = match mv.origin() {
        Origin::Board(from) => {
            state.side(us) & from.bit() != 0 && state.side(us) & mv.to().bit() == 0
        }
        Origin::Hand(kind) => state.hand(us).has(kind) && state.occupied() & mv.to().bit() == 0,
    };
    if there { Ok(()) } else { Err(format!("{mv} moves no own piece")) }
}
