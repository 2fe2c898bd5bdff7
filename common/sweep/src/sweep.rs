//! A sweep: the questions of one file, by number.

use crate::error::SweepErrors;
use crate::parse;
use crate::product::Product;
use hasami_spec::{Catalog, Kind, Partitioner, Question, SearchSettings, Spec};

/// A list of questions of one kind, from the text of a sweep file. Items are made on demand.
#[derive(Clone, Debug)]
pub struct Sweep {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) spec: &'static Spec,
    pub(crate) kind: Kind,
    pub(crate) priority: i32,
    pub(crate) crash_limit: u32,
    pub(crate) ordered_by: Option<&'static str>,
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

    /// The spec of its items.
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
    pub fn problem(&self) -> &'static str {
        self.spec.name
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

    /// How many workers may be lost with a unit before it is given up.
    #[must_use]
    pub fn crash_limit(&self) -> u32 {
        self.crash_limit
    }

    /// The parameter that determines in which order items may start, if there is one.
    #[must_use]
    pub fn ordered_by(&self) -> Option<&'static str> {
        self.ordered_by
    }

    /// The stage of item `index`: it may start when all items of lower stages have ended. `None` if
    /// items do not wait for one another.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn stage(&self, index: usize) -> Option<i64> {
        let value = self.product.value(index, self.ordered_by?)?;
        Some(value.parse().expect("a stage that was read before"))
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
            problem: self.spec.name.to_string(),
            params: self.product.params(index),
            search: self.search.clone(),
        }
    }

    /// All items, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Question> + '_ {
        (0..self.len()).map(|index| self.item(index))
    }

    /// The parameters in which items differ, in canonical order.
    pub fn varying(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.product.varying()
    }
}
