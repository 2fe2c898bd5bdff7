//! One value in the arena: its options, and how it compares with numbers.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::dyadic::Dyadic;
use crate::games::Value;

/// A stop, and whether the game itself is on the near side of that number. It compares any number
/// with the game directly: x <= G if x is less than the right stop, or if it is the right stop and
/// that is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The number of the stop.
    pub(crate) at: Dyadic,
    /// For a left stop: G <= stop. For a right stop: stop <= G.
    pub(crate) reached: bool,
}

/// x + n·up + *k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UpStar {
    /// The number x.
    pub(crate) number: Value,
    /// The count n.
    pub(crate) ups: i32,
    /// The size k.
    pub(crate) star: u32,
}

/// A value: a number, whose options are not stored, or a game with options in the pool.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Offsets in the pool: start of the left options, start of the right options, end.
    pub(crate) options: [u32; 3],
    pub(crate) is_number: bool,
    pub(crate) left_stop: Stop,
    pub(crate) right_stop: Stop,
    /// Set if it is the sum of a number, ups and a nim-heap.
    pub(crate) up_star: Option<UpStar>,
    /// Depends on the form only, not on the other contents of the arena.
    pub(crate) fingerprint: u64,
}

impl Node {
    pub(crate) fn number(number: Dyadic, at: Value) -> Self {
        let fingerprint = FxBuildHasher.hash_one(&number);
        let stop = Stop { at: number, reached: true };
        Self {
            options: [0; 3],
            is_number: true,
            left_stop: stop.clone(),
            right_stop: stop,
            up_star: Some(UpStar { number: at, ups: 0, star: 0 }),
            fingerprint,
        }
    }
}
