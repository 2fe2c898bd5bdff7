//! A sweep: the questions of one file, by number.

use crate::error::SweepErrors;
use crate::parse;
use crate::product::Product;
use hasami_spec::{Catalog, Kind, Partitioner, Question, SearchSettings, Spec};

/// A list of questions of one kind, from the text of a sweep file. Items are made when asked for.
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
    /// No sweep has more items.
    pub const MAX_ITEMS: usize = parse::MAX_ITEMS;

    /// Reads a sweep file about something in the catalog; `file` is the name that errors carry.
    ///
    /// # Errors
    /// When the text is no sweep: all errors that were found, up to twenty.
    pub fn parse(catalog: Catalog, text: &str, file: &str) -> Result<Self, SweepErrors> {
        parse::parse(catalog, text, file)
    }

    /// What its items ask.
    #[must_use]
    pub fn spec(&self) -> &'static Spec {
        self.spec
    }

    /// The name, fit for a file name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in words, where the file says so.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The game or job.
    #[must_use]
    pub fn problem(&self) -> &'static str {
        self.spec.name
    }

    /// How its items are spread over workers.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Sweeps with a higher one go first.
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// So many workers may be lost with a unit before it is given up.
    #[must_use]
    pub fn crash_limit(&self) -> u32 {
        self.crash_limit
    }

    /// The parameter that says in which order items may begin, where they must not all at once.
    #[must_use]
    pub fn ordered_by(&self) -> Option<&'static str> {
        self.ordered_by
    }

    /// The stage of item `index`: it may begin when all items of lower stages have ended. `None`
    /// where items do not wait for one another.
    ///
    /// # Panics
    /// When there is no such item.
    #[must_use]
    pub fn stage(&self, index: usize) -> Option<i64> {
        let value = self.product.value(index, self.ordered_by?)?;
        Some(value.parse().expect("a stage that was read before"))
    }

    /// Whether an answer of an earlier run may be used again: not where what was computed lies in
    /// files that may be gone meanwhile.
    #[must_use]
    pub fn reuses_answers(&self) -> bool {
        self.spec.reuses
    }

    /// The labels that a worker must have to be given an item.
    #[must_use]
    pub fn labels(&self) -> &[(String, String)] {
        &self.labels
    }

    /// How a search is split.
    #[must_use]
    pub fn partitioner(&self) -> Partitioner {
        self.partitioner
    }

    /// How every item is searched.
    #[must_use]
    pub fn search(&self) -> &SearchSettings {
        &self.search
    }

    /// The file, to the letter.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many items; at least one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.product.len()
    }

    /// Never: a list of values is not empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Item `index`, from 0.
    ///
    /// # Panics
    /// When there are fewer.
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
