//! Settles one question about a game stage by stage: search, meaning of the verdict, certificate.
//! The command line and the cluster share this code; what they do around a search (a progress line,
//! filling a store) is behind [`Shell`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::certificate::{Asked, Strategy, Verified};
use hasami_andor::problem::all_moves;
use hasami_andor::{
    Control, Expansion, Job, Kernel, Moves, Numbers, Options, Outcome, ProblemId, Search, SumRule,
    Table, Verdict,
};
use hasami_game::learned::Learned;
use hasami_game::{Drawing, Game, KnownStage, Meaning, Origin, Outlook, Resources};
use hasami_spec::Params;

use crate::agree::Answers;
use crate::caught;
use crate::certify::{Certified, certify, file_name, spell_question};
use crate::error::JobError;
use crate::least::joined;
use crate::scout::{Scouting, scout};
use crate::tables::HotTable;

/// Certificates with more records are not read again to draw them; `play` shows them.
const MOST_DRAWN: u64 = 200_000;

/// Nodes for the certificate of a number that was found when the budget ended: at least so many.
const LEAST_SPARE: u64 = 1_000_000;

/// How to settle a question.
pub struct Plan<'a> {
    /// Which kernel.
    pub kernel: Kernel,
    /// Turns the options that the game advises into those of the search.
    pub options: &'a dyn Fn(Options) -> Options,
    /// Largest size of the table, which grows with the search.
    pub table_mib: u32,
    /// Path of a certificate, from its default name. `Some(round)` for the disproof of an earlier
    /// stage.
    pub place: &'a dyn Fn(&str, Option<u32>) -> PathBuf,
    /// Whether a person reads the answer: adds the first move and a drawing.
    pub details: bool,
    /// Shared resources for building games.
    pub resources: &'a Resources,
    /// The evaluation of states, by its name ([`Game::with_evaluation`]).
    pub evaluation: &'a str,
}

/// A stage as a shell sees it.
pub trait Stage: Sync {
    /// The question as certificates spell it.
    fn question(&self) -> &str;
    /// The name of the game.
    fn game(&self) -> &'static str;
    /// Id of the problem in a store.
    fn problem(&self) -> ProblemId;
    /// The table of the search.
    fn table(&self) -> &dyn HotTable;
    /// The same, to be kept beyond the stage.
    fn shared_table(&self) -> Arc<dyn HotTable>;
    /// What the search learns for other questions, if anything.
    fn learned(&self) -> Option<&dyn Learned>;
    /// Merges notes of other searches; returns how many were new.
    fn merge_notes(&self, notes: &[Vec<u8>]) -> usize;
}

/// One of the questions that the parameters leave open, ready to be searched.
pub(crate) struct Staged<G: Game> {
    pub(crate) game: G,
    params: Params,
    question: String,
    asked: Asked,
    options: Options,
    pub(crate) table: Arc<Table<G::Reason>>,
}

impl<G: Game> Staged<G> {
    /// The result of a question that ends with this stage, after so many seconds of search and of
    /// making certificates.
    fn ended(
        self,
        outcome: Outcome,
        (seconds, certifying): (f64, f64),
        below: Vec<Below>,
        end: End,
    ) -> Settled {
        Settled {
            game: G::NAME,
            problem: self.game.id(),
            params: self.params,
            question: self.question,
            options: self.options,
            outcome,
            seconds,
            certifying,
            below,
            end,
        }
    }
}

impl<G: Game> Stage for Staged<G> {
    fn question(&self) -> &str {
        &self.question
    }

    fn game(&self) -> &'static str {
        G::NAME
    }

    fn problem(&self) -> ProblemId {
        self.game.id()
    }

    fn table(&self) -> &dyn HotTable {
        &*self.table
    }

    fn shared_table(&self) -> Arc<dyn HotTable> {
        Arc::<Table<G::Reason>>::clone(&self.table)
    }

    fn learned(&self) -> Option<&dyn Learned> {
        self.game.learned()
    }

    fn merge_notes(&self, notes: &[Vec<u8>]) -> usize {
        self.game.merge_notes(notes)
    }
}

/// The shell gives up on the question; it has the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halt;

/// Hooks around the work. By default they do nothing.
pub trait Shell {
    /// Runs the search of a stage.
    ///
    /// # Errors
    /// If the shell has failed.
    fn search(
        &mut self,
        _stage: &dyn Stage,
        work: Box<dyn FnOnce() -> Outcome + Send + '_>,
    ) -> Result<Outcome, Halt> {
        Ok(work())
    }

    /// Makes a certificate at `file`; returns `None` if it was stopped.
    ///
    /// # Errors
    /// If the shell has failed; the inner result is that of the work itself.
    fn certify(
        &mut self,
        _question: &str,
        _file: &Path,
        work: Box<dyn FnOnce() -> Result<Option<Certified>, JobError> + Send + '_>,
    ) -> Result<Result<Option<Certified>, JobError>, Halt> {
        Ok(work())
    }
}

/// A shell that only does the work.
pub struct Bare;

impl Shell for Bare {}

/// An earlier stage that was disproven, with its certificate.
#[derive(Clone, Debug)]
pub struct Below {
    /// What it claims.
    pub claim: String,
    /// Its certificate, which may be that of the claim above it.
    pub file: PathBuf,
    /// What its verifier found.
    pub verified: Verified,
}

/// How the last stage ended.
#[derive(Debug)]
pub enum End {
    /// The search stopped without a verdict.
    Unsettled(Option<Outlook>),
    /// The verdict settles nothing that users ask; says how far the search went.
    Nothing(String, Option<Outlook>),
    /// Stopped while making the certificate: there is no verdict without one.
    Uncertified,
    /// A verdict with a verified certificate.
    Claim(Box<Claim>),
}

impl End {
    /// The certificate of a verdict.
    pub(crate) fn certified(self) -> Option<Certified> {
        match self {
            Self::Claim(claim) => Some(claim.certified),
            Self::Unsettled(_) | Self::Nothing(..) | Self::Uncertified => None,
        }
    }
}

/// A verdict.
#[derive(Debug)]
pub struct Claim {
    /// The verdict in the words of the game.
    pub words: String,
    /// Its certificate.
    pub certified: Certified,
    /// The database that it rests on.
    pub rests_on: Option<Origin>,
    /// The first move of the side that the verdict favours, if [`Plan::details`] is set.
    pub first_move: Option<String>,
    /// A drawing of what settles the question, if [`Plan::details`] is set.
    pub drawing: Option<Drawing>,
    /// More columns, see [`Game::measured`].
    pub measured: Vec<(&'static str, String)>,
}

/// The result of a question after its last stage.
#[derive(Debug)]
pub struct Settled {
    /// The name of the game.
    pub game: &'static str,
    /// The parameters of the last stage asked.
    pub params: Params,
    /// The last stage as certificates spell it.
    pub question: String,
    /// Id of the last stage in a store.
    pub problem: ProblemId,
    /// How it was searched.
    pub options: Options,
    /// Its outcome, with the nodes of all stages.
    pub outcome: Outcome,
    /// Seconds of all searches.
    pub seconds: f64,
    /// Seconds for making and checking certificates.
    pub certifying: f64,
    /// What was disproven before: the last stage of each question.
    pub below: Vec<Below>,
    /// How it ended.
    pub end: End,
}

impl Settled {
    fn is_proven(&self) -> bool {
        match &self.end {
            End::Claim(claim) => claim.certified.verified.header.verdict == Verdict::Proven,
            _ => false,
        }
    }
}

/// Searches the stages in order until one is proven or none is left, then the question that goes
/// further.
pub(crate) fn settle<G: Game>(
    params: &Params,
    plan: &Plan<'_>,
    control: &Control,
    shell: &mut dyn Shell,
) -> Result<Settled, JobError> {
    // The table can report a contradiction only by a panic.
    caught(|| rounds::<G>(params, plan, control, shell))
}

/// Settles a question of one stage in a table that it shares with others of the same states.
pub(crate) fn settle_sharing<G: Game>(
    params: &Params,
    plan: &Plan<'_>,
    table: &Arc<Table<G::Reason>>,
    control: &Control,
    shell: &mut dyn Shell,
) -> Result<Settled, JobError> {
    let mut answers = Answers::default();
    caught(|| ask::<G>(params, plan, (0, &mut answers), Some(table), control, shell))
}

fn rounds<G: Game>(
    params: &Params,
    plan: &Plan<'_>,
    control: &Control,
    shell: &mut dyn Shell,
) -> Result<Settled, JobError> {
    let mut answers = Answers::default();
    let mut settled = ask::<G>(params, plan, (0, &mut answers), None, control, shell)?;
    for round in 1.. {
        let further = G::SPEC.further(params, &settled.params).map_err(JobError::param::<G>)?;
        let Some(further) = further.filter(|_| settled.is_proven()) else {
            return Ok(settled);
        };
        let mut next = ask::<G>(&further, plan, (round, &mut answers), None, control, shell)?;
        next.below = [settled.below.clone(), next.below].concat();
        next.outcome.counts.nodes += settled.outcome.counts.nodes;
        next.seconds += settled.seconds;
        next.certifying += settled.certifying;
        if !matches!(next.end, End::Claim(_)) {
            // The settled result stays, with the cost of the further search added.
            settled.below = next.below;
            settled.outcome.counts.nodes = next.outcome.counts.nodes;
            (settled.seconds, settled.certifying) = (next.seconds, next.certifying);
            return Ok(settled);
        }
        settled = next;
    }
    Ok(settled)
}

/// The stages to search: those that the rules know, or those of the spec in order.
enum Stages<'a> {
    Known(std::vec::IntoIter<KnownStage>),
    Listed(&'a Params, u32),
}

impl Stages<'_> {
    fn next<G: Game>(&mut self) -> Result<Option<KnownStage>, JobError> {
        match self {
            Self::Known(stages) => Ok(stages.next()),
            Self::Listed(params, number) => {
                let next = G::SPEC.stage(params, *number).map_err(JobError::param::<G>)?;
                *number += 1;
                Ok(next.map(|params| KnownStage { params, expected: None }))
            }
        }
    }
}

/// Searches the stages in order until one is proven or none is left, each in a table of its own or
/// in one that is shared.
fn ask<G: Game>(
    wanted: &Params,
    plan: &Plan<'_>,
    (round, answers): (u32, &mut Answers),
    shared: Option<&Arc<Table<G::Reason>>>,
    control: &Control,
    shell: &mut dyn Shell,
) -> Result<Settled, JobError> {
    let (mut nodes, mut seconds, mut certifying) = (0, 0.0, 0.0);
    let (mut table, mut unsure) = (shared.cloned(), false);
    let known = match scout::<G>(wanted, plan, control, shell)? {
        Scouting::None => G::known_stages(wanted, plan.resources).map_err(JobError::build::<G>)?,
        Scouting::Found(scouted) => {
            (nodes, seconds, unsure) = (scouted.nodes, scouted.seconds, scouted.unsure);
            table = Some(scouted.table);
            Some(scouted.stages)
        }
        Scouting::Stopped(stage, outcome, seconds) => {
            let outlook = stage.game.outlook(None);
            return Ok(stage.ended(outcome, (seconds, 0.0), Vec::new(), End::Unsettled(outlook)));
        }
    };
    // A found number that is not known to be the least answers a person, and not a sweep.
    let spare = Control::with_budget(nodes.max(LEAST_SPARE));
    let control = if unsure && plan.details && !control.is_cancelled() { &spare } else { control };
    let mut stages = known.map_or(Stages::Listed(wanted, 0), |all| Stages::Known(all.into_iter()));
    let (mut below, mut reached) = (Vec::new(), None);
    let mut next = stages.next::<G>()?;
    while let Some(KnownStage { params, expected }) = next {
        next = stages.next::<G>()?;
        let stage = prepare::<G>(params, plan, table.as_ref())?;
        let started = Instant::now();
        let mut outcome = search(&stage, plan, control, shell)?;
        nodes += outcome.counts.nodes;
        seconds += started.elapsed().as_secs_f64();
        outcome.counts.nodes = nodes;
        let ended = |stage: Staged<G>, certifying, below, end| {
            Ok(stage.ended(outcome, (seconds, certifying), below, end))
        };
        if unsure && !plan.details {
            let outlook = stage.game.outlook(None);
            return ended(stage, certifying, below, End::Unsettled(outlook));
        }
        let Some(verdict) = outcome.numbers.verdict() else {
            let outlook = stage.game.outlook(reached.as_ref());
            return ended(stage, certifying, below, End::Unsettled(outlook));
        };
        answers.add(&stage.question, stage.game.id(), verdict, expected)?;
        let on = verdict == Verdict::Disproven && next.is_some();
        let words = match stage.game.meaning(verdict) {
            Meaning::Claim(words) => words,
            Meaning::Nothing(what) => {
                tracing::info!(problem = stage.question, nodes, "{what}");
                below.clear();
                reached = Some(stage.params.clone());
                if on {
                    continue;
                }
                let outlook = stage.game.outlook(reached.as_ref());
                return ended(stage, certifying, below, End::Nothing(what, outlook));
            }
        };
        let file = (plan.place)(&file_name::<G>(stage.game.id()), on.then_some(round));
        let Staged { game, question, asked, table, .. } = &stage;
        let work = Box::new(|| match certify(game, asked, verdict, table, control, &file) {
            Err(JobError::Stopped) => Ok(None),
            other => other.map(Some),
        });
        let started = Instant::now();
        let made = shell.certify(question, &file, work)??;
        certifying += started.elapsed().as_secs_f64();
        let Some(certified) = made else {
            return ended(stage, certifying, below, End::Uncertified);
        };
        answers.certified(&file);
        if !on {
            let proven = verdict == Verdict::Proven;
            let certified = if proven {
                let (certified, joined) =
                    joined(&stage.game, wanted, &stage.params, certified, below)?;
                below = joined;
                certified
            } else {
                certified
            };
            let words = if unsure { format!("{words}; less is not excluded") } else { words };
            let claim = claim(&stage, words, certified, plan.details)?;
            return ended(stage, certifying, below, End::Claim(Box::new(claim)));
        }
        tracing::info!(problem = question, certificate = %file.display(), "{words}");
        below = vec![Below { claim: words, file, verified: certified.verified }];
    }
    Err(JobError::Question(format!("{}: the parameters ask nothing", G::NAME)))
}

fn claim<G: Game>(
    stage: &Staged<G>,
    words: String,
    certified: Certified,
    details: bool,
) -> Result<Claim, JobError> {
    let mut claim = Claim {
        words,
        rests_on: stage.game.rests_on(),
        first_move: None,
        drawing: None,
        measured: Vec::new(),
        certified,
    };
    claim.measured = measured(&stage.game, &stage.asked, &claim.certified.file)?;
    if details {
        let Verified { header, nodes, .. } = &claim.certified.verified;
        claim.first_move = first_move(stage, header.verdict);
        if G::DRAWS && *nodes <= MOST_DRAWN {
            let strategy = Strategy::load(&claim.certified.file, &stage.game, &stage.asked)?;
            claim.drawing = stage.game.drawn(&strategy);
        }
    }
    Ok(claim)
}

/// What the certificate of a proof tells beyond its verdict.
pub(crate) fn measured<G: Game>(
    game: &G,
    asked: &Asked,
    file: &Path,
) -> Result<Vec<(&'static str, String)>, JobError> {
    if !G::MEASURES {
        return Ok(Vec::new());
    }
    let strategy = Strategy::load(file, game, asked)?;
    let proven = strategy.verdict() == Verdict::Proven;
    Ok(if proven { game.measured(&strategy) } else { Vec::new() })
}

/// Searches a stage until it has a verdict or stops.
pub(crate) fn search<G: Game>(
    stage: &Staged<G>,
    plan: &Plan<'_>,
    control: &Control,
    shell: &mut dyn Shell,
) -> Result<Outcome, JobError> {
    let Staged { game, table, options, .. } = stage;
    let job = Job::settle(game.root());
    let mut search = Search::new(plan.kernel, game, table, *options, job);
    let work = Box::new(|| {
        let outcome = search.run(control);
        search.park();
        outcome
    });
    Ok(shell.search(stage, work)?)
}

/// Builds a stage, with a table of its own or one that it shares with others.
pub(crate) fn prepare<G: Game>(
    params: Params,
    plan: &Plan<'_>,
    table: Option<&Arc<Table<G::Reason>>>,
) -> Result<Staged<G>, JobError> {
    let game = G::build(&params, plan.resources).map_err(JobError::build::<G>)?;
    let game = game.with_evaluation(plan.evaluation).map_err(JobError::param::<G>)?;
    let question = spell_question(G::NAME, &params);
    let options = (plan.options)(G::ADVICE);
    let table = match table {
        Some(table) => Arc::clone(table),
        None => Table::with_mib(plan.table_mib as usize, options.sum == SumRule::Hybrid)?.into(),
    };
    let asked = game.asked(&params);
    Ok(Staged { game, params, question, asked, options, table })
}

/// The first move of the side that the verdict favours, if that side moves first.
fn first_move<G: Game>(stage: &Staged<G>, verdict: Verdict) -> Option<String> {
    let Staged { game, table, .. } = stage;
    let root = game.root();
    let mut moves = Moves::new();
    if all_moves(game, &root, &mut moves) != Expansion::Open || game.turn(&root).wish() != verdict {
        return None;
    }
    let wins = |mv: &G::Move| {
        let child = game.play(&root, *mv);
        let known = table.look(game, game.key(&child)).settled().map(|entry| entry.numbers);
        known == Some(Numbers::from(verdict))
            || game.expand(&child, &mut Moves::new()) == Expansion::Settled(verdict)
    };
    moves.iter().find(wins).map(|mv| game.show_move(&root, mv))
}
