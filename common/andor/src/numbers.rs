//! Proof and disproof numbers and verdicts.

/// Infinity: the proof number of a disproven state.
pub const INFINITE: u32 = u32::MAX;

/// The largest number of an unsettled state. Sums saturate here, far below [`INFINITE`], so that a
/// long search is never mistaken for a settled one.
pub const LIMIT: u32 = u32::MAX / 4;

/// What the first player (the OR side) can force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The OR side wins.
    Proven,
    /// The OR side cannot win.
    Disproven,
}

impl Verdict {
    /// The opposite verdict.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Proven => Self::Disproven,
            Self::Disproven => Self::Proven,
        }
    }

    /// The verdict as spelled in every output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Disproven => "disproven",
        }
    }
}

/// The minimum number of leaves needed to prove a state and to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Proof number: 0 when proven, [`INFINITE`] when disproven.
    pub proof: u32,
    /// Disproof number: 0 when disproven, [`INFINITE`] when proven.
    pub disproof: u32,
}

impl Numbers {
    /// An unexplored leaf.
    pub const UNKNOWN: Self = Self { proof: 1, disproof: 1 };
    /// The OR side wins.
    pub const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    /// The OR side cannot win.
    pub const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };

    /// Thresholds that only a verdict reaches.
    pub const UNBOUNDED: Self = Self { proof: INFINITE, disproof: INFINITE };

    /// Numbers of an unsettled state, clamped to 1 and [`LIMIT`].
    #[must_use]
    pub fn open(proof: u32, disproof: u32) -> Self {
        Self { proof: proof.clamp(1, LIMIT), disproof: disproof.clamp(1, LIMIT) }
    }

    /// Settled numbers as they are; else the larger of each, from two estimates of one state.
    #[must_use]
    pub fn or_larger(self, other: Self) -> Self {
        if self.settled() {
            return self;
        }
        Self::open(self.proof.max(other.proof), self.disproof.max(other.disproof))
    }

    /// The verdict, if these numbers are settled.
    #[must_use]
    pub fn verdict(self) -> Option<Verdict> {
        if self.proof == 0 {
            Some(Verdict::Proven)
        } else if self.disproof == 0 {
            Some(Verdict::Disproven)
        } else {
            None
        }
    }

    /// Whether these numbers are settled.
    #[must_use]
    pub fn settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

impl From<Verdict> for Numbers {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Proven => Self::PROVEN,
            Verdict::Disproven => Self::DISPROVEN,
        }
    }
}
