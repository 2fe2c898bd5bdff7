//! How much a [`Games`](crate::Games) may still do.
//!
//! Canonical forms of sums can grow beyond any memory. Everything that is remembered, and every
//! step of a comparison, is paid for here, so that memory and time have one limit.

/// The limit is reached; nothing wrong was computed, and smaller questions still have answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the limit of {limit} steps is reached; a larger limit may be enough")]
pub struct Exhausted {
    /// The limit.
    pub limit: u64,
}

/// Steps left of a limit.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    limit: u64,
    spent: u64,
}

impl Budget {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, spent: 0 }
    }

    /// Pays for so many steps, or says that there are not so many left.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        self.spent = self.spent.saturating_add(steps);
        if self.spent > self.limit { Err(Exhausted { limit: self.limit }) } else { Ok(()) }
    }

    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// The whole limit is there again.
    pub(crate) fn refill(&mut self) {
        self.spent = 0;
    }
}
