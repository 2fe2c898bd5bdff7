//! Search settings as users choose them: parsed once, typed from then on.

use std::time::Duration;

use hasami_andor::kernel::multipath::Schedule;
use hasami_andor::{Kernel, Method, Options, SumRule};

/// A kernel by its public name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelName {
    /// Best-first search of an explicit tree (Allis 1994).
    Pn,
    /// Depth-first, both thresholds from 1 upward (Nagai 1998).
    Pds,
    /// Depth-first, thresholds from the root (Nagai & Imai 2002).
    Dfpn,
    /// A leader and pseudo-threads on one core (Takano et al.).
    Multipath,
    /// All cores on one table (Kaneko 2010).
    Threads,
    /// `dfpn` with the weak sum rule (Ueda et al. 2008).
    Wpns,
}

impl KernelName {
    /// All kernels with their names.
    pub const NAMES: [(&str, Self); 6] = [
        ("pn", Self::Pn),
        ("pds", Self::Pds),
        ("dfpn", Self::Dfpn),
        ("multipath", Self::Multipath),
        ("threads", Self::Threads),
        ("wpns", Self::Wpns),
    ];

    /// The kernel; `threads` uses this many threads.
    #[must_use]
    pub fn kernel(self, threads: usize) -> Kernel {
        match self {
            Self::Pn => Kernel::Pn,
            Self::Pds => Kernel::Pds,
            Self::Dfpn | Self::Wpns => Kernel::Dfpn,
            Self::Multipath => Kernel::Multipath(Schedule::default()),
            Self::Threads => Kernel::Threads(threads),
        }
    }

    /// The public name.
    #[must_use]
    pub fn word(self) -> &'static str {
        word_of(self, &Self::NAMES)
    }
}

/// The names of the sum rules.
pub const SUM_RULES: [(&str, SumRule); 3] =
    [("sum", SumRule::Sum), ("weak", SumRule::Weak), ("hybrid", SumRule::Hybrid)];

/// The name of a sum rule.
#[must_use]
pub fn sum_rule_word(rule: SumRule) -> &'static str {
    word_of(rule, &SUM_RULES)
}

fn word_of<T: PartialEq + Copy>(value: T, names: &[(&'static str, T)]) -> &'static str {
    let found = names.iter().find(|(_, one)| *one == value);
    found.map(|(name, _)| *name).expect("a name for every value")
}

/// Where the first numbers of a new state come from (df-pn+). They change how long a search takes,
/// never what it finds. A game says in [`Spec::evaluations`](crate::Spec) which ones it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// (1, 1), but for what the rules settle at a glance.
    None,
    /// Rules of thumb.
    Thumb,
    /// The estimated sizes of proof and disproof tree, from the features of this set (Kaneko et al.,
    /// method 1).
    Size(u8),
    /// The estimated value of an expansion, from the features of this set (method 2).
    Value(u8),
    /// Tables over moves, fitted to what proofs and disproofs cost.
    Learned,
}

impl Evaluation {
    /// All evaluations with their names.
    pub const NAMES: [(&str, Self); 11] = [
        ("none", Self::None),
        ("thumb", Self::Thumb),
        ("paper-1", Self::Size(1)),
        ("paper-2", Self::Size(2)),
        ("paper-3", Self::Size(3)),
        ("paper-4", Self::Size(4)),
        ("value-1", Self::Value(1)),
        ("value-2", Self::Value(2)),
        ("value-3", Self::Value(3)),
        ("value-4", Self::Value(4)),
        ("learned", Self::Learned),
    ];

    /// The public name.
    #[must_use]
    pub fn word(self) -> &'static str {
        word_of(self, &Self::NAMES)
    }
}

/// `wpns` implies the weak sum rule: it cannot be combined with another rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found \"{}\"; expected weak, or none, with the kernel wpns", sum_rule_word(*.0))]
pub struct SumConflict(pub SumRule);

/// Search settings; `None` means the default of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchSettings {
    /// Which kernel.
    pub kernel: Option<KernelName>,
    /// How the numbers of children are combined.
    pub sum: Option<SumRule>,
    /// Budget of nodes for the whole question.
    pub budget: Option<u64>,
    /// Computing time for the whole question, in milliseconds.
    pub time_limit_ms: Option<u64>,
    /// Seed for breaking ties.
    pub seed: u64,
    /// 1+ε, from 0 to [`SearchSettings::MAX_EPSILON`].
    pub epsilon: Option<f64>,
    /// Where first numbers come from.
    pub evaluation: Option<Evaluation>,
    /// Table size of a worker, in MiB.
    pub table_mib: Option<u32>,
}

impl SearchSettings {
    /// The largest ε.
    pub const MAX_EPSILON: f64 = 16.0;
    /// The shortest time limit.
    pub const MIN_TIME_LIMIT: Duration = Duration::from_millis(10);
    /// The longest time limit.
    pub const MAX_TIME_LIMIT: Duration = Duration::from_secs(365 * 86_400);
    /// The largest table, in MiB.
    pub const MAX_TABLE_MIB: u32 = 1_048_576;

    /// The time limit.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit_ms.map(Duration::from_millis)
    }

    /// Checks that kernel and sum rule are compatible.
    ///
    /// # Errors
    /// If they are not.
    pub fn check(&self) -> Result<(), SumConflict> {
        match (self.kernel, self.sum) {
            (Some(KernelName::Wpns), Some(rule)) if rule != SumRule::Weak => Err(SumConflict(rule)),
            _ => Ok(()),
        }
    }

    /// The kernel, by default `dfpn`; `threads` uses this many threads.
    #[must_use]
    pub fn kernel(&self, threads: usize) -> Kernel {
        self.kernel.unwrap_or(KernelName::Dfpn).kernel(threads)
    }

    /// The options of the search, with `advice` for what is not set. Coordinator and workers both
    /// call this: they must use the same sum rule.
    #[must_use]
    pub fn options(&self, advice: Options) -> Options {
        let sum = match self.kernel {
            Some(KernelName::Wpns) => SumRule::Weak,
            _ => self.sum.unwrap_or(advice.sum),
        };
        let epsilon = self.epsilon.map_or(advice.epsilon, |epsilon| {
            (epsilon.clamp(0.0, Self::MAX_EPSILON) * 256.0) as u32
        });
        // Only `multipath` uses the method; this one suits it best.
        Options { method: Method::Pds, sum, epsilon, seed: self.seed, ..advice }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_kernel_is_that_kernel() {
        for (name, kernel) in KernelName::NAMES {
            assert_eq!(kernel.word(), name);
            let expected = if name == "wpns" { "dfpn" } else { name };
            assert_eq!(kernel.kernel(2).name(), expected);
        }
        for name in Kernel::NAMES {
            assert!(KernelName::NAMES.iter().any(|(known, _)| *known == name), "{name}");
        }
        assert_eq!(SearchSettings::default().kernel(1), Kernel::Dfpn);
    }

    #[test]
    fn what_is_not_said_is_as_the_game_advises() {
        let advice = Options { sum: SumRule::Hybrid, epsilon: 7, ..Options::DEFAULT };
        let same = SearchSettings::default().options(advice);
        assert_eq!((same.sum, same.epsilon), (SumRule::Hybrid, 7));
        let said = SearchSettings {
            sum: Some(SumRule::Weak),
            epsilon: Some(0.5),
            seed: 9,
            ..Default::default()
        };
        let said = said.options(advice);
        assert_eq!((said.sum, said.epsilon, said.seed), (SumRule::Weak, 128, 9));
    }

    #[test]
    fn wpns_adds_up_by_the_weak_rule_and_by_no_other() {
        let wpns = SearchSettings { kernel: Some(KernelName::Wpns), ..Default::default() };
        assert_eq!(wpns.options(Options::DEFAULT).sum, SumRule::Weak);
        assert_eq!(wpns.check(), Ok(()));
        let both = SearchSettings { sum: Some(SumRule::Hybrid), ..wpns };
        assert_eq!(
            both.check().unwrap_err().to_string(),
            "found \"hybrid\"; expected weak, or none, with the kernel wpns"
        );
    }
}
