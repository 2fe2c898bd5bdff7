//! Names of states and of problems.

use std::fmt;

/// A 128-bit key of a state; states that are equal by symmetry share it.
///
/// Different states must have different keys, up to hash collisions: use all 128 bits.
///
/// A game with [`crate::Problem::DOMINATES`] composes its keys ([`Key::ranked`]): the upper 96 bits
/// name a *family* of states, the lower 32 bits the [`Rank`] within it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u128);

impl Key {
    /// Spreads an injective but poorly mixed value (a packed board, an index) over all 128 bits.
    /// Different inputs give different keys.
    #[must_use]
    pub fn mixed(name: u128) -> Self {
        // Every step is a bijection: xor-shifts and products with odd numbers.
        let mut x = name;
        x ^= x >> 67;
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        x ^= x >> 59;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f);
        x ^= x >> 64;
        Self(x)
    }

    /// The key of the state with this rank in the family with this name. The name need not be mixed.
    #[must_use]
    pub fn ranked(family: u128, rank: Rank) -> Self {
        Self(Self::mixed(family).0).with_rank(rank)
    }

    /// The same family, another rank.
    #[must_use]
    pub fn with_rank(self, rank: Rank) -> Self {
        Self(self.0 >> 32 << 32 | u128::from(rank.0))
    }

    /// The family of a composed key.
    #[must_use]
    pub fn family(self) -> u128 {
        self.0 >> 32
    }

    /// The rank of a composed key.
    #[must_use]
    pub fn rank(self) -> Rank {
        Rank(self.0 as u32)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What the OR side has beside the rest of a state: the pieces in hand, the plies left. The states of
/// a family differ in nothing else. The game packs it and orders it ([`crate::Problem::at_least`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(pub u32);

/// Fingerprint of rules, parameters and version. Keys are comparable only under one `ProblemId`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProblemId(pub u128);

impl ProblemId {
    /// The id of the problem `name` with `parameters` in a canonical spelling. Raise `version` when
    /// the rules, the keys or the encoding change.
    #[must_use]
    pub fn new(name: &str, version: u32, parameters: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(&(name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update(&version.to_le_bytes());
        hash.update(parameters.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.finalize().as_bytes()[..16]);
        Self(u128::from_le_bytes(bytes))
    }
}

impl fmt::Debug for ProblemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for ProblemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
