//! Pauses between retries: longer each time, and randomised, so that a coordinator that comes back
//! is not flooded by all its workers at once.

use std::time::Duration;

/// The upper limit of the first pause.
const FIRST: Duration = Duration::from_millis(100);
/// The upper limit of all pauses.
const LONGEST: Duration = Duration::from_secs(5);

/// Pauses that grow to five seconds. The same seed gives the same pauses.
#[derive(Clone, Debug)]
pub struct Backoff {
    tries: u32,
    random: fastrand::Rng,
}

impl Backoff {
    /// Starts with the shortest pause; give every worker its own seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { tries: 0, random: fastrand::Rng::with_seed(seed) }
    }

    /// The pause before the next try.
    #[expect(clippy::should_implement_trait, reason = "it has no end, so it needs no option")]
    pub fn next(&mut self) -> Duration {
        let most = FIRST.saturating_mul(1 << self.tries.min(16)).min(LONGEST);
        self.tries = self.tries.saturating_add(1);
        // From a half to the whole, so that workers that failed together do not retry together.
        most.mul_f64(0.5 + 0.5 * self.random.f64())
    }

    /// Returns to the shortest pause after a success.
    pub fn reset(&mut self) {
        self.tries = 0;
    }

    /// Failures since the last success.
    #[must_use]
    pub fn tries(&self) -> u32 {
        self.tries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_five_seconds_and_begin_again() {
        let mut backoff = Backoff::new(1);
        for power in 0..40 {
            let most = FIRST.saturating_mul(1 << power.min(16)).min(LONGEST);
            let pause = backoff.next();
            assert!(pause >= most / 2 && pause <= most, "{pause:?} of {most:?}");
        }
        assert_eq!(backoff.tries(), 40);
        backoff.reset();
        assert!(backoff.next() <= FIRST);
    }

    #[test]
    fn seeds_decide_and_differ() {
        let pauses = |seed| {
            std::iter::repeat_with(move || seed).scan(Backoff::new(seed), |b, _| Some(b.next()))
        };
        let some = |seed| pauses(seed).take(8).collect::<Vec<_>>();
        assert_eq!(some(3), some(3));
        assert_ne!(some(3), some(4));
    }
}
