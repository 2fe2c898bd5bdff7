//! The table `[search]`: search settings, and how one search is split.

use toml::Spanned;
use toml::de::DeValue;

use super::Reader;
use super::fields::{in_order, whole};
use hasami_spec::settings::SUM_RULES;
use hasami_spec::{Evaluation, KernelName, Partitioner, SearchSettings, Spec};

use crate::amount;

const FIELDS: &[&str] = &[
    "kernel",
    "sum",
    "budget",
    "time-limit",
    "seed",
    "epsilon",
    "evaluation",
    "table",
    "partitioner",
];

pub(super) fn read(
    reader: &mut Reader<'_>,
    value: &Spanned<DeValue<'_>>,
) -> (SearchSettings, Partitioner) {
    let mut search = SearchSettings::default();
    let mut partitioner = Partitioner::DEFAULT;
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong("search", value, "a table: [search]");
        return (search, partitioner);
    };
    let mut sum_at = None;
    for (key, value) in in_order(table) {
        let name = key.get_ref().as_ref();
        let field = format!("search.{name}");
        match name {
            "kernel" => search.kernel = reader.word(&field, value, &KernelName::NAMES),
            "sum" => {
                search.sum = reader.word(&field, value, &SUM_RULES);
                sum_at = Some(value);
            }
            "budget" => search.budget = budget(reader, &field, value),
            "time-limit" => {
                search.time_limit_ms =
                    reader.duration(&field, value).map(|limit| limit.as_millis() as u64);
            }
            "seed" => search.seed = reader.integer(&field, value, 0..=u64::MAX).unwrap_or(0),
            "epsilon" => search.epsilon = epsilon(reader, &field, value),
            "evaluation" => {
                search.evaluation = reader.word(&field, value, &Evaluation::NAMES);
            }
            "table" => search.table_mib = table_mib(reader, &field, value),
            "partitioner" => {
                let found = reader.word(&field, value, &Partitioner::NAMES);
                partitioner = found.unwrap_or(partitioner);
            }
            _ => reader.unknown("search", key, FIELDS),
        }
    }
    if let (Err(error), Some(value)) = (search.check(), sum_at) {
        reader.error(value.span().start, "search.sum", error.to_string());
    }
    (search, partitioner)
}

/// For jobs whose parameters say how to search: only the time is limited here.
pub(super) fn only_time(reader: &mut Reader<'_>, spec: &Spec, value: &Spanned<DeValue<'_>>) {
    let DeValue::Table(table) = value.get_ref() else { return };
    for (key, _) in in_order(table) {
        let name = key.get_ref().as_ref();
        if FIELDS.contains(&name) && name != "time-limit" {
            let says = match spec.params.iter().any(|param| param.name == name) {
                true => format!("[parameters] {name}, which is part of the question"),
                false => "time-limit only".to_string(),
            };
            let message = format!("not for {}; expected {says}", spec.name);
            reader.error(key.span().start, &format!("search.{name}"), message);
        }
    }
}

/// A number of nodes: 600_000, "600k", "5M", "1G".
fn budget(reader: &mut Reader<'_>, field: &str, value: &Spanned<DeValue<'_>>) -> Option<u64> {
    let number = match value.get_ref() {
        DeValue::String(text) => amount::count(text).ok(),
        other => whole(other).and_then(|number| u64::try_from(number).ok()),
    };
    let number = number.filter(|&number| number > 0);
    if number.is_none() {
        reader.wrong(field, value, "a number of nodes from 1, like 600_000, \"600k\" or \"5M\"");
    }
    number
}

/// The largest table, in MiB: "64MiB", "2GiB".
fn table_mib(reader: &mut Reader<'_>, field: &str, value: &Spanned<DeValue<'_>>) -> Option<u32> {
    let size = match value.get_ref() {
        DeValue::String(text) => amount::bytes(text).ok(),
        _ => None,
    };
    let mib = size.and_then(|bytes| u32::try_from(bytes >> 20).ok());
    let mib = mib.filter(|mib| (1..=SearchSettings::MAX_TABLE_MIB).contains(mib));
    if mib.is_none() {
        reader.wrong(field, value, "a size from \"1MiB\" to \"1TiB\", like \"256MiB\"");
    }
    mib
}

fn epsilon(reader: &mut Reader<'_>, field: &str, value: &Spanned<DeValue<'_>>) -> Option<f64> {
    let number = match value.get_ref() {
        DeValue::Float(number) => number.as_str().parse::<f64>().ok(),
        other => whole(other).map(|number| number as f64),
    };
    let number = number.filter(|number| (0.0..=SearchSettings::MAX_EPSILON).contains(number));
    if number.is_none() {
        reader.wrong(field, value, format!("a number from 0 to {}", SearchSettings::MAX_EPSILON));
    }
    // Adding 0 turns -0 into 0: equal settings must have equal keys.
    number.map(|number| number + 0.0)
}
