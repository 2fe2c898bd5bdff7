//! Random positions for the attacker: a king near an edge, a few pieces around it, some in hand.

use hasami_shogi::{Kind, Piece, Position, Side, Square, legality, sfen};

/// A random legal position in which `Black` attacks and is to move; sometimes with a king of his
/// own. The defender holds the rest, or only some of it.
pub fn problem(random: &mut fastrand::Rng) -> Position {
    loop {
        let mut position = Position::empty();
        let square = |random: &mut fastrand::Rng, files: u8, ranks: u8| {
            Square::at(random.u8(..files), random.u8(..ranks))
        };
        let king = square(random, 5, 4);
        position.put(Piece { side: Side::White, kind: Kind::King }, king);
        if random.u8(..4) == 0 {
            let own = square(random, 9, 9);
            if position.piece_on(own).is_none() {
                position.put(Piece { side: Side::Black, kind: Kind::King }, own);
            }
        }
        let far = random.u8(..4) == 0;
        for _ in 0..random.u8(3..12) {
            let kind = Kind::ALL[random.usize(1..14)];
            let side = if random.u8(..5) < 3 { Side::Black } else { Side::White };
            let at = if far { square(random, 9, 9) } else { square(random, 6, 6) };
            if position.piece_on(at).is_none() {
                position.put(Piece { side, kind }, at);
            }
        }
        for _ in 0..random.u8(..5) {
            let kind = Kind::HELD[random.usize(..7)];
            if legality::count(&position, kind) < kind.in_a_set() {
                let hand = position.hand(Side::Black);
                position.set_hand(Side::Black, hand.plus(kind));
            }
        }
        if legality::check_board(&position).is_err() {
            continue;
        }
        match random.u8(..4) {
            0 => {}
            1 => position.set_hand(Side::White, position.hand(Side::White).plus(Kind::Pawn)),
            _ => sfen::fill_hand(&mut position, Side::White).expect("a legal board"),
        }
        if legality::check(&position, Side::Black).is_ok() {
            return position;
        }
    }
}

/// A random legal position with few pieces, Black to move, all near the king; small enough to look
/// at everything.
pub fn small(random: &mut fastrand::Rng) -> Position {
    loop {
        let mut position = Position::empty();
        position.put(
            Piece { side: Side::White, kind: Kind::King },
            Square::at(random.u8(..3), random.u8(..3)),
        );
        for _ in 0..random.u8(2..7) {
            let most = if random.u8(..4) > 0 { 6 } else { 14 };
            let kind = Kind::ALL[random.usize(1..most)];
            let side = if random.u8(..4) < 3 { Side::Black } else { Side::White };
            let at = Square::at(random.u8(..4), random.u8(..5));
            if position.piece_on(at).is_none() {
                position.put(Piece { side, kind }, at);
            }
        }
        for _ in 0..random.u8(..4) {
            let kind = Kind::HELD[random.usize(..5)];
            let side = if random.u8(..5) < 4 { Side::Black } else { Side::White };
            position.set_hand(side, position.hand(side).plus(kind));
        }
        if legality::check(&position, Side::Black).is_ok() && position.has_check() {
            return position;
        }
    }
}

/// The position turned by half, with the sides exchanged.
pub fn turned(position: &Position) -> Position {
    let mut other = Position::empty();
    for number in 0..81 {
        let at = Square::new(number).expect("a square");
        if let Some(Piece { side, kind }) = position.piece_on(at) {
            let there = Square::new(80 - number).expect("a square");
            other.put(Piece { side: side.other(), kind }, there);
        }
    }
    for side in Side::BOTH {
        other.set_hand(side.other(), position.hand(side));
    }
    other.set_turn(position.turn().other());
    other.set_left(position.left());
    other
}
