//! The queue of Slurm, by its own commands.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use hasami_sweep::text::shown;

use crate::failure::Failure;

/// A task of an array job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// `JOB_TASK`.
    pub id: String,
    /// As Slurm calls it: PENDING, RUNNING, COMPLETING, …
    pub state: String,
}

impl Queued {
    pub fn waits(&self) -> bool {
        matches!(self.state.as_str(), "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "SUSPENDED")
    }
}

/// Runs a command of Slurm; gives what it prints.
fn call(program: &str, words: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program).args(words).output().map_err(|error| {
        Failure::Failed(format!("{program}: {error}; is this a machine that submits to Slurm?"))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(Failure::Failed(format!("{program}: {}", shown(told.trim()))))
}

/// The tasks of jobs of this name that have not ended.
pub fn list(job: &str) -> Result<Vec<Queued>, Failure> {
    let words = ["--me", "--noheader", "--array", "--name", job, "--format", "%i|%T"];
    call("squeue", &words).map(|text| parse(&text))
}

fn parse(text: &str) -> Vec<Queued> {
    let line = |line: &str| {
        let (id, state) = line.trim().split_once('|')?;
        Some(Queued { id: id.to_string(), state: state.to_string() })
    };
    text.lines().filter_map(line).collect()
}

/// How many are in which state.
pub fn counts(tasks: &[Queued]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    tasks.iter().for_each(|task| *counts.entry(task.state.as_str()).or_default() += 1);
    counts
}

/// Submits the script with so many tasks; gives the number of the job.
pub fn submit(script: &Path, tasks: u32) -> Result<String, Failure> {
    let array = format!("--array=1-{tasks}");
    let path = script.to_string_lossy();
    let told = call("sbatch", &["--parsable", &array, &path])?;
    // With several clusters: JOB;CLUSTER.
    Ok(told.trim().split(';').next().unwrap_or_default().to_string())
}

/// Cancels these tasks; running ones hand back their work first.
pub fn cancel(ids: &[String]) -> Result<(), Failure> {
    for ids in ids.chunks(100) {
        let words: Vec<&str> = ids.iter().map(String::as_str).collect();
        call("scancel", &words)?;
    }
    Ok(())
}

/// Sends SIGTERM to the script of running tasks.
pub fn terminate(ids: &[String]) -> Result<(), Failure> {
    for ids in ids.chunks(100) {
        let mut words = vec!["--batch", "--signal=TERM"];
        words.extend(ids.iter().map(String::as_str));
        call("scancel", &words)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_is_read_by_task() {
        let tasks = parse("12_1|RUNNING\n12_2|PENDING\n\nnoise\n13_1|RUNNING\n");
        assert_eq!(tasks.len(), 3);
        assert!(tasks[1].waits() && !tasks[0].waits());
        assert_eq!(
            counts(&tasks).into_iter().collect::<Vec<_>>(),
            [("PENDING", 1), ("RUNNING", 2)]
        );
    }
}
