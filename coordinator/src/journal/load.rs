//! Reads everything that a restart needs from the journal. Nothing is judged: a record that cannot
//! be read is noted, and everything else goes on.

use std::sync::Arc;

use hasami_spec::Catalog;
use hasami_sweep::{Sweep, SweepErrors};
use hasami_unit::RunState;

use super::keys::{self, ITEMS, RUNS, UNITS, WORKERS};
use super::record::Record;
use super::{Journal, JournalError, LAST_RUN_KEY, LAST_WORKER_KEY};
use crate::core::{
    Core, ItemNo, ItemRecord, Millis, Restoring, RunId, RunRecord, Saved, Settings, UnitRecord,
    WorkerRecord,
};

impl Journal {
    /// The core as the journal describes it. Items go from the disk straight into the core: ten
    /// million records would not fit beside it.
    ///
    /// # Errors
    /// If a disk operation fails, or runs are missing that were there.
    pub fn restore(
        &self,
        catalog: Catalog,
        settings: Settings,
        workers_return: bool,
        now: Millis,
    ) -> Result<Core, JournalError> {
        let mut saved = Saved {
            runs: self.runs(catalog)?,
            last_worker: self.number(LAST_WORKER_KEY)?,
            last_run: self.number(LAST_RUN_KEY)?,
            ..Saved::default()
        };
        self.scan(WORKERS, |key, value| match WorkerRecord::from_bytes(value) {
            Ok(record) => saved.workers.push(record),
            Err(why) => self.broken(WORKERS, key, &why),
        })?;
        if !workers_return {
            saved.forget_workers();
        }
        let mut restoring = Restoring::new(settings, saved, now);
        self.scan(ITEMS, |key, value| {
            let Some((run, item, _)) = keys::read(key) else {
                return self.broken(ITEMS, key, "its key is too short");
            };
            match ItemRecord::from_bytes(value) {
                Ok(record) => restoring.item(run, item, &record),
                Err(why) => {
                    self.broken(ITEMS, key, &why);
                    restoring.unreadable_item(run, item);
                }
            }
        })?;
        self.scan(UNITS, |key, value| {
            let Some((run, item, unit)) = keys::read(key) else {
                return self.broken(UNITS, key, "its key is too short");
            };
            match UnitRecord::from_bytes(value) {
                Ok(record) => restoring.unit(run, item, unit, record),
                Err(why) => {
                    self.broken(UNITS, key, &why);
                    restoring.unreadable_unit(run, item, &why);
                }
            }
        })?;
        Ok(restoring.finish())
    }

    /// All runs with their sweeps.
    fn runs(&self, catalog: Catalog) -> Result<Vec<(RunRecord, Arc<Sweep>)>, JournalError> {
        let mut runs = Vec::new();
        self.scan(RUNS, |key, value| {
            let Some((run, ..)) = keys::read(key) else {
                return self.broken(RUNS, key, "its key is too short");
            };
            let record = RunRecord::from_bytes(value).unwrap_or_else(|why| {
                self.broken(RUNS, key, &why);
                lost_run(run, why)
            });
            runs.push(record);
        })?;
        runs.into_iter()
            .map(|record| {
                let sweep = match self.sweep(catalog, &record) {
                    Ok(sweep) => sweep,
                    Err(why) => {
                        // The items that have records are all that is known of it.
                        Sweep::lost(&record.sweep, why, self.items_of(record.run)?)
                    }
                };
                Ok::<_, JournalError>((record, Arc::new(sweep)))
            })
            .collect()
    }

    /// The sweep of a run: what was stored, or, in a journal of format 2, what the text comes to.
    fn sweep(&self, catalog: Catalog, record: &RunRecord) -> Result<Sweep, String> {
        if record.state == RunState::Unreadable {
            return Err(record.note.clone());
        }
        match &record.stored {
            Some(stored) => Sweep::from_stored(catalog, stored.clone(), &record.sweep)
                .map_err(|error| error.to_string()),
            None => Sweep::parse(catalog, &record.sweep, "the stored sweep")
                .map_err(|errors: SweepErrors| errors.to_string()),
        }
    }

    /// One more than the highest item of a run that has a record.
    fn items_of(&self, run: RunId) -> Result<usize, JournalError> {
        let last = self.backend.last(ITEMS, &keys::item(run, ItemNo(u32::MAX)))?;
        let last = last.as_deref().and_then(keys::read).filter(|(found, ..)| *found == run);
        Ok(last.map_or(0, |(_, item, _)| item.0 as usize + 1))
    }

    fn broken(&self, family: &str, key: &[u8], why: &str) {
        self.damage.note(format!("{family} {}", super::hex(key)), why);
    }
}

/// Stands for a run whose record cannot be read.
fn lost_run(run: RunId, why: String) -> RunRecord {
    RunRecord {
        run,
        sweep: String::new(),
        stored: None,
        state: RunState::Unreadable,
        submitted_ms: 0,
        finished_ms: 0,
        force: false,
        note: format!("its record cannot be read: {why}"),
        fault: None,
    }
}
