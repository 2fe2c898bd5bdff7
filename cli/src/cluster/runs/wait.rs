//! `hasami runs wait`: waits until a run is over; the exit code is the result.

use clap::Parser;

use crate::cluster::client::{AccessArgs, Client, RunName};
use crate::cluster::follow::{News, follow};
use crate::cluster::progress::Progress;
use crate::cluster::run_view;
use crate::cluster::{block_on, level_beside_bar};
use crate::failure::Failure;
use crate::output::{self, Output, OutputArgs};
use crate::tree::Verb;

/// Wait for a run; the exit code tells the result
#[derive(Clone, Debug, Parser)]
#[command(
    name = "wait",
    after_help = "Example:\n  hasami runs wait 3 --output quiet && hasami runs export 3\n\nExit codes: 0 all settled, 1 some failed, 2 wrong usage or bad input, 3 some left open"
)]
pub struct Wait {
    /// The run: its number, or its name [default: the latest]
    pub run: Option<RunName>,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Wait {
    fn level() -> &'static str {
        level_beside_bar()
    }

    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Waits for a run.
async fn act(options: &Wait) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let run = client.find(options.run.as_ref()).await?;
    wait_for(&mut client, run.run, options.answer.output).await
}

/// Waits, shows the progress, and prints the result.
pub async fn wait_for(client: &mut Client, run: u64, form: Output) -> Result<(), Failure> {
    let mut progress = Progress::new(form);
    let last = follow(client, run, |news| {
        match news {
            News::Run(run) => progress.run(run),
            News::Item(item) => progress.item(item),
            News::Missed(_) => {}
        }
        Ok(())
    })
    .await?;
    drop(progress);
    output::print(form, &run_view::details(&last), &run_view::json(&last), last.state().word())?;
    run_view::verdict(&last)
}
