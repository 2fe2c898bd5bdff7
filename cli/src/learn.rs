//! `hasami learn`: from game records to evaluations and a report.

use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches, Parser};
use hasami_answer::jobs::learning_sweep;
use hasami_learning::{Plan, report};

use crate::cluster::resources::ResourceArgs;
use crate::cluster::run::Run;
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// Learn evaluations of shogi mates from game records
///
/// Positions of the games are searched for mates, weights are fitted to the sizes of their proofs, and
/// all evaluations are tried on games that were held out. Everything is kept in one directory: the same
/// command goes on where it was interrupted. The report has the tables and figures of Kaneko et al. and
/// ours beside them.
#[derive(Debug, Parser)]
#[command(
    name = "learn",
    after_help = "\
Examples:
  hasami learn games.usi -o learning                  all cores of this machine
  hasami learn kif/ -o learning --every 10            more positions of fewer games
  hasami learn games.usi -o learning --sweep > l.toml  the sweep, for hasami submit or to edit"
)]
pub struct Learn {
    /// Games, one a line in USI; or a directory of KIF, CSA and USI files
    pub records: PathBuf,
    /// Directory for samples, weights and the report
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Take one position in so many of each game
    #[arg(long, default_value_t = 40, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub every: u32,
    /// Leave out positions before this ply
    #[arg(long, default_value_t = 40, value_name = "PLY", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub first_ply: u32,
    /// Nodes for a position; harder ones are left out
    #[arg(long, default_value_t = 200_000, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Hold out one game in so many, for trials
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub held_out: u32,
    /// Positions of each kind in trials, at most
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub tests: u32,
    /// Divide the work into so many slices
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999))]
    pub slices: u16,
    #[command(flatten)]
    pub resources: ResourceArgs,
    /// Print the sweep that does it, for any number of machines, and do nothing
    #[arg(long)]
    pub sweep: bool,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Learn {
    fn level() -> &'static str {
        Run::level()
    }

    fn run(self) -> Result<(), Failure> {
        let records = std::path::absolute(&self.records);
        let directory = std::path::absolute(&self.out);
        let (Ok(records), Ok(directory)) = (records, directory) else {
            return Err(Failure::Usage("expected paths of records and of a directory".to_string()));
        };
        if !records.exists() {
            let shown = self.records.display();
            return Err(Failure::Usage(format!(
                "{shown}: no such file; expected game records in USI, KIF or CSA"
            )));
        }
        let plan = Plan {
            records,
            directory,
            slices: self.slices.into(),
            every: self.every as usize,
            first_ply: self.first_ply as usize,
            budget: self.nodes,
            held_out: self.held_out as usize,
            tests: self.tests as usize,
        };
        let text = learning_sweep(&plan);
        if self.sweep {
            let json = serde_json::json!({ "sweep": text });
            return output::print(self.answer.output, &text, &json, &text);
        }
        let failed =
            |error: std::io::Error| Failure::Failed(format!("-o {}: {error}", self.out.display()));
        std::fs::create_dir_all(&plan.directory).map_err(failed)?;
        let sweep = plan.directory.join("learning.toml");
        std::fs::write(&sweep, &text).map_err(failed)?;
        let mut run = default_run(&sweep.display().to_string())?;
        run.data = plan.directory.join("data");
        run.allow_files = [&plan.records, &plan.directory].map(|path| directory_of(path)).to_vec();
        run.resources = self.resources.clone();
        run.answer = self.answer;
        run.is_part = true;
        run.run()?;
        let file = report::file(&plan);
        let shown = file.display().to_string();
        let json = serde_json::json!({ "report": shown, "weights": plan.directory.join("learned.txt").display().to_string() });
        output::print(self.answer.output, &format!("{shown}\n"), &json, &shown)
    }
}

/// `hasami run SWEEP`.
fn default_run(sweep: &str) -> Result<Run, Failure> {
    let usage = |error: clap::Error| Failure::Usage(error.to_string());
    let command = Run::augment_args(Command::new("run"));
    let matches = command.try_get_matches_from(["run", sweep]);
    Run::from_arg_matches(&matches.map_err(usage)?).map_err(usage)
}

fn directory_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.to_owned() } else { path.parent().unwrap_or(path).to_owned() }
}
