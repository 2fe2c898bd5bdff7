//! `hasami solve`: one question, answered with a certificate that has been checked.

mod progress;
mod report;
mod resume;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches};
use hasami_andor::certificate::Strategy;
use hasami_andor::{Control, Kernel, Outcome, Stopped, Table};
use hasami_games::{Game, Params, Visitor, visit};
use hasami_worker::jobs::settle::{End, Plan, Settled, Shell, Stage, first_move, settle};
use hasami_worker::jobs::{Certified, JobError};

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

/// Certificates with more records are not read again for what there is to draw; `play` shows it.
const MOST_DRAWN: u64 = 200_000;

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
        let kernel = options.kernel.kernel()?;
        visit(&question.game, &question.pairs, Solving { options, kernel })?
    }
}

struct Solving<'a> {
    options: &'a SolveArgs,
    kernel: Kernel,
}

impl Visitor for Solving<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
        let control = Arc::new(Control::with_budget(self.options.budget.unwrap_or(u64::MAX)));
        if let Some(file) = &self.options.certificate {
            prepare_place("--certificate", file)?;
        }
        let polite = match self.options.store {
            Some(_) => "saving to the store, which may take a while",
            None => "the search ends",
        };
        stop_on_signal(polite, &control)?;
        let seed = self.options.seed.unwrap_or_default();
        let plan = Plan {
            kernel: self.kernel,
            options: &|advice| self.options.kernel.options(advice, seed),
            table_mib: self.options.table(),
            first_mib: self.options.table(),
            place: &|name, below| self.file_for(name, below),
        };
        let mut watched = Watched { options: self.options, control: &control };
        let settled = settle(params, &plan, &control, &mut watched)?;
        self.tell::<G>(settled)
    }
}

impl Solving<'_> {
    /// Prints the answer.
    fn tell<G: Game>(&self, settled: Settled<G>) -> Result<(), Failure> {
        let Settled { stage, outcome, seconds, certifying, below, reached, end } = settled;
        let mut report = Report::new(&stage, self.kernel);
        report.searched(&outcome, seconds);
        let answered = match &end {
            End::Unsettled => {
                report.open(stage.game.outlook(reached.as_ref()));
                report.below(&below);
                false
            }
            End::Nothing(what) => {
                let outlook = stage.game.outlook(reached.as_ref());
                if outlook.is_none() {
                    report.nothing(what);
                }
                report.open(outlook);
                false
            }
            End::Uncertified => {
                eprintln!("stopped while the certificate was made: no verdict without one");
                false
            }
            End::Claim { claim, certified } => {
                report.certified(claim, certified, certifying);
                report.rests_on(stage.game.rests_on());
                report.below(&below);
                report.first_move(first_move(&stage, certified.verified.header.verdict));
                if G::DRAWS && certified.verified.nodes <= MOST_DRAWN {
                    let (_, strategy) = Strategy::load(&certified.file, &stage.game)?;
                    report.drawn(stage.game.drawn(&strategy));
                }
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
}

impl Shell for Watched<'_> {
    type Error = Failure;

    fn search<G: Game>(
        &mut self,
        stage: &Stage<G>,
        work: impl FnOnce() -> Outcome + Send,
    ) -> Result<Outcome, Failure> {
        let Stage { game, question, table, .. } = stage;
        let resume = match &self.options.store {
            Some(path) => Some(Resume::open(path, game, table)?),
            None => None,
        };
        let watch = Watch::new(question, self.control, self.options.budget);
        let outcome = watch
            .during(work, || resume.as_ref().map_or(Ok(()), |resume| resume.publish(table)))?;
        if let Some(resume) = &resume {
            resume.publish(table)?;
            resume.keep_lore(game)?;
            resume.sync()?;
        }
        self.warn_of_small_table(table, &outcome, G::NAME);
        Ok(outcome)
    }

    fn certify(
        &mut self,
        question: &str,
        file: &Path,
        work: impl FnOnce() -> Result<Option<Certified>, JobError> + Send,
    ) -> Result<Option<Certified>, Failure> {
        prepare_place("--certificate", file)?;
        let watch = Watch::of_certificate(question, self.control);
        Ok(watch.during(work, || Ok(()))??)
    }
}

impl Watched<'_> {
    /// A table that holds less than was searched costs time: says how much would be enough.
    fn warn_of_small_table<R: hasami_andor::Reason>(
        &self,
        table: &Table<R>,
        outcome: &Outcome,
        game: &str,
    ) {
        let needed = outcome.counts.fresh;
        if needed <= table.capacity() as u64 {
            return;
        }
        let bytes = needed as f64 * 1.25 * Table::<R>::entry_bytes(table.links()) as f64;
        let enough = (bytes / f64::from(1 << 20)).ceil() as u64;
        tracing::warn!(
            game,
            collections = table.collections(),
            "the table was too small: {} MiB hold {} states and about {needed} were met; \
             --table {enough}MiB would save work",
            self.options.table_mib,
            table.capacity(),
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
