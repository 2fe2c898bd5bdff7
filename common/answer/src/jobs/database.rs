//! A part of a database: a slice of a stage as a shard in the directory that all workers share, or the
//! shards joined. What an answer tells depends on the question alone, not on what was there already.

mod open;
mod question;

use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_andor::Control;
use hasami_database::{DatabaseError, Reader, Shards, Watch};
use hasami_sweep::{Measures, Verdict};

use crate::solve::finish;
use crate::{Answered, JobError, Place};

pub use open::OpenDatabases;
pub use question::{DatabasePart, MancalaDatabaseJob, PyonpyonDatabaseJob, database_sweep};

/// A shard that another machine has written may take so long to be seen here.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often one looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

pub(super) fn answer(
    part: &DatabasePart,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let watch =
        Watch { stop: &|| control.is_cancelled(), progress: &|values| control.note(values) };
    let shards = || place.databases.shards(part);
    let (claim, fields, nodes) = match part.joins() {
        false => sliced(part, shards()?.as_ref(), &watch)?,
        true => {
            let told = match part.slice {
                0 => joined(shards()?.as_ref(), &watch)?,
                _ => nothing(),
            };
            // Nothing is left to compute: whoever comes here needs the values no more.
            place.databases.put_away(part);
            told
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let measures = Measures { nodes, seconds, store_hits: 0 };
    finish(Verdict::Answered, claim, fields, Vec::new(), measures)
}

/// What is told, further columns, and how many values were asked for.
type Told = (String, Vec<(String, String)>, u64);

fn field(name: &str, value: impl ToString) -> (String, String) {
    (name.to_string(), value.to_string())
}

/// Small stages have fewer slices than others, and the first slice of the last stage does all.
fn nothing() -> Told {
    ("nothing in this slice".to_string(), vec![field("values", 0)], 0)
}

/// A shard; nothing of it where the whole database is there.
fn sliced(part: &DatabasePart, shards: &Shards, watch: &Watch) -> Result<Told, JobError> {
    let Some((shard, file)) = shards.shard(part.stage, part.slice) else {
        return Ok(nothing());
    };
    if !shards.is_joined()? {
        patiently(watch, || shards.make(part.stage, part.slice, watch))?;
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let values = shard.values();
    Ok((format!("{values} values"), vec![field("values", values), field("shard", name)], values))
}

/// The database.
fn joined(shards: &Shards, watch: &Watch) -> Result<Told, JobError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bytes = patiently(watch, || shards.join(threads, watch))?;
    let reader = Reader::open(shards.target())?;
    let values = reader.header().values;
    let fields = vec![
        field("values", values),
        field("file", shards.target().display()),
        field("bytes", bytes),
        field("blake3", reader.checksum()?),
    ];
    Ok((format!("{values} values joined"), fields, 0))
}

/// Tries again for a while what lacks a shard.
fn patiently<T>(
    watch: &Watch,
    work: impl Fn() -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    let since = Instant::now();
    loop {
        match work() {
            Err(DatabaseError::Missing { .. }) if since.elapsed() < PATIENCE && !(watch.stop)() => {
                std::thread::sleep(LOOK_AGAIN);
            }
            other => return other,
        }
    }
}

impl From<DatabaseError> for JobError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Stopped => Self::Stopped,
            DatabaseError::NoMemory { .. } => Self::Memory(error.to_string()),
            // Nothing changes by trying again.
            DatabaseError::Foreign { .. } | DatabaseError::TooLong { .. } => {
                Self::Question(error.to_string())
            }
            DatabaseError::Io { .. }
            | DatabaseError::Damaged { .. }
            | DatabaseError::Missing { .. }
            | DatabaseError::Busy { .. } => Self::Io(error.to_string()),
        }
    }
}
