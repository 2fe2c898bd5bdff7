//! A sweep as it is stored: what its text came to on the day it was submitted. Loading it judges
//! nothing, so a later release with other rules, or a moved file, changes no stored question.

use std::time::Duration;

use hasami_spec::{Catalog, Kind, Partitioner, SearchSettings, Spec};
use toml::de::{DeTable, DeValue};

use crate::product::{Group, Product, Slot, Values};
use crate::range::NumberRange;
use crate::sweep::Sweep;

/// Stands for a spec that this release does not have.
static GONE: Spec =
    Spec::job("?", "a question that this release cannot ask", "?", &[], &[Kind::Map]);

/// Everything of a sweep but its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Its name.
    pub name: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// The name of its spec.
    pub problem: String,
    /// How its items are distributed.
    pub kind: Kind,
    /// Its priority.
    pub priority: i32,
    /// Its share beside runs of the same priority.
    pub share: u32,
    /// How long it may take.
    pub time_limit: Option<Duration>,
    /// How many workers may be lost with a unit.
    pub crash_limit: u32,
    /// The parameter that orders the items.
    pub ordered_by: Option<String>,
    /// Labels that a worker must have.
    pub labels: Vec<(String, String)>,
    /// How a search is split.
    pub partitioner: Partitioner,
    /// How to search.
    pub search: SearchSettings,
    /// The parameters, in canonical order.
    pub params: Vec<StoredAxis>,
    /// The number of values of each group of parameters that advance together, the slowest first.
    pub groups: Vec<usize>,
}

/// The values of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAxis {
    /// Its name.
    pub name: String,
    /// The group with which it advances; `None` if it has one value only.
    pub group: Option<usize>,
    /// Its values, in canonical spelling.
    pub values: StoredValues,
}

/// A list of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredValues {
    /// Each by itself.
    List(Vec<String>),
    /// Whole numbers at equal distances.
    Range {
        /// The first one.
        first: i64,
        /// The distance.
        step: i64,
        /// How many.
        len: usize,
    },
}

/// The parts of a stored sweep do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("parameter {name}: {why}")]
pub struct StoredError {
    /// The parameter.
    pub name: String,
    /// What does not fit.
    pub why: &'static str,
}

impl Sweep {
    /// What to store beside the text.
    #[must_use]
    pub fn stored(&self) -> Stored {
        let values = |values: &Values| match values {
            Values::List(list) => {
                StoredValues::List(list.iter().map(|value| value.to_string()).collect())
            }
            Values::Range(range) => {
                let (first, step) = range.ends();
                StoredValues::Range { first, step, len: range.len() }
            }
        };
        let groups = self.product.groups();
        let axis = |(name, slot): &(Box<str>, Slot)| match slot {
            Slot::Fixed(value) => StoredAxis {
                name: name.to_string(),
                group: None,
                values: StoredValues::List(vec![value.to_string()]),
            },
            &Slot::Axis(group, axis) => StoredAxis {
                name: name.to_string(),
                group: Some(group),
                values: values(&groups[group].axes[axis].1),
            },
        };
        Stored {
            name: self.name.clone(),
            title: self.title.clone(),
            problem: self.problem.to_string(),
            kind: self.kind,
            priority: self.priority,
            share: self.share,
            time_limit: self.time_limit,
            crash_limit: self.crash_limit,
            ordered_by: self.ordered_by.as_deref().map(str::to_string),
            labels: self.labels.clone(),
            partitioner: self.partitioner,
            search: self.search.clone(),
            params: self.product.slots().iter().map(axis).collect(),
            groups: groups.iter().map(|group| group.len).collect(),
        }
    }

    /// A sweep that was stored, with its text. If the catalog no longer has its spec, it has all
    /// its questions, but [cannot be computed](Sweep::unreadable).
    ///
    /// # Errors
    /// If its parts do not fit together, which no sweep was ever stored with.
    pub fn from_stored(catalog: Catalog, stored: Stored, text: &str) -> Result<Self, StoredError> {
        let product = product(stored.params, &stored.groups)?;
        let (spec, unreadable) = match catalog.find(&stored.problem) {
            Ok(spec) => (spec, None),
            Err(error) => (&GONE, Some(format!("problem: {error}"))),
        };
        Ok(Self {
            name: stored.name,
            title: stored.title,
            problem: stored.problem.into(),
            spec,
            unreadable,
            kind: stored.kind,
            priority: stored.priority,
            share: stored.share,
            time_limit: stored.time_limit,
            crash_limit: stored.crash_limit,
            ordered_by: stored.ordered_by.map(Into::into),
            labels: stored.labels,
            partitioner: stored.partitioner,
            search: stored.search,
            product,
            text: text.to_string(),
        })
    }

    /// Stands for a sweep that cannot be read, and `why`: its text, and `items` items whose
    /// questions are unknown.
    #[must_use]
    pub fn lost(text: &str, why: String, items: usize) -> Self {
        let group = Group { axes: Vec::new(), len: items.min(Self::MAX_ITEMS) };
        Self {
            name: name_in(text).unwrap_or_else(|| "?".to_string()),
            title: None,
            problem: GONE.name.into(),
            spec: &GONE,
            unreadable: Some(why),
            kind: Kind::Map,
            priority: 0,
            share: 1,
            time_limit: None,
            crash_limit: 1,
            ordered_by: None,
            labels: Vec::new(),
            partitioner: Partitioner::DEFAULT,
            search: SearchSettings::default(),
            product: Product::from_parts(vec![group], Vec::new()),
            text: text.to_string(),
        }
    }
}

impl Sweep {
    /// Whether its questions are known: all but those of a [lost](Sweep::lost) sweep.
    #[must_use]
    pub fn has_questions(&self) -> bool {
        self.problem() != GONE.name
    }
}

/// The name in a text that is otherwise not understood.
fn name_in(text: &str) -> Option<String> {
    let (document, _) = DeTable::parse_recoverable(text);
    let DeValue::String(name) = document.get_ref().get("name")?.get_ref() else { return None };
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    (!name.is_empty() && name.len() <= 100 && name.chars().all(plain)).then(|| name.to_string())
}

/// Puts the axes together again.
fn product(params: Vec<StoredAxis>, lengths: &[usize]) -> Result<Product, StoredError> {
    let wrong = |name: &str, why| StoredError { name: name.to_string(), why };
    let items = lengths.iter().try_fold(1usize, |all, &len| all.checked_mul(len));
    if items.is_none_or(|items| items == 0 || items > Sweep::MAX_ITEMS) {
        return Err(wrong("", "no or too many items"));
    }
    let mut groups: Vec<Group> =
        lengths.iter().map(|&len| Group { axes: Vec::new(), len }).collect();
    let mut slots = Vec::with_capacity(params.len());
    for (at, StoredAxis { name, group, values }) in params.into_iter().enumerate() {
        let slot = match (group, values) {
            (None, StoredValues::List(mut one)) if one.len() == 1 => {
                Slot::Fixed(one.remove(0).into())
            }
            (None, _) => return Err(wrong(&name, "several values, and no group")),
            (Some(group), values) => {
                let Some(of) = groups.get_mut(group) else {
                    return Err(wrong(&name, "no such group"));
                };
                let values = match values {
                    StoredValues::List(list) => {
                        Values::List(list.into_iter().map(Into::into).collect())
                    }
                    StoredValues::Range { first, step, len } => Values::Range(
                        NumberRange::new(first, step, len)
                            .ok_or_else(|| wrong(&name, "a range without numbers"))?,
                    ),
                };
                if values.len() != of.len {
                    return Err(wrong(&name, "more or fewer values than its group"));
                }
                of.axes.push((at, values));
                Slot::Axis(group, of.axes.len() - 1)
            }
        };
        slots.push((name.into(), slot));
    }
    Ok(Product::from_parts(groups, slots))
}

#[cfg(test)]
mod tests;
