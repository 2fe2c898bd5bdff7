//! A [`Spec`] describes a game or a job without building it. It is cheap and pure: the coordinator,
//! sweep files and listings use specs only.

use std::fmt;

use hasami_andor::Options;

use crate::params::{Param, ParamError, Params};
use crate::question::{Kind, Question};
use crate::settings::{Evaluation, SearchSettings};

/// Computes the size of an item's subject from its parameters by name.
pub type Size = fn(&dyn Fn(&str) -> String) -> Option<u64>;

/// Description of a game or a job.
///
/// The functions only look at parameters. They open no file and build no board, so a sweep of a
/// million items can be checked, and a coordinator can start, on a machine that has neither.
#[derive(Clone, Copy)]
pub struct Spec {
    /// The name on the command line and in sweep files.
    pub name: &'static str,
    /// One line: the question.
    pub about: &'static str,
    /// A good example: name and parameters.
    pub example: &'static str,
    /// The parameters, in canonical order.
    pub params: &'static [Param],
    /// The parameter that takes the plain words of a command line as its value, joined by commas.
    pub words: Option<&'static str>,
    /// The supported ways to distribute questions over workers; the first is the default.
    pub kinds: &'static [Kind],
    /// The best search options for it.
    pub advice: Options,
    /// Where first numbers may come from; none if the game has one way only.
    pub evaluations: &'static [Evaluation],
    /// In a sweep, items with lower values of this parameter must end before higher ones begin.
    pub ordered_by: Option<&'static str>,
    /// Whether answers of earlier runs may be reused.
    pub reuses: bool,
    /// Whether answers are values of games: reports plot them.
    pub values: bool,
    /// Whether its parameters say how to search, so that its answers are costs to be compared:
    /// `[search]` says nothing more, and reports compare the settings.
    pub trials: bool,
    /// Set if an item is a pair: see [`Pairs`].
    pub pairs: Option<Pairs>,
    /// The size of an item's subject, if reports group answers by size.
    pub size: Size,
    /// See [`Spec::checks`].
    check: fn(&Params) -> Result<(), ParamError>,
    /// See [`Spec::spells`].
    spell: fn(&Param, String) -> Result<String, ParamError>,
    /// See [`Spec::stages`].
    stage: fn(&Params, u32) -> Result<Option<Params>, ParamError>,
    /// See [`Spec::goes_further`].
    further: fn(&Params, &Params) -> Result<Option<Params>, ParamError>,
    /// See [`Spec::splits_if`].
    splits: fn(&Params) -> bool,
    /// See [`Spec::also_names`].
    also_names: fn(&Params) -> Vec<String>,
}

impl Spec {
    /// A game: answered by one worker, or searched by many together.
    #[must_use]
    pub const fn game(
        name: &'static str,
        about: &'static str,
        example: &'static str,
        params: &'static [Param],
    ) -> Self {
        Self {
            name,
            about,
            example,
            params,
            words: None,
            kinds: &[Kind::Map, Kind::Search],
            advice: Options::DEFAULT,
            evaluations: &[],
            ordered_by: None,
            reuses: true,
            values: false,
            trials: false,
            pairs: None,
            size: |_| None,
            check: |_| Ok(()),
            spell: |_, value| Ok(value),
            stage: |params, stage| Ok((stage == 0).then(|| params.clone())),
            further: |_, _| Ok(None),
            splits: |_| true,
            also_names: |_| Vec::new(),
        }
    }

    /// A job: work other than the search of one game.
    #[must_use]
    pub const fn job(
        name: &'static str,
        about: &'static str,
        example: &'static str,
        params: &'static [Param],
        kinds: &'static [Kind],
    ) -> Self {
        let mut spec = Self::game(name, about, example, params);
        spec.kinds = kinds;
        spec
    }

    /// Sets the parameter that takes plain words.
    #[must_use]
    pub const fn words(mut self, param: &'static str) -> Self {
        self.words = Some(param);
        self
    }

    /// Sets search options other than the default.
    #[must_use]
    pub const fn advises(mut self, advice: Options) -> Self {
        self.advice = advice;
        self
    }

    /// Adds evaluations to choose from.
    #[must_use]
    pub const fn evaluates(mut self, evaluations: &'static [Evaluation]) -> Self {
        self.evaluations = evaluations;
        self
    }

    /// Checks that the problem has the evaluation that is asked for.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_evaluation(&self, wanted: Option<Evaluation>) -> Result<(), ParamError> {
        let Some(wanted) = wanted.filter(|wanted| !self.evaluations.contains(wanted)) else {
            return Ok(());
        };
        let words: Vec<&str> = self.evaluations.iter().map(|one| one.word()).collect();
        let expected = match &words[..] {
            [] => format!("no such setting: {} has no evaluations to choose from", self.name),
            words => format!("one of {}", words.join(", ")),
        };
        Err(ParamError::bad("evaluation", wanted.word(), &expected))
    }

    /// Adds a check of values beyond their kinds: ranges, and values that exclude each other.
    #[must_use]
    pub const fn checks(mut self, check: fn(&Params) -> Result<(), ParamError>) -> Self {
        self.check = check;
        self
    }

    /// Sets the canonical spelling of values that can be written in several ways.
    #[must_use]
    pub const fn spells(mut self, spell: fn(&Param, String) -> Result<String, ParamError>) -> Self {
        self.spell = spell;
        self
    }

    /// Adds stages: questions to ask in order until one is proven, if the parameters leave that
    /// open. They are numbered from 0; `None` after the last.
    #[must_use]
    pub const fn stages(
        mut self,
        stage: fn(&Params, u32) -> Result<Option<Params>, ParamError>,
    ) -> Self {
        self.stage = stage;
        self
    }

    /// Adds a question that goes further once a stage is proven. It has its own stages.
    #[must_use]
    pub const fn goes_further(
        mut self,
        further: fn(&Params, &Params) -> Result<Option<Params>, ParamError>,
    ) -> Self {
        self.further = further;
        self
    }

    /// Restricts splitting to some questions.
    #[must_use]
    pub const fn splits_if(mut self, splits: fn(&Params) -> bool) -> Self {
        self.splits = splits;
        self
    }

    /// Adds files that a question names elsewhere than in parameters of kind
    /// [`Path`](crate::params::Kind::Path).
    #[must_use]
    pub const fn also_names(mut self, files: fn(&Params) -> Vec<String>) -> Self {
        self.also_names = files;
        self
    }

    /// Makes items of a sweep wait for those with lower values of this parameter.
    #[must_use]
    pub const fn ordered_by(mut self, param: &'static str) -> Self {
        self.ordered_by = Some(param);
        self
    }

    /// Forbids reuse of answers: the work has side effects.
    #[must_use]
    pub const fn never_reused(mut self) -> Self {
        self.reuses = false;
        self
    }

    /// Declares items as pairs: a report shows them as half a matrix.
    #[must_use]
    pub const fn in_pairs(mut self, pairs: Pairs) -> Self {
        self.pairs = Some(pairs);
        self
    }

    /// Declares answers as values of games.
    #[must_use]
    pub const fn answers_values(mut self) -> Self {
        self.values = true;
        self
    }

    /// Declares answers as costs of searches that the parameters describe.
    #[must_use]
    pub const fn compares_searches(mut self) -> Self {
        self.trials = true;
        self
    }

    /// Sets the size of items, computed from their parameters.
    #[must_use]
    pub const fn sized(mut self, size: Size) -> Self {
        self.size = size;
        self
    }

    /// The files and directories that a question names: a worker opens no others.
    #[must_use]
    pub fn files(&self, params: &Params) -> Vec<String> {
        let mut files = (self.also_names)(params);
        for param in self.params.iter().filter(|param| param.kind == crate::params::Kind::Path) {
            let value = params.text(param.name).unwrap_or_default();
            if Some(value) != param.default {
                files.extend(value.split(';').map(str::to_string));
            }
        }
        files
    }

    /// Reads and checks the parameters in `given`, with defaults filled in.
    ///
    /// # Errors
    /// If one is unknown, missing or given twice, or its value is refused.
    pub fn read<K: AsRef<str>, V: AsRef<str>>(
        &self,
        given: &[(K, V)],
    ) -> Result<Params, ParamError> {
        let params = Params::new(self.params, given)?;
        (self.check)(&params)?;
        Ok(params)
    }

    /// The canonical spelling of a parameter's value.
    ///
    /// # Errors
    /// If the value is of the wrong kind.
    pub fn spell(&self, param: &Param, value: &str) -> Result<String, ParamError> {
        (self.spell)(param, param.normal(value)?)
    }

    /// The question with these parameters, checked and in canonical spelling and order.
    ///
    /// # Errors
    /// If a parameter is unknown, missing or given twice, or its value or the evaluation is refused.
    pub fn question(
        &self,
        given: &[(String, String)],
        search: SearchSettings,
    ) -> Result<Question, ParamError> {
        self.check_evaluation(search.evaluation)?;
        let params = Params::new(self.params, given)?;
        let spelled = self.params.iter().map(|param| {
            let value = self.spell(param, params.text(param.name)?)?;
            Ok((param.name.to_string(), value))
        });
        let params = spelled.collect::<Result<Vec<_>, ParamError>>()?;
        self.read(&params)?;
        Ok(Question { problem: self.name.to_string(), params, search })
    }

    /// Stage number `stage` of a question whose parameters leave it open; `None` after the last.
    ///
    /// # Errors
    /// If the parameters are wrong.
    pub fn stage(&self, params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
        (self.stage)(params, stage)
    }

    /// The question that goes further than `proven`, a stage of `params`, if there is one.
    ///
    /// # Errors
    /// If the parameters are wrong.
    pub fn further(&self, params: &Params, proven: &Params) -> Result<Option<Params>, ParamError> {
        (self.further)(params, proven)
    }

    /// Whether one search of this question can be split over workers.
    #[must_use]
    pub fn splits(&self, params: &Params) -> bool {
        self.kinds.contains(&Kind::Search) && (self.splits)(params)
    }

    /// Reads parameters from words: `key=value`, and if the spec has [`Spec::words`], plain words
    /// that together are the value of that parameter.
    ///
    /// # Errors
    /// If a word is neither; the message says what is allowed.
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

/// Description of items that are pairs.
#[derive(Clone, Copy)]
pub struct Pairs {
    /// The parameter that holds the pair, separated by a comma.
    pub param: &'static str,
    /// The result of a single element, for the diagonal of the matrix.
    pub alone: fn(&str) -> String,
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spec").field("name", &self.name).finish_non_exhaustive()
    }
}
