//! What a game is beside its rules: a name, parameters, words, drawings, play.

use hasami_andor::certificate::Strategy;
use hasami_andor::{Options, Problem, Verdict};
use hasami_spec::{Param, Params, Spec};

use crate::learned::Learned;
use crate::origin::Origin;
use crate::play::{ByRules, Duel};
use crate::resources::{BuildError, Resources};

/// A problem that users can ask for by name: the rules behind a [`Spec`], and whatever else the game
/// brings.
pub trait Game: Problem + Sized + 'static {
    /// What can be asked.
    const SPEC: Spec;

    /// The rules with these parameters, which the spec has checked.
    ///
    /// # Errors
    /// When a value is refused all the same, or a file that it names cannot be used.
    fn build(params: &Params, resources: &Resources) -> Result<Self, BuildError>;

    /// The same without resources: for games that need none, and for tests.
    ///
    /// # Errors
    /// As for [`Game::build`].
    fn from_params(params: &Params) -> Result<Self, BuildError> {
        Self::build(params, &Resources::default())
    }

    /// [`Spec::name`].
    const NAME: &'static str = Self::SPEC.name;
    /// [`Spec::about`].
    const ABOUT: &'static str = Self::SPEC.about;
    /// [`Spec::advice`].
    const ADVICE: Options = Self::SPEC.advice;

    /// [`Spec::params`].
    #[must_use]
    fn params() -> &'static [Param] {
        Self::SPEC.params
    }

    /// The stages to ask, where the rules know better than [`Spec::stage`]: those that are known to
    /// come to nothing are left out. Each comes with the verdict that it must have, if that is known.
    ///
    /// # Errors
    /// When the parameters are wrong.
    fn known_stages(
        _params: &Params,
        _resources: &Resources,
    ) -> Result<Option<Vec<KnownStage>>, BuildError> {
        Ok(None)
    }

    /// What a verdict on the root says, in the words of the game.
    fn meaning(&self, verdict: Verdict) -> Meaning {
        Meaning::Claim(verdict.word().to_string())
    }

    /// What can be said of a question that stays open: how far the search came (`reached` are the
    /// parameters of the last stage that ended), and what else is quickly found out.
    fn outlook(&self, _reached: Option<&Params>) -> Option<Outlook> {
        None
    }

    /// Whether there is something to draw when a question is settled.
    const DRAWS: bool = false;

    /// What the verdict looks like: the line that a certificate plays, or what White holds by.
    fn drawn(&self, _strategy: &Strategy<Self::Reason>) -> Option<Drawing> {
        None
    }

    /// The database that settles states of this question where the rules do not: a certificate is then
    /// worth as much as the database, and is checked with the same file.
    fn rests_on(&self) -> Option<Origin> {
        None
    }

    /// What its searches learn for other questions, where they learn anything.
    fn learned(&self) -> Option<&dyn Learned> {
        None
    }

    /// Takes in notes that others have left; how many were new.
    fn merge_notes(&self, notes: &[Vec<u8>]) -> usize {
        self.learned().map_or(0, |own| own.merge(notes))
    }

    /// A game against a certificate. This one ends where the rules settle a state; games that can
    /// go on from there, and games with reasons, play it in their own way.
    fn duel<'a>(&'a self, strategy: &'a Strategy<Self::Reason>) -> Box<dyn Duel + 'a> {
        Box::new(ByRules::new(self, strategy))
    }
}

/// A stage that the rules know something about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownStage {
    /// What is asked.
    pub params: Params,
    /// What the answer must be; another one is a contradiction.
    pub expected: Option<Verdict>,
}

/// What a verdict says in the words of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It settles the question: this is the answer.
    Claim(String),
    /// It settles nothing that users ask; this is how far the search went.
    Nothing(String),
}

/// What is known of a question that stays open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// In a sentence.
    pub claim: String,
    /// The same for programs.
    pub fields: Vec<(&'static str, String)>,
}

/// A picture of what settles a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// What is drawn.
    pub title: String,
    /// Its lines.
    pub rows: Vec<String>,
    /// The same for programs.
    pub fields: Vec<(&'static str, String)>,
}
