//! When to say that something does not work: when it begins, once a minute while it lasts, and
//! when it is over. Pure: the caller passes the time.

use std::time::{Duration, Instant};

/// How often an outage that goes on is logged.
const AGAIN: Duration = Duration::from_secs(60);

/// One kind of trouble.
#[derive(Debug, Default)]
pub struct Outage {
    began: Option<Instant>,
    logged: Option<Instant>,
}

/// What to say now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// It has just begun.
    Begun,
    /// It has lasted for so long.
    Lasting(Duration),
    /// Nothing: it was said a moment ago.
    Nothing,
}

impl Outage {
    /// It did not work.
    pub fn failed(&mut self, now: Instant) -> Say {
        let Some(began) = self.began else {
            (self.began, self.logged) = (Some(now), Some(now));
            return Say::Begun;
        };
        if self.logged.is_some_and(|logged| now.duration_since(logged) < AGAIN) {
            return Say::Nothing;
        }
        self.logged = Some(now);
        Say::Lasting(now.duration_since(began))
    }

    /// It works; how long it had not, if it had not.
    pub fn over(&mut self, now: Instant) -> Option<Duration> {
        self.logged = None;
        self.began.take().map(|began| now.duration_since(began))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_at_the_beginning_every_minute_and_at_the_end() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut outage = Outage::default();
        assert_eq!(outage.over(at(0)), None);
        assert_eq!(outage.failed(at(1)), Say::Begun);
        assert_eq!(outage.failed(at(60)), Say::Nothing);
        assert_eq!(outage.failed(at(61)), Say::Lasting(Duration::from_secs(60)));
        assert_eq!(outage.failed(at(62)), Say::Nothing);
        assert_eq!(outage.over(at(70)), Some(Duration::from_secs(69)));
        assert_eq!(outage.over(at(71)), None);
        assert_eq!(outage.failed(at(72)), Say::Begun);
    }
}
