//! `hasami checkpoint`: a copy of everything that a coordinator keeps, while it runs.

use std::path::PathBuf;

use clap::Args;
use hasami_proto::v1::CheckpointRequest;
use serde_json::json;

use super::client::AccessArgs;
use crate::failure::Failure;
use crate::output::{self, OutputArgs};

/// Options of `checkpoint`.
#[derive(Clone, Debug, Args)]
pub struct CheckpointArgs {
    /// Where the copy goes, on the coordinator's machine; must not exist yet
    pub directory: PathBuf,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Asks for a checkpoint and waits for it.
pub async fn run(options: &CheckpointArgs) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let request = CheckpointRequest { directory: options.directory.display().to_string() };
    let made = match client.runs.checkpoint(request).await {
        Ok(reply) => reply.into_inner().directory,
        Err(status) => return Err(client.failure(&status)),
    };
    let human = format!(
        "{made}: checkpoint, on the coordinator's machine\n  hasami restore {made} --data NEW"
    );
    output::print(options.answer.output, &human, &json!({ "checkpoint": made }), &made)
}
