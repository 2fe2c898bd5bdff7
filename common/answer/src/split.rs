//! Search units: one state of a question that many workers share, searched for a while. Results
//! travel between hot tables and the shared store on another thread. Nothing here waits for the
//! network except the lookup before a search starts.

mod certify;
mod share;
mod unit;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hasami_andor::certificate::Asked;
use hasami_andor::{
    Control, Kernel, Key, Options, Problem, ProblemId, SearchTask, SumRule, Table, Verdict,
};
use hasami_game::{Game, Resources};
use hasami_record::Record;
use hasami_spec::{Params, Question, SearchSettings};

use crate::registry::entry;
use crate::settle::evaluated;
use crate::tables::{Hot, HotTable, HotTables};
use crate::{Answered, JobError, Place, caught, spell_question};

pub use share::{Alone, Share, ShareError};
pub use unit::UnitReport;

/// Default size of a hot table.
const TABLE_MIB: u32 = 256;

/// A question that is searched in units. Its game is built once: a game may hold much data, and
/// units are short.
pub trait Split: Send + Sync {
    /// Id of the problem in the store.
    fn problem(&self) -> ProblemId;

    /// Searches a unit with the hot table of the problem. A stop by the control is not an error:
    /// the report says how far the search went.
    ///
    /// # Errors
    /// If the state is wrong, there is no memory, or verdicts contradict.
    fn search(
        &self,
        unit: &SearchTask,
        tables: &HotTables,
        control: &Control,
        share: &dyn Share,
    ) -> Result<UnitReport, JobError>;

    /// Makes and verifies the certificate of a settled root, and words the answer as if one worker
    /// had found it. States that neither the table nor the store knows are searched again. The
    /// measures cover this work only.
    ///
    /// # Errors
    /// If the control asks to stop, the certificate cannot be written, or the verdict does not
    /// hold.
    fn certify(
        &self,
        verdict: Verdict,
        place: &Place,
        tables: &HotTables,
        control: &Control,
        share: &dyn Share,
    ) -> Result<Answered, JobError>;
}

/// Opens a question about `G` that is to be searched in units.
///
/// # Errors
/// If the question is wrong, or asks several questions in turn.
pub(crate) fn open<G: Game>(
    question: &Question,
    resources: &Resources,
) -> Result<Arc<dyn Split>, JobError> {
    let params = G::SPEC.read(&question.params).map_err(JobError::param::<G>)?;
    Ok(Arc::new(One::<G>::new(&params, &question.search, resources)?))
}

/// Opens a question that is to be searched in units.
///
/// # Errors
/// If the question is wrong, or asks several questions in turn.
pub fn split(question: &Question, resources: &Resources) -> Result<Arc<dyn Split>, JobError> {
    caught(|| match entry(&question.problem)?.rules {
        Some(rules) => rules.split(question, resources),
        None => {
            let what = format!("{}: no game, so it cannot be split", question.problem);
            Err(JobError::Question(what))
        }
    })
}

impl<G: Game> Split for One<G> {
    fn problem(&self) -> ProblemId {
        self.game.id()
    }

    fn search(
        &self,
        unit: &SearchTask,
        tables: &HotTables,
        control: &Control,
        share: &dyn Share,
    ) -> Result<UnitReport, JobError> {
        caught(|| unit::search(self, unit, tables, control, share))
    }

    fn certify(
        &self,
        verdict: Verdict,
        place: &Place,
        tables: &HotTables,
        control: &Control,
        share: &dyn Share,
    ) -> Result<Answered, JobError> {
        caught(|| certify::certify(self, verdict, place, tables, control, share))
    }
}

/// The most recently opened questions.
#[derive(Default)]
pub struct Questions {
    resources: Resources,
    open: Mutex<VecDeque<(Question, Arc<dyn Split>)>>,
}

impl Questions {
    /// Number of questions that are remembered.
    const MOST: usize = 8;

    /// No questions yet; `resources` are for building their games.
    #[must_use]
    pub fn new(resources: Resources) -> Self {
        Self { resources, open: Mutex::default() }
    }

    /// Like [`split`], but reuses a remembered question.
    ///
    /// # Errors
    /// As [`split`].
    pub fn open(&self, question: &Question) -> Result<Arc<dyn Split>, JobError> {
        if let Some((_, known)) = self.list().iter().find(|(known, _)| known == question) {
            return Ok(Arc::clone(known));
        }
        let new = split(question, &self.resources)?;
        let mut list = self.list();
        list.push_front((question.clone(), Arc::clone(&new)));
        list.truncate(Self::MOST);
        Ok(new)
    }

    fn list(&self) -> MutexGuard<'_, VecDeque<(Question, Arc<dyn Split>)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type TableOf<G> = Arc<Table<<G as Problem>::Reason>>;

/// The question that is searched.
struct One<G> {
    game: G,
    params: Params,
    asked: Asked,
    kernel: Kernel,
    options: Options,
    table_mib: u32,
}

impl<G: Game> One<G> {
    fn new(
        params: &Params,
        settings: &SearchSettings,
        resources: &Resources,
    ) -> Result<Self, JobError> {
        let question = spell_question(G::NAME, params);
        let stage = |number| G::SPEC.stage(params, number).map_err(JobError::param::<G>);
        let (Some(only), None) = (stage(0)?, stage(1)?) else {
            // Each unit would have to name its stage.
            return Err(JobError::Question(format!(
                "{question}: asks several questions in turn; expected one where a search is split \
                 (as kind \"map\" all of them are answered)"
            )));
        };
        let game = G::build(&only, resources).map_err(JobError::build::<G>)?;
        let game = evaluated(game, settings.evaluation);
        Ok(Self {
            asked: game.asked(&only),
            params: only,
            game,
            kernel: settings.kernel(std::thread::available_parallelism().map_or(1, usize::from)),
            options: settings.options(G::ADVICE),
            table_mib: settings.table_mib.unwrap_or(TABLE_MIB),
        })
    }

    /// The table of the question, and the number of useful records loaded. With `share`, a new
    /// table is filled from the store first, an existing one only if `again`.
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
            hits = absorb_records(&*table, share.load(problem))?;
        }
        Ok((table, hits))
    }
}

/// Merges the records of the store into a table.
fn absorb_records(
    table: &dyn HotTable,
    records: Result<Vec<(Key, Record)>, ShareError>,
) -> Result<u64, JobError> {
    match records {
        Ok(records) => table.absorb(&records),
        // Without the store a search is slower, not wrong.
        Err(error) => {
            tracing::debug!(%error, "the store cannot be asked");
            Ok(0)
        }
    }
}

#[cfg(test)]
mod tests;
