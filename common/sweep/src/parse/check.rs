//! Items that are no good: refused by the rules, or there twice.
//!
//! Up to a limit the items are all shown to the rules. Of a larger sweep every value of every axis is
//! tried with the first values of the others (of very long axes an even sample), and then a sample
//! of all items. What is left is found by the worker that gets it: it checks again.

use std::collections::{BTreeSet, HashMap, HashSet};

use hasami_spec::{ParamError, Spec};

use super::Reader;
use super::axes::Axes;
use crate::product::{Group, Product, Values};

/// Up to so many items, and so many values of one axis, are all checked.
const EVERY: usize = 20_000;
/// So many items of a larger sweep are checked, wherever they are.
const SAMPLE: usize = 2_000;

pub(super) fn check(reader: &mut Reader<'_>, problem: &Spec, product: &Product, axes: &Axes) {
    duplicates(reader, problem, product, axes);
    let mut seen = HashSet::new();
    for item in chosen(product) {
        let params = product.params(item);
        let Err(error) = problem.read(&params) else { continue };
        let key = match &error {
            ParamError::Bad { key, .. } | ParamError::Unknown { key, .. } => key.as_str(),
            ParamError::Missing { key, .. } | ParamError::Twice { key, .. } => key,
            ParamError::NoPair { .. } => "",
        };
        let (place, field) = axes.place(product, item, key);
        // One bad value is in many items.
        if seen.insert((place, error.to_string())) {
            let message = format!("item {item} ({}): {error}", spelled(problem, &params));
            reader.error(place, &field, message);
        }
        if reader.more {
            return;
        }
    }
}

/// The items that are shown to the rules, in order.
fn chosen(product: &Product) -> Box<dyn Iterator<Item = usize>> {
    let len = product.len();
    if len <= EVERY {
        return Box::new(0..len);
    }
    let mut items = BTreeSet::new();
    for (at, group) in product.groups().iter().enumerate() {
        let (stride, values) = (product.stride(at), group.len);
        let count = values.min(EVERY);
        items.extend((0..count).map(|n| (n * (values - 1) / (count - 1).max(1)) * stride));
    }
    // Steps of the golden ratio fall everywhere, whatever the lengths of the axes are.
    let spread = |n: usize| ((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % len as u64) as usize;
    items.extend((0..SAMPLE).map(spread));
    Box::new(items.into_iter())
}

/// Two items are equal exactly if they have equal values in every group, so it is enough to look at
/// each group by itself.
fn duplicates(reader: &mut Reader<'_>, problem: &Spec, product: &Product, axes: &Axes) {
    for (at, group) in product.groups().iter().enumerate() {
        // The numbers of a range all differ.
        if group.axes.iter().any(|(_, values)| matches!(values, Values::Range(_))) {
            continue;
        }
        let stride = product.stride(at);
        let mut seen: HashMap<Vec<&str>, usize> = HashMap::new();
        for digit in 0..group.len {
            match seen.entry(row(group, digit)) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(digit);
                }
                std::collections::hash_map::Entry::Occupied(first) => {
                    let (first, second) = (first.get() * stride, digit * stride);
                    let spelled = spelled(problem, &product.params(second));
                    let (place, name) = axes.place_of(at, digit);
                    let message =
                        format!("items {first} and {second} are the same question: {spelled}");
                    reader.error(place, name, message);
                    if reader.more {
                        return;
                    }
                }
            }
        }
    }
}

fn row(group: &Group, digit: usize) -> Vec<&str> {
    let values = group.axes.iter().filter_map(|(_, values)| match values {
        Values::List(list) => Some(list[digit].as_ref()),
        Values::Range(_) => None,
    });
    values.collect()
}

fn spelled(problem: &Spec, params: &[(String, String)]) -> String {
    let words = params.iter().map(|(name, value)| format!(" {name}={value}"));
    problem.name.to_string() + &words.collect::<String>()
}
