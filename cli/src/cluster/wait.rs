//! `hasami wait`: until a run is over; the exit code tells the result.

use clap::Args;

use super::client::{AccessArgs, Client};
use super::follow::{News, follow};
use super::progress::Progress;
use super::run_view;
use crate::failure::Failure;
use crate::output::{self, Output, OutputArgs};

/// Options of `wait`.
#[derive(Clone, Debug, Args)]
pub struct WaitArgs {
    /// The run by number [default: the latest]
    pub run: Option<u64>,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Waits for a run.
pub async fn run(options: &WaitArgs) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let run = client.show(options.run).await?;
    wait_for(&mut client, run.run, options.answer.output).await
}

/// Waits, shows how it goes, prints how it ended.
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
