//! The choices that go with every kernel.

/// How the numbers of children add up on the side where all of them are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumRule {
    /// Their sum (Allis 1994). Overestimates where lines of play meet again.
    Sum,
    /// The largest, plus one for each further unsettled child (Ueda et al. 2008).
    Weak,
    /// The sum, but children found to share descendants are counted by their largest only.
    Hybrid,
}

/// Which depth-first search raises the thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Thresholds come from the root; a child is left when it is no longer the best
    /// (Nagai & Imai 2002).
    Dfpn,
    /// Both thresholds start at 1 and are raised step by step at every node (Nagai 1998).
    Pds,
}

/// Parameters of the depth-first searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How the thresholds are raised.
    pub method: Method,
    /// How children add up.
    pub sum: SumRule,
    /// 1+ε: a child is left only when it is this much worse than the second best, in 1/256. Only
    /// for [`Method::Dfpn`].
    pub epsilon: u32,
    /// Threshold controlling: raise thresholds where a child may lead back up (Kishimoto 2010).
    /// Matters only where states repeat.
    pub tca: bool,
    /// Whether first numbers come from [`crate::Problem::evaluate`] (df-pn+).
    pub evaluate: bool,
    /// Breaks ties between equal children; other seeds take other ways to the same verdict.
    pub seed: u64,
}

impl Options {
    /// What suits most problems.
    pub const DEFAULT: Self = Self {
        method: Method::Dfpn,
        sum: SumRule::Sum,
        epsilon: 64,
        tca: true,
        evaluate: true,
        seed: 0,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}
