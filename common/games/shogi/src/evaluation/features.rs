//! The features of a position in the paper of Kaneko et al.: the attacker's hand, who controls the
//! squares around the defender's king, and where it stands.

use crate::attack::Layers;
use crate::kind::Kind;
use crate::lines::offset;
use crate::position::Position;
use crate::side::Side;
use crate::square::{Square, Squares, each, first};

/// The sets of features, each with those of the sets before it; the first two differ in how they
/// count the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// How many of each kind the attacker holds: 7.
    Hand = 1,
    /// The same, with the first piece of a kind apart: 14.
    First = 2,
    /// And the control of the 8 squares around the king: 22.
    Control = 3,
    /// And the place of the king: 67.
    Place = 4,
}

impl Set {
    /// All sets, in order.
    pub const ALL: [Self; 4] = [Self::Hand, Self::First, Self::Control, Self::Place];

    /// The number of weights, without the constant.
    #[must_use]
    pub const fn weights(self) -> usize {
        match self {
            Self::Hand => 7,
            Self::First => 14,
            Self::Control => 22,
            Self::Place => 67,
        }
    }
}

/// Neighbours of the king as the attacker sees them, from his right to his left, far rank first. The
/// board is turned so that the king stands on files 1 to 5.
const AROUND: [(i8, i8); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// What a position has of each feature of the largest set; smaller ones use the first ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// How many of each kind the attacker holds.
    pub hand: [u8; 7],
    /// Attackers minus defenders of each square around the king. Beyond the edge 1: the king cannot
    /// go there.
    pub control: [i8; 8],
    /// The place of the king: rank × 5 + file, from the attacker's side, files folded.
    pub place: u8,
}

impl Features {
    /// Those of a position; `None` without a king to mate.
    #[must_use]
    pub fn of(position: &Position, attacker: Side) -> Option<Self> {
        let king = position.king(attacker.other())?;
        let held = position.hand(attacker);
        let layers = Layers::new(position);
        let folded = king.file() > 4;
        let file = if folded { 8 - king.file() } else { king.file() };
        let rank = attacker.rank(king.rank());
        let control = AROUND.map(|(files, ranks)| {
            let files = if folded { -files } else { files };
            let ranks = if attacker == Side::Black { ranks } else { -ranks };
            match first(offset(king.number(), files, ranks)) {
                None => 1,
                Some(square) => controlled(&layers, attacker, square, king),
            }
        });
        let hand = Kind::HELD.map(|kind| held.count(kind) as u8);
        Some(Self { hand, control, place: rank * 5 + file })
    }

    /// The value of each feature of a set, in order.
    pub fn values(&self, set: Set, mut add: impl FnMut(usize, f64)) {
        for (at, &count) in self.hand.iter().enumerate() {
            if set == Set::Hand {
                add(at, f64::from(count));
            } else {
                add(at, f64::from(count.min(1)));
                add(7 + at, f64::from(count.saturating_sub(1)));
            }
        }
        if matches!(set, Set::Control | Set::Place) {
            for (at, &control) in self.control.iter().enumerate() {
                add(14 + at, f64::from(control));
            }
        }
        if set == Set::Place {
            add(22 + usize::from(self.place), 1.0);
        }
    }
}

/// The attacker's pieces on a square minus the defender's, his king not counted.
fn controlled(layers: &Layers, attacker: Side, square: Square, king: Square) -> i8 {
    let count = |by: Side, without: Squares| {
        let pieces = layers.attackers(by, square, layers.occupied & !king.bit()) & !without;
        each(pieces).count() as i8
    };
    count(attacker, 0) - count(attacker.other(), king.bit())
}
