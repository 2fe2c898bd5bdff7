//! `hasami coordinator checkpoint`: copies all data of a running coordinator.

use std::path::PathBuf;

use clap::Parser;
use hasami_proto::v1::CheckpointRequest;
use serde_json::json;

use crate::cluster::block_on;
use crate::cluster::client::{AccessArgs, patient};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// Copy everything that a coordinator keeps, while it runs
#[derive(Clone, Debug, Parser)]
#[command(name = "checkpoint", after_help = "Example:\n  hasami coordinator checkpoint monday")]
pub struct Checkpoint {
    /// What the copy is called, in the coordinator's directory of checkpoints; must not exist yet
    pub directory: PathBuf,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Checkpoint {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Requests a checkpoint and waits for it.
async fn act(options: &Checkpoint) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let request = CheckpointRequest { directory: options.directory.display().to_string() };
    let made = match patient(async || client.runs.checkpoint(request.clone()).await).await {
        Ok(reply) => reply.into_inner().directory,
        Err(status) => return Err(client.failure(&status)),
    };
    let human = format!(
        "{made}: checkpoint, on the coordinator's machine\n  hasami coordinator restore {made} --data NEW"
    );
    output::print(options.answer.output, &human, &json!({ "checkpoint": made }), &made)
}
