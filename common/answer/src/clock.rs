//! A wall-clock limit for one question.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use hasami_andor::Control;

/// Ends a search when its time is up, unless it is dropped before.
#[derive(Debug)]
pub struct Clock {
    /// Dropped with the clock, which ends its thread.
    _running: Sender<()>,
}

impl Clock {
    /// Starts a clock for the search under this control.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub fn start(limit: Duration, control: &Arc<Control>) -> std::io::Result<Self> {
        let (running, ended) = channel();
        let control = Arc::clone(control);
        std::thread::Builder::new().name("clock".to_string()).spawn(move || {
            if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                control.expire();
            }
        })?;
        Ok(Self { _running: running })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_dropped_never_rings() {
        let control = Arc::new(Control::unlimited());
        let clock = Clock::start(Duration::from_secs(3600), &control).unwrap();
        drop(clock);
        // The thread holds the control until it has ended.
        while Arc::strong_count(&control) > 1 {
            std::thread::yield_now();
        }
        assert!(!control.is_expired());
    }

    #[test]
    fn a_clock_that_rings_uses_up_the_budget_but_cancels_nothing() {
        let control = Arc::new(Control::unlimited());
        let _clock = Clock::start(Duration::from_millis(1), &control).unwrap();
        while !control.is_expired() {
            std::thread::yield_now();
        }
        while !control.is_used_up() {
            std::thread::yield_now();
        }
        assert!(!control.is_cancelled());
    }
}
