//! Building a database in stages on machines that share a directory. Each stage depends on those
//! before it and is divided into slices, which do not depend on their own stage. A slice becomes a
//! [`Shard`]; the shards of all stages are joined to the database, which is identical to the last
//! byte to one that [`crate::build`] makes.

mod slice;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::{DatabaseError, Header, Plan, Reader, Shard, Values, Writer};

pub use slice::{Piece, slices_of};

/// A plan that can be divided among machines.
pub trait Staged: Plan {
    /// Number of stages.
    fn stages(&self) -> usize;
    /// The pieces of a stage. No piece reads what another piece of its stage writes. Together the
    /// pieces of all stages cover every number that stands for a position.
    fn pieces(&self, stage: usize) -> Vec<Piece>;
}

/// A database being built in shards, as one machine sees it.
pub struct Shards<P: ?Sized = dyn Staged + Send> {
    header: Header,
    directory: PathBuf,
    target: PathBuf,
    slices: usize,
    values: Values,
    /// Stage and slice of the values that are in memory.
    known: Mutex<BTreeSet<(usize, usize)>>,
    plan: Box<P>,
}

/// Callbacks while values are computed.
pub struct Watch<'a> {
    /// Whether to stop.
    pub stop: &'a dyn Fn() -> bool,
    /// Called with the number of values computed since the last call.
    pub progress: &'a dyn Fn(u64),
}

impl<P: Staged + ?Sized> Shards<P> {
    /// The shards of a plan in this directory, `slices` for each stage.
    ///
    /// # Errors
    /// If there is not enough memory, or the directory cannot be created.
    pub fn new(plan: Box<P>, directory: &Path, slices: usize) -> Result<Self, DatabaseError> {
        let header = plan.header();
        let values = Values::new(header.values)?;
        let place = directory.join(header.file_name());
        std::fs::create_dir_all(&place).map_err(DatabaseError::io(&place))?;
        Ok(Self {
            target: directory.join(format!("{}.db", header.file_name())),
            directory: place,
            header,
            slices: slices.max(1),
            values,
            known: Mutex::new(BTreeSet::new()),
            plan,
        })
    }

    /// The database that the shards are joined to.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Number of stages before the join.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.plan.stages()
    }

    /// Number of values; each takes a byte of memory.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.header.values
    }

    /// Whether the complete database is there already.
    ///
    /// # Errors
    /// If another database has its name.
    pub fn is_joined(&self) -> Result<bool, DatabaseError> {
        if !self.target.exists() {
            return Ok(false);
        }
        let found = Reader::open(&self.target)?.header().clone();
        if found == self.header {
            Ok(true)
        } else {
            Err(DatabaseError::Foreign {
                file: self.target.clone(),
                found: format!("game={} rules={}", found.game, found.rules),
                expected: format!("game={} rules={}", self.header.game, self.header.rules),
            })
        }
    }

    /// The shard of a slice and its path; `None` if the slice is empty.
    #[must_use]
    pub fn shard(&self, stage: usize, slice: usize) -> Option<(Shard, PathBuf)> {
        let pieces = slices_of(self.plan.pieces(stage), self.slices).into_iter().nth(slice)?;
        self.shard_of(stage, slice, &pieces)
    }

    fn shard_of(&self, stage: usize, slice: usize, pieces: &[Piece]) -> Option<(Shard, PathBuf)> {
        let numbers = pieces.iter().flat_map(|piece| piece.numbers.iter().cloned()).collect();
        let (database, slices) = (self.header.clone(), self.slices);
        let shard = Shard { database, stage, slice, slices, numbers };
        (shard.values() > 0).then(|| (shard, self.directory.join(shard_name(stage, slice))))
    }

    /// Makes the shard of a slice, unless it is there. Returns its number of values.
    ///
    /// # Errors
    /// If a shard it depends on is missing, damaged or another one, a value cannot be represented,
    /// the system refuses, or it was stopped.
    pub fn make(&self, stage: usize, slice: usize, watch: &Watch) -> Result<u64, DatabaseError> {
        let Some(pieces) = slices_of(self.plan.pieces(stage), self.slices).into_iter().nth(slice)
        else {
            return Ok(0);
        };
        let Some((shard, file)) = self.shard_of(stage, slice, &pieces) else { return Ok(0) };
        match self.take(&shard, &file) {
            Ok(()) => return Ok(shard.values()),
            // A damaged shard is computed again; a file of something else is not touched.
            Err(DatabaseError::Missing { .. } | DatabaseError::Damaged { .. }) => {}
            Err(error) => return Err(error),
        }
        self.load_below(stage, watch)?;
        for piece in &pieces {
            for &(step, task) in &piece.tasks {
                if (watch.stop)() {
                    return Err(DatabaseError::Stopped);
                }
                self.plan.fill(step, task, &self.values)?;
            }
            (watch.progress)(piece.values());
        }
        shard.write(&file, |number| self.values.get(number).0)?;
        self.known().insert((stage, slice));
        Ok(shard.values())
    }

    /// Joins all shards to the database, unless it is there. Returns its length in bytes.
    ///
    /// # Errors
    /// If a shard is missing, damaged or another one, or the system refuses.
    pub fn join(&self, threads: usize, watch: &Watch) -> Result<u64, DatabaseError> {
        if !self.is_joined()? {
            self.load_below(self.stages(), watch)?;
            let mut writer = Writer::open(&self.target, self.header.clone(), |_| {})?;
            writer.append(self.header.values, threads.max(1), &|number, into| {
                self.values.block(number, into);
            })?;
            writer.finish()?;
        }
        let length = std::fs::metadata(&self.target).map(|found| found.len());
        length.map_err(DatabaseError::io(&self.target))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeSet<(usize, usize)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the values of all lower stages into memory.
    fn load_below(&self, stage: usize, watch: &Watch) -> Result<(), DatabaseError> {
        for below in 0..stage {
            let slices = slices_of(self.plan.pieces(below), self.slices);
            for (slice, pieces) in slices.iter().enumerate() {
                if self.known().contains(&(below, slice)) {
                    continue;
                }
                let Some((shard, file)) = self.shard_of(below, slice, pieces) else { continue };
                if (watch.stop)() {
                    return Err(DatabaseError::Stopped);
                }
                self.take(&shard, &file)?;
            }
        }
        Ok(())
    }

    /// Loads the values of a shard into memory.
    fn take(&self, shard: &Shard, file: &Path) -> Result<(), DatabaseError> {
        shard.read(file, |from, values| {
            for (number, &value) in (from..).zip(values) {
                self.values.set(number, crate::Value(value));
            }
        })?;
        self.known().insert((shard.stage, shard.slice));
        Ok(())
    }
}

fn shard_name(stage: usize, slice: usize) -> String {
    format!("stage-{stage:03}-slice-{slice:03}.shard")
}

/// The number of values and the file name of a shard, without its directory; `None` if the slice is
/// empty.
#[must_use]
pub fn outline(
    plan: &(impl Staged + ?Sized),
    stage: usize,
    slice: usize,
    slices: usize,
) -> Option<(u64, String)> {
    let pieces = slices_of(plan.pieces(stage), slices.max(1)).into_iter().nth(slice)?;
    let values: u64 = pieces.iter().map(Piece::values).sum();
    (values > 0).then(|| (values, shard_name(stage, slice)))
}

#[cfg(test)]
mod tests;
