//! Building a database: one step after the other, the tasks of a step in parallel.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use crate::file::BLOCK;
use crate::{DatabaseError, Header, Value, Writer};

/// The order in which the values of a game can be computed.
pub trait Plan: Sync {
    /// The header of the database.
    fn header(&self) -> Header;
    /// Number of steps.
    fn steps(&self) -> usize;
    /// Number of values, from 0 on without a gap, that are final after this step.
    fn final_after(&self, step: usize) -> u64;
    /// Number of tasks of a step.
    fn tasks(&self, step: usize) -> usize;
    /// Computes the values of a task from those of earlier steps. Tasks of one step must not read
    /// what they write.
    ///
    /// # Errors
    /// If a value cannot be represented.
    fn fill(&self, step: usize, task: usize, values: &Values) -> Result<(), DatabaseError>;
}

/// All values of a database, in memory.
pub struct Values(Vec<AtomicU8>);

impl Values {
    pub(crate) fn new(count: u64) -> Result<Self, DatabaseError> {
        let mut values = Vec::new();
        let room = usize::try_from(count).ok().map(|count| values.try_reserve_exact(count));
        if !matches!(room, Some(Ok(()))) {
            return Err(DatabaseError::NoMemory { bytes: count });
        }
        values.extend((0..count).map(|_| AtomicU8::new(Value::NONE.0)));
        Ok(Self(values))
    }

    /// The value of position `number`.
    #[must_use]
    pub fn get(&self, number: u64) -> Value {
        // Threads are joined between steps, and no step reads what it writes: relaxed is enough.
        Value(self.0[number as usize].load(Ordering::Relaxed))
    }

    /// Sets the value of position `number`.
    pub fn set(&self, number: u64, value: Value) {
        self.0[number as usize].store(value.0, Ordering::Relaxed);
    }

    pub(crate) fn block(&self, number: u64, into: &mut Vec<u8>) {
        let from = number as usize * BLOCK;
        let to = (from + BLOCK).min(self.0.len());
        into.extend(self.0[from..to].iter().map(|value| value.load(Ordering::Relaxed)));
    }
}

/// Options of a build.
pub struct Build<'a> {
    /// Number of threads.
    pub threads: usize,
    /// Set to stop the build.
    pub stop: &'a AtomicBool,
    /// Called after every step with the number of final values.
    pub progress: &'a mut dyn FnMut(u64),
}

/// Result of a build.
pub struct Built {
    /// Length of the file.
    pub bytes: u64,
    /// Number of values that an earlier build had written.
    pub resumed: u64,
}

/// Builds a database, or continues one that was started.
///
/// # Errors
/// If it cannot be written, or was stopped; calling again continues from there.
pub fn build<P: Plan + ?Sized>(plan: &P, file: &Path, how: Build) -> Result<Built, DatabaseError> {
    let header = plan.header();
    let values = Values::new(header.values)?;
    let mut resumed = 0;
    let mut writer = Writer::open(file, header, |block| {
        for &value in block {
            values.set(resumed, Value(value));
            resumed += 1;
        }
    })?;
    for step in first_step(plan, writer.written())..plan.steps() {
        run(plan, step, &values, &how)?;
        let done = plan.final_after(step);
        writer.append(done, how.threads, &|number, into| values.block(number, into))?;
        (how.progress)(done);
    }
    Ok(Built { bytes: writer.finish()?, resumed })
}

/// The step after the last one whose values are all there.
fn first_step<P: Plan + ?Sized>(plan: &P, there: u64) -> usize {
    let mut first = 0;
    let mut before = 0;
    for step in 0..plan.steps() {
        let done = plan.final_after(step);
        if done > there {
            break;
        }
        // Steps that make nothing final count as undone until a later one does.
        if done > before {
            first = step + 1;
        }
        before = done;
    }
    first
}

fn run<P: Plan + ?Sized>(
    plan: &P,
    step: usize,
    values: &Values,
    how: &Build,
) -> Result<(), DatabaseError> {
    let tasks = plan.tasks(step);
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), DatabaseError> {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return Ok(());
            }
            if how.stop.load(Ordering::Relaxed) {
                return Err(DatabaseError::Stopped);
            }
            plan.fill(step, task, values)?;
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..how.threads.min(tasks)).map(|_| scope.spawn(work)).collect();
        let own = work();
        others
            .into_iter()
            .map(|other| other.join().expect("a filling thread"))
            .fold(own, Result::and)
    })
}

#[cfg(test)]
mod tests;
