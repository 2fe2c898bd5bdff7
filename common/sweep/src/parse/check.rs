//! Finds invalid items: refused by the rules, or duplicates.
//!
//! Up to a limit all items are checked by the rules. In a larger sweep every value of every axis is
//! checked with the first values of the others (an even sample of very long axes), and then a
//! sample of all items. The worker checks every item again and finds the rest.

use std::collections::{BTreeSet, HashMap, HashSet};

use hasami_spec::{ParamError, Spec};

use super::Reader;
use super::axes::Axes;
use crate::product::{Group, Product, Values};

/// Up to this many items, and this many values of one axis, all are checked.
const EVERY: usize = 20_000;
/// Number of items of a larger sweep that are checked, spread over all of them.
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
        // One bad value occurs in many items.
        if seen.insert((place, error.to_string())) {
            let message = format!("item {item} ({}): {error}", spelled(problem, &params));
            reader.error(place, &field, message);
        }
        if reader.more {
            return;
        }
    }
}

/// The items to check, in order.
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
    // Steps of the golden ratio spread evenly, whatever the lengths of the axes.
    let spread = |n: usize| ((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % len as u64) as usize;
    items.extend((0..SAMPLE).map(spread));
    Box::new(items.into_iter())
}

/// Two items are equal exactly if they have equal values in every group, so it is enough to check
/// each group by itself.
fn duplicates(reader: &mut Reader<'_>, problem: &Spec, product: &Product, axes: &Axes) {
    for (at, group) in product.groups().iter().enumerate() {
        // The numbers of a range are distinct.
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
