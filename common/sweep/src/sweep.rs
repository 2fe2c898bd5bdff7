//! A sweep: the questions of one file, by number.

use std::time::Duration;

use crate::error::SweepErrors;
use crate::parse;
use crate::product::Product;
use hasami_spec::{
    Catalog, ContentKey, KeyMaker, Kind, Partitioner, Question, SearchSettings, Spec,
};

/// A list of questions of one kind, from the text of a sweep file. Items are made on demand.
#[derive(Clone, Debug)]
pub struct Sweep {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) problem: Box<str>,
    pub(crate) spec: &'static Spec,
    /// Why its items cannot be computed, if they cannot.
    pub(crate) unreadable: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) priority: i32,
    pub(crate) share: u32,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) crash_limit: u32,
    pub(crate) ordered_by: Option<Box<str>>,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) partitioner: Partitioner,
    pub(crate) search: SearchSettings,
    pub(crate) product: Product,
    pub(crate) text: String,
}

impl Sweep {
    /// Most items of a sweep.
    pub const MAX_ITEMS: usize = parse::MAX_ITEMS;

    /// Parses a sweep file about an entry of the catalog; `file` is the name used in errors.
    ///
    /// # Errors
    /// If the text is not a valid sweep: all errors that were found, up to twenty.
    pub fn parse(catalog: Catalog, text: &str, file: &str) -> Result<Self, SweepErrors> {
        parse::parse(catalog, text, file)
    }

    /// The spec of its items; an empty one if it [cannot be read](Sweep::unreadable).
    #[must_use]
    pub fn spec(&self) -> &'static Spec {
        self.spec
    }

    /// The name, safe for file names.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The title, if the file has one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The game or job.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Why its items cannot be computed: only a sweep that was stored once may have a reason.
    #[must_use]
    pub fn unreadable(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// How its items are distributed over workers.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its priority: higher ones go first.
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// Its share of the workers, beside runs of the same priority.
    #[must_use]
    pub fn share(&self) -> u32 {
        self.share
    }

    /// How long it may take from its submission on, if there is a limit.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit
    }

    /// How many workers may be lost with a unit before it is given up.
    #[must_use]
    pub fn crash_limit(&self) -> u32 {
        self.crash_limit
    }

    /// The parameter that determines in which order items may start, if there is one.
    #[must_use]
    pub fn ordered_by(&self) -> Option<&str> {
        self.ordered_by.as_deref()
    }

    /// The stage of item `index`: it may start when all items of lower stages have ended. `None` if
    /// items do not wait for one another.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn stage(&self, index: usize) -> Option<i64> {
        self.product.number(index, self.ordered_by.as_deref()?)
    }

    /// The item with the parameters of item `index`, but in the stage of item `other`; `index` itself
    /// in a sweep without stages.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn in_stage_of(&self, index: usize, other: usize) -> usize {
        assert!(index.max(other) < self.len(), "items {index} and {other} of {}", self.len());
        let stage = self.ordered_by();
        stage.map_or(index, |name| self.product.with_value_of(index, name, other))
    }

    /// Whether an answer of an earlier run may be reused: not if the results are in files that may
    /// be gone by now.
    #[must_use]
    pub fn reuses_answers(&self) -> bool {
        self.spec.reuses
    }

    /// The labels that a worker must have to get an item.
    #[must_use]
    pub fn labels(&self) -> &[(String, String)] {
        &self.labels
    }

    /// How a search is split.
    #[must_use]
    pub fn partitioner(&self) -> Partitioner {
        self.partitioner
    }

    /// The search settings of every item.
    #[must_use]
    pub fn search(&self) -> &SearchSettings {
        &self.search
    }

    /// The text of the file, unchanged.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every text of the file that is shown or handed out: title, labels and values. In the file
    /// they may be written with escapes.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let labels = self.labels.iter().flat_map(|(name, value)| [name.as_str(), value]);
        self.title.as_deref().into_iter().chain(labels).chain(self.product.texts())
    }

    /// Number of items; at least one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.product.len()
    }

    /// Always false: a list of values is not empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Item `index`, from 0.
    ///
    /// # Panics
    /// If there are fewer items.
    #[must_use]
    pub fn item(&self, index: usize) -> Question {
        Question {
            problem: self.problem.to_string(),
            params: self.product.params(index),
            search: self.search.clone(),
        }
    }

    /// All items, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Question> + '_ {
        (0..self.len()).map(|index| self.item(index))
    }

    /// The keys of a settled and of an open answer, of items `from..to`: those of
    /// [`Question::settled_key`] and [`Question::open_key`], without making the questions.
    ///
    /// # Panics
    /// If there are fewer items.
    pub fn keys(
        &self,
        items: std::ops::Range<usize>,
    ) -> impl Iterator<Item = (ContentKey, ContentKey)> + '_ {
        assert!(items.end <= self.len(), "items {items:?} of {}", self.len());
        let (mut maker, mut number) =
            (KeyMaker::new(&self.problem, &self.search), String::with_capacity(20));
        items.map(move |item| maker.keys(|add| self.product.each_param(item, &mut number, add)))
    }

    /// Whether an item has this value of a parameter.
    ///
    /// # Panics
    /// If there are fewer items.
    #[must_use]
    pub fn has(&self, index: usize, name: &str, value: &str) -> bool {
        self.product.value(index, name).is_some_and(|found| found == value)
    }

    /// The parameters in which items differ, in canonical order.
    pub fn varying(&self) -> impl Iterator<Item = &str> + '_ {
        self.product.varying()
    }
}
