//! `hasami pause`, `resume` and `cancel`: what people may do to a run.

use clap::Args;
use hasami_proto::v1::RunRequest;

use super::client::AccessArgs;
use super::run_view;
use crate::failure::Failure;
use crate::output::{self, OutputArgs};

/// Options of all three.
#[derive(Clone, Debug, Args)]
pub struct ControlArgs {
    /// The run by number
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub run: u64,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Give out nothing more.
    Pause,
    /// Go on.
    Resume,
    /// Give up what is not finished.
    Cancel,
}

/// Does it.
pub async fn run(change: Change, options: &ControlArgs) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let request = RunRequest { run: options.run };
    let reply = match change {
        Change::Pause => client.runs.pause(request).await,
        Change::Resume => client.runs.resume(request).await,
        Change::Cancel => client.runs.cancel(request).await,
    };
    let run = match reply {
        Ok(run) => run.into_inner(),
        Err(status) => return Err(client.run_failure(Some(options.run), &status).await),
    };
    let human = format!(
        "run {}: {}, {}: {}",
        run.run,
        run.name,
        run.state().word(),
        run_view::outcome(&run)
    );
    output::print(options.answer.output, &human, &run_view::json(&run), run.state().word())
}
