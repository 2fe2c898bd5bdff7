//! Reading all of a store: iteration over its entries, the records of one problem, and the counts.
//! Relies on RocksDB checking the checksum of every block it reads.

use std::ops::AddAssign;
use std::path::Path;

use hasami_andor::{Key, ProblemId, Verdict};
use rocksdb::{DB, ReadOptions};

use crate::error::StoreError;
use crate::files;
use crate::layout::{META, NOTE, POSITIONS, position, state};
use crate::marker::FORMAT;
use crate::rocks::{RocksStore, family};
use hasami_record::Entry;
use hasami_record::Record;

/// Size and contents of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The version of the format on disk.
    pub format: u32,
    /// Total length of all files, including logs and files about to be removed.
    pub bytes: u64,
    /// Notes that searches have left for others.
    pub notes: u64,
    /// All problems together.
    pub total: Counts,
    /// Each problem, by id.
    pub problems: Vec<(ProblemId, Counts)>,
}

/// Number of entries of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Proven states.
    pub proven: u64,
    /// Disproven states.
    pub disproven: u64,
    /// States searched but not settled.
    pub unsolved: u64,
    /// States published as proven and disproven, or with an unreadable record. Any is an alarm.
    pub conflicts: u64,
    /// The work of all records, saturating.
    pub work: u64,
}

impl Counts {
    /// Number of all entries.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.solved() + self.unsolved + self.conflicts
    }

    /// Number of settled states.
    #[must_use]
    pub fn solved(&self) -> u64 {
        self.proven + self.disproven
    }

    fn count(&mut self, entry: &Entry) {
        let Entry::Record(record) = entry else {
            self.conflicts += 1;
            return;
        };
        match record.numbers.verdict() {
            Some(Verdict::Proven) => self.proven += 1,
            Some(Verdict::Disproven) => self.disproven += 1,
            None => self.unsolved += 1,
        }
        self.work = self.work.saturating_add(record.work);
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.proven += other.proven;
        self.disproven += other.disproven;
        self.unsolved += other.unsolved;
        self.conflicts += other.conflicts;
        self.work = self.work.saturating_add(other.work);
    }
}

impl RocksStore {
    /// Counts everything. Reads the whole store; a conflict is counted and is not an error.
    ///
    /// # Errors
    /// If something cannot be read.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        count(&self.db, &self.path)
    }

    /// Visits every record of `problem` with at least `min_work`, in the order of the keys, as of
    /// the moment of the call.
    ///
    /// # Errors
    /// If something cannot be read. A conflict is an error too, but only after all sound records
    /// have been visited.
    pub fn scan(
        &self,
        problem: ProblemId,
        min_work: u64,
        mut visit: impl FnMut(Key, Record),
    ) -> Result<(), StoreError> {
        let mut fault = None;
        walk(&self.db, &self.path, Some(problem), |_, key, entry| match entry {
            Entry::Record(record) if record.work >= min_work => visit(key, record),
            Entry::Record(_) => {}
            Entry::Fault(met) => {
                fault.get_or_insert((key, met));
            }
        })?;
        match fault {
            None => Ok(()),
            Some((key, met)) => Err(StoreError::fault(&self.path, problem, key, met)),
        }
    }
}

/// Counts everything in the store in `path`.
pub(crate) fn count(db: &DB, path: &Path) -> Result<Stats, StoreError> {
    let mut problems: Vec<(ProblemId, Counts)> = Vec::new();
    walk(db, path, None, |problem, _, entry| match problems.last_mut() {
        Some((last, counts)) if *last == problem => counts.count(&entry),
        _ => {
            let mut counts = Counts::default();
            counts.count(&entry);
            problems.push((problem, counts));
        }
    })?;
    let mut total = Counts::default();
    for &(_, counts) in &problems {
        total += counts;
    }
    let files = files::list(path).map_err(|error| StoreError::io(path, &error))?;
    Ok(Stats {
        format: FORMAT,
        bytes: files.iter().map(|&(_, length)| length).sum(),
        notes: count_notes(db, path)?,
        total,
        problems,
    })
}

/// Reads every note.
fn count_notes(db: &DB, path: &Path) -> Result<u64, StoreError> {
    let mut reading = ReadOptions::default();
    reading.set_verify_checksums(true);
    reading.fill_cache(false);
    let mut entries = db.raw_iterator_cf_opt(family(db, META), reading);
    entries.seek(NOTE);
    let mut count = 0;
    while entries.key().is_some_and(|key| key.starts_with(NOTE)) {
        count += 1;
        entries.next();
    }
    entries.status().map_err(|error| StoreError::rocks(path, error))?;
    Ok(count)
}

/// Visits every entry, of one problem or of all. Stops at the first that cannot be read.
pub(crate) fn walk(
    db: &DB,
    path: &Path,
    problem: Option<ProblemId>,
    mut visit: impl FnMut(ProblemId, Key, Entry),
) -> Result<(), StoreError> {
    let mut reading = ReadOptions::default();
    reading.set_verify_checksums(true);
    // A scan must not evict what searches ask for from the cache.
    reading.fill_cache(false);
    if let Some(problem) = problem {
        reading.set_iterate_lower_bound(position(problem, Key(0)));
        // The last problem has no next one: its range is open.
        if let Some(next) = problem.0.checked_add(1) {
            reading.set_iterate_upper_bound(position(ProblemId(next), Key(0)));
        }
    }
    let mut entries = db.raw_iterator_cf_opt(family(db, POSITIONS), reading);
    entries.seek_to_first();
    while let Some((at, bytes)) = entries.item() {
        let (problem, key) = state(at)
            .ok_or_else(|| StoreError::damaged(path, format!("{} bytes of key", at.len())))?;
        let entry = Entry::decode(bytes)
            .map_err(|why| StoreError::unreadable(path, problem, key, &why.to_string()))?;
        visit(problem, key, entry);
        entries.next();
    }
    entries.status().map_err(|error| StoreError::rocks(path, error))
}
