//! How often to exchange: often while there is much to tell, seldom while there is nothing.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_millis(80);
const USUAL: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_millis(500);
/// More records than this in one exchange are many.
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

    /// So many records went either way.
    pub fn moved(&mut self, records: usize) {
        self.0 = match records {
            0 => self.0 * 3 / 2,
            1..=MANY => USUAL,
            _ => self.0.min(USUAL) / 2,
        }
        .clamp(SHORTEST, LONGEST);
    }

    /// It did not work: nothing is gained by asking often.
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
        (0..20).for_each(|_| pace.moved(0));
        assert_eq!(pace.pause(), LONGEST);
        pace.moved(1);
        assert_eq!(pace.pause(), USUAL);
        (0..9).for_each(|_| pace.moved(MANY + 1));
        assert_eq!(pace.pause(), SHORTEST);
        pace.failed();
        assert_eq!(pace.pause(), LONGEST);
        pace.moved(MANY + 1);
        assert!(pace.pause() < USUAL);
    }
}
