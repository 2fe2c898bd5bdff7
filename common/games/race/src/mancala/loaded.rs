//! Endings in memory, for searches. A file is read once for all games: a database may be larger
//! than half of the memory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use hasami_database::{DatabaseError, Reader, Value};

use super::Goal;
use super::database::{Database, Places};
use super::position::{Position, Ring};
use hasami_game::race::Exact;
use hasami_game::{BuildError, Origin, Resources};

/// A database of endings with all values in memory.
#[derive(Debug)]
pub(super) struct Loaded {
    places: Places,
    values: Vec<u8>,
    origin: Origin,
}

impl Loaded {
    /// The file and its contents.
    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The exact value of a position for its side to move; `None` if it has too many seeds, or if
    /// the side to move has already won.
    pub(super) fn value(&self, position: &Position) -> Option<Exact> {
        Exact::from_value(Value(self.values[self.places.number(position)? as usize]))
    }
}

/// Loads the database in a file, which must be for this ring and this rule. It is read once for all
/// games built with the same resources, and again when it has changed.
///
/// # Errors
/// If it cannot be read or is about something else.
pub(super) fn load(
    ring: Ring,
    goal: Goal,
    path: &Path,
    resources: &Resources,
) -> Result<Arc<Loaded>, BuildError> {
    let bad = |error: DatabaseError| BuildError::File {
        key: "database",
        path: path.display().to_string(),
        why: format!("expected a file of `hasami database` ({error})"),
    };
    let io = |error| bad(DatabaseError::Io { file: path.to_owned(), error });
    let found = std::fs::metadata(path).map_err(io)?;
    let file = File {
        path: std::fs::canonicalize(path).map_err(io)?,
        bytes: found.len(),
        changed: found.modified().ok(),
        pits: ring.pits,
        goal,
    };
    let files = resources.get("files", || Ok::<_, BuildError>(Files::default()))?;
    // A second thread waits here and finds the file loaded.
    let mut files = files.0.lock().unwrap_or_else(PoisonError::into_inner);
    files.retain(|(_, known)| known.strong_count() > 0);
    let known = files.iter().find(|(known, _)| *known == file);
    if let Some(known) = known.and_then(|(_, known)| known.upgrade()) {
        return Ok(known);
    }
    let database = Database::new(ring, goal, Reader::open(path).map_err(bad)?)?;
    let origin = database.origin().map_err(bad)?;
    let (places, values) = database.in_memory().map_err(bad)?;
    let one = Arc::new(Loaded { places, values, origin });
    files.push((file, Arc::downgrade(&one)));
    Ok(one)
}

/// A file at one point in time, with the rules it was read for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    path: PathBuf,
    bytes: u64,
    changed: Option<SystemTime>,
    pits: u8,
    goal: Goal,
}

/// The files in use by some game. A database may be larger than half of the memory, so it is
/// dropped with the last game that uses it.
#[derive(Default)]
struct Files(Mutex<Vec<(File, Weak<Loaded>)>>);
