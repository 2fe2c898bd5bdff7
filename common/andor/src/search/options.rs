//! Options of all kernels.

/// How the numbers of children combine on the side where all of them are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumRule {
    /// Their sum (Allis 1994). Overestimates where lines of play merge again.
    Sum,
    /// The largest, plus one for each other unsettled child (Ueda et al. 2008).
    Weak,
    /// The sum, but of children that share descendants only the largest counts.
    Hybrid,
}

/// How a depth-first search raises its thresholds.
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
    /// How children combine.
    pub sum: SumRule,
    /// 1+ε: a child is left only when it is this much worse than the second best, in 1/256. Only
    /// for [`Method::Dfpn`].
    pub epsilon: u32,
    /// Threshold controlling: raise thresholds where a child may lead back up (Kishimoto 2010).
    /// Matters only where states repeat.
    pub tca: bool,
    /// Whether first numbers come from [`crate::Problem::evaluate`] (df-pn+).
    pub evaluate: bool,
    /// Varies first proof numbers and breaks ties between equal children; different seeds take
    /// different ways to the same verdict. 0 varies nothing.
    pub seed: u64,
}

impl Options {
    /// Suits most problems.
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
