//! Checkpoints: copies of a store in use, and restoring a store from one. A checkpoint lists its
//! files, so that a truncated one is never taken for complete. Relies on `files`.

use std::fs;
use std::io;
use std::path::Path;

use rocksdb::checkpoint::Checkpoint;

use crate::error::StoreError;
use crate::files::{self, Staging};
use crate::marker::{self, CHECKPOINT, FORMAT};
use crate::reader;
use crate::rocks::RocksStore;
use crate::stats::walk;

const WORD: &str = "hasami-checkpoint";

impl RocksStore {
    /// Writes a checkpoint of this moment to `dest`, which must not exist. It holds everything
    /// published before the call; the store stays in use. On the same file system the large files
    /// are shared, so it is cheap. Records are not read: damage in them is found on restore
    /// ([`RocksReader::checkpoint`](crate::RocksReader::checkpoint) finds it earlier).
    ///
    /// # Errors
    /// If `dest` exists or cannot be written; nothing is left there then.
    pub fn checkpoint(&self, dest: impl AsRef<Path>) -> Result<(), StoreError> {
        write(dest.as_ref(), |draft| {
            Checkpoint::new(&self.db)
                .and_then(|checkpoint| checkpoint.create_checkpoint(draft))
                .map_err(|error| StoreError::rocks(&self.path, error))
        })
    }

    /// Restores a checkpoint to `dest`, which must be missing or an empty directory. Every record
    /// is read and checked before `dest` appears. The checkpoint does not change.
    ///
    /// # Errors
    /// If the checkpoint is incomplete, `dest` is not empty, or the system refuses; nothing is left
    /// at `dest` then.
    pub fn restore(checkpoint: impl AsRef<Path>, dest: impl AsRef<Path>) -> Result<(), StoreError> {
        let (checkpoint, dest) = (checkpoint.as_ref(), dest.as_ref());
        let refused = |error: &io::Error| StoreError::io(dest, error);
        if !files::vacant(dest).map_err(|error| refused(&error))? {
            return Err(StoreError::Exists { path: dest.to_owned() });
        }
        let listed = read_list(checkpoint)?;
        let staging = Staging::new(dest).map_err(|error| refused(&error))?;
        fs::create_dir(staging.path()).map_err(|error| refused(&error))?;
        for (name, length) in &listed {
            copy(checkpoint, staging.path(), name, *length)?;
        }
        // Check the copy rather than the checkpoint: the copy is what will be used.
        verify(staging.path()).map_err(|error| blame(error, checkpoint))?;
        marker::finish(staging.path())?;
        staging.finish().map_err(|error| refused(&error))
    }
}

/// Creates a checkpoint at `dest`, which must not exist. `fill` creates a directory with the files.
/// The checkpoint appears when it is complete.
pub(crate) fn write(
    dest: &Path,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    if dest.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: dest.to_owned() });
    }
    let refused = |error: &io::Error| StoreError::io(dest, error);
    let staging = Staging::new(dest).map_err(|error| refused(&error))?;
    fill(staging.path())?;
    let files = files::list(staging.path()).map_err(|error| refused(&error))?;
    files::write_whole(staging.path(), CHECKPOINT, &write_list(&files))?;
    staging.finish().map_err(|error| refused(&error))
}

fn copy(from: &Path, to: &Path, name: &str, length: u64) -> Result<(), StoreError> {
    let lost = |detail: String| StoreError::damaged(from, format!("{name}: {detail}"));
    let found = fs::metadata(from.join(name)).map_err(|error| lost(error.to_string()))?;
    if found.len() != length {
        return Err(lost(format!("{} bytes instead of {length}", found.len())));
    }
    fs::copy(from.join(name), to.join(name))
        .map(drop)
        .map_err(|error| StoreError::io(&to.join(name), &error))
}

/// Reads every record with checksums on; writes nothing.
fn verify(path: &Path) -> Result<(), StoreError> {
    walk(&reader::database(path)?, path, None, |_, _, _| {})
}

/// Damage in a fresh copy was damage in the original.
fn blame(error: StoreError, checkpoint: &Path) -> StoreError {
    match error {
        StoreError::Damaged { detail, .. } => StoreError::damaged(checkpoint, detail),
        StoreError::Format { found, .. } => marker::format(checkpoint, &found),
        other => other,
    }
}

/// The format, then a name and a length per line, then the number of files.
fn write_list(files: &[(String, u64)]) -> String {
    let mut text = format!("{WORD} {FORMAT}\n");
    for (name, length) in files {
        text += &format!("{name} {length}\n");
    }
    text + &format!("end {}\n", files.len())
}

fn read_list(checkpoint: &Path) -> Result<Vec<(String, u64)>, StoreError> {
    let text = match fs::read_to_string(checkpoint.join(CHECKPOINT)) {
        Ok(text) => text,
        Err(error) => {
            return Err(match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                    StoreError::NotACheckpoint { path: checkpoint.to_owned() }
                }
                io::ErrorKind::InvalidData => unreadable(checkpoint),
                _ => StoreError::io(checkpoint, &error),
            });
        }
    };
    let first = text.split_inclusive('\n').next().unwrap_or("");
    marker::check_format(checkpoint, WORD, first)?;
    parse_list(&text[first.len()..]).ok_or_else(|| unreadable(checkpoint))
}

fn unreadable(checkpoint: &Path) -> StoreError {
    StoreError::damaged(checkpoint, "its list of files cannot be read")
}

fn parse_list(text: &str) -> Option<Vec<(String, u64)>> {
    let mut files = Vec::new();
    let mut lines = text.strip_suffix('\n')?.split('\n');
    loop {
        let (name, number) = lines.next()?.rsplit_once(' ')?;
        let number = number.parse().ok()?;
        if name == "end" {
            let whole = number == files.len() as u64 && lines.next().is_none();
            return whole.then_some(files);
        }
        // A plain file name, never a path out of the directory.
        let plain = Path::new(name).file_name() == Some(name.as_ref());
        files.push((plain.then(|| name.to_owned())?, number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_files_comes_back_as_it_was() {
        let files = vec![("000012.sst".to_owned(), 7), ("CURRENT".to_owned(), 16)];
        let text = write_list(&files);
        let (_, rest) = text.split_once('\n').unwrap();
        assert_eq!(parse_list(rest), Some(files));
    }

    #[test]
    fn a_list_cut_anywhere_is_not_read() {
        let text = write_list(&[("000012.sst".to_owned(), 123), ("CURRENT".to_owned(), 16)]);
        let (_, rest) = text.split_once('\n').unwrap();
        for cut in 0..rest.len() {
            assert_eq!(parse_list(&rest[..cut]), None, "{:?}", &rest[..cut]);
        }
    }

    #[test]
    fn a_list_does_not_lead_out_of_its_directory() {
        for name in ["../secret", "/etc/passwd", "..", "a/b", ""] {
            assert_eq!(parse_list(&format!("{name} 1\nend 1\n")), None, "{name}");
        }
    }
}
