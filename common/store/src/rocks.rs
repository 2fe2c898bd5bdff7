//! The engine on disk: one RocksDB, written by merges and read in batches. Relies on `marker` for
//! what may be opened and on `layout` for how records are stored.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasami_andor::{Key, ProblemId};
use rocksdb::{
    BottommostLevelCompaction, ColumnFamily, CompactOptions, DB, Options, WriteBatch, WriteOptions,
};

use crate::Store;
use crate::alarm::Alarm;
use crate::error::StoreError;
use crate::hold::Hold;
use crate::layout::{self, FORMAT_KEY, META, OpenOptions, POSITIONS};
use crate::marker::{self, FORMAT, Place};
use hasami_record::Record;

/// A [`Store`] in a directory of its own, open in one process at a time.
pub struct RocksStore {
    pub(crate) db: DB,
    pub(crate) path: PathBuf,
    alarm: Arc<Alarm>,
    writing: WriteOptions,
    // Last field: released after the database is closed.
    _hold: Hold,
}

impl RocksStore {
    /// Opens the store in `path`. With [`OpenOptions::create`] it is created if the directory is
    /// missing or empty. Anything else is left unchanged.
    ///
    /// # Errors
    /// If the directory holds something else, another format or a damaged store, if it is open
    /// elsewhere, or if the system refuses.
    pub fn open(path: impl AsRef<Path>, options: OpenOptions) -> Result<Self, StoreError> {
        Self::open_tuned(path.as_ref(), &options, |_| {})
    }

    fn open_tuned(
        path: &Path,
        options: &OpenOptions,
        tune: impl FnOnce(&mut Options),
    ) -> Result<Self, StoreError> {
        let fresh = match marker::inspect(path)? {
            Place::Store => false,
            Place::Vacant | Place::Unfinished if options.create => true,
            Place::Vacant | Place::Unfinished => {
                return Err(StoreError::Missing { path: path.to_owned() });
            }
        };
        if fresh {
            marker::begin(path)?;
        }
        let hold = Hold::alone(path)?;
        let alarm = Arc::new(Alarm::default());
        let mut database = layout::database(options, fresh);
        tune(&mut database);
        let families = layout::families(options, &alarm);
        let db = DB::open_cf_descriptors(&database, path, families)
            .map_err(|error| StoreError::opening(path, error))?;
        let mut writing = WriteOptions::default();
        writing.set_sync(options.sync_writes);
        let store = Self { db, path: path.to_owned(), alarm, writing, _hold: hold };
        if fresh {
            store.create()?;
        } else {
            check_inside(&store.db, path)?;
            marker::clear(path)?;
        }
        Ok(store)
    }

    /// Completes a creation; writes the marker last.
    fn create(&self) -> Result<(), StoreError> {
        let mut durable = WriteOptions::default();
        durable.set_sync(true);
        let meta = family(&self.db, META);
        // Flush, so that no old log is retained for this one entry.
        self.db
            .put_cf_opt(meta, FORMAT_KEY, FORMAT.to_string(), &durable)
            .and_then(|()| self.db.flush_cf(meta))
            .map_err(|error| StoreError::rocks(&self.path, error))?;
        marker::finish(&self.path)
    }

    /// The directory of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all records to sorted files and merges them to one entry per state. Takes as long as
    /// reading and writing the whole store; lookups and publishes go on meanwhile.
    ///
    /// # Errors
    /// If the disk refuses, or the merges met a contradiction or damage.
    pub fn compact(&self) -> Result<(), StoreError> {
        let positions = family(&self.db, POSITIONS);
        let mut all = CompactOptions::default();
        all.set_bottommost_level_compaction(BottommostLevelCompaction::ForceOptimized);
        self.db.flush_cf(positions).map_err(|error| StoreError::rocks(&self.path, error))?;
        let ends = (None::<&[u8]>, None::<&[u8]>);
        self.db.compact_range_cf_opt(positions, ends.0, ends.1, &all);
        self.alarm.all(&self.path).into_iter().next().map_or(Ok(()), Err)
    }

    pub(crate) fn positions(&self) -> &ColumnFamily {
        family(&self.db, POSITIONS)
    }
}

impl Store for RocksStore {
    fn lookup(
        &self,
        problem: ProblemId,
        keys: &[Key],
        out: &mut Vec<Option<Record>>,
    ) -> Result<(), StoreError> {
        out.clear();
        self.alarm.check(&self.path, problem)?;
        let positions: Vec<_> = keys.iter().map(|&key| layout::position(problem, key)).collect();
        let found = self.db.batched_multi_get_cf(self.positions(), &positions, false);
        out.reserve(keys.len());
        for (&key, value) in keys.iter().zip(found) {
            let record =
                value.map_err(|error| StoreError::rocks(&self.path, error)).and_then(|value| {
                    value.map(|v| self.alarm.read(&self.path, problem, key, &v)).transpose()
                });
            match record {
                Ok(record) => out.push(record),
                Err(error) => {
                    out.clear();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn publish(&self, problem: ProblemId, records: &[(Key, Record)]) -> Result<(), StoreError> {
        self.alarm.check(&self.path, problem)?;
        let positions = self.positions();
        let mut batch = WriteBatch::with_capacity_bytes(16 + 64 * records.len());
        let mut bytes = Vec::with_capacity(64);
        for &(key, record) in records {
            bytes.clear();
            record.encode(&mut bytes).map_err(|source| StoreError::Record {
                problem,
                key,
                source,
            })?;
            batch.merge_cf(positions, layout::position(problem, key), &bytes);
        }
        self.db
            .write_opt(batch, &self.writing)
            .map_err(|error| StoreError::rocks(&self.path, error))
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.db.flush_wal(true).map_err(|error| StoreError::rocks(&self.path, error))
    }

    fn scan(
        &self,
        problem: ProblemId,
        min_work: u64,
        visit: &mut dyn FnMut(Key, Record),
    ) -> Result<(), StoreError> {
        Self::scan(self, problem, min_work, visit)
    }

    fn faults(&self) -> Vec<StoreError> {
        self.alarm.all(&self.path)
    }

    fn forget(&self, problem: ProblemId) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        let (first, last) = (Key(0), Key(u128::MAX));
        let (from, to) = (layout::position(problem, first), layout::position(problem, last));
        batch.delete_range_cf(self.positions(), from, to);
        // The end of the range is not in it.
        batch.delete_cf(self.positions(), to);
        let mut durable = WriteOptions::default();
        durable.set_sync(true);
        self.db.write_opt(batch, &durable).map_err(|error| StoreError::rocks(&self.path, error))?;
        self.alarm.clear(problem);
        Ok(())
    }

    fn notes(&self, family: ProblemId, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let keys: Vec<_> = keys.iter().map(|&key| layout::note(family, key)).collect();
        let found = self.db.batched_multi_get_cf(self::family(&self.db, META), &keys, false);
        found
            .into_iter()
            .map(|note| match note {
                Ok(note) => Ok(note.map(|note| note.to_vec())),
                Err(error) => Err(StoreError::rocks(&self.path, error)),
            })
            .collect()
    }

    fn keep_notes(&self, family: ProblemId, notes: &[(Key, Vec<u8>)]) -> Result<(), StoreError> {
        let meta = self::family(&self.db, META);
        let mut batch = WriteBatch::default();
        for (key, note) in notes {
            batch.put_cf(meta, layout::note(family, *key), note);
        }
        self.db
            .write_opt(batch, &self.writing)
            .map_err(|error| StoreError::rocks(&self.path, error))
    }
}

impl fmt::Debug for RocksStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RocksStore").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A column family that exists because opening checked it.
pub(crate) fn family<'a>(db: &'a DB, name: &str) -> &'a ColumnFamily {
    db.cf_handle(name).expect("an opened column family")
}

/// Checks that the format inside is the one on the marker.
pub(crate) fn check_inside(db: &DB, path: &Path) -> Result<(), StoreError> {
    let found =
        db.get_cf(family(db, META), FORMAT_KEY).map_err(|error| StoreError::rocks(path, error))?;
    match found {
        None => Err(StoreError::damaged(path, "its format is missing inside")),
        Some(text) if text == FORMAT.to_string().as_bytes() => Ok(()),
        Some(text) => Err(marker::format(path, &String::from_utf8_lossy(&text))),
    }
}

#[cfg(test)]
mod tests;
