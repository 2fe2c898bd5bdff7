//! The list of games. A game is one line in `games!` below; everything else that names a game
//! (command line, sweep files, certificates) goes through [`visit`], with static dispatch.

use hasami_andor::certificate::Strategy;
use hasami_andor::{Options, Problem, Verdict};

use crate::lore::Lore;
use crate::params::{Param, ParamError, Params};
use crate::play::{ByRules, Duel};
use crate::subject::Origin;
use crate::suggest::{hint, nearest};

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

/// Something to be done with a game whose type is only known at run time.
pub trait Visitor {
    /// What comes out.
    type Output;
    /// Does it; compiled once for every game.
    fn visit<G: Game>(self, game: G, params: &Params) -> Self::Output;
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

macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// All games, in the order in which they are shown.
        #[must_use]
        pub fn games() -> Vec<GameInfo> {
            vec![$(GameInfo::of::<$game>()),+]
        }

        /// Makes the game `name` with the parameters in `pairs` and shows it to `visitor`.
        ///
        /// # Errors
        /// When there is no such game or it refuses the parameters; each says what is valid.
        pub fn visit<V: Visitor>(
            name: &str,
            pairs: &[(String, String)],
            visitor: V,
        ) -> Result<V::Output, GameError> {
            $(
                if name == <$game as Game>::NAME {
                    let (game, params) = make::<$game>(pairs)?;
                    return Ok(visitor.visit(game, &params));
                }
            )+
            Err(unknown(name))
        }
    };
}

games! {
    crate::polyomino::Polyomino,
    crate::mnk::Mnk,
    crate::chomp::Chomp,
    crate::quarto::Quarto,
    crate::pyonpyon::Pyonpyon,
    crate::mancala::Mancala,
    crate::paving_winner::PavingWinner,
    crate::graph::Graph,
    crate::synthetic::Synthetic,
}

fn make<G: Game>(pairs: &[(String, String)]) -> Result<(G, Params), GameError> {
    Params::new(G::params(), pairs)
        .and_then(|params| Ok((G::from_params(&params)?, params)))
        .map_err(|error| GameError::Params { game: G::NAME, error })
}

fn unknown(name: &str) -> GameError {
    let known: Vec<&'static str> = games().iter().map(|game| game.name).collect();
    GameError::UnknownGame {
        name: name.to_string(),
        suggestion: nearest(name, known.iter().copied()),
        known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Visitor for Name {
        type Output = (&'static str, String);
        fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
            (G::NAME, params.canonical())
        }
    }

    fn asked(name: &str, pairs: &[(&str, &str)]) -> Result<(&'static str, String), GameError> {
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        visit(name, &pairs, Name)
    }

    #[test]
    fn the_example_of_every_game_works() {
        for game in games() {
            let mut words = game.example.split(' ');
            assert_eq!(words.next(), Some(game.name));
            let pairs = game.read_words(words).unwrap();
            assert_eq!(visit(game.name, &pairs, Name).unwrap().0, game.name);
        }
    }

    #[test]
    fn every_game_has_a_name_and_keys_of_its_own() {
        let games = games();
        for (at, game) in games.iter().enumerate() {
            assert!(games[..at].iter().all(|other| other.name != game.name));
            assert!(!game.about.contains('\n') && !game.about.is_empty());
            for (at, param) in game.params.iter().enumerate() {
                let mut before = game.params[..at].iter();
                assert!(before.all(|other| other.name != param.name));
                assert!(!param.help.is_empty());
            }
        }
    }

    #[test]
    fn plain_words_are_the_value_of_the_parameter_that_takes_them() {
        let info = |name| games().into_iter().find(|game| game.name == name).unwrap();
        let paving = info("paving");
        assert!(paving.params.iter().any(|param| Some(param.name) == paving.words));
        let pair = |key: &str, value: &str| (key.to_string(), value.to_string());
        assert_eq!(
            paving.read_words(["I", "board=6x6", "##/##"]),
            Ok(vec![pair("board", "6x6"), pair("shapes", "I,##/##")])
        );
        assert_eq!(paving.read_words(["pairs=any"]), Ok(vec![pair("pairs", "any")]));
        let wrong = info("chomp").read_words(["rows=3", "many"]).unwrap_err();
        assert_eq!(
            wrong,
            "game chomp: found \"many\"; expected KEY=VALUE with one of the keys rows, columns"
        );
    }

    #[test]
    fn errors_name_the_game_and_what_is_valid() {
        let wrong = asked("comp", &[]).unwrap_err().to_string();
        assert!(
            wrong.starts_with("unknown game \"comp\"; expected one of polyomino, mnk, chomp"),
            "{wrong}"
        );
        assert!(wrong.ends_with("did you mean \"chomp\"?"), "{wrong}");
        let wrong = asked("chomp", &[("rows", "99")]).unwrap_err().to_string();
        assert_eq!(wrong, "game chomp: rows=99: expected a whole number from 1 to 16");
    }
}
