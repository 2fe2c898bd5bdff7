//! `hasami database check`: whether values follow from the values after their moves, by the rules
//! alone.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Parser;
use hasami_game::race::QueryError;
use hasami_race::check::{Checker, Fault, Run, Which};
use serde_json::json;

use super::build::progress_bar;
use crate::failure::Failure;
use crate::output::{self, OutputArgs, grouped};
use crate::tree::Verb;
use crate::{screen, stop};

/// Check that the values of a database follow from each other by the rules alone
#[derive(Clone, Debug, Parser)]
#[command(
    name = "check",
    after_help = "\
A value follows if it is the best of the values after its moves. If all values follow, all are
right. A sample only says how many may not follow. Moves and values are computed plainly from the
rules, apart from the builder. All values are read into memory, a byte each.

Examples:
  hasami database check pass.db
  hasami database check pass.db --sample 1000000 --seed 7
  hasami database check pass.db --all

Exit codes: 0 all that were checked follow, 1 one does not, 2 no database or damaged, 130 after
SIGINT, 143 after SIGTERM"
)]
pub struct Check {
    /// The database
    pub file: PathBuf,
    /// Values to check, drawn at random
    #[arg(long, value_name = "N", default_value_t = 100_000, conflicts_with = "all", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: u64,
    /// Check every value
    #[arg(long)]
    pub all: bool,
    /// Where the draws begin, to draw the same again [default: random]
    #[arg(long, value_name = "S", conflicts_with = "all")]
    pub seed: Option<u64>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Check {
    fn run(self) -> Result<(), Failure> {
        let started = Instant::now();
        let checker = Checker::open(&self.file).map_err(|error| match error {
            QueryError::Database(error) => Failure::from(error),
            other => Failure::Usage(format!("{}: {other}", self.file.display())),
        })?;
        let which = if self.all {
            Which::All
        } else {
            Which::Sample { count: self.sample, seed: self.seed.unwrap_or_else(random) }
        };
        match checked(&checker, which, self.threads)? {
            Some(fault) => Err(Failure::Failed(self.refusal(&checker, &fault))),
            None => self.report(&checker, which, started.elapsed().as_secs_f64()),
        }
    }
}

/// The first fault, with progress on the screen.
fn checked(
    checker: &Checker,
    which: Which,
    threads: Option<u16>,
) -> Result<Option<Fault>, Failure> {
    let total = match which {
        Which::All => checker.count(),
        Which::Sample { count, .. } => count,
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    stop::on_signal("nothing was found so far", move || asked.store(true, Ordering::Relaxed))?;
    let bar = std::io::stderr().is_terminal().then(|| progress_bar(total));
    let progress = |done: u64| {
        if let Some(bar) = &bar {
            bar.set_position(done);
        }
    };
    let run = Run { threads: threads.map_or(cores, usize::from), stop: &stop, progress: &progress };
    let result = checker.run(which, &run);
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    result.map_err(|stopped| {
        screen::say(&format!("stopped before the end: {total} values were to be checked"));
        Failure::from(stopped)
    })
}

/// A seed that differs in every process.
fn random() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    // Short enough to be typed again.
    RandomState::new().hash_one(0) >> 32
}

impl Check {
    fn refusal(&self, checker: &Checker, fault: &Fault) -> String {
        let Fault { number, position, found, follows } = fault;
        let follows = follows.map_or("no value".to_string(), |value| value.to_string());
        format!(
            "{}: {}: value {number}, of {position}: found {found}; {follows} follows from its moves",
            self.file.display(),
            checker.about(),
        )
    }

    fn report(&self, checker: &Checker, which: Which, seconds: f64) -> Result<(), Failure> {
        let (about, digest) = (checker.about(), checker.digest());
        let values = grouped(checker.count());
        let (count, seed, what) = match which {
            Which::All => (checker.count(), None, format!("all {values} values, so all are right")),
            Which::Sample { count, seed } => {
                // 1 - (1 - p)^n = 99.9 %.
                let share = 100.0 * (1.0 - 0.001_f64.powf(1.0 / count as f64));
                let what = format!(
                    "{} of {values} values, drawn with --seed {seed}\n  shows     at most {share:.4} % \
                     do not follow (with 99.9 % confidence); not that all are right",
                    grouped(count)
                );
                (count, Some(seed), what)
            }
        };
        let human = format!(
            "{about}\nconsistent: {what}\n  BLAKE3    {digest}\n  seconds   {seconds:.1}\n"
        );
        let json = json!({
            "database": self.file.display().to_string(),
            "about": about,
            "blake3": digest,
            "values": checker.count(),
            "checked": count,
            "all": which == Which::All,
            "seed": seed,
            "consistent": true,
            "seconds": seconds,
        });
        output::print(self.answer.output, &human, &json, "consistent")
    }
}
