//! A store opened read-only: not a byte of it changes, whatever is found. Relies on `hold` to keep
//! writers out: RocksDB reports a store as damaged if its files disappear while it reads them.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rocksdb::DB;

use crate::alarm::Alarm;
use crate::checkpoint;
use crate::error::StoreError;
use crate::files;
use crate::hold::Hold;
use crate::layout::{self, OpenOptions};
use crate::marker::{self, Place};
use crate::rocks::check_inside;
use crate::stats::{self, Stats, walk};

/// The file that names the current manifest.
const CURRENT: &str = "CURRENT";

/// A store that is read and never written. Several may be open at once, in any process, but none
/// beside a [`RocksStore`](crate::RocksStore).
pub struct RocksReader {
    db: DB,
    path: PathBuf,
    // Last field: released after the database is closed.
    _hold: Hold,
}

impl RocksReader {
    /// Opens the store in `path`, which must exist.
    ///
    /// # Errors
    /// If there is none, it has another format or is damaged, a process writes to it, or the system
    /// refuses.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        if marker::inspect(path)? != Place::Store {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let hold = Hold::shared(path)?;
        Ok(Self { db: database(path)?, path: path.to_owned(), _hold: hold })
    }

    /// Counts everything. Reads the whole store; a conflict is counted and is not an error.
    ///
    /// # Errors
    /// If something cannot be read.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        stats::count(&self.db, &self.path)
    }

    /// Writes a checkpoint to `dest`, which must not exist. Reads every record first, so that
    /// damage is not copied. On the same file system the large files are shared.
    ///
    /// # Errors
    /// If the store is damaged, or `dest` exists or cannot be written; nothing is left there then.
    pub fn checkpoint(&self, dest: impl AsRef<Path>) -> Result<(), StoreError> {
        checkpoint::write(dest.as_ref(), |draft| {
            walk(&self.db, &self.path, None, |_, _, _| {})?;
            self.copy(draft)
        })
    }

    /// Copies the files of the database. No process writes to it meanwhile, so its files are
    /// complete. RocksDB's own checkpoint would omit the logs, because it assumes that a read-only
    /// database has none.
    fn copy(&self, to: &Path) -> Result<(), StoreError> {
        let live = self.db.live_files().map_err(|error| StoreError::rocks(&self.path, error))?;
        let unreadable = |error: io::Error| StoreError::io(&self.path, &error);
        let manifest = fs::read_to_string(self.path.join(CURRENT)).map_err(unreadable)?;
        fs::create_dir(to).map_err(|error| StoreError::io(to, &error))?;
        for (name, _) in files::list(&self.path).map_err(unreadable)? {
            let (from, to) = (self.path.join(&name), to.join(&name));
            let copied = if name.ends_with(".sst") {
                // A table is immutable, so it can be shared.
                if live.iter().any(|table| table.name.trim_start_matches('/') == name) {
                    fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))
                } else {
                    Ok(())
                }
            } else if name.ends_with(".log") || name == CURRENT || name == manifest.trim_end() {
                fs::copy(&from, &to).map(drop)
            } else {
                // The database creates the rest itself.
                Ok(())
            };
            copied.map_err(|error| StoreError::io(&to, &error))?;
        }
        Ok(())
    }
}

impl fmt::Debug for RocksReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RocksReader").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Opens the database in `path` read-only and checks its format.
pub(crate) fn database(path: &Path) -> Result<DB, StoreError> {
    let options = OpenOptions::default();
    let database = layout::database(&options, false);
    let families = layout::families(&options, &Arc::new(Alarm::default()));
    let db = DB::open_cf_descriptors_read_only(&database, path, families, false)
        .map_err(|error| StoreError::opening(path, error))?;
    check_inside(&db, path)?;
    Ok(db)
}
