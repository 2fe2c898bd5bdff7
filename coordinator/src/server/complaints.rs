//! Log lines that callers cause, at a bounded rate: who is refused a million times has some lines,
//! and a count of what was left out.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hasami_proto::limits;

/// The time over which lines are counted.
const WINDOW: Duration = Duration::from_secs(10);

/// Counts lines of one kind.
#[derive(Debug, Default)]
pub struct Complaints(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    began: Option<Instant>,
    lines: u32,
    left_out: u64,
}

impl Complaints {
    /// Whether a line may be written now; if so, how many were left out before it.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        self.at(Instant::now())
    }

    fn at(&self, now: Instant) -> Option<u64> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.began.is_none_or(|began| now.duration_since(began) >= WINDOW) {
            (counted.began, counted.lines) = (Some(now), 0);
        }
        if counted.lines >= limits::LOG_LINES {
            counted.left_out += 1;
            return None;
        }
        counted.lines += 1;
        Some(std::mem::take(&mut counted.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beyond_the_limit_are_counted_and_told_with_the_next() {
        let (complaints, start) = (Complaints::default(), Instant::now());
        for _ in 0..limits::LOG_LINES {
            assert_eq!(complaints.at(start), Some(0));
        }
        for _ in 0..1000 {
            assert_eq!(complaints.at(start + WINDOW / 2), None);
        }
        assert_eq!(complaints.at(start + WINDOW), Some(1000));
        assert_eq!(complaints.at(start + WINDOW), Some(0));
    }
}
