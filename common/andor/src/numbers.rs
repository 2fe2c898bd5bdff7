//! Proof and disproof numbers, and the verdicts they end in.

/// A number that says "never": the proof number of a disproven state.
pub const INFINITE: u32 = u32::MAX;

/// The largest number of a state that is not settled yet. Sums stop here, far below
/// [`INFINITE`], so that a long search can never be mistaken for a settled one.
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
    /// The other verdict.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Proven => Self::Disproven,
            Self::Disproven => Self::Proven,
        }
    }

    /// The word used in every output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Disproven => "disproven",
        }
    }
}

/// How many leaves are at least needed to prove a state, and to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Proof number: 0 when proven, [`INFINITE`] when disproven.
    pub proof: u32,
    /// Disproof number: 0 when disproven, [`INFINITE`] when proven.
    pub disproof: u32,
}

impl Numbers {
    /// A leaf about which nothing is known.
    pub const UNKNOWN: Self = Self { proof: 1, disproof: 1 };
    /// A settled win of the OR side.
    pub const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    /// A settled failure of the OR side.
    pub const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };

    /// Thresholds that only a verdict reaches.
    pub const UNBOUNDED: Self = Self { proof: INFINITE, disproof: INFINITE };

    /// Numbers of an unsettled state, kept between 1 and [`LIMIT`].
    #[must_use]
    pub fn open(proof: u32, disproof: u32) -> Self {
        Self { proof: proof.clamp(1, LIMIT), disproof: disproof.clamp(1, LIMIT) }
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

    /// Whether a verdict is there.
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
