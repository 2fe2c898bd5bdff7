//! What a game is beside its rules: a name, parameters, words, drawings, play.

use hasami_andor::certificate::Strategy;
use hasami_andor::{Options, Problem, Verdict};

use crate::lore::Lore;
use crate::origin::Origin;
use crate::play::{ByRules, Duel};
use hasami_spec::params::{Param, ParamError, Params};
use hasami_spec::suggest::hint;

/// A problem that users can ask for by name.
pub trait Game: Problem + Sized + 'static {
    /// The name on the command line and in sweep files.
    const NAME: &'static str;
    /// One line: what is asked.
    const ABOUT: &'static str;
    /// Arguments of `hasami solve` that show the game at its best, the name first.
    const EXAMPLE: &'static str;
    /// The parameter that plain words on the command line are the value of, with commas between.
    const WORDS: Option<&'static str> = None;
    /// The search options that suit it best.
    const ADVICE: Options = Options::DEFAULT;

    /// The parameters it takes, in the order of their canonical spelling.
    fn params() -> &'static [Param];

    /// The problem with these parameters.
    ///
    /// # Errors
    /// When a value is out of range or at odds with another one.
    fn from_params(params: &Params) -> Result<Self, ParamError>;

    /// The questions to ask one after the other until one is proven, where the parameters leave
    /// that open: number `stage` from 0, `None` after the last.
    ///
    /// # Errors
    /// When the parameters are wrong.
    fn stage(params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
        Ok((stage == 0).then(|| params.clone()))
    }

    /// A question that goes further, once `proven` (one of the stages) is: where several things are
    /// asked, the next of them, with stages of its own.
    ///
    /// # Errors
    /// When the parameters are wrong.
    fn further(_params: &Params, _proven: &Params) -> Result<Option<Params>, ParamError> {
        Ok(None)
    }

    /// What a verdict on the root says, in the words of the game.
    fn meaning(&self, verdict: Verdict) -> Meaning {
        Meaning::Claim(verdict.word().to_string())
    }

    /// What can be told of a question that stays open: how far the search came (`reached` are the
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
    fn lore(&self) -> Option<&dyn Lore> {
        None
    }

    /// Takes in what others have told of [`Game::lore`]; how many notes were new.
    fn hear(&self, notes: &[Vec<u8>]) -> usize {
        self.lore().map_or(0, |lore| lore.hear(notes))
    }

    /// A game against a certificate. This one ends where the rules settle a state; games that can
    /// go on from there, and games with reasons, play it in their own way.
    fn duel<'a>(&'a self, strategy: &'a Strategy<Self::Reason>) -> Box<dyn Duel + 'a> {
        Box::new(ByRules::new(self, strategy))
    }
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

/// What there is to say about a game without making one.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// [`Game::NAME`].
    pub name: &'static str,
    /// [`Game::ABOUT`].
    pub about: &'static str,
    /// [`Game::EXAMPLE`].
    pub example: &'static str,
    /// [`Game::params`].
    pub params: &'static [Param],
    /// [`Game::WORDS`].
    pub words: Option<&'static str>,
}

impl GameInfo {
    /// What `G` says about itself.
    #[must_use]
    pub fn of<G: Game>() -> Self {
        Self {
            name: G::NAME,
            about: G::ABOUT,
            example: G::EXAMPLE,
            params: G::params(),
            words: G::WORDS,
        }
    }

    /// Reads parameters from words: `key=value`, and where the game has [`Game::WORDS`], plain words
    /// that together are the value of that parameter.
    ///
    /// # Errors
    /// When a word is neither; the message says what can be there.
    pub fn read_words<'w>(
        &self,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Result<Vec<(String, String)>, String> {
        let mut pairs = Vec::new();
        let mut plain: Vec<&str> = Vec::new();
        for word in words {
            match (word.split_once('='), self.words) {
                (Some((key, value)), _) => pairs.push((key.to_string(), value.to_string())),
                (None, Some(_)) => plain.push(word),
                (None, None) => {
                    let keys: Vec<_> = self.params.iter().map(|param| param.name).collect();
                    return Err(format!(
                        "game {}: found \"{word}\"; expected KEY=VALUE with one of the keys {}",
                        self.name,
                        keys.join(", ")
                    ));
                }
            }
        }
        if let (Some(key), false) = (self.words, plain.is_empty()) {
            pairs.push((key.to_string(), plain.join(",")));
        }
        Ok(pairs)
    }
}

/// Why there is no such game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The name is not in the list.
    #[error("unknown game \"{name}\"; expected one of {}{}", known.join(", "), hint(*suggestion))]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// All games.
        known: Vec<&'static str>,
        /// The one that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// The game refuses its parameters.
    #[error("game {game}: {error}")]
    Params {
        /// The game.
        game: &'static str,
        /// Why.
        error: ParamError,
    },
}
