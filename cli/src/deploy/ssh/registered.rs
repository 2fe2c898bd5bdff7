//! Whether workers that were started have reached the coordinator, which is what counts.

use std::time::{Duration, Instant};

use hasami_proto::v1::{WorkerInfo, WorkersRequest};

use crate::cluster::client::{Client, patient};
use crate::failure::Failure;

/// How often the coordinator is asked.
const PAUSE: Duration = Duration::from_millis(300);

/// The workers of a coordinator.
pub async fn all(client: &Client) -> Result<Vec<WorkerInfo>, Failure> {
    let mut runs = client.runs.clone();
    match patient(async || runs.workers(WorkersRequest {}).await).await {
        Ok(reply) => Ok(reply.into_inner().workers),
        Err(status) => Err(client.failure(&status)),
    }
}

/// Waits until workers of all these names are there; gives the names that are not.
pub async fn wait(
    client: &Client,
    names: &[String],
    within: Duration,
) -> Result<Vec<String>, Failure> {
    let began = Instant::now();
    loop {
        let there = all(client).await?;
        let missing: Vec<String> = names
            .iter()
            .filter(|name| !there.iter().any(|worker| worker.name == **name))
            .cloned()
            .collect();
        if missing.is_empty() || began.elapsed() >= within {
            return Ok(missing);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
