//! When to log an outage: at its start, once a minute while it lasts, and at its end. Pure: the
//! caller passes the time.

use std::time::{Duration, Instant};

/// Interval of log lines during an outage.
const AGAIN: Duration = Duration::from_secs(60);

/// An outage of one kind.
#[derive(Debug, Default)]
pub struct Outage {
    began: Option<Instant>,
    logged: Option<Instant>,
}

/// What to log now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// It has just begun.
    Begun,
    /// It has lasted for this long.
    Lasting(Duration),
    /// Nothing: it was logged recently.
    Nothing,
}

impl Outage {
    /// Records a failure.
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

    /// Records a success; returns how long the outage lasted, if there was one.
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
