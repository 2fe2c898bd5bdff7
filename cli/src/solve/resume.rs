//! A store behind the table: what earlier searches learned comes in, what this one learns goes out.

use std::path::Path;

use hasami_andor::{Key, ProblemId};
use hasami_answer::settle::Stage;
use hasami_answer::tables::HotTable;
use hasami_store::{OpenOptions, Record, RocksStore, Store};

use crate::failure::Failure;

/// States that cost less than this are cheaper to search again than to keep.
const MIN_WORK: u64 = 4;
const BATCH: usize = 4096;

/// A store in use.
pub struct Resume {
    store: RocksStore,
    problem: ProblemId,
}

impl Resume {
    /// Opens (or makes) the store and fills the table from it.
    pub fn open(path: &Path, stage: &dyn Stage) -> Result<Self, Failure> {
        let store = RocksStore::open(path, OpenOptions::default())?;
        let resume = Self { store, problem: stage.problem() };
        let loaded = resume.load(path, stage.table())?;
        if let Some(learned) = stage.learned() {
            let notes = resume.store.notes(learned.family(), &learned.keys())?;
            stage.merge_notes(&notes.into_iter().flatten().collect::<Vec<_>>());
        }
        if loaded > 0 {
            tracing::info!(store = %path.display(), states = loaded, "going on from the store");
        }
        Ok(resume)
    }

    /// Fills the table; how many states there were.
    fn load(&self, path: &Path, table: &dyn HotTable) -> Result<u64, Failure> {
        let (mut loaded, mut result) = (0, Ok(()));
        let mut batch: Vec<(Key, Record)> = Vec::with_capacity(BATCH);
        let mut absorb = |batch: &mut Vec<(Key, Record)>| {
            let fitting = table.absorb(batch)?;
            if fitting < batch.len() as u64 {
                return Err(Failure::Usage(format!(
                    "{}: states of problem {} have reasons of another size than this game's",
                    path.display(),
                    self.problem
                )));
            }
            loaded += fitting;
            batch.clear();
            Ok(())
        };
        self.store.scan(self.problem, 0, |key, record| {
            batch.push((key, record));
            if batch.len() == BATCH && result.is_ok() {
                result = absorb(&mut batch);
            }
        })?;
        result?;
        absorb(&mut batch)?;
        Ok(loaded)
    }

    /// Sends what is worth it from the table to the store.
    pub fn publish(&self, table: &dyn HotTable) -> Result<(), Failure> {
        let mut batch: Vec<(Key, Record)> = Vec::with_capacity(BATCH);
        let mut result = Ok(());
        table.each(&mut |key, record| {
            if record.work < MIN_WORK || result.is_err() {
                return;
            }
            batch.push((key, record));
            if batch.len() == BATCH {
                result = self.store.publish(self.problem, &batch);
                batch.clear();
            }
        });
        result?;
        Ok(self.store.publish(self.problem, &batch)?)
    }

    /// Keeps what the search has learned for other questions.
    pub fn keep_learned(&self, stage: &dyn Stage) -> Result<(), Failure> {
        match stage.learned() {
            Some(learned) => Ok(self.store.keep_notes(learned.family(), &learned.notes())?),
            None => Ok(()),
        }
    }

    /// Makes what was published durable.
    pub fn sync(&self) -> Result<(), Failure> {
        Ok(self.store.sync()?)
    }
}
