//! `hasami pause`, `resume` and `cancel`: what people may do to a run.

use clap::Args;
use hasami_proto::v1::{CancelRequest, PauseRequest, ResumeRequest};

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
    let (run, runs) = (options.run, &mut client.runs);
    let changed = match change {
        Change::Pause => runs.pause(PauseRequest { run }).await.map(|done| done.into_inner().run),
        Change::Resume => {
            runs.resume(ResumeRequest { run }).await.map(|done| done.into_inner().run)
        }
        Change::Cancel => {
            runs.cancel(CancelRequest { run }).await.map(|done| done.into_inner().run)
        }
    };
    let run = match changed {
        Ok(run) => run.unwrap_or_default(),
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
