//! Mate problems of shogi beyond the verdict: the solution in a certificate, and other solutions.

pub mod flaws;

use std::path::Path;
use std::sync::Arc;

use hasami_andor::certificate::Strategy;
use hasami_andor::{Control, Table};
use hasami_game::Resources;
use hasami_shogi::{Bound, Shogi};
use hasami_spec::Params;

use crate::checked::{Opened, strategy};
use crate::entry::CheckError;
use crate::error::JobError;
use crate::settle::{Plan, Settled, Shell, settle_sharing};

/// Loads the certificate of a verdict on a mate problem, verified.
///
/// # Errors
/// If it does not hold, or is about another game.
pub fn open(file: &Path) -> Result<(Shogi, Strategy), CheckError> {
    strategy::<Shogi>(&Opened::open(file)?, &Resources::default())
}

/// Questions about positions of one game, settled in one table: they have the same attacker and the
/// same pieces, so a verdict of one holds for all.
pub struct Together(Arc<Table<Bound>>);

impl Together {
    /// Without any question yet.
    ///
    /// # Errors
    /// If the system does not have this much memory.
    pub fn new(table_mib: u32) -> Result<Self, JobError> {
        Ok(Self(Table::with_mib(table_mib as usize, false)?.into()))
    }

    /// Settles one of them, which must not ask for the shortest mate.
    ///
    /// # Errors
    /// Those of [`Rules::settle`](crate::Rules::settle).
    pub fn settle(
        &self,
        params: &Params,
        plan: &Plan<'_>,
        control: &Control,
        shell: &mut dyn Shell,
    ) -> Result<Settled, JobError> {
        settle_sharing::<Shogi>(params, plan, &self.0, control, shell)
    }
}
