//! Search units: one state of a question that many workers share, searched for a while. What is
//! learned goes through hot tables to the shared store and back, on another thread than this one;
//! nothing here waits for the network but the look before a search starts.

mod certify;
mod share;
mod unit;

use std::sync::Arc;

use hasami_andor::{Key, Options, Problem, ProblemId, SumRule, Table};
use hasami_games::{Game, Params, Visitor, visit};
use hasami_store::Record;
use hasami_sweep::{Question, SearchSettings};

use crate::jobs::settle::{bad_params, stage_of};
use crate::jobs::tables::{Hot, HotTable, HotTables};
use crate::jobs::{JobError, settings, spell_question};

pub use certify::certify_unit;
pub use share::{Alone, Share, ShareError};
pub use unit::{ChildReport, Role, Unit, UnitReport, run_unit};

/// Size of a hot table where the question does not say.
const TABLE_MIB: u32 = 256;

/// The problem that a split question is about, as the store names it.
///
/// # Errors
/// When the question is wrong, or asks several questions in turn.
pub fn problem_id(question: &Question) -> Result<ProblemId, JobError> {
    struct Id<'a>(&'a SearchSettings);

    impl Visitor for Id<'_> {
        type Output = Result<ProblemId, JobError>;
        fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
            Ok(One::<G>::new(params, self.0)?.game.id())
        }
    }

    visit(&question.problem, &question.params, Id(&question.search))?
}

type TableOf<G> = Arc<Table<<G as Problem>::Reason>>;

/// The one question that is searched.
struct One<G> {
    game: G,
    question: String,
    options: Options,
    table_mib: u32,
}

impl<G: Game> One<G> {
    fn new(params: &Params, settings: &SearchSettings) -> Result<Self, JobError> {
        let question = spell_question(G::NAME, params);
        let only = stage_of::<G>(params, 0)?;
        let (Some(only), None) = (only, stage_of::<G>(params, 1)?) else {
            // Which one is searched would have to be told with every unit.
            return Err(JobError::Question(format!(
                "{question}: asks several questions in turn; expected one where a search is split \
                 (as kind \"map\" all of them are answered)"
            )));
        };
        Ok(Self {
            game: G::from_params(&only).map_err(bad_params::<G>)?,
            question: spell_question(G::NAME, &only),
            options: settings::options(settings, G::ADVICE)?,
            table_mib: settings.table_mib.unwrap_or(TABLE_MIB),
        })
    }

    /// Its table; with `share`, a table that is new here is filled from the store first, one that is
    /// not only if `again`. Also the number of records that were of use.
    fn table(
        &self,
        tables: &HotTables,
        share: Option<&dyn Share>,
        again: bool,
    ) -> Result<(TableOf<G>, u64), JobError> {
        let problem = self.game.id();
        let links = self.options.sum == SumRule::Hybrid;
        let Hot { table, fresh } = tables.get::<G::Reason>(problem, self.table_mib, links)?;
        let mut hits = 0;
        if let Some(share) = share.filter(|_| fresh || again) {
            hits = take_in(&*table, share.load(problem))?;
        }
        Ok((table, hits))
    }
}

/// Puts into a table what the store has told, if it has.
fn take_in(
    table: &dyn HotTable,
    told: Result<Vec<(Key, Record)>, ShareError>,
) -> Result<u64, JobError> {
    match told {
        Ok(records) => table.absorb(&records),
        // A search without the store is slower, not wrong.
        Err(error) => {
            tracing::debug!(%error, "the store cannot be asked");
            Ok(0)
        }
    }
}

#[cfg(test)]
mod tests;
