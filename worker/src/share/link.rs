//! A search's lookups in the store before it starts, from the thread that will search.

use hasami_andor::{Key, ProblemId};
use hasami_record::Record;

use super::Shares;
use hasami_answer::split::{Share, ShareError};

/// The shared store as a search sees it.
pub struct Link<'a>(pub &'a Shares);

impl Share for Link<'_> {
    fn load(&self, problem: ProblemId) -> Result<Vec<(Key, Record)>, ShareError> {
        let Self(shares) = self;
        let exchange = shares.of(problem);
        shares.runtime.block_on(exchange.load()).map_err(|trouble| ShareError(trouble.to_string()))
    }

    fn lookup(&self, problem: ProblemId, keys: &[Key]) -> Result<Vec<(Key, Record)>, ShareError> {
        let Self(shares) = self;
        let asked = shares.store.lookup(problem, keys);
        shares.runtime.block_on(asked).map_err(|trouble| ShareError(trouble.to_string()))
    }
}
