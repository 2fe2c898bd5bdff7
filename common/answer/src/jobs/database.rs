//! A part of a database: writes a slice of a stage as a shard to the directory that all workers
//! share, or joins the shards. The answer depends on the question alone, not on which files existed
//! before.

mod open;
mod question;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_andor::Control;
use hasami_database::{DatabaseError, Reader, Shards, Watch};
use hasami_sweep::{Measures, Verdict};

use crate::solve::finish;
use crate::{Answered, JobError, Place};

pub use open::OpenDatabases;
pub use question::{DatabasePart, MancalaDatabaseJob, PyonpyonDatabaseJob, database_sweep};

/// How long a shard written by another machine may take to become visible here.
const PATIENCE: Duration = Duration::from_secs(3);
/// Delay between two looks for a missing shard.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

pub(super) fn answer(
    part: &DatabasePart,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let watch = Watch { stop: &|| control.should_stop(), progress: &|values| control.note(values) };
    let shards = || place.databases.shards(part);
    let (claim, fields, nodes) = if part.joins() {
        let done = match part.slice {
            0 => joined(shards()?.as_ref(), &watch)?,
            _ => nothing(),
        };
        // Nothing is left to compute, so the values are no longer needed here.
        place.databases.close(part);
        done
    } else {
        sliced(part, shards()?.as_ref(), &watch)?
    };
    let seconds = started.elapsed().as_secs_f64();
    let measures = Measures { nodes, seconds, store_hits: 0 };
    finish(Verdict::Answered, claim, fields, Vec::new(), measures)
}

/// The claim, further columns, and the number of values asked for.
pub(crate) type Outcome = (String, Vec<(String, String)>, u64);

fn field(name: &str, value: impl ToString) -> (String, String) {
    (name.to_string(), value.to_string())
}

/// The answer of a part without work: small stages have fewer slices, and the first slice of the
/// last stage joins everything.
pub(crate) fn nothing() -> Outcome {
    ("nothing in this slice".to_string(), vec![field("values", 0)], 0)
}

/// Writes a shard, unless the whole database exists already.
fn sliced(part: &DatabasePart, shards: &Shards, watch: &Watch) -> Result<Outcome, JobError> {
    let Some((shard, file)) = shards.shard(part.stage, part.slice) else {
        return Ok(nothing());
    };
    if !shards.is_joined()? {
        with_retries(watch, || shards.make(part.stage, part.slice, watch))?;
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(sliced_outcome(shard.values(), name))
}

pub(crate) fn sliced_outcome(values: u64, shard: String) -> Outcome {
    (format!("{values} values"), vec![field("values", values), field("shard", shard)], values)
}

/// Joins the shards to the database.
fn joined(shards: &Shards, watch: &Watch) -> Result<Outcome, JobError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bytes = with_retries(watch, || shards.join(threads, watch))?;
    let reader = Reader::open(shards.target())?;
    Ok(joined_outcome(reader.header().values, shards.target(), bytes, &reader.checksum()?))
}

pub(crate) fn joined_outcome(values: u64, target: &Path, bytes: u64, sum: &str) -> Outcome {
    let fields = vec![
        field("values", values),
        field("file", target.display()),
        field("bytes", bytes),
        field("blake3", sum),
    ];
    (format!("{values} values joined"), fields, 0)
}

/// Retries for a while if a shard is missing.
fn with_retries<T>(
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
            // Retrying changes nothing.
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
