//! The work that a record must have cost to be sent to others: as little as the rate allows. Pure;
//! the caller passes the time.

use std::time::Duration;

/// Target of records per second for all workers together: what the coordinator sends.
const TOLD: f64 = 1e6;
/// Upper limit per worker, where there are few workers.
const MOST: f64 = 500_000.0;
/// Lower limit per worker, however many there are.
const LEAST: f64 = 20_000.0;
/// A record must have cost one node per this many workers, since all of them absorb it.
const HEARERS: usize = 64;
/// Below this share of the rate cheaper records are admitted. Well under a half, since admitting
/// records of half the work may more than double the rate.
const FEW: f64 = 0.25;
/// Averaging time of the rate, in seconds.
const MEMORY: f64 = 1.0;
/// Minimum time between changes: workers must learn of a change and the rate must settle.
const SETTLE: Duration = Duration::from_secs(2);
const LARGEST: u32 = 1 << 30;

/// The pace of one problem. Public because a simulated coordinator must apply the same limits.
#[derive(Clone, Debug)]
pub struct Pace {
    min_work: u32,
    /// Records per second, averaged with exponentially fading weights.
    rate: f64,
    last: Duration,
    changed: Duration,
}

impl Pace {
    /// At first every record is sent.
    #[must_use]
    pub fn new(now: Duration) -> Self {
        Self { min_work: 1, rate: 0.0, last: now, changed: now }
    }

    /// Counts published records.
    pub fn published(&mut self, records: usize, now: Duration) {
        self.fade(now);
        self.rate += records as f64 / MEMORY;
    }

    /// The work that a record must now have cost, with this many readers.
    pub fn min_work(&mut self, workers: usize, now: Duration) -> u32 {
        self.fade(now);
        let most = (TOLD / workers.max(1) as f64).clamp(LEAST, MOST);
        if now.saturating_sub(self.changed) >= SETTLE {
            let wanted = if self.rate > most {
                (self.min_work * 2).min(LARGEST)
            } else if self.rate < most * FEW {
                (self.min_work / 2).max(1)
            } else {
                self.min_work
            };
            if wanted != self.min_work {
                (self.min_work, self.changed) = (wanted, now);
            }
        }
        self.min_work.max((workers / HEARERS) as u32)
    }

    fn fade(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.last).as_secs_f64();
        self.rate *= (-passed / MEMORY).exp();
        self.last = self.last.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets workers publish `rate(min_work)` records per second, a tenth of a second at a time.
    fn run(pace: &mut Pace, from: u64, seconds: u64, rate: impl Fn(u32) -> f64) -> Vec<u32> {
        let mut said = Vec::new();
        for tenth in from * 10..(from + seconds) * 10 {
            let now = Duration::from_millis(100 * tenth);
            let work = pace.min_work(100, now);
            pace.published((rate(work) / 10.0) as usize, now);
            said.push(work);
        }
        said
    }

    #[test]
    fn a_flood_is_held_back_to_the_bound_and_then_left_alone() {
        // Half as many records cost twice as much: two million a second at the start.
        let flood = |work: u32| 32e6 / f64::from(work);
        let mut pace = Pace::new(Duration::ZERO);
        run(&mut pace, 0, 60, flood);
        let said = run(&mut pace, 60, 60, flood);
        let last = said[said.len() - 1];
        assert!(flood(last) <= LEAST && flood(last) >= LEAST * FEW, "{last}");
        assert!(said.iter().all(|&work| work == last), "it swings: {said:?}");
    }

    #[test]
    fn few_workers_hear_more_than_many() {
        let settled = |workers: usize| {
            let mut pace = Pace::new(Duration::ZERO);
            for tenth in 0..1200 {
                let now = Duration::from_millis(100 * tenth);
                let work = pace.min_work(workers, now);
                pace.published((1e6 / f64::from(work) / 10.0) as usize, now);
            }
            pace.min_work
        };
        let settled = [2, 16, 1024].map(settled);
        assert!(settled.is_sorted_by(|few, many| few < many), "{settled:?}");
    }

    #[test]
    fn a_thousand_workers_are_told_of_less_from_the_start() {
        let mut pace = Pace::new(Duration::ZERO);
        assert_eq!(
            [2, 63, 64, 1024].map(|workers| pace.min_work(workers, Duration::ZERO)),
            [1, 1, 1, 16]
        );
    }

    #[test]
    fn silence_lets_everything_in() {
        let mut pace = Pace::new(Duration::ZERO);
        run(&mut pace, 0, 60, |work| 32e6 / f64::from(work));
        let said = run(&mut pace, 60, 60, |_| 10.0);
        assert_eq!(said.last(), Some(&1));
    }

    #[test]
    fn changes_are_by_factors_of_two_and_not_too_often() {
        let mut pace = Pace::new(Duration::ZERO);
        let mut said = run(&mut pace, 0, 30, |_| 1e9);
        said.dedup();
        assert!(said.windows(2).all(|two| two[1] == 2 * two[0]), "{said:?}");
        assert!((10..=16).contains(&said.len()), "{said:?}");
        let last = *run(&mut pace, 30, 300, |_| 1e9).last().unwrap();
        assert_eq!(last, LARGEST, "no overflow at the end");
    }

    #[test]
    fn a_clock_that_stands_or_goes_back_does_no_harm() {
        let mut pace = Pace::new(Duration::from_secs(5));
        pace.published(1_000, Duration::from_secs(5));
        pace.published(1_000, Duration::from_secs(3));
        assert_eq!(pace.min_work(9, Duration::from_secs(1)), 1);
        assert!(pace.rate.is_finite());
    }
}
