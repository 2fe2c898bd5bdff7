//! `hasami solve`: one question, answered with a certificate that has been checked.

mod progress;
mod report;
mod resume;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches};
use hasami_andor::{Control, Kernel, Outcome, Stopped};
use hasami_answer::settle::{End, Halt, Plan, Settled, Shell, Stage};
use hasami_answer::tables::{HotTable, TableSize};
use hasami_answer::{Certified, JobError};
use hasami_game::Resources;

use crate::amounts::{count, mebibytes};
use crate::failure::Failure;
use crate::files::{default_place, prepare_place};
use crate::game_args::{self, Question};
use crate::kernel_args::KernelArgs;
use crate::output::OutputArgs;
use crate::stop;
use crate::tree::{EXIT_CODES, Verb};
use progress::Watch;
use report::Report;
use resume::Resume;

/// The command: one subcommand for each game, made from the registry.
pub struct Solve {
    question: Question,
    options: SolveArgs,
}

/// Options of `solve`, whatever the game.
#[derive(Clone, Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// Size of the transposition table
    #[arg(long = "table", default_value = "256MiB", value_name = "SIZE", value_parser = mebibytes, help_heading = "Limits")]
    pub table_mib: u64,
    /// Stop after this many nodes, like 600k or 5M [default: none]
    #[arg(long, value_name = "NODES", value_parser = count, help_heading = "Limits")]
    pub budget: Option<u64>,
    /// Seed of everything random: the problem, where it is drawn, and ties in the search
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub seed: Option<u64>,
    /// Where to write the certificate [default: hasami-data/certificates/GAME-ID.cert]
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub certificate: Option<PathBuf>,
    /// Store to start from and to publish to: a stopped search goes on from it
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub store: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl SolveArgs {
    fn table(&self) -> u32 {
        u32::try_from(self.table_mib).unwrap_or(u32::MAX)
    }
}

impl CommandFactory for Solve {
    fn command() -> Command {
        let command = Command::new("solve")
            .about("Settle one question, now")
            .after_help(format!(
                "Examples:\n  hasami solve polyomino Square W\n  \
                 hasami solve mnk width=5 height=5 line=3 --budget 5M\n\n\
                 `hasami solve GAME --help` lists the parameters of a game.\n{EXIT_CODES}"
            ))
            .subcommand_required(true);
        game_args::with_games(command, "solve", SolveArgs::augment_args)
    }

    fn command_for_update() -> Command {
        Self::command()
    }
}

impl FromArgMatches for Solve {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().expect("a game is required");
        let options = SolveArgs::from_arg_matches(matches)?;
        let question = game_args::question(name, matches, options.seed)?;
        Ok(Self { question, options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Verb for Solve {
    fn run(self) -> Result<(), Failure> {
        let Self { question, options } = &self;
        Solving { options, kernel: options.kernel.kernel()? }.solve(question)
    }
}

struct Solving<'a> {
    options: &'a SolveArgs,
    kernel: Kernel,
}

impl Solving<'_> {
    fn solve(&self, question: &Question) -> Result<(), Failure> {
        let (rules, params) = question.read()?;
        let control = Arc::new(Control::with_budget(self.options.budget.unwrap_or(u64::MAX)));
        if let Some(file) = &self.options.certificate {
            prepare_place("--certificate", file)?;
        }
        let polite = match self.options.store {
            Some(_) => "saving to the store, which may take a while",
            None => "the search ends",
        };
        stop_on_signal(polite, &control)?;
        let settings = self.options.kernel.settings(self.options.seed.unwrap_or_default())?;
        let plan = Plan {
            kernel: self.kernel,
            options: &|advice| self.options.kernel.tuned(settings.options(advice)),
            table_mib: self.options.table(),
            place: &|name, below| self.file_for(name, below),
            details: true,
            resources: &Resources::default(),
        };
        let mut watched = Watched { options: self.options, control: &control, failure: None };
        let settled = rules.settle(&params, &plan, &control, &mut watched);
        match (settled, watched.failure) {
            (Err(JobError::Halted), Some(failure)) => Err(failure),
            (settled, _) => self.report(settled?),
        }
    }

    /// Prints the answer.
    fn report(&self, settled: Settled) -> Result<(), Failure> {
        let mut report = Report::new(&settled, self.kernel);
        let Settled { outcome, seconds, certifying, below, end, .. } = settled;
        report.searched(&outcome, seconds);
        let answered = match end {
            End::Unsettled(outlook) => {
                report.open(outlook);
                report.below(&below);
                false
            }
            End::Nothing(what, outlook) => {
                if outlook.is_none() {
                    report.nothing(&what);
                }
                report.open(outlook);
                false
            }
            End::Uncertified => {
                eprintln!("stopped while the certificate was made: no verdict without one");
                false
            }
            End::Claim(claim) => {
                report.certified(&claim.words, &claim.certified, certifying);
                report.rests_on(claim.rests_on);
                report.below(&below);
                report.first_move(claim.first_move);
                report.drawn(claim.drawing);
                true
            }
        };
        report.print(self.options.answer.output)?;
        if answered { Ok(()) } else { Err(Failure::Unsettled) }
    }

    /// Where the certificate of a question goes; one that only says "not with less" goes beside it.
    fn file_for(&self, name: &str, below: Option<u32>) -> PathBuf {
        match (&self.options.certificate, below) {
            (None, _) => default_place(name),
            (Some(file), Some(question)) => {
                let mut name = file.file_name().unwrap_or_default().to_os_string();
                name.push(".below");
                if question > 0 {
                    name.push((question + 1).to_string());
                }
                file.with_file_name(name)
            }
            (Some(file), None) => file.clone(),
        }
    }
}

/// A search that a person watches and that a store backs.
struct Watched<'a> {
    options: &'a SolveArgs,
    control: &'a Control,
    /// Why the shell has halted.
    failure: Option<Failure>,
}

impl Shell for Watched<'_> {
    fn search(
        &mut self,
        stage: &dyn Stage,
        work: Box<dyn FnOnce() -> Outcome + Send + '_>,
    ) -> Result<Outcome, Halt> {
        let outcome = self.watch_search(stage, work);
        outcome.map_err(|failure| self.halt(failure))
    }

    fn certify(
        &mut self,
        question: &str,
        file: &Path,
        work: Box<dyn FnOnce() -> Result<Option<Certified>, JobError> + Send + '_>,
    ) -> Result<Result<Option<Certified>, JobError>, Halt> {
        let made = prepare_place("--certificate", file)
            .and_then(|()| Watch::of_certificate(question, self.control).during(work, || Ok(())));
        made.map_err(|failure| self.halt(failure))
    }
}

impl Watched<'_> {
    fn halt(&mut self, failure: Failure) -> Halt {
        self.failure = Some(failure);
        Halt
    }

    fn watch_search(
        &self,
        stage: &dyn Stage,
        work: Box<dyn FnOnce() -> Outcome + Send + '_>,
    ) -> Result<Outcome, Failure> {
        let resume = match &self.options.store {
            Some(path) => Some(Resume::open(path, stage)?),
            None => None,
        };
        let table = stage.table();
        let watch = Watch::new(stage.question(), self.control, self.options.budget);
        let outcome = watch
            .during(work, || resume.as_ref().map_or(Ok(()), |resume| resume.publish(table)))?;
        if let Some(resume) = &resume {
            resume.publish(table)?;
            resume.keep_learned(stage)?;
            resume.sync()?;
        }
        self.warn_of_small_table(table, &outcome, stage.game());
        Ok(outcome)
    }

    /// A table that holds less than was searched costs time: says how much would be enough.
    fn warn_of_small_table(&self, table: &dyn HotTable, outcome: &Outcome, game: &str) {
        let needed = outcome.counts.fresh;
        let TableSize { capacity, entry_bytes, collections } = table.size();
        if needed <= capacity as u64 {
            return;
        }
        let bytes = needed as f64 * 1.25 * entry_bytes as f64;
        let enough = (bytes / f64::from(1 << 20)).ceil() as u64;
        tracing::warn!(
            game,
            collections,
            "the table was too small: {} MiB hold {capacity} states and about {needed} were met; \
             --table {enough}MiB would save work",
            self.options.table_mib,
        );
    }
}

/// Cancels the search at the first signal; it then ends as if its budget were used up.
pub fn stop_on_signal(polite: &'static str, control: &Arc<Control>) -> Result<(), Failure> {
    let control = Arc::clone(control);
    stop::on_signal(polite, move || control.cancel())
}

/// Why a search without a verdict has ended, in words.
fn reason_to_stop(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Settled => "settled",
        Stopped::Target => "target reached",
        Stopped::Budget => "budget used up",
        Stopped::Cancelled => "stopped by the user",
    }
}
