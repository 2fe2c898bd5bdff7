//! Files that are complete or absent, even after a crash: written under another name in the same
//! directory, synced, renamed, and the directory synced. Relies on the file system's atomic rename.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Mode of files that anybody may read; the umask is subtracted.
const SHARED: u32 = 0o666;

/// A file that does not have its name yet. Dropped before [`Draft::finish`], it leaves nothing
/// behind; a crash may leave a file `.NAME.….partial`.
#[derive(Debug)]
pub struct Draft {
    file: NamedTempFile,
    target: PathBuf,
}

impl Draft {
    /// Creates a draft with the usual permissions.
    ///
    /// # Errors
    /// If the directory does not exist or cannot be written.
    pub fn new(target: &Path) -> io::Result<Self> {
        Self::begin(target, |builder| {
            builder.permissions(Permissions::from_mode(SHARED));
        })
    }

    /// Creates a draft with exactly these permissions; nobody else can read it before it has them.
    ///
    /// # Errors
    /// If the directory does not exist or cannot be written.
    pub fn with_mode(target: &Path, mode: u32) -> io::Result<Self> {
        let draft = Self::begin(target, |_| {})?;
        draft.file.as_file().set_permissions(Permissions::from_mode(mode))?;
        Ok(draft)
    }

    fn begin(target: &Path, set: impl FnOnce(&mut Builder<'_, '_>)) -> io::Result<Self> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(".partial");
        set(&mut builder);
        let file = builder.tempfile_in(directory(target))?;
        Ok(Self { file, target: target.to_owned() })
    }

    /// The file that it is at present. Everything written is there.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Bytes written so far.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.as_file().metadata()?.len())
    }

    /// Renames the draft to its name, replacing an existing file. From here on it survives a crash.
    ///
    /// # Errors
    /// If the disk refuses. Unless the last step failed, the existing file is unchanged.
    pub fn finish(self) -> io::Result<()> {
        let target = self.target.clone();
        self.finish_as(&target)
    }

    /// Like [`Draft::finish`], under a name in the same directory that was not known before.
    ///
    /// # Errors
    /// As [`Draft::finish`].
    pub fn finish_as(self, target: &Path) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(target).map_err(|error| error.error)?;
        sync_parent(target)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a complete file.
///
/// # Errors
/// As [`Draft::new`] and [`Draft::finish`].
pub fn write_whole(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::new(target)?;
    draft.write_all(bytes)?;
    draft.finish()
}

/// Renames a synced file or directory durably.
///
/// # Errors
/// If the system refuses.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_parent(to)
}

/// Makes a file, or the names in a directory, durable.
///
/// # Errors
/// If the system refuses.
pub fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Makes the name of `path` in its directory durable. Without this, a power failure may lose it.
///
/// # Errors
/// If the system refuses.
pub fn sync_parent(path: &Path) -> io::Result<()> {
    sync(directory(path))
}

/// The directory that holds `path`; for a bare name, the current one.
#[must_use]
pub fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_seen_under_the_name_before_the_end() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("table.csv");
        fs::write(&file, "old").unwrap();
        let mut draft = Draft::new(&file).unwrap();
        draft.write_all(b"new and longer").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(names(home.path()).len(), 2);
        assert_eq!(draft.length().unwrap(), 14);
        draft.finish().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new and longer");
        assert_eq!(names(home.path()), ["table.csv"]);
    }

    #[test]
    fn a_draft_that_is_dropped_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let mut draft = Draft::new(&home.path().join("x")).unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        assert_eq!(names(home.path()), Vec::<String>::new());
        assert!(Draft::new(&home.path().join("missing/x")).is_err());
        assert!(Draft::new(Path::new("/")).is_err());
    }

    #[test]
    fn permissions_are_the_usual_ones_or_those_asked_for() {
        let home = tempfile::tempdir().unwrap();
        let mode =
            |name: &str| fs::metadata(home.path().join(name)).unwrap().permissions().mode() & 0o777;
        fs::write(home.path().join("plain"), "").unwrap();
        write_whole(&home.path().join("whole"), b"").unwrap();
        assert_eq!(mode("whole"), mode("plain"));
        let mut secret = Draft::with_mode(&home.path().join("secret"), 0o400).unwrap();
        secret.write_all(b"token").unwrap();
        secret.finish().unwrap();
        assert_eq!(mode("secret"), 0o400);
    }

    #[test]
    fn a_bare_name_is_in_the_current_directory() {
        assert_eq!(directory(Path::new("x")), Path::new("."));
        assert_eq!(directory(Path::new("a/x")), Path::new("a"));
    }
}
