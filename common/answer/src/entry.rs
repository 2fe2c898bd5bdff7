//! One line of the registry: a game or a job with everything it provides, its type erased. Kernels
//! are compiled here, once for each game; no other code names a game's type to use it.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use hasami_andor::certificate::{CertificateError, Checked, Header, Source, Verified};
use hasami_andor::{Control, Problem};
use hasami_game::play::{self, Duel};
use hasami_game::{BuildError, Game, Meaning, Origin, Resources, Step};
use hasami_puzzles::Puzzle;
use hasami_spec::{ParamError, Params, Question, Spec};

use crate::checked::{self, Opened};
use crate::error::JobError;
use crate::jobs::Job;
use crate::puzzles::{PuzzleMaker, Puzzles};
use crate::recheck::{self, Claimed, Doubt};
use crate::settle::{Plan, Settled, Shell, settle};
use crate::split::{self, Split};
use crate::{Answered, Place, certify, solve};

/// A game or a job.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name, parameters and checks.
    pub spec: &'static Spec,
    /// Its rules, if it is a game.
    pub rules: Option<&'static dyn Rules>,
    /// How puzzles of the game are made, if it has any.
    pub puzzles: Option<&'static dyn Puzzles>,
    /// Answers a whole question.
    pub(crate) answer: fn(&Question, &Place, &Arc<Control>) -> Result<Answered, JobError>,
    /// Checks the answer of somebody else.
    pub(crate) check: fn(&Claimed<'_>) -> Result<recheck::Checked, Doubt>,
}

impl Entry {
    /// The entry of a game.
    #[must_use]
    pub const fn game<G: Game>() -> Self {
        Self {
            spec: const { &G::SPEC },
            rules: Some(const { &Of::<G>(PhantomData) }),
            puzzles: None,
            answer: solve::answer::<G>,
            check: recheck::check_game::<G>,
        }
    }

    /// The entry of a game with puzzles.
    #[must_use]
    pub const fn puzzle_game<G: Puzzle>() -> Self {
        let mut entry = Self::game::<G>();
        entry.puzzles = Some(const { &PuzzleMaker::<G>(PhantomData) });
        entry
    }

    /// The entry of a job.
    #[must_use]
    pub const fn job<J: Job>() -> Self {
        Self {
            spec: const { &J::SPEC },
            rules: None,
            puzzles: None,
            answer: |question, place, control| {
                let job = Params::new(J::SPEC.params, &question.params)
                    .and_then(|params| J::read(&params))
                    .map_err(|error| JobError::Question(format!("{}: {error}", J::SPEC.name)))?;
                job.answer(question, place, control)
            },
            check: |claimed| {
                let params = Params::new(J::SPEC.params, &claimed.question.params)?;
                J::read(&params)?.check(claimed)
            },
        }
    }
}

/// The rules of a game, with its type erased.
pub trait Rules: Sync {
    /// Settles a question, stage by stage.
    ///
    /// # Errors
    /// If the game refuses its parameters, there is no memory, a certificate cannot be made or does
    /// not hold, two answers contradict each other, or the shell halts.
    fn settle(
        &self,
        params: &Params,
        plan: &Plan<'_>,
        control: &Control,
        shell: &mut dyn Shell,
    ) -> Result<Settled, JobError>;

    /// Opens a question that is searched in units.
    ///
    /// # Errors
    /// If the question is wrong, or asks several questions in turn.
    fn split(&self, question: &Question, resources: &Resources)
    -> Result<Arc<dyn Split>, JobError>;

    /// Checks a certificate with the rules alone, and the database that it rests on, if any.
    ///
    /// # Errors
    /// If it does not hold.
    fn verify(
        &self,
        opened: &Opened,
        database: Option<&Path>,
        resources: &Resources,
    ) -> Result<(Verified, Option<Origin>), CheckError>;

    /// Checks trees of one question, without a file around them.
    ///
    /// # Errors
    /// If the header is no question of this game; of each tree, if it does not hold.
    fn check_trees(
        &self,
        header: &Header,
        trees: &mut dyn Iterator<Item = &[u8]>,
        resources: &Resources,
    ) -> Result<Vec<Result<Checked, CertificateError>>, CheckError>;

    /// Loads and verifies a certificate, then shows it ready to play.
    ///
    /// # Errors
    /// If it does not hold.
    fn play(
        &self,
        opened: &Opened,
        resources: &Resources,
        show: &mut dyn FnMut(&MatchUp<'_>),
    ) -> Result<(), CheckError>;

    /// A picture of the proof in a certificate as SVG, if the game draws one.
    ///
    /// # Errors
    /// If the certificate does not hold.
    fn picture(&self, opened: &Opened, resources: &Resources)
    -> Result<Option<String>, CheckError>;

    /// The position that a question is about as SVG, if the game draws its board.
    ///
    /// # Errors
    /// If the game refuses the question.
    fn diagram(
        &self,
        question: &Question,
        resources: &Resources,
    ) -> Result<Option<String>, JobError>;

    /// A line that the certificate plays, of at most `most` moves.
    ///
    /// # Errors
    /// If the certificate does not hold.
    fn line(
        &self,
        opened: &Opened,
        resources: &Resources,
        most: usize,
    ) -> Result<Vec<Step>, CheckError>;

    /// The proof in a certificate as a game record with variations, if the game has a notation.
    ///
    /// # Errors
    /// If the certificate does not hold.
    fn record(&self, opened: &Opened, resources: &Resources) -> Result<Option<String>, CheckError>;

    /// The default file name of the certificate about these parameters.
    ///
    /// # Errors
    /// If the game refuses them.
    fn certificate_name(
        &self,
        params: &Params,
        resources: &Resources,
    ) -> Result<String, BuildError>;

    /// The questions that the parameters leave open, in the order in which they are asked.
    ///
    /// # Errors
    /// If the game refuses them.
    fn stages<'a>(
        &self,
        params: &'a Params,
        resources: &Resources,
    ) -> Result<Box<dyn Iterator<Item = Result<Params, ParamError>> + 'a>, BuildError>;
}

/// A certificate that has been verified and is ready to play.
pub struct MatchUp<'a> {
    /// The question and the verdict.
    pub header: &'a Header,
    /// Number of nodes of its tree.
    pub nodes: u64,
    /// The verdict in the words of the game.
    pub claim: String,
    /// Starts a game.
    pub begin: &'a dyn Fn() -> Box<dyn Duel + 'a>,
}

/// Why a certificate could not be checked or is invalid.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The game that it is about cannot be built.
    #[error(transparent)]
    Build(BuildError),
    /// Its header is no question of this game.
    #[error("the header of the certificate: {0}")]
    Question(String),
    /// It rests on a database that was not given.
    #[error(
        "the certificate rests on the database with the BLAKE3 sum {0}; expected --database FILE"
    )]
    Database(String),
    /// The certificate is unreadable or invalid.
    #[error(transparent)]
    Certificate(CertificateError),
}

/// The rules of `G`.
pub(crate) struct Of<G>(PhantomData<fn() -> G>);

impl<G: Game> Rules for Of<G> {
    fn settle(
        &self,
        params: &Params,
        plan: &Plan<'_>,
        control: &Control,
        shell: &mut dyn Shell,
    ) -> Result<Settled, JobError> {
        settle::<G>(params, plan, control, shell)
    }

    fn split(
        &self,
        question: &Question,
        resources: &Resources,
    ) -> Result<Arc<dyn Split>, JobError> {
        split::open::<G>(question, resources)
    }

    fn verify(
        &self,
        opened: &Opened,
        database: Option<&Path>,
        resources: &Resources,
    ) -> Result<(Verified, Option<Origin>), CheckError> {
        checked::verify::<G>(opened, database, resources)
    }

    fn check_trees(
        &self,
        header: &Header,
        trees: &mut dyn Iterator<Item = &[u8]>,
        resources: &Resources,
    ) -> Result<Vec<Result<Checked, CertificateError>>, CheckError> {
        let (game, _) = checked::built::<G>(&header.asked, None, resources)?;
        let check = |tree| checked::check_part(&game, header, &mut Source::new(tree));
        Ok(trees.map(check).collect())
    }

    fn play(
        &self,
        opened: &Opened,
        resources: &Resources,
        show: &mut dyn FnMut(&MatchUp<'_>),
    ) -> Result<(), CheckError> {
        let (game, strategy) = checked::strategy::<G>(opened, resources)?;
        let (Meaning::Claim(claim) | Meaning::Nothing(claim)) = game.meaning(strategy.verdict());
        let (header, nodes) = (opened.first(), strategy.checked().nodes);
        show(&MatchUp { header, nodes, claim, begin: &|| game.duel(&strategy) });
        Ok(())
    }

    fn picture(
        &self,
        opened: &Opened,
        resources: &Resources,
    ) -> Result<Option<String>, CheckError> {
        let (game, strategy) = checked::strategy::<G>(opened, resources)?;
        Ok(game.picture(&strategy))
    }

    fn diagram(
        &self,
        question: &Question,
        resources: &Resources,
    ) -> Result<Option<String>, JobError> {
        let params = G::SPEC.read(&question.params).map_err(JobError::param::<G>)?;
        let game = G::build(&params, resources).map_err(JobError::build::<G>)?;
        Ok(game.board(&game.root()))
    }

    fn line(
        &self,
        opened: &Opened,
        resources: &Resources,
        most: usize,
    ) -> Result<Vec<Step>, CheckError> {
        let (game, strategy) = checked::strategy::<G>(opened, resources)?;
        let mut steps = match game.line(&strategy) {
            Some(steps) => steps,
            None => play::line(&|| game.duel(&strategy), most),
        };
        steps.truncate(most + 1);
        Ok(steps)
    }

    fn record(&self, opened: &Opened, resources: &Resources) -> Result<Option<String>, CheckError> {
        let (game, strategy) = checked::strategy::<G>(opened, resources)?;
        Ok(game.record(&strategy))
    }

    fn certificate_name(
        &self,
        params: &Params,
        resources: &Resources,
    ) -> Result<String, BuildError> {
        Ok(certify::file_name::<G>(Problem::id(&G::build(params, resources)?)))
    }

    fn stages<'a>(
        &self,
        params: &'a Params,
        resources: &Resources,
    ) -> Result<Box<dyn Iterator<Item = Result<Params, ParamError>> + 'a>, BuildError> {
        Ok(match G::known_stages(params, resources)? {
            Some(known) => Box::new(known.into_iter().map(|stage| Ok(stage.params))),
            None => Box::new((0..).map_while(|stage| G::SPEC.stage(params, stage).transpose())),
        })
    }
}
