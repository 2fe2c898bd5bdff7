//! The journal in a directory: a RocksDB that is synced at every commit.

use std::path::{Path, PathBuf};

use rocksdb::checkpoint::Checkpoint;
use rocksdb::{
    BlockBasedOptions, ColumnFamily, ColumnFamilyDescriptor, DB, DBRecoveryMode, Direction,
    IteratorMode, Options, ReadOptions, WriteBatch, WriteOptions,
};

use super::backend::{Backend, Batch, Family, Op};
use super::keys::{FAMILIES, META};
use super::marker::Marker;
use super::{EPOCH_KEY, ID_KEY, JournalError, LAST_RUN_KEY};

/// An open RocksDB.
pub struct Rocks {
    pub(super) db: DB,
    path: PathBuf,
    synced: WriteOptions,
}

impl Rocks {
    /// Opens the database in `path`, or creates one. Nothing is created where `marker`, or what lies
    /// in the directory, says that there was one.
    pub fn open(path: &Path, marker: Option<&Marker>) -> Result<Self, JournalError> {
        let fresh = !path.join("CURRENT").exists();
        if fresh && (marker.is_some() || has_remains(path)) {
            return Err(lost(path, "its file CURRENT is missing".to_string()));
        }
        std::fs::create_dir_all(path).map_err(|error| JournalError::Io {
            path: path.display().to_string(),
            message: error.to_string(),
        })?;
        if let Some(marker) = marker {
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
        Ok(Self { db, path: path.to_owned(), synced })
    }

    pub(super) fn family(&self, name: &str) -> &ColumnFamily {
        self.db.cf_handle(name).expect("an opened column family")
    }

    fn io(&self, error: rocksdb::Error) -> JournalError {
        JournalError::Io { path: self.path.display().to_string(), message: error.into_string() }
    }
}

impl Backend for Rocks {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn epoch(&self, last: u64) -> u64 {
        // The lock of the directory keeps everybody else out.
        last + 1
    }

    fn get(&self, family: Family, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
        self.db.get_cf(self.family(family), key).map_err(|error| self.io(error))
    }

    fn get_many(
        &self,
        family: Family,
        keys: &[&[u8]],
    ) -> Result<Vec<Option<Vec<u8>>>, JournalError> {
        let found = self.db.batched_multi_get_cf(self.family(family), keys.iter().copied(), false);
        let bytes = |found: Option<rocksdb::DBPinnableSlice<'_>>| found.map(|it| it.to_vec());
        found.into_iter().map(|found| found.map(bytes).map_err(|error| self.io(error))).collect()
    }

    fn scan(
        &self,
        family: Family,
        from: &[u8],
        to: Option<&[u8]>,
        visit: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<(), JournalError> {
        let mut reading = ReadOptions::default();
        let whole = from.is_empty() && to.is_none();
        if whole {
            reading.fill_cache(false);
            reading.set_readahead_size(2 << 20);
        }
        let start = IteratorMode::From(from, Direction::Forward);
        for entry in self.db.iterator_cf_opt(self.family(family), reading, start) {
            let (key, value) = entry.map_err(|error| self.io(error))?;
            if to.is_some_and(|to| *key >= *to) {
                break;
            }
            visit(&key, &value);
        }
        Ok(())
    }

    fn keys(&self, family: Family, visit: &mut dyn FnMut(&[u8])) -> Result<(), JournalError> {
        let mut reading = ReadOptions::default();
        reading.fill_cache(false);
        let mut entries = self.db.raw_iterator_cf_opt(self.family(family), reading);
        entries.seek_to_first();
        while let Some(key) = entries.key() {
            visit(key);
            entries.next();
        }
        entries.status().map_err(|error| self.io(error))
    }

    fn last(&self, family: Family, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
        let mut entries = self.db.raw_iterator_cf(self.family(family));
        entries.seek_for_prev(key);
        let last = entries.key().map(<[u8]>::to_vec);
        entries.status().map_err(|error| self.io(error))?;
        Ok(last)
    }

    fn commit(&self, batch: Batch) -> Result<(), JournalError> {
        let mut writes = WriteBatch::default();
        for op in batch.0 {
            match op {
                Op::Put(family, key, value) => writes.put_cf(self.family(family), key, value),
                Op::Delete(family, key) => writes.delete_cf(self.family(family), key),
                Op::DeleteRange(family, from, to) => {
                    writes.delete_range_cf(self.family(family), from, to);
                }
            }
        }
        self.db.write_opt(writes, &self.synced).map_err(|error| self.io(error))
    }

    fn checkpoint(&self, directory: &Path) -> Result<(), JournalError> {
        Checkpoint::new(&self.db)
            .and_then(|checkpoint| checkpoint.create_checkpoint(directory))
            .map_err(|error| self.io(error))
    }

    #[cfg(test)]
    fn rocks(&self) -> &Self {
        self
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

/// The error for a journal of which something is missing.
pub fn lost(path: &Path, why: String) -> JournalError {
    let marker = Marker::file(path).display().to_string();
    JournalError::Lost { path: path.display().to_string(), why, marker }
}

/// Whether files of a database are in a directory.
fn has_remains(path: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(path) else { return false };
    let is_data = |name: &str| name.starts_with("MANIFEST-") || name.ends_with(".sst");
    entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(is_data))
}
