//! The same thing on all hosts, so many at a time, and the report about it.

use std::rc::Rc;

use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinSet, LocalSet};

use super::hosts::Host;
use crate::cluster::backend::Stop;
use crate::cluster::grid::Grid;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::stop;
use crate::words::counted;

/// What came of it on one host.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub host: Host,
    /// What was done, or why it was not.
    pub result: Result<Done, String>,
}

/// What was done on a host.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// In words.
    pub words: String,
    /// Details for programs.
    pub json: Value,
    /// Something that needs attention all the same.
    pub trouble: Vec<String>,
}

/// Does `work` on all hosts, at most `most` at a time. After a signal the rest is left, and what is
/// under way ends: every step can be repeated.
pub async fn on_all<F>(
    hosts: Vec<Host>,
    most: usize,
    mut asked: watch::Receiver<Stop>,
    work: impl Fn(Host) -> F,
) -> Vec<Outcome>
where
    F: Future<Output = Result<Done, String>> + 'static,
{
    // All on one thread: they wait for ssh, and compute nothing.
    LocalSet::new()
        .run_until(async move {
            let places = Rc::new(Semaphore::new(most));
            let mut tasks = JoinSet::new();
            for (at, host) in hosts.iter().cloned().enumerate() {
                let (places, work) = (places.clone(), work(host));
                tasks.spawn_local(async move {
                    let _place = places.acquire().await;
                    (at, work.await)
                });
            }
            let mut results: Vec<Option<Result<Done, String>>> =
                hosts.iter().map(|_| None).collect();
            loop {
                tokio::select! {
                    () = stop::asked(&mut asked) => break,
                    ended = tasks.join_next() => match ended {
                        Some(Ok((at, result))) => {
                            let name = &hosts[at].name;
                            match &result {
                                Ok(done) => tracing::info!("{name}: {}", done.words),
                                Err(error) => tracing::warn!("{name}: {error}"),
                            }
                            results[at] = Some(result);
                        }
                        // A task that panicked leaves its host without a result.
                        Some(Err(error)) => tracing::error!("{error}"),
                        None => break,
                    },
                }
            }
            let left = || Err("stopped before the end; do it again to go on".to_string());
            let outcomes = hosts.into_iter().zip(results);
            outcomes
                .map(|(host, result)| Outcome { host, result: result.unwrap_or_else(left) })
                .collect()
        })
        .await
}

/// Prints a line for each host. Fails if anything is wrong on any.
pub fn report(form: Output, outcomes: &[Outcome]) -> Result<(), Failure> {
    let mut grid = Grid::new(&["HOST", "RESULT"]);
    let (mut failed, mut quiet, mut json) = (0, Vec::new(), Vec::new());
    for outcome in outcomes {
        let name = &outcome.host.name;
        let trouble = match &outcome.result {
            Ok(done) => done.trouble.clone(),
            Err(error) => vec![error.clone()],
        };
        failed += u64::from(!trouble.is_empty());
        if !trouble.is_empty() {
            quiet.push(name.clone());
        }
        let words = outcome.result.as_ref().map_or("failed", |done| done.words.as_str());
        let mut lines = vec![words.to_string()];
        lines.extend(trouble.iter().cloned());
        let lines: Vec<&str> = lines.iter().flat_map(|text| text.lines()).collect();
        for (at, line) in lines.iter().enumerate() {
            let host = if at == 0 { name.clone() } else { String::new() };
            grid.row([host, line.to_string()]);
        }
        let details = outcome.result.as_ref().map_or(Value::Null, |done| done.json.clone());
        json.push(json!({
            "host": name, "ok": trouble.is_empty(), "result": words, "trouble": trouble,
            "details": details,
        }));
    }
    output::print(form, &grid.text(), &Value::from(json), &quiet.join("\n"))?;
    match (failed, stop::exit_code()) {
        (0, _) => Ok(()),
        // Everything was printed; the exit code is that of the signal.
        (_, Some(_)) => Err(Failure::Unsettled),
        _ => Err(Failure::Failed(format!(
            "needs attention: {failed} of {}",
            counted(outcomes.len() as u64, "host")
        ))),
    }
}
