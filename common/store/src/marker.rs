//! Marks a directory as a store: a marker file, written last when a store is created. Protects the
//! files of others: nothing is created in a directory that holds them. Relies on `files`.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::error::StoreError;
use crate::files;

/// The version of the format on disk: layout, record bytes and merge together.
pub const FORMAT: u32 = 1;

/// The marker of a store.
pub(crate) const STORE: &str = "HASAMI-STORE";
/// The marker of a checkpoint, which lists its files.
pub(crate) const CHECKPOINT: &str = "HASAMI-CHECKPOINT";
/// Put into an empty directory before a database is created there, removed once the marker is
/// written. A directory with this and no marker was left by a crash, before anything was published.
const UNFINISHED: &str = "HASAMI-STORE.unfinished";

const WORD: &str = "hasami-store";

/// What a directory holds, for opening a store in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nothing.
    Vacant,
    /// A store whose creation did not finish; nothing can be in it.
    Unfinished,
    /// A store of our format.
    Store,
}

/// Inspects a directory without changing it.
pub(crate) fn inspect(path: &Path) -> Result<Place, StoreError> {
    let unreadable = |error: &io::Error| StoreError::io(path, error);
    if files::vacant(path).map_err(|error| unreadable(&error))? {
        return Ok(Place::Vacant);
    }
    let not_a_store = || StoreError::NotAStore { path: path.to_owned() };
    match fs::read(path.join(STORE)) {
        Ok(text) => {
            check_format(path, WORD, &String::from_utf8_lossy(&text))?;
            check_database(path)?;
            return Ok(Place::Store);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(not_a_store()),
        Err(error) => return Err(unreadable(&error)),
    }
    let names = files::list(path).map_err(|error| unreadable(&error))?;
    let has = |name: &str| names.iter().any(|(found, _)| found == name);
    if has(CHECKPOINT) {
        Err(StoreError::IsCheckpoint { path: path.to_owned() })
    } else if !has(UNFINISHED) {
        Err(not_a_store())
    } else if !has("CURRENT") && names.iter().any(|(name, _)| name.ends_with(".sst")) {
        // Creation writes CURRENT before any table, so this is not an interrupted creation.
        Err(StoreError::damaged(path, "tables without marker and CURRENT"))
    } else {
        Ok(Place::Unfinished)
    }
}

/// Marks that a store is being created in this directory.
pub(crate) fn begin(path: &Path) -> Result<(), StoreError> {
    let write = || {
        fs::create_dir_all(path)?;
        File::create(path.join(UNFINISHED))?.sync_all()?;
        files::sync(path)?;
        files::sync_parent(path)
    };
    write().map_err(|error| StoreError::io(path, &error))
}

/// Marks the store in this directory as complete.
pub(crate) fn finish(path: &Path) -> Result<(), StoreError> {
    files::write_whole(path, STORE, &format!("{WORD} {FORMAT}\n"))?;
    clear(path)
}

/// Removes what a creation may have left beside the marker.
pub(crate) fn clear(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path.join(UNFINISHED)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::io(path, &error)),
        _ => Ok(()),
    }
}

/// Checks a line `word FORMAT`, newline included, so that a truncated marker is not accepted.
pub(crate) fn check_format(path: &Path, word: &str, line: &str) -> Result<(), StoreError> {
    if line == format!("{word} {FORMAT}\n") {
        return Ok(());
    }
    let found = line.trim();
    let found = found.strip_prefix(word).unwrap_or(found).trim();
    Err(format(path, found))
}

/// The error for a format that this program does not read.
pub(crate) fn format(path: &Path, found: &str) -> StoreError {
    StoreError::Format {
        path: path.to_owned(),
        found: found.chars().take(40).collect(),
        expected: FORMAT,
    }
}

/// RocksDB needs both of its root files, or it would report a new database.
fn check_database(path: &Path) -> Result<(), StoreError> {
    let current = match fs::read_to_string(path.join("CURRENT")) {
        Ok(current) => current,
        Err(error) => {
            return Err(StoreError::damaged(path, format!("CURRENT: {error}")));
        }
    };
    let manifest = current.trim_end();
    match fs::metadata(path.join(manifest)) {
        Ok(data) if data.is_file() => Ok(()),
        Ok(_) => Err(StoreError::damaged(path, "CURRENT names no file")),
        Err(error) => Err(StoreError::damaged(path, format!("{manifest}: {error}"))),
    }
}
