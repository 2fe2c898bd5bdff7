//! Directories of certificates until they are uploaded. Every worker has its own directory under
//! the given one, held by a lock, so that the remains of a killed worker can be distinguished from
//! directories in use, and deleted.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use tracing::warn;

use crate::held::Ticket;
use crate::lease::lease_event;

/// Prefix of our directories, before the number.
const PREFIX: &str = "worker-";
/// The lock file of a directory in use.
const LOCK: &str = "lock";
/// One process may have several workers.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A directory of this worker alone; removed on drop.
#[derive(Debug)]
pub struct Scratch {
    directory: PathBuf,
    /// Held while the directory is in use.
    _lock: File,
}

impl Scratch {
    /// Creates a directory under `parent`.
    ///
    /// # Errors
    /// If a file operation fails.
    pub fn open(parent: &Path) -> io::Result<Self> {
        fs::create_dir_all(parent)?;
        sweep(parent)?;
        let directory = loop {
            let number = NEXT.fetch_add(1, Relaxed);
            let directory = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match fs::create_dir(&directory) {
                Ok(()) => break directory,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        };
        let lock = File::create(directory.join(LOCK))?;
        lock.lock()?;
        Ok(Self { directory, _lock: lock })
    }

    /// The directory of a unit; it is not created here.
    #[must_use]
    pub fn of(&self, ticket: Ticket) -> PathBuf {
        let Ticket { lease, number } = ticket;
        self.directory.join(format!("{number}-{}", lease.file_name()))
    }

    /// Deletes the files of a unit.
    pub fn clear(&self, ticket: Ticket) {
        let lease = ticket.lease;
        match fs::remove_dir_all(self.of(ticket)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                lease_event!(warn, lease, %error, "files of a unit cannot be removed");
            }
            _ => {}
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Its parent may be gone already.
        if let Err(error) = fs::remove_dir_all(&self.directory)
            && error.kind() != io::ErrorKind::NotFound
        {
            warn!(directory = %self.directory.display(), %error, "cannot be removed");
        }
    }
}

/// Removes directories of dead workers.
fn sweep(parent: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // A directory without a lock is just being created by another worker.
        let abandoned =
            File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if abandoned {
            // Two workers may clean up at once: the second one finds nothing.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use hasami_unit::{Attempt, ItemNo, Lease, RunId, UnitNo};

    use super::*;

    #[test]
    fn what_a_killed_worker_left_is_swept_and_what_is_in_use_is_not() {
        let parent = tempfile::tempdir().unwrap();
        let dead = parent.path().join("worker-1-7");
        fs::create_dir_all(dead.join("1-2-3-4")).unwrap();
        File::create(dead.join(LOCK)).unwrap();
        fs::create_dir(parent.path().join("of somebody else")).unwrap();
        let one = Scratch::open(parent.path()).unwrap();
        let two = Scratch::open(parent.path()).unwrap();
        assert!(!dead.exists() && one.directory.exists() && two.directory.exists());
        assert_ne!(one.directory, two.directory);
        drop(one);
        drop(two);
        let left: Vec<_> = fs::read_dir(parent.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn the_files_of_one_unit_are_cleared_alone() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::open(parent.path()).unwrap();
        let (run, item, unit, attempt) = (RunId(1), ItemNo(2), UnitNo(3), Attempt(4));
        let ticket = |number| Ticket { lease: Lease { run, item, unit, attempt }, number };
        for number in [1, 2] {
            fs::create_dir(scratch.of(ticket(number))).unwrap();
            fs::write(scratch.of(ticket(number)).join("a.cert"), "proof").unwrap();
        }
        scratch.clear(ticket(1));
        scratch.clear(ticket(1));
        assert!(!scratch.of(ticket(1)).exists() && scratch.of(ticket(2)).exists());
    }
}
