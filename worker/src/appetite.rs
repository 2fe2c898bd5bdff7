//! How much work to request. Pure: the caller passes what is held and how long units took.

use std::time::Duration;

/// This much work is held ahead: short units must not cost a round trip each, but what a worker
/// holds is delayed if the worker is lost.
const AHEAD: Duration = Duration::from_secs(1);
/// Never more units than this.
const MOST: u32 = 1024;
/// Units of a split search are chosen when they are handed out, and outdated after a long wait; but
/// if they take less than this, fetching them one by one leaves threads idle.
const SHORT: f64 = 0.1;
/// The weight of the latest unit in the average.
const WEIGHT: f64 = 0.125;

/// What a worker has learned about its units.
#[derive(Clone, Debug)]
pub struct Appetite {
    threads: u32,
    /// Seconds a unit takes; `None` before the first one.
    average: Option<f64>,
    /// The last unit belonged to a split search.
    searching: bool,
}

impl Appetite {
    /// For this many threads.
    #[must_use]
    pub fn new(threads: u32) -> Self {
        Self { threads: threads.max(1), average: None, searching: false }
    }

    /// Records a new unit; `searching` if it belongs to a split search.
    pub fn given(&mut self, searching: bool) {
        self.searching = searching;
    }

    /// Records how long a finished unit took.
    pub fn computed(&mut self, took: Duration) {
        let took = took.as_secs_f64();
        self.average = Some(self.average.map_or(took, |old| old + WEIGHT * (took - old)));
    }

    /// How many units to hold, those being computed included.
    #[must_use]
    pub fn target(&self) -> u32 {
        let ahead = match self.average {
            Some(average) if self.searching && average < SHORT => self.threads * 2,
            Some(average) if !self.searching => {
                // A float cast saturates: units that take no time are harmless.
                (f64::from(self.threads) * AHEAD.as_secs_f64() / average) as u32
            }
            _ => 0,
        };
        ahead.min(MOST).max(self.threads)
    }

    /// How many units to request when `held` are held, `endless` of them without an end of their
    /// own. Zero while more than half of the target is held and no thread is idle, so that a call
    /// brings many units.
    #[must_use]
    pub fn want(&self, held: u32, endless: u32) -> u32 {
        // A unit queued behind an endless one may wait forever. So request nothing ahead while one
        // is held, nor before every thread has a unit: the next one might be endless.
        let target = if self.searching && (endless > 0 || held < self.threads) {
            self.threads
        } else {
            self.target()
        };
        if held < self.threads || held <= target / 2 { target.saturating_sub(held) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(threads: u32, units: u32, took: Duration) -> Appetite {
        let mut appetite = Appetite::new(threads);
        (0..units).for_each(|_| appetite.computed(took));
        appetite
    }

    #[test]
    fn at_first_one_unit_a_thread() {
        assert_eq!(Appetite::new(4).want(0, 0), 4);
        assert_eq!(Appetite::new(4).want(3, 0), 1);
        assert_eq!(Appetite::new(4).want(4, 0), 0);
        assert_eq!(Appetite::new(0).want(0, 0), 1);
    }

    #[test]
    fn short_units_are_held_for_a_second_and_fetched_by_the_half() {
        let appetite = after(2, 1, Duration::from_millis(10));
        assert_eq!(appetite.target(), 200);
        assert_eq!(
            [appetite.want(101, 0), appetite.want(100, 0), appetite.want(0, 0)],
            [0, 100, 200]
        );
    }

    #[test]
    fn never_more_than_the_most_and_never_fewer_than_threads() {
        assert_eq!(after(8, 3, Duration::ZERO).target(), MOST);
        assert_eq!(after(8, 3, Duration::from_secs(3600)).target(), 8);
        assert_eq!(after(2000, 3, Duration::ZERO).target(), 2000);
    }

    #[test]
    fn pieces_of_a_search_wait_only_where_they_are_short() {
        let mut appetite = after(2, 5, Duration::from_millis(500));
        appetite.given(true);
        assert_eq!([appetite.want(2, 0), appetite.want(1, 0)], [0, 1]);
        let mut appetite = after(2, 5, Duration::from_millis(1));
        appetite.given(true);
        assert_eq!([0, 1, 2, 3, 4].map(|held| appetite.want(held, 0)), [2, 1, 2, 0, 0]);
        assert_eq!(
            [0, 1, 2, 3].map(|held| appetite.want(held, 1)),
            [2, 1, 0, 0],
            "never behind it"
        );
        appetite.given(false);
        assert!(appetite.want(1, 0) > 100);
    }

    #[test]
    fn it_follows_a_change_of_pace_within_some_units() {
        let mut appetite = after(1, 50, Duration::from_millis(1));
        (0..30).for_each(|_| appetite.computed(Duration::from_secs(2)));
        assert_eq!(appetite.target(), 1);
    }
}
