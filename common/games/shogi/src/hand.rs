//! A hand packed in 21 bits, and a hand with a number of plies packed in 32: seven or eight small
//! counts that are compared, and taken the larger or smaller of, count by count.

use crate::kind::Kind;

/// Where the count of each kind begins, by [`Kind::number`] (from 1); then the end.
const START: [u32; 9] = [0, 0, 5, 8, 11, 14, 17, 19, 21];
/// Bit 0 of each count but the first, and the bit above the plies: where a borrow shows.
const BORDERS: u64 = 1 << 5 | 1 << 8 | 1 << 11 | 1 << 14 | 1 << 17 | 1 << 19 | 1 << 21 | 1 << 32;
/// The bits of a hand.
const HAND: u32 = (1 << 21) - 1;

/// The pieces in one hand.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Hand(u32);

impl Hand {
    /// No pieces.
    pub const EMPTY: Self = Self(0);

    /// One piece of a kind (of its unpromoted kind).
    #[must_use]
    #[inline]
    pub const fn one(kind: Kind) -> Self {
        let kind = kind.number() & 7;
        if kind == 0 { Self(0) } else { Self(1 << START[kind]) }
    }

    /// How many of this kind.
    #[must_use]
    #[inline]
    pub const fn count(self, kind: Kind) -> u32 {
        let kind = kind.number() & 7;
        self.0 >> START[kind] & ((1 << (START[kind + 1] - START[kind])) - 1)
    }

    /// Whether there is one of this kind.
    #[must_use]
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.count(kind) > 0
    }

    /// The hand with another count; the count is cut off at what its bits hold.
    #[must_use]
    #[inline]
    pub const fn with(self, kind: Kind, count: u32) -> Self {
        let kind = kind.number() & 7;
        if kind == 0 {
            return self;
        }
        let most = (1 << (START[kind + 1] - START[kind])) - 1;
        let count = if count > most { most } else { count };
        Self(self.0 & !(most << START[kind]) | count << START[kind])
    }

    /// With one more. The caller knows that the set of pieces has another one.
    #[must_use]
    #[inline]
    pub const fn plus(self, kind: Kind) -> Self {
        Self(self.0.wrapping_add(Self::one(kind).0) & HAND)
    }

    /// With one less, which must be there.
    #[must_use]
    #[inline]
    pub const fn minus(self, kind: Kind) -> Self {
        Self(self.0.wrapping_sub(Self::one(kind).0) & HAND)
    }

    /// With one less, if there is one.
    #[must_use]
    #[inline]
    pub const fn less(self, kind: Kind) -> Self {
        if self.has(kind) { self.minus(kind) } else { self }
    }

    /// Count by count.
    #[must_use]
    pub fn sum(self, other: Self) -> Self {
        Kind::HELD
            .iter()
            .fold(self, |sum, &kind| sum.with(kind, self.count(kind) + other.count(kind)))
    }

    /// What is left of this hand without `other`, which must be part of it.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0) & HAND)
    }

    /// Whether every count is at least that of `other`.
    #[must_use]
    #[inline]
    pub const fn covers(self, other: Self) -> bool {
        covers(self.0, other.0)
    }

    /// The larger of each count.
    #[must_use]
    #[inline]
    pub fn max(self, other: Self) -> Self {
        let mut most = self;
        for kind in Kind::HELD {
            if other.count(kind) > self.count(kind) {
                most = most.with(kind, other.count(kind));
            }
        }
        most
    }

    /// The smaller of each count.
    #[must_use]
    #[inline]
    pub fn min(self, other: Self) -> Self {
        let mut least = self;
        for kind in Kind::HELD {
            if other.count(kind) < self.count(kind) {
                least = least.with(kind, other.count(kind));
            }
        }
        least
    }

    /// Whether the hand is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The 21 bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// A hand from bits that [`Hand::bits`] gave; other bits are cut off.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & HAND)
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts: Vec<u32> = Kind::HELD.iter().map(|&kind| self.count(kind)).collect();
        write!(f, "{counts:?}")
    }
}

/// Compares packed counts. A count that is too small borrows from the next one, which shows in its
/// lowest bit; if none borrows, no bit differs from that of the plain exclusive or.
const fn covers(a: u32, b: u32) -> bool {
    let (a, b) = (a as u64, b as u64);
    (a.wrapping_sub(b) ^ a ^ b) & BORDERS == 0
}

/// A hand of the attacker and the plies that are left: with more of either, the attacker is never
/// worse off. These are the low 32 bits of a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rank {
    /// The attacker's hand.
    pub hand: Hand,
    /// Plies left, at most [`Rank::ENDLESS`], which stands for no limit.
    pub left: u16,
}

impl Rank {
    /// No limit of plies. Numbers below are limits.
    pub const ENDLESS: u16 = (1 << 11) - 1;

    /// As 32 bits.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u32 {
        self.hand.0 | (self.left as u32) << 21
    }

    /// From 32 bits; every value is a rank.
    #[must_use]
    #[inline]
    pub const fn from_bits(bits: u32) -> Self {
        Self { hand: Hand(bits & HAND), left: (bits >> 21) as u16 }
    }

    /// Whether the attacker is at least as well off as with `other`, count by count. A partial
    /// order.
    #[must_use]
    #[inline]
    pub const fn dominates(self, other: Self) -> bool {
        covers(self.bits(), other.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_hand() -> Hand {
        let counts = |hand: Hand, kind: Kind| hand.with(kind, fastrand::u32(..=kind.in_a_set()));
        Kind::HELD.iter().fold(Hand::EMPTY, |hand, &kind| counts(hand, kind))
    }

    #[test]
    fn packed_counts_behave_like_a_list_of_counts() {
        fastrand::seed(1);
        for _ in 0..100_000 {
            let (a, b) = (some_hand(), some_hand());
            let each = |f: fn(u32, u32) -> bool| {
                Kind::HELD.iter().all(|&kind| f(a.count(kind), b.count(kind)))
            };
            assert_eq!(a.covers(b), each(|a, b| a >= b), "{a:?} {b:?}");
            for kind in Kind::HELD {
                assert_eq!(a.max(b).count(kind), a.count(kind).max(b.count(kind)));
                assert_eq!(a.min(b).count(kind), a.count(kind).min(b.count(kind)));
            }
            assert!(a.max(b).covers(a) && a.covers(a.min(b)));
            assert_eq!(a.max(b).without(a).sum(a), a.max(b));
            let (p, q) = (fastrand::u16(..2048), fastrand::u16(..2048));
            let (one, other) = (Rank { hand: a, left: p }, Rank { hand: b, left: q });
            assert_eq!(one.dominates(other), a.covers(b) && p >= q);
            assert_eq!(Rank::from_bits(one.bits()), one);
        }
    }
}
