//! The trait [`Game`]: the rules of a problem plus its name, parameters, words, drawings and play.

use hasami_andor::certificate::{Asked, Least, Strategy};
use hasami_andor::{Options, Problem, Verdict};
use hasami_spec::{Param, ParamError, Params, Spec};

use crate::learned::Learned;
use crate::origin::Origin;
use crate::play::{ByRules, Duel};
use crate::resources::{BuildError, Resources};

/// The name of the evaluation that every game has: its own first numbers, or none.
pub const DEFAULT_EVALUATION: &str = "default";

/// A problem that users can ask for by name: the rules behind a [`Spec`], and everything else the
/// game provides.
pub trait Game: Problem + Sized + 'static {
    /// Name, parameters and checks.
    const SPEC: Spec;

    /// Builds the rules from parameters that the spec has checked.
    ///
    /// # Errors
    /// If a value is refused nevertheless, or a file that it names cannot be used.
    fn build(params: &Params, resources: &Resources) -> Result<Self, BuildError>;

    /// The same rules with another evaluation of states ([`Problem::evaluate`] and the ratings of
    /// moves), by name. An evaluation only orders the search: the id, the keys and what a certificate
    /// states do not depend on it. A game with evaluations of its own overrides this.
    ///
    /// # Errors
    /// If the game has no evaluation of this name.
    fn with_evaluation(self, name: &str) -> Result<Self, ParamError> {
        match name {
            DEFAULT_EVALUATION => Ok(self),
            _ => Err(ParamError::bad("evaluation", name, DEFAULT_EVALUATION)),
        }
    }

    /// Version of its rules in docs/certificates.md. Raise it when the page changes.
    const RULES: u32;

    /// The question as a certificate states it: the parameters that matter, in full, so that nobody
    /// needs this program to understand them. By default all parameters.
    fn stated(&self, params: &Params) -> Vec<(String, String)> {
        params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    /// The question of a certificate about these rules.
    fn asked(&self, params: &Params) -> Asked {
        let lines = self.stated(params);
        Asked { game: Self::NAME.to_string(), rules: Self::RULES, lines, except: None }
    }

    /// What is known of parameters that can have a least value with the verdict *proven*.
    fn least(&self, _key: &str) -> Option<Least> {
        None
    }

    /// Builds the rules without resources: for games that need none, and for tests.
    ///
    /// # Errors
    /// See [`Game::build`].
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

    /// The stages to search, if the rules know better than [`Spec::stage`]: stages known to be
    /// useless are left out. Each has its expected verdict, if that is known.
    ///
    /// # Errors
    /// If the parameters are wrong.
    fn known_stages(
        _params: &Params,
        _resources: &Resources,
    ) -> Result<Option<Vec<KnownStage>>, BuildError> {
        Ok(None)
    }

    /// How to find the least number that a question asks for from above. Only for games whose states
    /// form families over it, with [`Game::needed`].
    ///
    /// # Errors
    /// If the parameters are wrong.
    fn closing(_params: &Params) -> Result<Option<Closing>, ParamError> {
        Ok(None)
    }

    /// How much of the number of [`Game::closing`] a proof of the root needs.
    fn needed(&self, _reason: Self::Reason) -> Option<u32> {
        None
    }

    /// The question whose disproof refutes all stages at once, if there is one.
    ///
    /// # Errors
    /// If the parameters are wrong.
    fn refuting_stage(
        _params: &Params,
        _resources: &Resources,
    ) -> Result<Option<Params>, BuildError> {
        Ok(None)
    }

    /// The meaning of a verdict on the root, in the words of the game.
    fn meaning(&self, verdict: Verdict) -> Meaning {
        Meaning::Claim(verdict.word().to_string())
    }

    /// Describes a question that stays open: how far the search went (`reached` are the parameters
    /// of the last stage that ended), and what else is quick to find out.
    fn outlook(&self, _reached: Option<&Params>) -> Option<Outlook> {
        None
    }

    /// What [`Game::outlook`] says where it finds the facts in these fields; `None` if it cannot find
    /// them. Words and fields of an answer can be compared with it without a search. Asked of the
    /// last stage.
    fn outlook_of(&self, _fields: &[(String, String)]) -> Option<Outlook> {
        None
    }

    /// Whether [`Game::drawn`] may return a drawing.
    const DRAWS: bool = false;

    /// A drawing of the verdict: the line that a certificate plays, or how White holds.
    fn drawn(&self, _strategy: &Strategy) -> Option<Drawing> {
        None
    }

    /// A picture of the proof in a certificate, for a paper: SVG.
    fn picture(&self, _strategy: &Strategy) -> Option<String> {
        None
    }

    /// A picture of a position as SVG, if the game draws its board. Games without one are drawn from
    /// their text.
    fn board(&self, _state: &Self::State) -> Option<String> {
        None
    }

    /// The line of a certificate that is worth showing, from the root on. `None`: play against it.
    fn line(&self, _strategy: &Strategy) -> Option<Vec<Step>> {
        None
    }

    /// The proof in a certificate as a game record with variations, in the notation of the game.
    fn record(&self, _strategy: &Strategy) -> Option<String> {
        None
    }

    /// Whether [`Game::measured`] may return anything.
    const MEASURES: bool = false;

    /// More columns for a proven answer, from its certificate alone: whoever checks the answer
    /// computes them again.
    fn measured(&self, _strategy: &Strategy) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The database that settles states where the rules do not. A certificate is then only as good
    /// as the database, and is checked with the same file.
    fn rests_on(&self) -> Option<Origin> {
        None
    }

    /// What searches of this game learn for other questions, if anything.
    fn learned(&self) -> Option<&dyn Learned> {
        None
    }

    /// Merges notes of other searches; returns how many were new.
    fn merge_notes(&self, notes: &[Vec<u8>]) -> usize {
        self.learned().map_or(0, |own| own.merge(notes))
    }

    /// A game against a certificate. The default ends where the rules settle a state; games that
    /// can continue from there, and games with reasons, override it.
    fn duel<'a>(&'a self, strategy: &'a Strategy) -> Box<dyn Duel + 'a> {
        Box::new(ByRules::new(self, strategy, Self::board))
    }
}

/// A position of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move that led here, with its side; empty for the first position.
    pub text: String,
    /// The position as SVG.
    pub svg: String,
}

/// A question about the least value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The parameter.
    pub key: &'static str,
    /// Its value without a limit.
    pub endless: &'static str,
    /// Its smallest value.
    pub from: u32,
    /// The distance between two values.
    pub step: u32,
}

/// A stage that the rules know something about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownStage {
    /// Its parameters.
    pub params: Params,
    /// The verdict that it must have; any other is a contradiction.
    pub expected: Option<Verdict>,
}

/// The meaning of a verdict in the words of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The verdict settles the question; this is the answer.
    Claim(String),
    /// The verdict settles nothing that users ask; this is how far the search went.
    Nothing(String),
}

/// What is known of a question that stays open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// In one sentence.
    pub claim: String,
    /// As fields for programs.
    pub fields: Vec<(&'static str, String)>,
}

/// A picture of what settles a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Title.
    pub title: String,
    /// Lines of the drawing.
    pub rows: Vec<String>,
    /// As fields for programs.
    pub fields: Vec<(&'static str, String)>,
}
