//! One question about a game, settled stage by stage: search, what the verdict means, certificate.
//! The command line and the cluster go this same way; what they do around a search (a line that
//! moves, a store that is filled) is theirs, behind [`Shell`].

use std::path::{Path, PathBuf};
use std::time::Instant;

use hasami_andor::problem::all_moves;
use hasami_andor::{
    Control, Expansion, Job, Kernel, Moves, Numbers, Options, Outcome, Search, Stopped, SumRule,
    Table, Verdict,
};
use hasami_games::{Game, GameError, Meaning, ParamError, Params};

use super::agree::Answers;
use super::{Certified, JobError, caught, certify, file_name, spell_question};

/// How much a table grows at a time.
const GROWTH: u32 = 8;

/// How to go about it.
pub struct Plan<'a> {
    /// Which kernel.
    pub kernel: Kernel,
    /// The options of the search, from those that the game advises.
    pub options: &'a dyn Fn(Options) -> Result<Options, JobError>,
    /// Size of the table.
    pub table_mib: u32,
    /// Size of the table at first: it grows with the search. A large table is dear to touch, and
    /// most questions of a large sweep are small.
    pub first_mib: u32,
    /// The file for a certificate, by its usual name; and where it only says "not with less", of
    /// which question that is, from 0.
    pub place: &'a dyn Fn(&str, Option<u32>) -> PathBuf,
}

/// One of the questions that the parameters leave open, ready to be searched.
pub struct Stage<G: Game> {
    /// The game.
    pub game: G,
    /// Its parameters.
    pub params: Params,
    /// The question as certificates spell it.
    pub question: String,
    /// How it is searched.
    pub options: Options,
    /// What the search knows.
    pub table: Table<G::Reason>,
}

/// What is done around the work.
pub trait Shell {
    /// Its own errors.
    type Error: From<JobError>;

    /// Runs the search of a stage.
    ///
    /// # Errors
    /// What the shell itself does may fail.
    fn search<G: Game>(
        &mut self,
        stage: &Stage<G>,
        work: impl FnOnce() -> Outcome + Send,
    ) -> Result<Outcome, Self::Error>;

    /// Makes a certificate at `file`; `None` if it was stopped.
    ///
    /// # Errors
    /// What the work says, and what the shell itself does may fail.
    fn certify(
        &mut self,
        question: &str,
        file: &Path,
        work: impl FnOnce() -> Result<Option<Certified>, JobError> + Send,
    ) -> Result<Option<Certified>, Self::Error>;
}

/// A shell that does nothing but the work.
pub struct Bare;

impl Shell for Bare {
    type Error = JobError;

    fn search<G: Game>(
        &mut self,
        _: &Stage<G>,
        work: impl FnOnce() -> Outcome + Send,
    ) -> Result<Outcome, JobError> {
        Ok(work())
    }

    fn certify(
        &mut self,
        _: &str,
        _: &Path,
        work: impl FnOnce() -> Result<Option<Certified>, JobError> + Send,
    ) -> Result<Option<Certified>, JobError> {
        work()
    }
}

/// A stage that was disproven before the last one was asked, with its certificate.
#[derive(Clone, Debug)]
pub struct Below {
    /// What it says.
    pub claim: String,
    /// Its certificate.
    pub file: PathBuf,
}

/// How the last stage ended.
pub enum End {
    /// The search stopped without a verdict.
    Unsettled,
    /// The verdict settles nothing that users ask; how far the search went.
    Nothing(String),
    /// Stopped while the certificate was made: no verdict without one.
    Uncertified,
    /// There is a verdict, and its certificate is verified.
    Claim {
        /// The verdict in the words of the game.
        claim: String,
        /// The certificate.
        certified: Certified,
    },
}

/// Where the question stands after its last stage.
pub struct Settled<G: Game> {
    /// The last stage asked.
    pub stage: Stage<G>,
    /// Its outcome, with the nodes of all stages.
    pub outcome: Outcome,
    /// Time of all searches.
    pub seconds: f64,
    /// Time for making certificates and checking them.
    pub certifying: f64,
    /// What was disproven before it: the last stage of each question.
    pub below: Vec<Below>,
    /// The last stage whose verdict settled nothing: so far the search has come.
    pub reached: Option<Params>,
    /// How it ended.
    pub end: End,
}

/// Asks one stage after the other until one is proven or none is left; then what goes further.
///
/// # Errors
/// When the game refuses its parameters, there is no memory, a certificate cannot be made or does
/// not hold, two of our answers contradict each other, or the shell fails.
pub fn settle<G: Game, S: Shell>(
    params: &Params,
    plan: &Plan,
    control: &Control,
    shell: &mut S,
) -> Result<Settled<G>, S::Error> {
    // The table can tell of a contradiction only by a panic.
    caught(|| rounds(params, plan, control, shell))
}

fn rounds<G: Game, S: Shell>(
    params: &Params,
    plan: &Plan,
    control: &Control,
    shell: &mut S,
) -> Result<Settled<G>, S::Error> {
    let mut answers = Answers::default();
    let mut told = ask(params, plan, (0, &mut answers), control, shell)?;
    for round in 1.. {
        let proven = match &told.end {
            End::Claim { certified, .. } => certified.verified.header.verdict == Verdict::Proven,
            _ => false,
        };
        let further = G::further(params, &told.stage.params).map_err(bad_params::<G>)?;
        let Some(further) = further.filter(|_| proven) else {
            return Ok(told);
        };
        let mut next = ask(&further, plan, (round, &mut answers), control, shell)?;
        next.below = [told.below.clone(), next.below].concat();
        next.outcome.counts.nodes += told.outcome.counts.nodes;
        next.seconds += told.seconds;
        next.certifying += told.certifying;
        if !matches!(next.end, End::Claim { .. }) {
            // What is settled stays settled, with what the search for more has cost.
            told.below = next.below;
            told.outcome.counts.nodes = next.outcome.counts.nodes;
            (told.seconds, told.certifying) = (next.seconds, next.certifying);
            return Ok(told);
        }
        told = next;
    }
    Ok(told)
}

/// Asks one stage after the other until one is proven or none is left.
fn ask<G: Game, S: Shell>(
    params: &Params,
    plan: &Plan,
    (round, answers): (u32, &mut Answers),
    control: &Control,
    shell: &mut S,
) -> Result<Settled<G>, S::Error> {
    let (mut nodes, mut seconds, mut certifying) = (0, 0.0, 0.0);
    let (mut below, mut reached) = (Vec::new(), None);
    let mut number = 0;
    let mut next = stage_of::<G>(params, 0)?;
    while let Some(asked) = next {
        next = stage_of::<G>(params, number + 1)?;
        number += 1;
        let stage = prepare::<G>(asked, plan)?;
        let started = Instant::now();
        let (stage, mut outcome) = search(stage, plan, control, shell)?;
        nodes += outcome.counts.nodes;
        seconds += started.elapsed().as_secs_f64();
        outcome.counts.nodes = nodes;
        let ended = |stage, certifying, below, reached, end| {
            Ok(Settled { stage, outcome, seconds, certifying, below, reached, end })
        };
        let Some(verdict) = outcome.numbers.verdict() else {
            return ended(stage, certifying, below, reached, End::Unsettled);
        };
        answers.add(params, &stage, verdict)?;
        let on = verdict == Verdict::Disproven && next.is_some();
        let claim = match stage.game.meaning(verdict) {
            Meaning::Claim(claim) => claim,
            Meaning::Nothing(what) => {
                tracing::info!(problem = stage.question, nodes, "{what}");
                below.clear();
                reached = Some(stage.params.clone());
                if on {
                    continue;
                }
                return ended(stage, certifying, below, reached, End::Nothing(what));
            }
        };
        let file = (plan.place)(&file_name(&stage.game), on.then_some(round));
        let Stage { game, question, table, .. } = &stage;
        let work = || match certify(game, question, verdict, table, control, &file) {
            Err(JobError::Stopped) => Ok(None),
            other => other.map(Some),
        };
        let started = Instant::now();
        let made = shell.certify(question, &file, work)?;
        certifying += started.elapsed().as_secs_f64();
        let Some(certified) = made else {
            return ended(stage, certifying, below, reached, End::Uncertified);
        };
        answers.certified(&file);
        if !on {
            let end = End::Claim { claim, certified };
            return ended(stage, certifying, below, reached, end);
        }
        tracing::info!(problem = question, certificate = %file.display(), "{claim}");
        below = vec![Below { claim, file }];
    }
    Err(JobError::Question(format!("{}: the parameters ask nothing", G::NAME)).into())
}

/// Searches a stage, with a larger table whenever it has outgrown the one it has.
fn search<G: Game, S: Shell>(
    mut stage: Stage<G>,
    plan: &Plan,
    control: &Control,
    shell: &mut S,
) -> Result<(Stage<G>, Outcome), S::Error> {
    let mut before = 0;
    let mut mib = plan.first_mib.min(plan.table_mib);
    loop {
        let room = (stage.table.capacity() / 2) as u64;
        control.pause_after((mib < plan.table_mib).then_some(room));
        let Stage { game, table, options, .. } = &stage;
        let job = Job::settle(game.root());
        let mut search = Search::new(plan.kernel, game, table, *options, job);
        let mut outcome = shell.search(&stage, || {
            let outcome = search.run(control);
            search.park();
            outcome
        })?;
        drop(search);
        control.pause_after(None);
        outcome.counts.nodes += before;
        if outcome.stopped != Stopped::Budget || control.is_used_up() || mib >= plan.table_mib {
            return Ok((stage, outcome));
        }
        before = outcome.counts.nodes;
        mib = mib.saturating_mul(GROWTH).min(plan.table_mib);
        let larger = Table::with_mib(mib as usize, stage.options.sum == SumRule::Hybrid)
            .map_err(JobError::from)?;
        stage.table.for_each(|key, entry| larger.absorb(key, &entry));
        stage.table = larger;
    }
}

/// Question number `stage` of those that the parameters leave open.
///
/// # Errors
/// When the game refuses them.
pub fn stage_of<G: Game>(params: &Params, stage: u32) -> Result<Option<Params>, JobError> {
    G::stage(params, stage).map_err(bad_params::<G>)
}

/// The game refuses its parameters.
pub fn bad_params<G: Game>(error: ParamError) -> JobError {
    GameError::Params { game: G::NAME, error }.into()
}

fn prepare<G: Game>(params: Params, plan: &Plan) -> Result<Stage<G>, JobError> {
    let game = G::from_params(&params).map_err(bad_params::<G>)?;
    let question = spell_question(G::NAME, &params);
    let options = (plan.options)(G::ADVICE)?;
    let mib = plan.first_mib.min(plan.table_mib) as usize;
    let table = Table::with_mib(mib, options.sum == SumRule::Hybrid)?;
    Ok(Stage { game, params, question, options, table })
}

/// The first move of the side that has its way, if the first move is its own.
pub fn first_move<G: Game>(stage: &Stage<G>, verdict: Verdict) -> Option<String> {
    let Stage { game, table, .. } = stage;
    let root = game.root();
    let mut moves = Moves::new();
    if all_moves(game, &root, &mut moves) != Expansion::Open || game.turn(&root).wish() != verdict {
        return None;
    }
    let wins = |mv: &G::Move| {
        let child = game.play(&root, *mv);
        let known = table.lookup(game.key(&child)).map(|entry| entry.numbers);
        known == Some(Numbers::from(verdict))
            || game.expand(&child, &mut Moves::new()) == Expansion::Settled(verdict)
    };
    moves.iter().find(wins).map(|mv| game.show_move(&root, mv))
}
