//! `hasami run`: a whole cluster in one process, for one sweep. It is the same coordinator and the
//! same workers, over the loopback.

mod embedded;

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use hasami_proto::v1::{ResumeRequest, RunInfo, RunState};
use hasami_report::{Columns, Table, export as forms};
use hasami_sweep::Sweep;
use serde_json::json;
use tokio::sync::watch;

use super::backend::Stop;
use super::client::{Client, patient};
use super::follow::{News, follow};
use super::http::HttpArgs;
use super::progress::Progress;
use super::resources::ResourceArgs;
use super::runs::export::{FORMS, links, render};
use super::{certificates, dry_run, item_view, run_view, submit, sweep_file};
use crate::amounts::{count, limit};
use crate::cluster::{block_on, level_beside_bar};
use crate::failure::Failure;
use crate::files::{self, prepare_place, save};
use crate::output::{self, Output, OutputArgs};
use crate::screen;
use crate::stop;
use crate::tree::Verb;
use crate::words::{counted, duration};
use embedded::Embedded;

/// Run a sweep here and now: coordinator and workers in one process
#[derive(Clone, Debug, Parser)]
#[command(
    name = "run",
    after_help = "\
Examples:
  hasami run losers-66
  hasami run examples/chomp.toml --workers 2 --threads 4 -o results.html
  hasami run chomp --dry-run

Ctrl-C stops politely; the same command goes on.

Exit codes: 0 all settled, 1 some failed, 2 wrong usage or bad input, 3 some left open, 130 after
SIGINT, 143 after SIGTERM"
)]
pub struct Run {
    /// A sweep file, or the name of a built-in sweep
    pub sweep: String,
    /// Where everything is kept; the same sweep goes on from there
    #[arg(long, default_value = "hasami-data", value_name = "DIR")]
    pub data: PathBuf,
    /// Workers in this process
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub workers: u32,
    /// Open files that the sweep names under this directory too, besides the current one and the data
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    #[command(flatten)]
    pub resources: ResourceArgs,
    /// Nodes for each item, whatever the sweep says
    #[arg(long, value_name = "NODES", value_parser = count)]
    pub budget: Option<u64>,
    /// Computing time for each item, like 30s or 2h, whatever the sweep says
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub time_limit: Option<Duration>,
    /// Compute everything, also what is known
    #[arg(long)]
    pub force: bool,
    /// List the items and what is known of them, compute nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write the results to a file that ends in .html, .csv, .json, .jsonl, .parquet, .tex or .txt;
    /// may be given several times
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub out: Vec<PathBuf>,
    /// Copy the certificates into this directory
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub certificates: Option<PathBuf>,
    #[command(flatten)]
    pub http: HttpArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
    /// Another command runs the sweep: it has its own words where all went well.
    #[arg(skip)]
    pub is_part: bool,
}

impl Verb for Run {
    fn level() -> &'static str {
        level_beside_bar()
    }

    fn run(self) -> Result<(), Failure> {
        self.resources.restrict()?;
        block_on(act(&self))
    }
}

/// Runs a sweep to its end, or until a signal arrives.
async fn act(options: &Run) -> Result<(), Failure> {
    let sweep = sweep_file::read(&options.sweep, options.budget, options.time_limit)?;
    for file in &options.out {
        files::form(file, &FORMS)?;
        prepare_place("-o", file)?;
    }
    if options.dry_run {
        return dry(options, &sweep).await;
    }
    let stop = stop::channel("work is handed back, everything is kept")?;
    let mut cluster = Embedded::start(options, sweep.labels()).await?;
    let driven = drive(&mut cluster, options, &sweep, stop).await;
    let ended = cluster.end().await;
    // The first error says most.
    driven.and_then(|verdict| ended.and(verdict))
}

/// Shows what would be done: a coordinator without workers computes nothing.
async fn dry(options: &Run, sweep: &Sweep) -> Result<(), Failure> {
    let known = if Embedded::has_data(options) {
        let coordinator = Embedded::coordinator(options).await?;
        let mut client = Client::new(coordinator.access())?;
        let known = dry_run::known(&mut client, sweep).await;
        coordinator.stop().await.map_err(|error| Failure::Failed(error.to_string()))?;
        known?
    } else {
        dry_run::Known::new()
    };
    dry_run::print(sweep, &known, options.answer.output)
}

/// Submits, follows, prints. The inner result is the exit code.
async fn drive(
    cluster: &mut Embedded,
    options: &Run,
    sweep: &Sweep,
    mut stop: watch::Receiver<Stop>,
) -> Result<Result<(), Failure>, Failure> {
    let form = options.answer.output;
    let mut client = Client::new(cluster.access())?;
    if let Some(page) = cluster.page().filter(|_| form == Output::Human) {
        screen::say(&format!("page: {page}"));
    }
    let run = begin(&mut client, sweep, options).await?;
    let mut progress = Progress::new(form);
    progress.run(&run);
    let mut watching = client.clone();
    let followed = follow(&mut watching, run.run, |news| {
        match news {
            News::Run(run) => progress.run(run),
            News::Item(item) => progress.item(item),
            News::Missed(_) => {}
        }
        Ok(())
    });
    let last = tokio::select! {
        last = followed => Some(last?),
        failure = cluster.trouble() => return Err(failure),
        () = stop::asked(&mut stop) => None,
    };
    drop(progress);
    match last {
        Some(last) => {
            let items = item_view::items(&mut client, last.run).await?;
            let table = Table::new(sweep, item_view::rows(items)?);
            finish(&mut client, options, &last, &table).await?;
            Ok(run_view::verdict(&last))
        }
        None => {
            let last = client.show(Some(run.run)).await?;
            let human = format!(
                "stopped: {}; the same command goes on from here",
                run_view::outcome(&last)
            );
            output::print(form, &human, &json!({ "run": run_view::json(&last) }), "stopped")?;
            Ok(Err(Failure::Unsettled))
        }
    }
}

/// The run to follow: an unfinished one of the same sweep, or a new one.
async fn begin(client: &mut Client, sweep: &Sweep, options: &Run) -> Result<RunInfo, Failure> {
    let say = |line: String| {
        if options.answer.output == Output::Human {
            screen::say(&line);
        }
    };
    // A list does not have the texts of the sweeps.
    let mut unfinished = Vec::new();
    for run in client.list().await?.into_iter().filter(|run| !run_view::over(run)) {
        unfinished.push(client.show(Some(run.run)).await?);
    }
    let ours = unfinished.iter().rev().find(|run| goes_on(run, sweep.text(), options.force));
    let ours = ours.cloned();
    for other in unfinished.iter().filter(|run| Some(run.run) != ours.as_ref().map(|ours| ours.run))
    {
        if other.state() == RunState::Running {
            say(format!(
                "run {} ({}) in {} is not finished either, and goes on beside",
                other.run,
                other.name,
                options.data.display()
            ));
        }
    }
    let Some(mut run) = ours else {
        return submit::submit(client, sweep, options.force).await;
    };
    say(format!("going on with run {}: {}", run.run, run_view::outcome(&run)));
    if run.state() == RunState::Paused {
        run = match patient(async || client.runs.resume(ResumeRequest { run: run.run }).await).await
        {
            Ok(resumed) => resumed.into_inner().run.unwrap_or_default(),
            Err(status) => return Err(client.failure(&status)),
        };
    }
    Ok(run)
}

/// Whether an unfinished run is the one that is asked for. One that has used earlier answers is not
/// what `--force` means.
fn goes_on(run: &RunInfo, text: &str, force: bool) -> bool {
    run.sweep == text && (!force || run_view::counts(run).reused == 0)
}

/// Prints the table and writes the exports.
async fn finish(
    client: &mut Client,
    options: &Run,
    last: &RunInfo,
    table: &Table,
) -> Result<(), Failure> {
    let mut written = Vec::new();
    if let Some(directory) = &options.certificates {
        let count = certificates::fetch(client, table, directory).await?;
        let files = counted(count as u64, "certificate");
        written.push(format!("{}: {files}", directory.display()));
    }
    let kept = options.data.join("certificates");
    let directory = options.certificates.as_deref().unwrap_or(&kept);
    for file in &options.out {
        let links = links(Some(directory), Some(file));
        let form = files::form(file, &FORMS)?;
        save(file, &render(table, form, Columns::Results, &links)?)?;
        written.push(file.display().to_string());
    }
    if options.is_part && run_view::verdict(last).is_ok() {
        return Ok(());
    }
    let human = format!(
        "{}\nrun {}: {}: {}; {} in {}\n{}",
        forms::text(table, Columns::Results),
        last.run,
        last.name,
        run_view::outcome(last),
        run_view::speed(last),
        duration(run_view::seconds(last)),
        written.join("\n")
    );
    let json = json!({
        "run": run_view::json(last), "results": forms::json(table, Columns::All),
    });
    output::print(options.answer.output, &human, &json, last.state().word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_proto::v1::Counts;

    #[test]
    fn the_same_text_goes_on_and_force_wants_a_run_without_earlier_answers() {
        let run = |reused| RunInfo {
            sweep: "a".to_string(),
            counts: Some(Counts { reused, ..Counts::default() }),
            ..RunInfo::default()
        };
        assert!(goes_on(&run(1), "a", false) && goes_on(&run(0), "a", true));
        assert!(!goes_on(&run(1), "a", true) && !goes_on(&run(0), "b", false));
    }
}
