//! A search's lookups in the store before it starts, from the thread that will search.

use hasami_andor::{Key, ProblemId};
use hasami_record::Record;

use super::Shares;
use hasami_answer::split::{Share, ShareError};
use hasami_unit::Lease;

/// The shared store as the search of a unit sees it.
pub struct Link<'a> {
    /// The exchanges of this worker.
    pub shares: &'a Shares,
    /// The unit.
    pub lease: Lease,
}

impl Share for Link<'_> {
    fn load(&self, problem: ProblemId) -> Result<Vec<(Key, Record)>, ShareError> {
        let Self { shares, lease } = self;
        let exchange = shares.of(problem);
        shares
            .runtime
            .block_on(exchange.load(*lease))
            .map_err(|trouble| ShareError(trouble.to_string()))
    }

    fn lookup(&self, problem: ProblemId, keys: &[Key]) -> Result<Vec<(Key, Record)>, ShareError> {
        let Self { shares, lease } = self;
        let asked = shares.store.lookup(problem, *lease, keys);
        shares.runtime.block_on(asked).map_err(|trouble| ShareError(trouble.to_string()))
    }
}
