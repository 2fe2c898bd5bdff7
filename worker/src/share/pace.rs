//! How often to exchange: often while many records move, seldom while none do.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_millis(40);
const USUAL: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_millis(500);
/// Pauses grow by this much per other worker: all of them call the same coordinator.
const EACH: Duration = Duration::from_millis(5);
/// Above this, an exchange counts as large.
const MANY: usize = 1024;

/// The pause between two exchanges.
#[derive(Clone, Copy, Debug)]
pub struct Pace(Duration);

impl Default for Pace {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl Pace {
    /// How long to wait before the next exchange.
    #[must_use]
    pub fn pause(self) -> Duration {
        self.0
    }

    /// Records the size of an exchange and the number of other workers.
    pub fn moved(&mut self, records: usize, others: u32) {
        let crowd = EACH * others;
        self.0 = match records {
            0 => self.0 * 3 / 2,
            1..=MANY => USUAL + crowd,
            _ => SHORTEST + crowd,
        }
        .min(LONGEST);
    }

    /// The exchange failed: asking often gains nothing.
    pub fn failed(&mut self) {
        self.0 = LONGEST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_hurries_with_much_and_slows_down_with_nothing() {
        let mut pace = Pace::default();
        assert_eq!(pace.pause(), USUAL);
        (0..20).for_each(|_| pace.moved(0, 1));
        assert_eq!(pace.pause(), LONGEST);
        pace.moved(1, 0);
        assert_eq!(pace.pause(), USUAL);
        pace.moved(MANY + 1, 0);
        assert_eq!(pace.pause(), SHORTEST);
        pace.failed();
        assert_eq!(pace.pause(), LONGEST);
    }

    #[test]
    fn a_thousand_workers_call_no_more_than_some_thousand_times_a_second() {
        for workers in [1, 2, 16, 64, 256, 1024] {
            let mut pace = Pace::default();
            pace.moved(MANY + 1, workers - 1);
            let calls = f64::from(workers) / pace.pause().as_secs_f64();
            assert!(calls <= 200.0_f64.max(f64::from(workers) / LONGEST.as_secs_f64()), "{calls}");
        }
    }
}
