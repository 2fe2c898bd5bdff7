//! From the words of a question to a kernel and its options.

use hasami_andor::kernel::multipath::Schedule;
use hasami_andor::{Kernel, Method, Options, SumRule};
use hasami_sweep::SearchSettings;

use super::JobError;

/// The names of the sum rules.
pub const SUMS: [(&str, SumRule); 3] =
    [("sum", SumRule::Sum), ("weak", SumRule::Weak), ("hybrid", SumRule::Hybrid)];

/// ε may be from 0 to this.
pub const MAX_EPSILON: f64 = 16.0;

/// Depth-first search with the weak sum rule, by the name it has in the literature (Ueda et al. 2008).
const WPNS: &str = "wpns";

/// The kernel; `dfpn` where nothing is said, and for `wpns`. `threads` takes all cores.
///
/// # Errors
/// When there is no such kernel.
pub fn kernel(settings: &SearchSettings) -> Result<Kernel, JobError> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    Ok(match settings.kernel.as_deref() {
        None | Some("dfpn" | WPNS) => Kernel::Dfpn,
        Some("pn") => Kernel::Pn,
        Some("pds") => Kernel::Pds,
        Some("multipath") => Kernel::Multipath(Schedule::default()),
        Some("threads") => Kernel::Threads(cores()),
        Some(other) => return Err(wrong("kernel", other, &one_of(&SearchSettings::KERNELS))),
    })
}

/// The options of the search, from what suits the game where nothing is said.
///
/// # Errors
/// When a word or a number is none that can be.
pub fn options(settings: &SearchSettings, advice: Options) -> Result<Options, JobError> {
    let sum = match (settings.sum.as_deref(), settings.kernel.as_deref()) {
        (None | Some("weak"), Some(WPNS)) => SumRule::Weak,
        (Some(other), Some(WPNS)) => {
            return Err(wrong("sum", other, "weak, or none, with the kernel wpns"));
        }
        (None, _) => advice.sum,
        (Some(word), _) => {
            let known = SUMS.iter().find(|(name, _)| *name == word).map(|(_, sum)| *sum);
            known.ok_or_else(|| wrong("sum", word, &one_of(&SUMS.map(|(name, _)| name))))?
        }
    };
    let epsilon = match settings.epsilon {
        None => advice.epsilon,
        Some(epsilon) if (0.0..=MAX_EPSILON).contains(&epsilon) => (epsilon * 256.0) as u32,
        Some(epsilon) => {
            let expected = format!("a number from 0 to {MAX_EPSILON}");
            return Err(wrong("epsilon", &epsilon.to_string(), &expected));
        }
    };
    // The method counts for `multipath` alone, which is at its best over this one.
    Ok(Options { method: Method::Pds, sum, epsilon, seed: settings.seed, ..advice })
}

fn one_of(names: &[&str]) -> String {
    format!("one of {}", names.join(", "))
}

fn wrong(name: &str, found: &str, expected: &str) -> JobError {
    JobError::Question(format!("{name}: found \"{found}\"; expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_kernel_is_that_kernel() {
        for name in Kernel::NAMES {
            let settings = SearchSettings { kernel: Some(name.to_string()), ..Default::default() };
            assert_eq!(kernel(&settings).unwrap().name(), name);
        }
        assert_eq!(kernel(&SearchSettings::default()), Ok(Kernel::Dfpn));
    }

    #[test]
    fn what_is_not_said_is_as_the_game_advises() {
        let advice = Options { sum: SumRule::Hybrid, epsilon: 7, ..Options::DEFAULT };
        let same = options(&SearchSettings::default(), advice).unwrap();
        assert_eq!((same.sum, same.epsilon), (SumRule::Hybrid, 7));
        let said = SearchSettings {
            sum: Some("weak".to_string()),
            epsilon: Some(0.5),
            seed: 9,
            ..Default::default()
        };
        let said = options(&said, advice).unwrap();
        assert_eq!((said.sum, said.epsilon, said.seed), (SumRule::Weak, 128, 9));
    }

    #[test]
    fn wrong_words_are_told_with_what_can_be() {
        let settings = SearchSettings {
            kernel: Some("dfpm".to_string()),
            sum: Some("max".to_string()),
            ..Default::default()
        };
        let told = kernel(&settings).unwrap_err().to_string();
        assert_eq!(
            told,
            "kernel: found \"dfpm\"; expected one of pn, pds, dfpn, multipath, threads, wpns"
        );
        let wpns = SearchSettings { kernel: Some("wpns".to_string()), ..Default::default() };
        assert_eq!(kernel(&wpns), Ok(Kernel::Dfpn));
        assert_eq!(options(&wpns, Options::DEFAULT).unwrap().sum, SumRule::Weak);
        let both = SearchSettings { sum: Some("hybrid".to_string()), ..wpns };
        assert!(options(&both, Options::DEFAULT).is_err());
        let told = options(&settings, Options::DEFAULT).unwrap_err().to_string();
        assert_eq!(told, "sum: found \"max\"; expected one of sum, weak, hybrid");
        let wide = SearchSettings { epsilon: Some(f64::NAN), ..Default::default() };
        assert!(options(&wide, Options::DEFAULT).unwrap_err().permanent());
    }
}
