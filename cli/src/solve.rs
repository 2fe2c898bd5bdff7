//! `hasami solve`: one question, answered with a certificate that has been checked.

mod collection;
mod mate;
mod progress;
mod report;
mod resume;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches};
use hasami_andor::{Control, Kernel, Outcome, Stopped};
use hasami_answer::registry::games;
use hasami_answer::settle::{End, Halt, Plan, Settled, Shell, Stage};
use hasami_answer::tables::{HotTable, TableSize};
use hasami_answer::{Certified, Clock, JobError, Rules};
use hasami_game::{DEFAULT_EVALUATION, Game as _, Resources};
use hasami_shogi::Shogi;
use hasami_spec::Params;

use crate::amounts::{count, limit, mebibytes};
use crate::failure::Failure;
use crate::files::{default_place, form, prepare_place};
use crate::game_args::{self, Question};
use crate::kernel_args::KernelArgs;
use crate::output::OutputArgs;
use crate::stop;
use crate::tree::{EXIT_CODES, Verb};
use collection::{AtHand, CollectionArgs, has_positions};
use mate::MateArgs;
use progress::Watch;
use report::Report;
use resume::Resume;

/// The command: one subcommand for each game, made from the registry.
pub struct Solve {
    question: Question,
    options: SolveArgs,
    collection: CollectionArgs,
    mate: MateArgs,
}

/// Ends the help of `solve shogi`.
const MATE_EXAMPLES: &str = "\
Examples:
  hasami solve shogi position=6S2/8k/9/9/6P2/6R2/9/9/9_b_RG2b3g3s4n4l17p_1
  hasami solve shogi position=9/9/8k/7R1/7G1/9/9/9/9_b fill-hand=yes within=shortest --flaws
  hasami solve shogi position=9/9/8k/7R1/7G1/9/9/9/9_b fill-hand=yes within=shortest -o mate.kif
  hasami solve shogi --file problems.sfen within=shortest --flaws -o problems.html";

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
    /// Stop after this long, like 30s or 2h [default: never]
    #[arg(long, value_name = "TIME", value_parser = limit, help_heading = "Limits")]
    pub time_limit: Option<Duration>,
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
                 hasami solve mnk width=5 height=5 line=3 --budget 5M\n  \
                 hasami solve shogi --file problems.sfen within=shortest -o problems.html\n\n\
                 `hasami solve GAME --help` lists the parameters of a game.\n{EXIT_CODES}"
            ))
            .subcommand_required(true);
        let command = game_args::with_games(command, "solve", SolveArgs::augment_args);
        let with_positions = games().filter(|game| has_positions(game.spec));
        // The options bring a text of their own: the game keeps its line.
        with_positions.fold(command, |command, game| {
            command.mut_subcommand(game.spec.name, |command| {
                let command = CollectionArgs::augment_args(command);
                let command = match game.spec.name {
                    Shogi::NAME => MateArgs::augment_args(command)
                        .after_help(format!("{MATE_EXAMPLES}\n\n{EXIT_CODES}")),
                    _ => command,
                };
                command.about(game.spec.about).long_about(None)
            })
        })
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
        let collection = match games().find(|game| game.spec.name == name) {
            Some(game) if has_positions(game.spec) => CollectionArgs::from_arg_matches(matches)?,
            _ => CollectionArgs::default(),
        };
        let mate = match name {
            Shogi::NAME => MateArgs::from_arg_matches(matches)?,
            _ => MateArgs::default(),
        };
        Ok(Self { question, options, collection, mate })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Verb for Solve {
    fn run(self) -> Result<(), Failure> {
        let Self { question, options, collection, mate } = &self;
        let kernel = options.kernel.kernel()?;
        let solving = Solving { options, collection, mate, kernel, at_hand: AtHand::default() };
        solving.check_mate_args(question)?;
        if collection.files.is_empty() {
            solving.solve(question)
        } else {
            solving.solve_files(question)
        }
    }
}

struct Solving<'a> {
    options: &'a SolveArgs,
    collection: &'a CollectionArgs,
    mate: &'a MateArgs,
    kernel: Kernel,
    at_hand: AtHand,
}

impl Solving<'_> {
    fn solve(&self, question: &Question) -> Result<(), Failure> {
        let (rules, params) = question.read()?;
        if let Some(file) = &self.options.certificate {
            prepare_place("--certificate", file)?;
        }
        let polite = match self.options.store {
            Some(_) => "saving to the store, which may take a while",
            None => "the search ends",
        };
        let out = self.collection.out.as_deref();
        if let Some(file) = out {
            self.check_out(question, file)?;
        }
        let at_hand = self.at_hand.clone();
        stop::on_signal(polite, move || at_hand.stop())?;
        let control = self.control();
        let settled = self.settle(rules, &params, &control)?;
        let (mut report, answered) = self.report(settled, control.is_expired());
        let found = self.add_mate(question, &mut report, &control)?;
        if let Some(file) = out {
            self.save_mate(file, question, found)?;
        }
        report.print(self.options.answer.output)?;
        if answered { Ok(()) } else { Err(Failure::Unsettled) }
    }

    /// Finds out before the work whether `-o` can be written.
    fn check_out(&self, question: &Question, file: &Path) -> Result<(), Failure> {
        if question.game != Shogi::NAME {
            return Err(Failure::Usage(format!(
                "-o: a question about {} has no file; expected --file with it",
                question.game
            )));
        }
        form(file, &mate::FORMS)?;
        prepare_place("-o", file)
    }

    /// The control of one question, which a signal stops.
    fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::with_budget(self.options.budget.unwrap_or(u64::MAX)));
        self.at_hand.begin(&control);
        control
    }

    /// Settles one question within its limits.
    fn settle(
        &self,
        rules: &dyn Rules,
        params: &Params,
        control: &Arc<Control>,
    ) -> Result<Settled, Failure> {
        self.settle_by(control, &mut |plan, shell| rules.settle(params, plan, control, shell))
    }

    /// Settles one question by `settle`, as the options want it.
    fn settle_by(
        &self,
        control: &Arc<Control>,
        settle: &mut dyn FnMut(&Plan<'_>, &mut dyn Shell) -> Result<Settled, JobError>,
    ) -> Result<Settled, Failure> {
        let settings = self.options.kernel.settings(self.options.seed.unwrap_or_default())?;
        let plan = Plan {
            kernel: self.kernel,
            options: &|advice| self.options.kernel.tuned(settings.options(advice)),
            table_mib: self.options.table(),
            place: &|name, below| self.file_for(name, below),
            details: true,
            resources: &Resources::default(),
            evaluation: DEFAULT_EVALUATION,
        };
        let clock = self.options.time_limit.map(|limit| Clock::start(limit, control)).transpose();
        let _clock =
            clock.map_err(|error| Failure::Failed(format!("--time-limit: no thread: {error}")))?;
        let mut watched = Watched { options: self.options, control, failure: None };
        let settled = settle(&plan, &mut watched);
        match (settled, watched.failure) {
            (Err(JobError::Halted), Some(failure)) => Err(failure),
            (settled, _) => Ok(settled?),
        }
    }

    /// What there is to say, and whether there is a verdict.
    fn report(&self, settled: Settled, late: bool) -> (Report, bool) {
        let mut report = Report::new(&settled, self.kernel);
        let Settled { outcome, seconds, certifying, below, end, .. } = settled;
        report.searched(&outcome, seconds, late);
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
                report.measured(&claim.measured);
                report.rests_on(claim.rests_on);
                report.below(&below);
                report.first_move(claim.first_move);
                report.drawn(claim.drawing);
                true
            }
        };
        (report, answered)
    }

    /// Where the certificate of a question goes; one that only says "not with less" goes beside it.
    fn file_for(&self, name: &str, below: Option<u32>) -> PathBuf {
        match (&self.options.certificate, below) {
            (None, _) => match &self.collection.certificates {
                Some(directory) => directory.join(name),
                None => default_place(name),
            },
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

/// Why a search without a verdict has ended, in words; `late` if the time is up.
fn reason_to_stop(stopped: Stopped, late: bool) -> &'static str {
    match stopped {
        Stopped::Budget if late => "time limit reached",
        Stopped::Settled => "settled",
        Stopped::Target => "target reached",
        Stopped::Budget => "budget used up",
        Stopped::Cancelled => "stopped by the user",
    }
}
