//! A position: board, hands, side to move, plies left. 128 bytes, copied by value, no heap.
//!
//! The kind of a piece is spread over four bit planes (bit n of its number is in plane n), so that
//! playing a move is a few exclusive ors and the set of any kind a few ands.

use crate::hand::{Hand, Rank};
use crate::kind::Kind;
use crate::moves::{Move, Origin};
use crate::side::Side;
use crate::square::{Square, Squares};
use crate::zobrist;

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

/// In place of a king's square if there is none.
const NO_KING: u8 = 81;

/// A position. Nothing guarantees that it is legal: see [`crate::legality`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    sides: [Squares; 2],
    planes: [Squares; 4],
    /// Key of the board and the side to move; the low 32 bits are 0.
    family: u128,
    hands: [Hand; 2],
    left: u16,
    kings: [u8; 2],
    turn: Side,
}

impl Position {
    /// An empty board with empty hands, Black to move, no limit.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            sides: [0; 2],
            planes: [0; 4],
            family: 0,
            hands: [Hand::EMPTY; 2],
            left: Rank::ENDLESS,
            kings: [NO_KING; 2],
            turn: Side::Black,
        }
    }

    /// The side to move.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// All squares with pieces of a side.
    #[must_use]
    #[inline]
    pub const fn side(&self, side: Side) -> Squares {
        self.sides[side.index()]
    }

    /// All squares with pieces.
    #[must_use]
    #[inline]
    pub const fn occupied(&self) -> Squares {
        self.sides[0] | self.sides[1]
    }

    /// The bit planes of kinds.
    #[inline]
    pub(crate) const fn planes(&self) -> [Squares; 4] {
        self.planes
    }

    /// The hand of a side.
    #[must_use]
    #[inline]
    pub const fn hand(&self, side: Side) -> Hand {
        self.hands[side.index()]
    }

    /// The king of a side, if it has one.
    #[must_use]
    #[inline]
    pub const fn king(&self, side: Side) -> Option<Square> {
        Square::new(self.kings[side.index()])
    }

    /// Both kings as a set.
    #[inline]
    pub(crate) const fn kings(&self) -> Squares {
        // Bit 81 is that of a missing king.
        (1 << self.kings[0] | 1 << self.kings[1]) & crate::square::BOARD
    }

    /// The kind of the piece on an occupied square.
    #[must_use]
    #[inline]
    pub fn kind_on(&self, square: Square) -> Kind {
        let at = square.number();
        // Half of each plane: shifts of 128 bits cost more.
        let half = |plane: Squares| if at < 64 { plane as u64 } else { (plane >> 64) as u64 };
        let bit = |plane: Squares| (half(plane) >> (at & 63)) as usize & 1;
        let [a, b, c, d] = self.planes;
        Kind::from_number(bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3)
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let bit = square.bit();
        let side = if self.sides[0] & bit != 0 {
            Side::Black
        } else if self.sides[1] & bit != 0 {
            Side::White
        } else {
            return None;
        };
        Some(Piece { side, kind: self.kind_on(square) })
    }

    /// Puts a piece on an empty square, or takes it away again.
    #[inline]
    fn flip(&mut self, side: Side, kind: Kind, square: Square) {
        let bit = square.bit();
        self.sides[side.index()] ^= bit;
        let number = kind.number();
        for (at, plane) in self.planes.iter_mut().enumerate() {
            // All ones if the number has this bit.
            *plane ^= bit & (number as u128 >> at & 1).wrapping_neg();
        }
        self.family ^= zobrist::piece(side, kind, square);
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.flip(piece.side, piece.kind, square);
        if piece.kind == Kind::King {
            self.kings[piece.side.index()] = square.number() as u8;
        }
    }

    /// Sets the hand of a side.
    pub fn set_hand(&mut self, side: Side, hand: Hand) {
        self.hands[side.index()] = hand;
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, turn: Side) {
        if turn != self.turn {
            self.pass();
        }
    }

    /// Gives the turn to the other side.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.turn = self.turn.other();
        self.family ^= zobrist::WHITE_TO_MOVE;
    }

    /// Plies left; [`Rank::ENDLESS`] if there is no limit.
    #[must_use]
    #[inline]
    pub const fn left(&self) -> u16 {
        self.left
    }

    /// Sets the plies left, at most [`Rank::ENDLESS`].
    pub fn set_left(&mut self, left: u16) {
        self.left = left.min(Rank::ENDLESS);
    }

    /// The position after a move. The move must be possible: the piece is there, or in the hand.
    #[must_use]
    #[inline]
    pub fn play(&self, mv: Move) -> Self {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// Plays a move in place.
    #[inline]
    pub(crate) fn make(&mut self, mv: Move) {
        let (us, to) = (self.turn, mv.to());
        let them = us.other();
        match mv.origin() {
            Origin::Hand(kind) => {
                self.flip(us, kind, to);
                self.hands[us.index()] = self.hand(us).minus(kind);
            }
            Origin::Board(from) => {
                if self.side(them) & to.bit() != 0 {
                    let taken = self.kind_on(to);
                    self.flip(them, taken, to);
                    self.hands[us.index()] = self.hand(us).plus(taken);
                }
                let kind = self.kind_on(from);
                self.flip(us, kind, from);
                self.flip(us, if mv.promotes() { kind.promoted() } else { kind }, to);
                if kind == Kind::King {
                    self.kings[us.index()] = to.number() as u8;
                }
            }
        }
        if self.left != Rank::ENDLESS {
            self.left = self.left.saturating_sub(1);
        }
        self.pass();
    }

    /// The family of the position: a 96-bit key of board and side to move, above 32 zeros. Hands
    /// and plies left are not in it.
    #[must_use]
    #[inline]
    pub const fn family(&self) -> u128 {
        self.family
    }

    /// What distinguishes positions of one family: the hand of the attacker and the plies left.
    /// The defender has the other pieces that are off the board.
    #[must_use]
    #[inline]
    pub const fn rank(&self, attacker: Side) -> Rank {
        Rank { hand: self.hand(attacker), left: self.left }
    }

    /// Pieces off the board, in both hands.
    #[must_use]
    #[inline]
    pub const fn off_board(&self) -> Hand {
        // Counts of one set of pieces: no count overflows.
        Hand::from_bits(self.hands[0].bits() + self.hands[1].bits())
    }

    /// The position of the same family with another rank: the attacker has this hand, the defender
    /// the rest. `None` if there are not so many pieces off the board.
    #[must_use]
    pub fn with_rank(&self, attacker: Side, rank: Rank) -> Option<Self> {
        let all = self.off_board();
        if !all.covers(rank.hand) {
            return None;
        }
        let mut next = *self;
        next.hands[attacker.index()] = rank.hand;
        next.hands[attacker.other().index()] = all.without(rank.hand);
        next.left = rank.left;
        Some(next)
    }

    /// Family and rank after a move, without playing it.
    #[must_use]
    #[inline]
    pub fn after(&self, mv: Move, attacker: Side) -> (u128, Rank) {
        let (us, to) = (self.turn, mv.to());
        let mut family = self.family ^ zobrist::WHITE_TO_MOVE;
        let mut hand = self.hand(us);
        match mv.origin() {
            Origin::Hand(kind) => {
                family ^= zobrist::piece(us, kind, to);
                hand = hand.minus(kind);
            }
            Origin::Board(from) => {
                if self.side(us.other()) & to.bit() != 0 {
                    let taken = self.kind_on(to);
                    family ^= zobrist::piece(us.other(), taken, to);
                    hand = hand.plus(taken);
                }
                let kind = self.kind_on(from);
                let there = if mv.promotes() { kind.promoted() } else { kind };
                family ^= zobrist::piece(us, kind, from) ^ zobrist::piece(us, there, to);
            }
        }
        let hand = if us == attacker { hand } else { self.hand(attacker) };
        let left = if self.left == Rank::ENDLESS { self.left } else { self.left.saturating_sub(1) };
        (family, Rank { hand, left })
    }
}
