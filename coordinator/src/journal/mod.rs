//! The coordinator's source of truth: synced before anything is acknowledged. One record per run,
//! and per item and unit that has changed since it was submitted. What the records say is decided
//! here; where they are, by a `Backend`.

mod backend;
mod damage;
mod delete;
mod files;
mod keys;
mod known;
mod load;
mod marker;
pub mod postgres;
mod record;
mod rocks;
mod sweep;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use hasami_spec::ContentKey;
use hasami_sweep::Answer;

use crate::core::{Change, HistoryRecord, ItemNo, ItemRecord, RunId};
use backend::{Backend, Batch, Family};
use damage::Damage;
pub use delete::OwnAnswers;
use keys::{ANSWERS, HISTORY, ITEMS, META, RUNS, UNITS, WORKERS};
pub use known::Known;
use marker::Marker;
use record::Record;
use rocks::{Rocks, lost};

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
    /// Another coordinator leads.
    #[error(
        "{path}: another coordinator is running on this journal ({by}); start this one with \
         --standby to take over when that one ends"
    )]
    Led {
        /// The journal.
        path: String,
        /// Where it runs.
        by: String,
    },
    /// Another coordinator has taken over.
    #[error(
        "{path}: another coordinator has taken over (this one had start {epoch}); nothing of what \
         it had not acknowledged was written"
    )]
    Deposed {
        /// The journal.
        path: String,
        /// The number of this start.
        epoch: u64,
    },
    /// The disk or the database reports an error.
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
    backend: Box<dyn Backend>,
    /// Where the note of what is here is kept, beside a journal in a directory.
    noted: Option<PathBuf>,
    id: u64,
    epoch: u64,
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
        let backend = Box::new(Rocks::open(path, marker.as_ref())?);
        let journal = Self::begin(backend, Some(path.to_owned()), marker.is_some())?;
        journal.marker().write(path).map_err(failed)?;
        Ok(journal)
    }

    /// Begins an epoch on an engine. With `strict`, no run may be missing.
    fn begin(
        backend: Box<dyn Backend>,
        noted: Option<PathBuf>,
        strict: bool,
    ) -> Result<Self, JournalError> {
        let mut journal = Self {
            backend,
            noted,
            id: 0,
            epoch: 0,
            clock: AtomicU64::new(0),
            last_worker: AtomicU64::new(0),
            last_run: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            damage: Damage::default(),
        };
        journal.begin_epoch(strict)?;
        Ok(journal)
    }

    /// Checks the format and counts the start. With `strict`, no run may be missing.
    fn begin_epoch(&mut self, strict: bool) -> Result<(), JournalError> {
        let format = self.backend.get(META, FORMAT_KEY)?;
        let known = [FORMAT.as_bytes(), FORMAT_2.as_bytes()];
        if let Some(found) = format.filter(|found| !known.contains(&found.as_slice())) {
            return Err(JournalError::Format {
                path: self.place(),
                found: String::from_utf8_lossy(&found).into_owned(),
            });
        }
        let (mut runs, mut last_run) = (0, self.number(LAST_RUN_KEY)?);
        self.scan(RUNS, |key, _| {
            runs += 1;
            last_run = last_run.max(keys::read(key).map_or(0, |(run, ..)| run.0));
        })?;
        let counted = self.number(RUNS_KEY)?;
        if strict
            && runs < counted
            && let Some(path) = &self.noted
        {
            return Err(lost(path, format!("it has {runs} runs, but there were {counted}")));
        }
        let id = match self.number(ID_KEY)? {
            0 => hasami_proto::token::fresh_number().map_err(|error| JournalError::Io {
                path: self.place(),
                message: format!("no random number: {error}"),
            })?,
            id => id,
        };
        let epoch = self.backend.epoch(self.number(EPOCH_KEY)?);
        let mut batch = Batch::default();
        batch.put(META, FORMAT_KEY, FORMAT);
        for (key, number) in
            [(ID_KEY, id), (EPOCH_KEY, epoch), (RUNS_KEY, runs), (LAST_RUN_KEY, last_run)]
        {
            batch.put(META, key, number.to_be_bytes());
        }
        self.backend.commit(batch)?;
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
        let found = self.backend.get(META, key)?;
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
            return self.backend.alive();
        }
        let mut batch = Batch::default();
        // Memory follows after the disk: a batch that cannot be written may be tried again.
        let (before, mut now) = (self.marker(), self.marker());
        let mut last_worker = self.last_worker.load(Relaxed);
        let has_history = changes.iter().any(|change| matches!(change, Change::History(..)));
        let clock = if has_history { self.tick(&mut batch, wall_ms) } else { 0 };
        for (place, change) in changes.iter().enumerate() {
            match change {
                Change::Run(record) => {
                    batch.put(RUNS, keys::run(record.run.0), record.to_bytes());
                    if record.run.0 > now.last_run {
                        (now.last_run, now.runs) = (record.run.0, now.runs + 1);
                    }
                }
                Change::DropRun(run) => {
                    let (from, to) = (keys::run(run.0), keys::run(run.0 + 1));
                    batch.delete(RUNS, from);
                    for family in [ITEMS, UNITS, HISTORY] {
                        batch.delete_range(family, from, to);
                    }
                    now.runs = now.runs.saturating_sub(1);
                }
                Change::DropAnswers(keys) => {
                    for key in keys {
                        batch.delete(ANSWERS, key.0);
                    }
                    batch.put(META, COLLECT_KEY, 1u64.to_be_bytes());
                }
                Change::Item(run, item, record) => {
                    let key = keys::item(*run, *item);
                    batch.put(ITEMS, key, record.to_bytes());
                }
                Change::Unit(run, item, unit, record) => {
                    let key = keys::unit(*run, *item, *unit);
                    batch.put(UNITS, key, record.to_bytes());
                }
                Change::DropUnits(run, item) => {
                    let (from, to) = keys::units_of(*run, *item);
                    batch.delete_range(UNITS, from, to);
                }
                Change::Answer(key, answer) => {
                    batch.put(ANSWERS, key.0, answer.to_bytes());
                }
                Change::Worker(record) => {
                    let worker = record.worker.0;
                    let key = worker.to_be_bytes();
                    batch.put(WORKERS, key, record.to_bytes());
                    if worker > last_worker {
                        last_worker = worker;
                        batch.put(META, LAST_WORKER_KEY, key);
                    }
                }
                Change::DropWorker(worker) => {
                    batch.delete(WORKERS, worker.0.to_be_bytes());
                }
                Change::History(run, item, text) => {
                    let record = HistoryRecord { time_ms: wall_ms, text: text.clone() };
                    let key = keys::history(*run, *item, clock, self.epoch, place as u32);
                    batch.put(HISTORY, key, record.to_bytes());
                }
            }
        }
        if now != before {
            batch.put(META, RUNS_KEY, now.runs.to_be_bytes());
            batch.put(META, LAST_RUN_KEY, now.last_run.to_be_bytes());
        }
        self.backend.commit(batch)?;
        self.last_worker.store(last_worker, Relaxed);
        self.last_run.store(now.last_run, Relaxed);
        self.runs.store(now.runs, Relaxed);
        // A note that is behind is no harm: it never claims more than there is.
        if now != before
            && let Some(path) = &self.noted
            && let Err(error) = now.write(path)
        {
            tracing::warn!(file = %Marker::file(path).display(), %error, "not written");
        }
        Ok(())
    }

    /// The position of a batch's history lines: after all earlier ones.
    fn tick(&self, batch: &mut Batch, wall_ms: u64) -> u64 {
        let clock = wall_ms.max(self.clock.load(Relaxed) + 1);
        self.clock.store(clock, Relaxed);
        batch.put(META, CLOCK_KEY, clock.to_be_bytes());
        clock
    }

    /// Removes all workers: for data that moves elsewhere, where none returns. Their numbers are
    /// not reused.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn forget_workers(&self) -> Result<(), JournalError> {
        let mut batch = Batch::default();
        batch.delete_range(WORKERS, [0; 8], [0xff; 8]);
        self.backend.commit(batch)
    }

    /// The answer under a key.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn answer(&self, key: ContentKey) -> Result<Option<Answer>, JournalError> {
        let found = self.backend.get(ANSWERS, &key.0)?;
        found.map(|bytes| self.decode(format!("answers {key}"), &bytes)).transpose()
    }

    /// The record of an item; `None` if it has not changed since it was submitted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn item(&self, run: RunId, item: ItemNo) -> Result<Option<ItemRecord>, JournalError> {
        let key = keys::item(run, item);
        let found = self.backend.get(ITEMS, &key)?;
        found.map(|bytes| self.decode(format!("items {}", hex(&key)), &bytes)).transpose()
    }

    /// The history of an item, the oldest line first.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn history(&self, run: RunId, item: ItemNo) -> Result<Vec<HistoryRecord>, JournalError> {
        let prefix = keys::item(run, item);
        let mut lines = Vec::new();
        let to = keys::after(&prefix);
        self.backend.scan(HISTORY, &prefix, to.as_deref(), &mut |key, value| {
            lines.push(HistoryRecord::from_bytes(value).unwrap_or_else(|why| {
                self.damage.note(format!("history {}", hex(key)), &why);
                HistoryRecord { time_ms: 0, text: format!("a line that cannot be read: {why}") }
            }));
        })?;
        Ok(lines)
    }

    /// Makes a copy in `directory` while the journal stays in use.
    ///
    /// # Errors
    /// If the directory exists or a disk operation fails.
    pub fn checkpoint(&self, directory: &Path) -> Result<(), JournalError> {
        self.backend.checkpoint(directory)
    }

    /// Nothing more will be written: another coordinator may begin at once.
    pub fn close(&self) {
        self.backend.close();
    }

    /// Whether this coordinator still leads the journal.
    ///
    /// # Errors
    /// If another has taken over.
    pub fn leads(&self) -> Result<(), JournalError> {
        self.backend.leads()
    }

    /// Where it is, without secrets.
    #[must_use]
    pub fn place(&self) -> String {
        self.backend.place()
    }

    /// Visits everything in a family.
    fn scan(
        &self,
        family: Family,
        mut visit: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), JournalError> {
        self.backend.scan(family, &[], None, &mut visit)
    }

    #[cfg(test)]
    fn rocks(&self) -> &Rocks {
        self.backend.rocks()
    }

    fn decode<R: Record>(&self, key: String, bytes: &[u8]) -> Result<R, JournalError> {
        R::from_bytes(bytes).map_err(|why| {
            self.damage.note(key.clone(), &why);
            JournalError::Damaged { path: self.place(), key, why }
        })
    }

    /// How many records cannot be read, as far as they were met, and the first `most` in words.
    #[must_use]
    pub fn damage(&self, most: usize) -> (u64, Vec<String>) {
        self.damage.told(most)
    }
}

impl From<crate::objects::ObjectError> for JournalError {
    fn from(error: crate::objects::ObjectError) -> Self {
        Self::Io { path: "certificates".to_string(), message: error.to_string() }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
