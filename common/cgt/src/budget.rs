//! Work limit of a [`Games`](crate::Games).
//!
//! Canonical forms of sums can outgrow any memory. Everything that is stored, and every step of a
//! comparison, counts against this limit, so that one limit bounds memory and time.

/// The limit is reached. Nothing wrong was computed, and smaller questions still have answers.
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

    /// Spends this many steps, or fails if fewer are left.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        self.spent = self.spent.saturating_add(steps);
        if self.spent > self.limit { Err(Exhausted { limit: self.limit }) } else { Ok(()) }
    }

    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Restores the whole limit.
    pub(crate) fn refill(&mut self) {
        self.spent = 0;
    }
}
