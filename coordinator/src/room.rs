//! Watches the room on the disk of the data directory. A full disk is a reason to wait: nothing is
//! handed out or taken in until there is room again, and nothing fails for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hasami_proto::Mark;
use tonic::Status;

use crate::engine::Engine;

/// This much stays free, for the journal and what was begun; at most an eighth of the disk.
const RESERVE: u64 = 256 << 20;
const SHARE: u64 = 8;
/// How often the room is measured.
const EVERY: Duration = Duration::from_millis(200);

/// Whether there is room on the disk.
#[derive(Clone, Debug)]
pub struct Room {
    directory: PathBuf,
    short: Arc<AtomicBool>,
}

impl Room {
    /// Measures the disk of a directory.
    #[must_use]
    pub fn of(directory: &Path) -> Self {
        let room = Self { directory: directory.to_owned(), short: Arc::default() };
        room.short.store(room.measure().is_some(), Ordering::Relaxed);
        room
    }

    /// Refuses a call that would write while there is no room. The caller tries again later.
    ///
    /// # Errors
    /// If there is no room.
    pub fn check(&self) -> Result<(), Status> {
        if self.is_short() {
            return Err(no_room("the coordinator's disk is full".to_string()));
        }
        Ok(())
    }

    /// Whether there is no room, at this moment.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.short.load(Ordering::Relaxed) || self.measure().is_some()
    }

    /// Free bytes on the disk, if it can be measured.
    #[must_use]
    pub fn free(&self) -> Option<u64> {
        let disk = rustix::fs::statvfs(&self.directory).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// Measures again and again, and tells the scheduler when something changes.
    pub async fn watch(self, engine: Engine) {
        let mut last = None;
        loop {
            let trouble = self.measure();
            self.short.store(trouble.is_some(), Ordering::Relaxed);
            if trouble.is_some() != last.is_some() {
                match &trouble {
                    Some(what) => tracing::error!("{what}"),
                    None => tracing::info!("there is room on the disk again: going on"),
                }
                let told = trouble.clone();
                if engine.call(move |state| state.core.set_trouble(told)).await.is_err() {
                    return;
                }
                last = trouble;
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// What is wrong, if there is no room. A disk that cannot be measured counts as one with room.
    fn measure(&self) -> Option<String> {
        let disk = rustix::fs::statvfs(&self.directory).ok()?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        let all = disk.f_blocks.saturating_mul(disk.f_frsize);
        let reserve = RESERVE.min(all / SHARE);
        (free < reserve).then(|| {
            let mib = |bytes: u64| bytes >> 20;
            format!(
                "the disk of {} is full: {} MiB free, {} MiB needed; nothing is handed out until \
                 there is room",
                self.directory.display(),
                mib(free),
                mib(reserve)
            )
        })
    }
}

/// The status for a write that failed for want of space: it says to try again.
#[must_use]
pub fn no_room(message: String) -> Status {
    Mark::NoRoom.on(Status::resource_exhausted(message))
}
