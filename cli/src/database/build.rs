//! `hasami database build`: computes the exact value of every position of a game, into one file.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand, ValueEnum};
use hasami_answer::jobs::database_sweep;
use hasami_database::{Build as Progress, DatabaseError, build};
use hasami_race::mancala::Goal;
use hasami_race::mancala::database::MAX_SEEDS;
use hasami_race::pyonpyon::NoMove;
use hasami_race::subject::Subject;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::failure::{Failure, is_input};
use crate::output::{self, OutputArgs, bytes, grouped};
use crate::tree::Verb;
use crate::{screen, stop};

/// How often progress is logged without a terminal.
const TELL_EVERY: Duration = Duration::from_secs(5);

/// Compute the exact value of every position of a game, into one file
#[derive(Clone, Debug, Parser)]
#[command(
    name = "build",
    arg_required_else_help = true,
    after_help = "Example:\n  hasami database build pyonpyon --no-move pass -o pass.db"
)]
pub struct Build {
    #[command(subcommand)]
    pub game: DatabaseGame,
}

/// The game and its rules.
#[derive(Clone, Debug, Subcommand)]
pub enum DatabaseGame {
    /// The strong solution of Pyonpyon shogi
    #[command(
        after_help = "Example:\n  hasami database build pyonpyon --no-move pass --threads 2 -o pass.db\n\nThe board of 3x9 takes 0.8 GiB of memory and a few minutes. A build that was stopped or killed\ngoes on where it was, with the same command.\n\nExit codes: 0 done, 1 failed, 2 wrong usage, 130 after SIGINT, 143 after SIGTERM"
    )]
    Pyonpyon {
        /// A player without a move passes, loses, or it is a draw
        #[arg(long, value_enum, default_value = "pass")]
        no_move: NoMoveArg,
        /// Rows of the board
        #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
        rows: u8,
        /// Columns of the board
        #[arg(long, default_value_t = 9, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=12))]
        columns: u8,
        /// Home columns of each side, less than half of all
        #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
        home: u8,
        #[command(flatten)]
        how: How,
    },
    /// All endings of Mancala with at most so many seeds
    #[command(
        after_help = "Example:\n  hasami database build mancala --seeds 14 --goal either -o endings.db\n\nWith six pits 14 seeds are 9.7 million positions, 18 are 86 million, 22 are 548 million; a byte\nof memory each. A build that was stopped or killed goes on where it was, with the same command.\n\nExit codes: 0 done, 1 failed, 2 wrong usage, 130 after SIGINT, 143 after SIGTERM"
    )]
    Mancala {
        /// The most seeds in play
        #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_SEEDS)))]
        seeds: u8,
        /// The last seed in which goal lets the mover go on
        #[arg(long, value_enum, default_value = "either")]
        goal: GoalArg,
        /// Pits of each side
        #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
        pits: u8,
        #[command(flatten)]
        how: How,
    },
}

/// Where to, and with what.
#[derive(Clone, Debug, Args)]
pub struct How {
    /// The file to write; what is not whole yet is beside it, with the ending .partial
    #[arg(short, long, value_name = "FILE", required_unless_present = "sweep")]
    pub out: Option<PathBuf>,
    /// Build nothing: print the sweep that builds it on a cluster, in a directory that all workers share
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "threads"])]
    pub sweep: Option<String>,
    /// Slices of a stage, for the sweep
    #[arg(long, value_name = "N", default_value_t = 8, requires = "sweep", value_parser = clap::value_parser!(u16).range(1..=999))]
    pub slices: u16,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// What happens to a player without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NoMoveArg {
    /// The turn passes.
    Pass,
    /// The player loses.
    Loses,
    /// It is a draw.
    Draw,
}

/// Which goal lets the mover go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GoalArg {
    /// Either.
    Either,
    /// The own one.
    Own,
}

impl Verb for Build {
    fn run(self) -> Result<(), Failure> {
        build_game(&self.game)
    }
}

/// Builds a database.
fn build_game(game: &DatabaseGame) -> Result<(), Failure> {
    match game {
        DatabaseGame::Pyonpyon { no_move, rows, columns, home, how } => {
            let most = (columns - 1) / 2;
            if *home > most {
                return Err(Failure::Usage(format!(
                    "--home {home}: expected at most {most} with {columns} columns"
                )));
            }
            let no_move = match no_move {
                NoMoveArg::Pass => NoMove::Pass,
                NoMoveArg::Loses => NoMove::Loses,
                NoMoveArg::Draw => NoMove::Draw,
            };
            let (rows, columns, home) = (*rows, *columns, *home);
            made(Subject::Pyonpyon { rows, columns, home, no_move }, how)
        }
        DatabaseGame::Mancala { seeds, goal, pits, how } => {
            let goal = match goal {
                GoalArg::Either => Goal::Either,
                GoalArg::Own => Goal::Own,
            };
            made(Subject::Mancala { pits: *pits, goal, seeds: *seeds }, how)
        }
    }
}

/// The database, or the sweep that builds it.
fn made(subject: Subject, how: &How) -> Result<(), Failure> {
    match (&how.sweep, &how.out) {
        (Some(directory), _) if directory.is_empty() => {
            Err(Failure::Usage("--sweep: found \"\"; expected a directory".to_string()))
        }
        (Some(directory), _) => {
            let text = database_sweep(subject, directory, how.slices.into());
            output::print(how.answer.output, &text, &json!({ "sweep": text }), &text)
        }
        (None, Some(out)) => built(subject, how, out),
        (None, None) => unreachable!("one of them is required"),
    }
}

fn built(subject: Subject, how: &How, out: &Path) -> Result<(), Failure> {
    if out.exists() {
        return Err(Failure::Usage(format!(
            "-o {}: there already; expected a name for a new file",
            out.display()
        )));
    }
    let plan = subject.plan();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = how.threads.map_or(cores, usize::from);
    let header = plan.header();
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    stop::on_signal("what is done is kept", move || asked.store(true, Ordering::Relaxed))?;
    let started = Instant::now();
    let bar = std::io::stderr().is_terminal().then(|| progress_bar(header.values));
    let mut told = Instant::now();
    let mut progress = |done: u64| match &bar {
        Some(bar) => bar.set_position(done),
        None if told.elapsed() >= TELL_EVERY => {
            tracing::info!(values = done, of = header.values, "{} {}", header.game, header.rules);
            told = Instant::now();
        }
        None => {}
    };
    let how_built = Progress { threads, stop: &stop, progress: &mut progress };
    let result = build(&*plan, out, how_built);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let done = match result {
        Err(stopped @ DatabaseError::Stopped) => {
            screen::say(&stopped.to_string());
            return Err(Failure::Unsettled);
        }
        other => other?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let (game, rules, values) = (&header.game, &header.rules, header.values);
    let human = format!(
        "{game} {rules}\n  values   {} ({} were there already)\n  file     {} ({})\n  seconds  {seconds:.1}\n",
        grouped(values),
        grouped(done.resumed),
        out.display(),
        bytes(done.bytes),
    );
    let json = json!({
        "game": game,
        "rules": rules,
        "values": values,
        "resumed": done.resumed,
        "file": out.display().to_string(),
        "bytes": done.bytes,
        "threads": threads,
        "seconds": seconds,
    });
    output::print(how.answer.output, &human, &json, &out.display().to_string())
}

/// A bar of values.
pub(super) fn progress_bar(values: u64) -> ProgressBar {
    let style = "{bar:30} {human_pos}/{human_len} values  {elapsed}  {eta} to go";
    let bar = ProgressBar::new(values);
    bar.set_style(ProgressStyle::with_template(style).expect("a template that parses"));
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    bar
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        let text = error.to_string();
        match error {
            DatabaseError::Io { error, .. } if !is_input(&error) => Self::Failed(text),
            DatabaseError::Io { .. }
            | DatabaseError::Damaged { .. }
            | DatabaseError::Foreign { .. } => Self::Usage(text),
            DatabaseError::Stopped => Self::Unsettled,
            DatabaseError::Busy { .. }
            | DatabaseError::Missing { .. }
            | DatabaseError::TooLong { .. }
            | DatabaseError::NoMemory { .. } => Self::Failed(text),
        }
    }
}
