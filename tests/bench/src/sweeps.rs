//! Uneven sweeps by real worker processes: how evenly the work is spread.
//!
//! Times depend on what else the machine does, so beside them stands what depends on the scheduling
//! alone: the share of the time that workers waited while units were still to be begun. It is read
//! from the logs of the workers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cluster::{coordinator, failed, program};
use crate::figures::{Failure, Figure, Figures};

/// A sweep whose longest items come last.
const RISING: &str = include_str!("sweeps/rising.toml");
/// A sweep with a few items that take longer than all others together, the longest last.
const SPARSE: &str = include_str!("sweeps/sparse.toml");

/// Sweeps by one, two and four workers of one thread.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let program = program()?;
    let losers = if quick { "100k" } else { "600k" };
    for (name, text, budget) in [
        ("losers-66", None, Some(losers)),
        ("rising", Some(RISING), quick.then_some("20k")),
        ("sparse", Some(SPARSE), quick.then_some("20k")),
    ] {
        let sweep = Sweep { program: &program, name, text, budget };
        let alone = sweep.by(1)?;
        for count in [2, 4] {
            let many = sweep.by(count)?;
            let ratio = alone.seconds / many.seconds;
            figures.push(Figure {
                what: format!("{name}: {count} workers beside one"),
                values: format!(
                    "{:.1} s, one {:.1} s; units begun {:?}",
                    many.seconds, alone.seconds, many.units
                ),
                ratio,
                goal: Some((">= 1.8", ratio >= 1.8)),
            });
            figures.push(Figure {
                what: format!("{name}: time that {count} workers waited"),
                values: format!(
                    "{:.2} s of {:.2} s, until the last unit was begun",
                    many.idle,
                    many.span * count as f64
                ),
                ratio: many.idle / (many.span * count as f64),
                goal: Some(("<= 0.05", many.idle <= 0.05 * many.span * count as f64)),
            });
        }
    }
    Ok(())
}

struct Sweep<'a> {
    program: &'a Path,
    name: &'a str,
    /// `None`: one that comes with the program.
    text: Option<&'a str>,
    budget: Option<&'a str>,
}

/// What a run took.
struct Spent {
    seconds: f64,
    /// From the first unit that was begun to the last.
    span: f64,
    /// Seconds of it that workers waited, all together.
    idle: f64,
    /// Units that each worker has begun.
    units: Vec<usize>,
}

impl Sweep<'_> {
    fn by(&self, count: usize) -> Result<Spent, Failure> {
        let directory = tempfile::tempdir().map_err(failed)?;
        let file = match self.text {
            Some(text) => {
                let file = directory.path().join(format!("{}.toml", self.name));
                std::fs::write(&file, text).map_err(failed)?;
                file
            }
            None => PathBuf::from(self.name),
        };
        let (mut processes, access) = coordinator(self.program, directory.path())?;
        let logs: Vec<PathBuf> =
            (0..count).map(|n| directory.path().join(format!("{n}.log"))).collect();
        for log in &logs {
            let worker = Command::new(self.program)
                .args(["worker", "--threads", "1", "--memory", "512MiB", "--log-format", "json"])
                .args(["--log-rotate", "4GiB", "--access"])
                .arg(&access)
                .arg("--log-file")
                .arg(log)
                .env("RUST_LOG", "hasami_worker=debug")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            processes.add(worker.map_err(failed)?);
        }
        until_registered(&logs)?;
        let started = Instant::now();
        let mut submit = Command::new(self.program);
        submit.args(["submit", "--wait", "--output", "json", "--access"]).arg(&access).arg(&file);
        if let Some(budget) = self.budget {
            submit.args(["--budget", budget]);
        }
        let done = submit.env("RUST_LOG", "error").output().map_err(failed)?;
        let seconds = started.elapsed().as_secs_f64();
        // Some may stay open.
        if !matches!(done.status.code(), Some(0 | 3)) {
            return Err(Failure(String::from_utf8_lossy(&done.stderr).into_owned()));
        }
        // What they have logged is written when they have ended.
        processes.end_all();
        let workers = logs.iter().map(|log| begun(log)).collect::<Result<Vec<_>, _>>()?;
        Ok(spent(seconds, &workers))
    }
}

fn until_registered(logs: &[PathBuf]) -> Result<(), Failure> {
    let patience = Instant::now();
    let registered = |log: &PathBuf| {
        std::fs::read_to_string(log).is_ok_and(|text| text.contains("\"registered\""))
    };
    while !logs.iter().all(registered) {
        if patience.elapsed() > Duration::from_secs(20) {
            return Err(Failure("a worker did not register".to_string()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// The times between which a worker computed units, in seconds of the day.
fn begun(log: &Path) -> Result<Vec<(f64, f64)>, Failure> {
    let mut times = Vec::new();
    let mut open: BTreeMap<String, f64> = BTreeMap::new();
    for line in std::fs::read_to_string(log).map_err(failed)?.lines() {
        let line: Value = serde_json::from_str(line).map_err(failed)?;
        let fields = &line["fields"];
        let lease = ["run", "item", "unit", "attempt"].map(|name| fields[name].to_string());
        let at = seconds_of_day(line["timestamp"].as_str().unwrap_or_default());
        match fields["message"].as_str().unwrap_or_default() {
            "unit begun" => {
                open.insert(lease.join("/"), at);
            }
            "unit computed" | "unit stopped, to be handed back" | "unit dropped" => {
                let from = open.remove(&lease.join("/"));
                times.push((from.unwrap_or(at), at));
            }
            _ => {}
        }
    }
    Ok(times)
}

/// The seconds of `2026-01-31T12:34:56.789Z` since midnight; a run over midnight is measured again.
fn seconds_of_day(timestamp: &str) -> f64 {
    let time = timestamp.split_once('T').map_or("", |(_, time)| time.trim_end_matches('Z'));
    time.split(':').fold(0.0, |sum, part| 60.0 * sum + part.parse::<f64>().unwrap_or(0.0))
}

fn spent(seconds: f64, workers: &[Vec<(f64, f64)>]) -> Spent {
    let starts = || workers.iter().flatten().map(|(from, _)| *from);
    let first = starts().fold(f64::INFINITY, f64::min);
    let last = starts().fold(first, f64::max);
    let span = last - first;
    let busy = |times: &Vec<(f64, f64)>| -> f64 {
        times.iter().map(|(from, to)| (to.min(last) - from).max(0.0)).sum()
    };
    let idle = workers.iter().map(|times| (span - busy(times)).max(0.0)).sum();
    Spent { seconds, span, idle, units: workers.iter().map(Vec::len).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_what_is_not_computed_until_the_last_unit_is_begun() {
        let workers = [vec![(10.0, 14.0), (14.0, 30.0)], vec![(10.0, 11.0), (12.0, 13.0)]];
        let Spent { span, idle, units, .. } = spent(21.0, &workers);
        assert_eq!((span, idle, units), (4.0, 2.0, vec![2, 2]));
    }

    #[test]
    fn times_are_read_from_the_log() {
        assert_eq!(seconds_of_day("2026-11-18T01:02:03.5Z"), 3723.5);
    }
}
