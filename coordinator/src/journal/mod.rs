//! The coordinator's source of truth: a RocksDB that is synced before anything is acknowledged. One
//! record per run, and per item and unit that has changed since it was submitted.

mod damage;
mod delete;
mod keys;
mod known;
mod load;
mod marker;
mod record;
mod sweep;
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
use damage::Damage;
pub use delete::OwnAnswers;
use keys::{ANSWERS, FAMILIES, HISTORY, ITEMS, META, RUNS, UNITS, WORKERS};
pub use known::Known;
use marker::Marker;
use record::Record;

/// The format of the journal, with its version; a journal of an unknown one is refused.
pub const FORMAT: &str = "hasami-journal 3";
/// A format that is read too: its runs have the text of their sweeps alone.
const FORMAT_2: &str = "hasami-journal 2";
const FORMAT_KEY: &[u8] = b"format";
const ID_KEY: &[u8] = b"id";
const EPOCH_KEY: &[u8] = b"epoch";
const CLOCK_KEY: &[u8] = b"clock";
const LAST_WORKER_KEY: &[u8] = b"last-worker";
const LAST_RUN_KEY: &[u8] = b"last-run";
/// The number of runs: fewer records than this mean that some are lost.
const RUNS_KEY: &[u8] = b"runs";
/// Set while certificates of deleted answers may be left.
const COLLECT_KEY: &[u8] = b"collect";

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
        "{path}: the format is \"{found}\"; expected \"{FORMAT}\" or \"{FORMAT_2}\": use the \
         release of hasami that wrote it, or a new data directory"
    )]
    Format {
        /// The journal.
        path: String,
        /// The format found.
        found: String,
    },
    /// The journal, or part of it, is not there any more.
    #[error(
        "{path}: {why}: runs and answers are missing; nothing was changed. Restore a checkpoint \
         (`hasami coordinator restore`); to go on with what is left, remove {marker}"
    )]
    Lost {
        /// The journal.
        path: String,
        /// What is missing.
        why: String,
        /// The note that says what there was.
        marker: String,
    },
    /// A record that cannot be read.
    #[error("{path}: record {key} cannot be read: {why}")]
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
    id: u64,
    epoch: u64,
    synced: WriteOptions,
    /// The position of the last history line: no earlier than the clock, and always rising. A clock
    /// that is set back must neither put later lines before earlier ones nor overwrite them.
    clock: AtomicU64,
    /// The highest worker number ever used.
    last_worker: AtomicU64,
    /// The highest run number ever used.
    last_run: AtomicU64,
    /// The number of runs.
    runs: AtomicU64,
    damage: Damage,
}

impl Journal {
    /// Opens the journal in `path`, or creates one. A tail that was torn by a crash was never
    /// acknowledged and is dropped; damage anywhere else is an error. So is a journal that has less
    /// than the note beside it says.
    ///
    /// # Errors
    /// If it is in use, damaged, of another format, or a disk operation fails.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let failed = |error: std::io::Error| JournalError::Io {
            path: Marker::file(path).display().to_string(),
            message: error.to_string(),
        };
        let marker = Marker::read(path).map_err(failed)?;
        let fresh = !path.join("CURRENT").exists();
        if fresh && (marker.is_some() || has_remains(path)) {
            return Err(lost(path, "its file CURRENT is missing".to_string()));
        }
        std::fs::create_dir_all(path).map_err(failed)?;
        if let Some(marker) = &marker {
            compare(path, marker)?;
        }
        let mut options = options();
        options.create_if_missing(fresh);
        // Only where a first start was interrupted may a family be missing.
        options.create_missing_column_families(marker.is_none());
        let families = FAMILIES.map(|name| {
            let mut options = Options::default();
            let mut blocks = BlockBasedOptions::default();
            blocks.set_bloom_filter(10.0, false);
            options.set_block_based_table_factory(&blocks);
            options.set_write_buffer_size(16 << 20);
            ColumnFamilyDescriptor::new(name, options)
        });
        let db = DB::open_cf_descriptors(&options, path, families)
            .map_err(|error| opening(path, error))?;
        let mut synced = WriteOptions::default();
        synced.set_sync(true);
        let mut journal = Self {
            db,
            path: path.to_owned(),
            id: 0,
            epoch: 0,
            synced,
            clock: AtomicU64::new(0),
            last_worker: AtomicU64::new(0),
            last_run: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            damage: Damage::default(),
        };
        journal.begin_epoch(marker.is_some())?;
        journal.marker().write(path).map_err(failed)?;
        Ok(journal)
    }

    /// Checks the format and counts the start. With `strict`, no run may be missing.
    fn begin_epoch(&mut self, strict: bool) -> Result<(), JournalError> {
        let meta = self.family(META);
        let format = self.db.get_cf(meta, FORMAT_KEY).map_err(|error| self.io(error))?;
        let known = [FORMAT.as_bytes(), FORMAT_2.as_bytes()];
        if let Some(found) = format.filter(|found| !known.contains(&found.as_slice())) {
            let path = self.path.display().to_string();
            return Err(JournalError::Format {
                path,
                found: String::from_utf8_lossy(&found).into_owned(),
            });
        }
        let (mut runs, mut last_run) = (0, self.number(LAST_RUN_KEY)?);
        self.scan(RUNS, |key, _| {
            runs += 1;
            last_run = last_run.max(keys::read(key).map_or(0, |(run, ..)| run.0));
        })?;
        let counted = self.number(RUNS_KEY)?;
        if strict && runs < counted {
            return Err(lost(&self.path, format!("it has {runs} runs, but there were {counted}")));
        }
        let id = match self.number(ID_KEY)? {
            0 => hasami_proto::token::fresh_number().map_err(|error| JournalError::Io {
                path: self.path.display().to_string(),
                message: format!("no random number: {error}"),
            })?,
            id => id,
        };
        let epoch = self.number(EPOCH_KEY)? + 1;
        let mut batch = WriteBatch::default();
        batch.put_cf(meta, FORMAT_KEY, FORMAT);
        for (key, number) in
            [(ID_KEY, id), (EPOCH_KEY, epoch), (RUNS_KEY, runs), (LAST_RUN_KEY, last_run)]
        {
            batch.put_cf(meta, key, number.to_be_bytes());
        }
        self.db.write_opt(batch, &self.synced).map_err(|error| self.io(error))?;
        self.clock.store(self.number(CLOCK_KEY)?, Relaxed);
        self.last_worker.store(self.number(LAST_WORKER_KEY)?, Relaxed);
        self.last_run.store(last_run, Relaxed);
        self.runs.store(runs, Relaxed);
        (self.id, self.epoch) = (id, epoch);
        Ok(())
    }

    /// The note of what is here now.
    fn marker(&self) -> Marker {
        Marker {
            id: self.id,
            epoch: self.epoch,
            last_run: self.last_run.load(Relaxed),
            runs: self.runs.load(Relaxed),
        }
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
        // Memory follows after the disk: a batch that cannot be written may be tried again.
        let (before, mut now) = (self.marker(), self.marker());
        let mut last_worker = self.last_worker.load(Relaxed);
        let has_history = changes.iter().any(|change| matches!(change, Change::History(..)));
        let clock = if has_history { self.tick(&mut batch, wall_ms) } else { 0 };
        for (place, change) in changes.iter().enumerate() {
            match change {
                Change::Run(record) => {
                    batch.put_cf(self.family(RUNS), keys::run(record.run.0), record.to_bytes());
                    if record.run.0 > now.last_run {
                        (now.last_run, now.runs) = (record.run.0, now.runs + 1);
                    }
                }
                Change::DropRun(run) => {
                    let (from, to) = (keys::run(run.0), keys::run(run.0 + 1));
                    batch.delete_cf(self.family(RUNS), from);
                    for family in [ITEMS, UNITS, HISTORY] {
                        batch.delete_range_cf(self.family(family), from, to);
                    }
                    now.runs = now.runs.saturating_sub(1);
                }
                Change::DropAnswers(keys) => {
                    for key in keys {
                        batch.delete_cf(self.family(ANSWERS), key.0);
                    }
                    batch.put_cf(self.family(META), COLLECT_KEY, 1u64.to_be_bytes());
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
                    if worker > last_worker {
                        last_worker = worker;
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
        if now != before {
            batch.put_cf(self.family(META), RUNS_KEY, now.runs.to_be_bytes());
            batch.put_cf(self.family(META), LAST_RUN_KEY, now.last_run.to_be_bytes());
        }
        self.db.write_opt(batch, &self.synced).map_err(|error| self.io(error))?;
        self.last_worker.store(last_worker, Relaxed);
        self.last_run.store(now.last_run, Relaxed);
        self.runs.store(now.runs, Relaxed);
        // A note that is behind is no harm: it never claims more than there is.
        if now != before
            && let Err(error) = now.write(&self.path)
        {
            tracing::warn!(file = %Marker::file(&self.path).display(), %error, "not written");
        }
        Ok(())
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
        found.map(|bytes| self.decode(format!("answers {key}"), &bytes)).transpose()
    }

    /// The record of an item; `None` if it has not changed since it was submitted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn item(&self, run: RunId, item: ItemNo) -> Result<Option<ItemRecord>, JournalError> {
        let key = keys::item(run, item);
        let found = self.db.get_pinned_cf(self.family(ITEMS), key);
        let found = found.map_err(|error| self.io(error))?;
        found.map(|bytes| self.decode(format!("items {}", hex(&key)), &bytes)).transpose()
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
            lines.push(HistoryRecord::from_bytes(&value).unwrap_or_else(|why| {
                self.damage.note(format!("history {}", hex(&key)), &why);
                HistoryRecord { time_ms: 0, text: format!("a line that cannot be read: {why}") }
            }));
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

    fn decode<R: Record>(&self, key: String, bytes: &[u8]) -> Result<R, JournalError> {
        R::from_bytes(bytes).map_err(|why| {
            self.damage.note(key.clone(), &why);
            JournalError::Damaged { path: self.path.display().to_string(), key, why }
        })
    }

    /// How many records cannot be read, as far as they were met, and the first `most` in words.
    #[must_use]
    pub fn damage(&self, most: usize) -> (u64, Vec<String>) {
        self.damage.told(most)
    }

    fn io(&self, error: rocksdb::Error) -> JournalError {
        JournalError::Io { path: self.path.display().to_string(), message: error.into_string() }
    }
}

/// The settings of the database.
fn options() -> Options {
    let mut options = Options::default();
    options.set_paranoid_checks(true);
    options.set_wal_recovery_mode(DBRecoveryMode::TolerateCorruptedTailRecords);
    options.set_max_total_wal_size(64 << 20);
    options.set_keep_log_file_num(4);
    // Most of its data is read once, at the start.
    options.set_max_open_files(128);
    // For the count of syncs, among others.
    options.enable_statistics();
    options
}

/// Compares a journal with the note beside it, before anything is changed: RocksDB removes files
/// that its list no longer names.
fn compare(path: &Path, marker: &Marker) -> Result<(), JournalError> {
    let db = match DB::open_cf_for_read_only(&options(), path, FAMILIES, false) {
        Ok(db) => db,
        // A coordinator that runs changes its files meanwhile; the lock says so in a moment.
        Err(error) if is_io(&error) => return Ok(()),
        // A family is missing that every journal has.
        Err(error) if error.kind() == rocksdb::ErrorKind::InvalidArgument => {
            return Err(lost(path, format!("its list of files was cut ({error})")));
        }
        Err(error) => return Err(opening(path, error)),
    };
    let meta = db.cf_handle(META).expect("an opened column family");
    let number = |key: &[u8]| -> Result<u64, JournalError> {
        let found = db.get_cf(meta, key).map_err(|error| opening(path, error))?;
        Ok(found.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes))
    };
    match marker.missing(number(ID_KEY)?, number(EPOCH_KEY)?, number(LAST_RUN_KEY)?) {
        Some(why) => Err(lost(path, why)),
        None => Ok(()),
    }
}

fn is_io(error: &rocksdb::Error) -> bool {
    matches!(error.kind(), rocksdb::ErrorKind::IOError)
}

/// Converts an error of RocksDB while it opens. It has a kind for errors of the system, but none
/// for a lock that is held.
fn opening(path: &Path, error: rocksdb::Error) -> JournalError {
    let text = error.as_ref();
    let held = text.contains("lock hold by current process")
        || text.contains("While lock file") && text.contains("temporarily unavailable");
    let path = path.display().to_string();
    if held {
        JournalError::Busy { path }
    } else {
        JournalError::Io { path, message: error.into_string() }
    }
}

fn lost(path: &Path, why: String) -> JournalError {
    let marker = Marker::file(path).display().to_string();
    JournalError::Lost { path: path.display().to_string(), why, marker }
}

/// Whether files of a database are in a directory.
fn has_remains(path: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(path) else { return false };
    let is_data = |name: &str| name.starts_with("MANIFEST-") || name.ends_with(".sst");
    entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(is_data))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
