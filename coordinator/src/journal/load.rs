//! Reads everything that a restart needs from the journal.

use std::sync::Arc;

use hasami_spec::Catalog;
use hasami_sweep::Sweep;
use rocksdb::IteratorMode;

use super::keys::{self, ITEMS, RUNS, UNITS, WORKERS};
use super::record::Record;
use super::{Journal, JournalError, LAST_WORKER_KEY};
use crate::core::{ItemRecord, RunRecord, Saved, UnitRecord, WorkerRecord};

impl Journal {
    /// Reads the whole state.
    ///
    /// # Errors
    /// If a record cannot be read, or a sweep is no longer valid.
    pub fn load(&self, catalog: Catalog) -> Result<Saved, JournalError> {
        let mut saved = Saved::default();
        self.each(RUNS, |key, record: RunRecord| {
            let sweep = Sweep::parse(catalog, &record.sweep, "the journal")
                .map_err(|errors| format!("run {}: {errors}", keys_run(key)))?;
            saved.runs.push((record, Arc::new(sweep)));
            Ok(())
        })?;
        self.each(ITEMS, |key, record: ItemRecord| {
            let (run, item, _) = keys::read(key).ok_or("a key of the wrong length")?;
            saved.items.push((run, item, record));
            Ok(())
        })?;
        self.each(UNITS, |key, record: UnitRecord| {
            let (run, item, unit) = keys::read(key).ok_or("a key of the wrong length")?;
            saved.units.push((run, item, unit, record));
            Ok(())
        })?;
        self.each(WORKERS, |_, record: WorkerRecord| {
            saved.workers.push(record);
            Ok(())
        })?;
        saved.last_worker = self.number(LAST_WORKER_KEY)?;
        Ok(saved)
    }

    fn each<R: Record>(
        &self,
        family: &str,
        mut visit: impl FnMut(&[u8], R) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        for entry in self.db.iterator_cf(self.family(family), IteratorMode::Start) {
            let (key, value) = entry.map_err(|error| self.io(error))?;
            let name = || format!("{family} {}", hex(&key));
            let record = self.decode(&name(), &value)?;
            visit(&key, record).map_err(|why| JournalError::Damaged {
                path: self.path.display().to_string(),
                key: name(),
                why,
            })?;
        }
        Ok(())
    }
}

fn keys_run(key: &[u8]) -> u64 {
    keys::read(key).map_or(0, |(run, ..)| run.0)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
