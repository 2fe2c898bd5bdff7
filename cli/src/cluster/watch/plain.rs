//! A line for each run that has changed, for pipes and files.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use super::look;
use crate::cluster::client::Client;
use crate::cluster::run_view;
use crate::failure::Failure;
use crate::output::{self, Output};

/// Prints until no run is left to wait for.
pub async fn lines(mut client: Client, every: Duration, form: Output) -> Result<(), Failure> {
    let mut told: BTreeMap<u64, String> = BTreeMap::new();
    loop {
        let known = look(&mut client).await?;
        let waiting = known.runs.iter().any(|run| !run_view::over(run));
        for run in &known.runs {
            let state = run.state().word();
            let line =
                format!("run {}: {}: {state}: {}", run.run, run.name, run_view::outcome(run));
            if told.get(&run.run) == Some(&line) {
                continue;
            }
            // Runs that were over before are not news.
            if told.contains_key(&run.run) || !run_view::over(run) || !waiting {
                let human = format!("{line}; {}", run_view::speed(run));
                output::print(form, &human, &json!({ "run": run_view::json(run) }), &line)?;
            }
            told.insert(run.run, line);
        }
        if !waiting {
            return Ok(());
        }
        tokio::time::sleep(every).await;
    }
}
