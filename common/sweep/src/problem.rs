//! What can stand in `problem`: every game of the registry, and jobs that are no single game.

mod database;
mod pair;
mod pave;
mod pavings;
mod puzzles;
mod shapes;
mod value;

use hasami_games::suggest::{hint, nearest};
use hasami_games::{Game, GameError, Param, ParamError, Params, Visitor, games, visit};

pub use database::{DatabasePart, MancalaDatabaseJob, PyonpyonDatabaseJob, database_sweep};
pub use pair::PairJob;
pub use pave::PaveJob;
pub use pavings::PavingsJob;
pub use puzzles::PuzzlesJob;
pub use value::ValueJob;

use crate::question::{Kind, Question, SearchSettings};

/// A job: questions that are no single game.
pub trait Job: Sized {
    /// The name in sweep files.
    const NAME: &'static str;
    /// One line: what is asked.
    const ABOUT: &'static str;
    /// The name and parameters that show it.
    const EXAMPLE: &'static str;
    /// How it is spread over workers.
    const KIND: Kind;

    /// The parameter that plain words on the command line are the value of.
    const WORDS: Option<&'static str> = Some(shapes::PARAM);

    /// The parameter whose lower values must have ended before higher ones begin.
    const STAGES: Option<&'static str> = None;

    /// Whether an answer of an earlier run may be used again.
    const REUSES: bool = true;

    /// The parameters it takes, in the order of their canonical spelling.
    fn params() -> &'static [Param];

    /// The job with these parameters.
    ///
    /// # Errors
    /// When a value is out of range or at odds with another one.
    fn from_params(params: &Params) -> Result<Self, ParamError>;

    /// The job of a question about it.
    ///
    /// # Errors
    /// When the parameters are wrong.
    fn from_question(question: &Question) -> Result<Self, ParamError> {
        Self::from_params(&Params::new(Self::params(), &question.params)?)
    }
}

/// Whether the rules of the named problem take these parameters.
type Check = fn(&str, &[(String, String)]) -> Result<(), ParamError>;

/// What there is to say about a problem.
#[derive(Clone, Copy, Debug)]
pub struct ProblemInfo {
    /// The name in sweep files.
    pub name: &'static str,
    /// One line: what is asked.
    pub about: &'static str,
    /// The name and parameters that show it.
    pub example: &'static str,
    /// The parameters it takes, in the order of their canonical spelling.
    pub params: &'static [Param],
    /// The parameter that plain words on the command line are the value of.
    pub words: Option<&'static str>,
    /// How it can be spread over workers; the first is the default.
    pub kinds: &'static [Kind],
    /// The parameter by which items always wait for one another.
    pub stages: Option<&'static str>,
    /// Whether an answer of an earlier run may be used again.
    pub reuses: bool,
    check: Check,
}

/// There is no such problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found \"{name}\"; expected one of {}{}", known.join(", "), hint(nearest(name, known.iter().copied())))]
pub struct UnknownProblem {
    /// What was asked for.
    pub name: String,
    /// All problems.
    pub known: Vec<&'static str>,
}

/// All problems: the games in the order of the registry, then the jobs.
#[must_use]
pub fn problems() -> Vec<ProblemInfo> {
    let games = games().into_iter().map(|game| ProblemInfo {
        name: game.name,
        about: game.about,
        example: game.example,
        params: game.params,
        words: game.words,
        kinds: &[Kind::Map, Kind::Search],
        stages: None,
        reuses: true,
        check: check_game,
    });
    let jobs = [
        job::<PairJob>(),
        job::<PaveJob>(),
        job::<PavingsJob>(),
        job::<PyonpyonDatabaseJob>(),
        job::<MancalaDatabaseJob>(),
        job::<PuzzlesJob>(),
        job::<ValueJob>(),
    ];
    games.chain(jobs).collect()
}

/// The problem of this name.
///
/// # Errors
/// When there is none; the message lists those there are.
pub fn problem(name: &str) -> Result<ProblemInfo, UnknownProblem> {
    let problems = problems();
    let found = problems.iter().find(|problem| problem.name == name).copied();
    found.ok_or_else(|| UnknownProblem {
        name: name.to_string(),
        known: problems.iter().map(|problem| problem.name).collect(),
    })
}

impl ProblemInfo {
    /// A value of a parameter in its one spelling.
    ///
    /// # Errors
    /// When it is of the wrong kind.
    pub fn spell(&self, param: &Param, value: &str) -> Result<String, ParamError> {
        let value = param.normal(value)?;
        // In every problem that has them, these parameters mean the same.
        match param.name {
            pavings::PERIOD => pavings::spell_period(&value),
            shapes::PARAM => shapes::spell(&value, self.name == PairJob::NAME),
            _ => Ok(value),
        }
    }

    /// The question with these parameters, in canonical spelling and order, checked by the rules.
    ///
    /// # Errors
    /// When a parameter is unknown, missing or given twice, or its value is refused.
    pub fn question(
        &self,
        given: &[(String, String)],
        search: SearchSettings,
    ) -> Result<Question, ParamError> {
        let params = Params::new(self.params, given)?;
        let spelled = self.params.iter().map(|param| {
            let value = self.spell(param, params.text(param.name)?)?;
            Ok((param.name.to_string(), value))
        });
        let params = spelled.collect::<Result<Vec<_>, ParamError>>()?;
        self.check(&params)?;
        Ok(Question { problem: self.name.to_string(), params, search })
    }

    /// Whether the rules take these parameters.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self, params: &[(String, String)]) -> Result<(), ParamError> {
        (self.check)(self.name, params)
    }
}

fn job<J: Job>() -> ProblemInfo {
    ProblemInfo {
        name: J::NAME,
        about: J::ABOUT,
        example: J::EXAMPLE,
        params: J::params(),
        words: J::WORDS,
        kinds: match J::KIND {
            Kind::Map => &[Kind::Map],
            Kind::Search => &[Kind::Search],
            Kind::Enumerate => &[Kind::Enumerate],
        },
        stages: J::STAGES,
        reuses: J::REUSES,
        check: |_, given| {
            Params::new(J::params(), given).and_then(|p| J::from_params(&p)).map(drop)
        },
    }
}

struct Nothing;

impl Visitor for Nothing {
    type Output = ();
    fn visit<G: Game>(self, _: G, _: &Params) {}
}

fn check_game(name: &str, given: &[(String, String)]) -> Result<(), ParamError> {
    match visit(name, given, Nothing) {
        Ok(()) => Ok(()),
        Err(GameError::Params { error, .. }) => Err(error),
        Err(GameError::UnknownGame { .. }) => {
            unreachable!("{name} is in the list that it was found in")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(name: &str, words: &str) -> Result<Question, ParamError> {
        let pairs: Vec<(String, String)> = words
            .split_whitespace()
            .map(|word| word.split_once('=').unwrap())
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        problem(name).unwrap().question(&pairs, SearchSettings::default())
    }

    #[test]
    fn every_problem_has_a_name_of_its_own_and_an_example_that_works() {
        let problems = problems();
        for (at, info) in problems.iter().enumerate() {
            assert!(problems[..at].iter().all(|other| other.name != info.name));
            let words: Vec<&str> = info.example.split(' ').collect();
            assert_eq!(words[0], info.name);
            let plain: Vec<&str> =
                words[1..].iter().copied().filter(|word| !word.contains('=')).collect();
            let mut given: Vec<(String, String)> = words[1..]
                .iter()
                .filter_map(|word| word.split_once('='))
                .map(|(key, value)| (key.to_string(), value.to_string()))
                .collect();
            if !plain.is_empty() {
                given.push((info.words.unwrap().to_string(), plain.join(",")));
            }
            let asked = info.question(&given, SearchSettings::default());
            assert!(asked.is_ok(), "{}: {asked:?}", info.example);
        }
    }

    #[test]
    fn equal_sets_of_shapes_are_one_question() {
        let key = |words| question("pair", words).unwrap().settled_key();
        assert_eq!(key("shapes=Square,W"), key("shapes=w,##/##"));
        assert_ne!(key("shapes=Square,W"), key("shapes=Square,Z"));
        let asked = question("polyomino", "shapes=I,square stones=5").unwrap();
        assert_eq!(asked.params[0].1, "Square,I");
    }

    #[test]
    fn the_order_of_a_pair_is_that_of_the_table_of_yakuwa_et_al() {
        let spelled = question("pair", "shapes=ZZ,Z").unwrap().spelled();
        assert_eq!(spelled, "pair shapes=Z,ZZ most-stones=12");
    }

    #[test]
    fn refusals_say_what_was_expected() {
        for (name, words, expected) in [
            (
                "pair",
                "shapes=Square",
                "shapes=Square: expected two different shapes with a comma between",
            ),
            (
                "pair",
                "shapes=I,L most-stones=0",
                "most-stones=0: expected a whole number from 1 to 60",
            ),
            (
                "pair",
                "",
                "parameter \"shapes\" is missing; expected shapes=TEXT (two polyominoes, names or pictures with a comma between: Square,W)",
            ),
            (
                "pave",
                "shapes=I max-area=5000",
                "max-area=5000: expected a whole number from 1 to 4096",
            ),
            (
                "pavings",
                "shapes=I period=4x",
                "period=4x: expected ROWSxCOLUMNS or ROWSxCOLUMNS+SHIFT, like 2x4 or 1x4+1 (\"\" is no number of columns)",
            ),
            ("pavings", "shapes=I period=4x4 list=on", "list=on: expected one of yes, no"),
        ] {
            assert_eq!(question(name, words).unwrap_err().to_string(), expected);
        }
        let wrong = problem("polyonimo").unwrap_err().to_string();
        assert!(
            wrong.starts_with("found \"polyonimo\"; expected one of polyomino, mnk"),
            "{wrong}"
        );
        assert!(
            wrong.ends_with("pair, pave, pavings, pyonpyon-database, mancala-database, puzzles, value; did you mean \"polyomino\"?"),
            "{wrong}"
        );
    }
}
