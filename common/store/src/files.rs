//! Directories and files that are either complete or absent, even after a crash. Relies on fsync
//! and on the file system's atomic rename.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) use hasami_files::{sync, sync_parent};

use crate::error::StoreError;

/// Writes the complete file `name` into `directory`, durably. The draft has a fixed name, so that a
/// later opening overwrites what a crash has left.
pub(crate) fn write_whole(directory: &Path, name: &str, text: &str) -> Result<(), StoreError> {
    let target = directory.join(name);
    let write = || {
        let draft = directory.join(format!("{name}.tmp"));
        let mut file = File::create(&draft)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        hasami_files::rename(&draft, &target)
    };
    write().map_err(|error| StoreError::io(&target, &error))
}

/// Creates the parent directory of `path`, if it is missing.
pub(crate) fn make_parent(path: &Path) -> io::Result<()> {
    fs::create_dir_all(hasami_files::directory(path))
}

/// The files of a directory with their lengths, by name; skips directories.
pub(crate) fn list(directory: &Path) -> io::Result<Vec<(String, u64)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let length = match entry.metadata() {
            Ok(data) if data.is_file() => data.len(),
            Ok(_) => continue,
            // RocksDB may remove files it no longer needs at any time.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        files.push((entry.file_name().to_string_lossy().into_owned(), length));
    }
    files.sort();
    Ok(files)
}

/// Whether `path` is missing or an empty directory.
pub(crate) fn vacant(path: &Path) -> io::Result<bool> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(error),
    }
}

/// A directory being built beside its final place, where it appears at once. Removed again unless
/// it was finished.
#[derive(Debug)]
pub(crate) struct Staging {
    path: PathBuf,
    target: PathBuf,
    finished: bool,
}

impl Staging {
    /// A path beside `target`; nothing is there yet.
    pub(crate) fn new(target: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        make_parent(target)?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let draft = format!(".{}.unfinished-{}-{count}", name.to_string_lossy(), process::id());
        let path = target.with_file_name(draft);
        if path.exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Self { path, target: target.to_owned(), finished: false })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes all files durable and renames the directory to its target.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        for (name, _) in list(&self.path)? {
            sync(&self.path.join(name))?;
        }
        sync(&self.path)?;
        fs::rename(&self.path, &self.target)?;
        self.finished = true;
        sync_parent(&self.target)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.finished
            && let Err(error) = fs::remove_dir_all(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(path = %self.path.display(), %error, "an unfinished directory stays");
        }
    }
}
