//! `hasami solve`: one question, answered with a certificate that has been checked.

mod progress;
mod report;
mod resume;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Outcome, Search, Stopped, SumRule, Table, Verdict};
use hasami_games::{Game, GameError, Meaning, ParamError, Params, Visitor, visit};

use crate::args::{Question, SolveArgs};
use crate::certify::{certify, default_place, file_name, prepare_place};
use crate::failure::Failure;
use crate::verify::spell_question;
use progress::Watch;
use report::Report;
use resume::Resume;

/// Settles the question and prints the answer.
pub fn run(question: &Question, options: &SolveArgs) -> Result<(), Failure> {
    let kernel = options.kernel.kernel()?;
    visit(&question.game, &question.pairs, Solve { options, kernel })?
}

struct Solve<'a> {
    options: &'a SolveArgs,
    kernel: Kernel,
}

impl Visitor for Solve<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
        let control = Arc::new(Control::with_budget(self.options.budget.unwrap_or(u64::MAX)));
        if let Some(file) = &self.options.certificate {
            prepare_place("--certificate", file)?;
        }
        stop_on_signal(&control)?;
        let mut before = Before::default();
        let mut stage = 0;
        while let Some(asked) = stage_of::<G>(params, stage)? {
            let last = stage_of::<G>(params, stage + 1)?.is_none();
            match self.ask::<G>(&asked, &control, before, last)? {
                Some(known) => before = known,
                None => return Ok(()),
            }
            stage += 1;
        }
        Ok(())
    }
}

/// Question number `stage` of those that the parameters leave open.
pub fn stage_of<G: Game>(params: &Params, stage: u32) -> Result<Option<Params>, Failure> {
    G::stage(params, stage).map_err(|error| bad_params::<G>(error))
}

/// The game refuses its parameters.
pub fn bad_params<G: Game>(error: ParamError) -> Failure {
    GameError::Params { game: G::NAME, error }.into()
}

/// What the questions before this one have cost and shown.
#[derive(Default)]
struct Before {
    nodes: u64,
    seconds: f64,
    /// The last one was disproven: its claim, and the certificate.
    below: Option<(String, PathBuf)>,
}

impl Solve<'_> {
    /// Settles one question. If it is disproven and not the last, hands on what was learned;
    /// otherwise prints the answer.
    fn ask<G: Game>(
        &self,
        params: &Params,
        control: &Arc<Control>,
        before: Before,
        last: bool,
    ) -> Result<Option<Before>, Failure> {
        let game = G::from_params(params).map_err(|error| bad_params::<G>(error))?;
        let question = spell_question(G::NAME, params);
        let options = self.options.kernel.options(G::ADVICE, self.options.seed.unwrap_or_default());
        let table: Table<G::Reason> =
            Table::with_mib(self.options.table_mib as usize, options.sum == SumRule::Hybrid)
                .map_err(|error| Failure::Usage(format!("--table-mib: {error}")))?;
        let resume = match &self.options.store {
            Some(path) => Some(Resume::open(path, &game, &table)?),
            None => None,
        };

        let started = Instant::now();
        let watch = Watch::new(&question, control, self.options.budget);
        let job = Job::settle(game.root());
        let mut search = Search::new(self.kernel, &game, &table, options, job);
        let mut outcome = watch.during(
            || {
                let outcome = search.run(control);
                search.park();
                outcome
            },
            || resume.as_ref().map_or(Ok(()), |resume| resume.publish(&table)),
        )?;
        if let Some(resume) = &resume {
            resume.publish(&table)?;
            resume.sync()?;
        }
        self.warn_of_small_table(&table, &outcome, G::NAME);
        outcome.counts.nodes += before.nodes;
        let seconds = before.seconds + started.elapsed().as_secs_f64();

        let mut report = Report::new(G::NAME, &question, &game, params, self.kernel, options);
        report.searched(&outcome, seconds);
        let Some(verdict) = outcome.numbers.verdict() else {
            report.below(before.below.as_ref());
            report.print(self.options.answer.output)?;
            return Err(Failure::Unsettled);
        };
        let on = verdict == Verdict::Disproven && !last;
        let claim = match game.meaning(verdict) {
            Meaning::Claim(claim) => claim,
            Meaning::Nothing(what) => {
                tracing::info!(problem = question, nodes = outcome.counts.nodes, "{what}");
                let known = Before { nodes: outcome.counts.nodes, seconds, below: None };
                if on {
                    return Ok(Some(known));
                }
                report.nothing(&what);
                report.print(self.options.answer.output)?;
                return Err(Failure::Unsettled);
            }
        };
        let file = self.file_for(&game, on);
        let certified =
            watch.during(|| certify(&game, &question, verdict, &table, control, &file), || Ok(()));
        let Some((verified, bytes)) = certified?? else {
            eprintln!("stopped while the certificate was made: no verdict without one");
            report.print(self.options.answer.output)?;
            return Err(Failure::Unsettled);
        };
        if on {
            tracing::info!(problem = question, certificate = %file.display(), "{claim}");
            let below = Some((claim, file));
            return Ok(Some(Before { nodes: outcome.counts.nodes, seconds, below }));
        }
        report.certified(&claim, &file, &verified, bytes);
        report.below(before.below.as_ref());
        report.first_move(&game, &table);
        report.print(self.options.answer.output)?;
        Ok(None)
    }

    /// Where the certificate of a question goes; one that only says "not with less" goes beside it.
    fn file_for<G: Game>(&self, game: &G, below: bool) -> PathBuf {
        match &self.options.certificate {
            None => default_place(&file_name(game)),
            Some(file) if below => {
                let mut name = file.file_name().unwrap_or_default().to_os_string();
                name.push(".below");
                file.with_file_name(name)
            }
            Some(file) => file.clone(),
        }
    }
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
             --table-mib {enough} would save work",
            self.options.table_mib,
            table.capacity(),
        );
    }
}

/// First signal: finish politely, keep everything. Second: stop at once.
pub fn stop_on_signal(control: &Arc<Control>) -> Result<(), Failure> {
    let control = Arc::clone(control);
    ctrlc::set_handler(move || {
        if control.is_cancelled() {
            std::process::exit(130);
        }
        eprintln!("stopping; once more to stop at once");
        control.cancel();
    })
    .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))
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
