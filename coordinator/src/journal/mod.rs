//! The coordinator's source of truth: a RocksDB that is synced before anything is acknowledged. One
//! record per run, and per item and unit that has changed since it was submitted.

mod keys;
mod load;
mod record;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use hasami_spec::ContentKey;
use hasami_sweep::Answer;
use rocksdb::checkpoint::Checkpoint;
use rocksdb::{
    BlockBasedOptions, ColumnFamily, ColumnFamilyDescriptor, DB, DBRecoveryMode, Direction,
    IteratorMode, Options, ReadOptions, WriteBatch, WriteOptions,
};

use crate::core::{Change, HistoryRecord, ItemNo, ItemRecord, RunId};
use keys::{ANSWERS, FAMILIES, HISTORY, ITEMS, META, RUNS, UNITS, WORKERS};
use record::Record;

/// The format of the journal, with its version; a journal of another one is refused.
pub const FORMAT: &str = "hasami-journal 2";
const FORMAT_KEY: &[u8] = b"format";
const EPOCH_KEY: &[u8] = b"epoch";
const CLOCK_KEY: &[u8] = b"clock";
const LAST_WORKER_KEY: &[u8] = b"last-worker";

/// Why the journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another coordinator uses it.
    #[error("{path}: another coordinator is running on this data (its process holds {path}/LOCK)")]
    Busy {
        /// The journal.
        path: String,
    },
    /// Written by another version.
    #[error(
        "{path}: the format is \"{found}\"; expected \"{FORMAT}\": use the release of hasami that \
         wrote it, or a new data directory"
    )]
    Format {
        /// The journal.
        path: String,
        /// The format found.
        found: String,
    },
    /// A record that cannot be read.
    #[error("{path}: record {key} cannot be read: {why}; restore a checkpoint")]
    Damaged {
        /// The journal.
        path: String,
        /// The record.
        key: String,
        /// The error.
        why: String,
    },
    /// The disk or RocksDB reports an error.
    #[error("{path}: {message}")]
    Io {
        /// The journal.
        path: String,
        /// The message.
        message: String,
    },
}

/// An open journal.
pub struct Journal {
    db: DB,
    path: PathBuf,
    epoch: u64,
    synced: WriteOptions,
    /// The position of the last history line: no earlier than the clock, and always rising. A clock
    /// that is set back must neither put later lines before earlier ones nor overwrite them.
    clock: AtomicU64,
    /// The highest worker number ever used.
    last_worker: AtomicU64,
}

impl Journal {
    /// Opens the journal in `path`, or creates one. A tail that was torn by a crash was never
    /// acknowledged and is dropped; damage anywhere else is an error.
    ///
    /// # Errors
    /// If it is in use, damaged, of another format, or a disk operation fails.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let io = |error: rocksdb::Error| {
            let message = error.into_string();
            if message.contains("lock") || message.contains("LOCK") {
                JournalError::Busy { path: path.display().to_string() }
            } else {
                JournalError::Io { path: path.display().to_string(), message }
            }
        };
        std::fs::create_dir_all(path).map_err(|error| JournalError::Io {
            path: path.display().to_string(),
            message: error.to_string(),
        })?;
        let mut options = Options::default();
        options.create_if_missing(true);
        options.create_missing_column_families(true);
        options.set_paranoid_checks(true);
        options.set_wal_recovery_mode(DBRecoveryMode::TolerateCorruptedTailRecords);
        options.set_max_total_wal_size(64 << 20);
        options.set_keep_log_file_num(4);
        // Most of its data is read once, at the start.
        options.set_max_open_files(128);
        // For the count of syncs, among others.
        options.enable_statistics();
        let families = FAMILIES.map(|name| {
            let mut options = Options::default();
            let mut blocks = BlockBasedOptions::default();
            blocks.set_bloom_filter(10.0, false);
            options.set_block_based_table_factory(&blocks);
            options.set_write_buffer_size(16 << 20);
            ColumnFamilyDescriptor::new(name, options)
        });
        let db = DB::open_cf_descriptors(&options, path, families).map_err(io)?;
        let mut synced = WriteOptions::default();
        synced.set_sync(true);
        let mut journal = Self {
            db,
            path: path.to_owned(),
            epoch: 0,
            synced,
            clock: AtomicU64::new(0),
            last_worker: AtomicU64::new(0),
        };
        journal.begin_epoch()?;
        Ok(journal)
    }

    /// Checks the format and counts the start.
    fn begin_epoch(&mut self) -> Result<(), JournalError> {
        let meta = self.family(META);
        let format = self.db.get_cf(meta, FORMAT_KEY).map_err(|error| self.io(error))?;
        if let Some(found) = format.filter(|found| found != FORMAT.as_bytes()) {
            let path = self.path.display().to_string();
            return Err(JournalError::Format {
                path,
                found: String::from_utf8_lossy(&found).into_owned(),
            });
        }
        let epoch = self.number(EPOCH_KEY)?;
        self.clock.store(self.number(CLOCK_KEY)?, Relaxed);
        self.last_worker.store(self.number(LAST_WORKER_KEY)?, Relaxed);
        let mut batch = WriteBatch::default();
        batch.put_cf(meta, FORMAT_KEY, FORMAT);
        batch.put_cf(meta, EPOCH_KEY, (epoch + 1).to_be_bytes());
        self.db.write_opt(batch, &self.synced).map_err(|error| self.io(error))?;
        self.epoch = epoch + 1;
        Ok(())
    }

    /// A number stored beside the records; 0 by default.
    fn number(&self, key: &[u8]) -> Result<u64, JournalError> {
        let found = self.db.get_cf(self.family(META), key).map_err(|error| self.io(error))?;
        Ok(found.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes))
    }

    /// How often a coordinator has started on this journal.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Writes all changes or none; they are on disk when this returns.
    ///
    /// # Errors
    /// If a disk operation fails: then none of the changes may be acknowledged.
    pub fn commit(&self, changes: &[Change], wall_ms: u64) -> Result<(), JournalError> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut batch = WriteBatch::default();
        let has_history = changes.iter().any(|change| matches!(change, Change::History(..)));
        let clock = if has_history { self.tick(&mut batch, wall_ms) } else { 0 };
        for (place, change) in changes.iter().enumerate() {
            match change {
                Change::Run(record) => {
                    batch.put_cf(self.family(RUNS), keys::run(record.run.0), record.to_bytes());
                }
                Change::Item(run, item, record) => {
                    let key = keys::item(*run, *item);
                    batch.put_cf(self.family(ITEMS), key, record.to_bytes());
                }
                Change::Unit(run, item, unit, record) => {
                    let key = keys::unit(*run, *item, *unit);
                    batch.put_cf(self.family(UNITS), key, record.to_bytes());
                }
                Change::DropUnits(run, item) => {
                    let (from, to) = keys::units_of(*run, *item);
                    batch.delete_range_cf(self.family(UNITS), from, to);
                }
                Change::Answer(key, answer) => {
                    batch.put_cf(self.family(ANSWERS), key.0, answer.to_bytes());
                }
                Change::Worker(record) => {
                    let worker = record.worker.0;
                    let key = worker.to_be_bytes();
                    batch.put_cf(self.family(WORKERS), key, record.to_bytes());
                    if worker > self.last_worker.fetch_max(worker, Relaxed) {
                        batch.put_cf(self.family(META), LAST_WORKER_KEY, key);
                    }
                }
                Change::DropWorker(worker) => {
                    batch.delete_cf(self.family(WORKERS), worker.0.to_be_bytes());
                }
                Change::History(run, item, text) => {
                    let record = HistoryRecord { time_ms: wall_ms, text: text.clone() };
                    let key = keys::history(*run, *item, clock, self.epoch, place as u32);
                    batch.put_cf(self.family(HISTORY), key, record.to_bytes());
                }
            }
        }
        self.db.write_opt(batch, &self.synced).map_err(|error| self.io(error))
    }

    /// The position of a batch's history lines: after all earlier ones.
    fn tick(&self, batch: &mut WriteBatch, wall_ms: u64) -> u64 {
        let clock = wall_ms.max(self.clock.load(Relaxed) + 1);
        self.clock.store(clock, Relaxed);
        batch.put_cf(self.family(META), CLOCK_KEY, clock.to_be_bytes());
        clock
    }

    /// Removes all workers: for data that moves elsewhere, where none returns. Their numbers are
    /// not reused.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn forget_workers(&self) -> Result<(), JournalError> {
        let mut batch = WriteBatch::default();
        batch.delete_range_cf(self.family(WORKERS), [0; 8], [0xff; 8]);
        self.db.write_opt(batch, &self.synced).map_err(|error| self.io(error))
    }

    /// The answer under a key.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn answer(&self, key: ContentKey) -> Result<Option<Answer>, JournalError> {
        let found = self.db.get_pinned_cf(self.family(ANSWERS), key.0);
        let found = found.map_err(|error| self.io(error))?;
        found.map(|bytes| self.decode(&key.to_string(), &bytes)).transpose()
    }

    /// Which of the keys have an answer.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn answered(&self, keys: &[ContentKey]) -> Result<Vec<bool>, JournalError> {
        let family = self.family(ANSWERS);
        let raw: Vec<&[u8; 16]> = keys.iter().map(|key| &key.0).collect();
        self.db
            .batched_multi_get_cf(family, raw, false)
            .into_iter()
            .map(|found| found.map(|value| value.is_some()).map_err(|error| self.io(error)))
            .collect()
    }

    /// The record of an item; `None` if it has not changed since it was submitted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn item(&self, run: RunId, item: ItemNo) -> Result<Option<ItemRecord>, JournalError> {
        let key = keys::item(run, item);
        let found = self.db.get_pinned_cf(self.family(ITEMS), key);
        let found = found.map_err(|error| self.io(error))?;
        found.map(|bytes| self.decode(&format!("item {}/{}", run.0, item.0), &bytes)).transpose()
    }

    /// The history of an item, the oldest line first.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn history(&self, run: RunId, item: ItemNo) -> Result<Vec<HistoryRecord>, JournalError> {
        let prefix = keys::item(run, item);
        let mut lines = Vec::new();
        let mode = IteratorMode::From(&prefix, Direction::Forward);
        for entry in self.db.iterator_cf_opt(self.family(HISTORY), ReadOptions::default(), mode) {
            let (key, value) = entry.map_err(|error| self.io(error))?;
            if !key.starts_with(&prefix) {
                break;
            }
            lines.push(self.decode("a line of history", &value)?);
        }
        Ok(lines)
    }

    /// Makes a copy in `directory` while the journal stays in use.
    ///
    /// # Errors
    /// If the directory exists or a disk operation fails.
    pub fn checkpoint(&self, directory: &Path) -> Result<(), JournalError> {
        Checkpoint::new(&self.db)
            .and_then(|checkpoint| checkpoint.create_checkpoint(directory))
            .map_err(|error| self.io(error))
    }

    fn family(&self, name: &str) -> &ColumnFamily {
        self.db.cf_handle(name).expect("an opened column family")
    }

    fn decode<R: Record>(&self, key: &str, bytes: &[u8]) -> Result<R, JournalError> {
        R::from_bytes(bytes).map_err(|why| JournalError::Damaged {
            path: self.path.display().to_string(),
            key: key.to_string(),
            why,
        })
    }

    fn io(&self, error: rocksdb::Error) -> JournalError {
        JournalError::Io { path: self.path.display().to_string(), message: error.into_string() }
    }
}
