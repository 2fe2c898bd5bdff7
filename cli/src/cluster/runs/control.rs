//! `hasami runs pause`, `resume` and `cancel`: controls a run.

use clap::{Args, Parser};
use hasami_proto::v1::{CancelRequest, PauseRequest, ResumeRequest};

use crate::cluster::client::{AccessArgs, RunName};
use crate::cluster::{block_on, run_view};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// Options of all three.
#[derive(Clone, Debug, Args)]
pub struct ControlArgs {
    /// The run: its number, or its name
    pub run: RunName,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Give out no more work of a run for now
#[derive(Clone, Debug, Parser)]
#[command(name = "pause", after_help = "Example:\n  hasami runs pause 3")]
pub struct Pause {
    #[command(flatten)]
    options: ControlArgs,
}

/// Go on with a run that was paused
#[derive(Clone, Debug, Parser)]
#[command(name = "resume", after_help = "Example:\n  hasami runs resume 3")]
pub struct Resume {
    #[command(flatten)]
    options: ControlArgs,
}

/// Give up what is not finished of a run
#[derive(Clone, Debug, Parser)]
#[command(name = "cancel", after_help = "Example:\n  hasami runs cancel 3")]
pub struct Cancel {
    #[command(flatten)]
    options: ControlArgs,
}

impl Verb for Pause {
    fn run(self) -> Result<(), Failure> {
        block_on(act(Change::Pause, &self.options))
    }
}

impl Verb for Resume {
    fn run(self) -> Result<(), Failure> {
        block_on(act(Change::Resume, &self.options))
    }
}

impl Verb for Cancel {
    fn run(self) -> Result<(), Failure> {
        block_on(act(Change::Cancel, &self.options))
    }
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Give out nothing more.
    Pause,
    /// Go on.
    Resume,
    /// Give up what is not finished.
    Cancel,
}

async fn act(change: Change, options: &ControlArgs) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let run = client.find(Some(&options.run)).await?.run;
    let runs = &mut client.runs;
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
        Ok(changed) => changed.unwrap_or_default(),
        Err(status) => return Err(client.run_failure(Some(run), &status).await),
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
