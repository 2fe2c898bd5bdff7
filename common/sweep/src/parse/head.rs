//! The fields at the top of a sweep file.

use std::time::Duration;

use hasami_spec::params;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fields::in_order;
use super::{Reader, search};
use hasami_spec::{Kind, Partitioner, SearchSettings, Spec};

const FIELDS: &[&str] = &[
    "name",
    "title",
    "problem",
    "kind",
    "priority",
    "share",
    "time-limit",
    "crash-limit",
    "stages",
    "labels",
    "parameters",
    "zip",
    "search",
];
/// How many workers a unit may crash before it is reported as failed.
const CRASH_LIMIT: u32 = 3;
/// Longest name: names become part of file names.
const MAX_NAME: usize = 100;

/// The parsed fields; `None` after an error or if absent.
pub(super) struct Head {
    pub name: Option<String>,
    pub title: Option<String>,
    pub spec: Option<&'static Spec>,
    pub problem_at: usize,
    pub kind: Option<Kind>,
    pub priority: i32,
    pub share: u32,
    pub time_limit: Option<Duration>,
    pub crash_limit: u32,
    /// The parameter that orders the items.
    pub ordered_by: Option<&'static str>,
    pub labels: Vec<(String, String)>,
    pub partitioner: Partitioner,
    pub search: SearchSettings,
}

pub(super) fn read(reader: &mut Reader<'_>, document: &DeTable<'_>) -> Head {
    let mut head = Head {
        name: None,
        title: None,
        spec: None,
        problem_at: 0,
        kind: None,
        priority: 0,
        share: 1,
        time_limit: None,
        crash_limit: CRASH_LIMIT,
        ordered_by: None,
        labels: Vec::new(),
        partitioner: Partitioner::DEFAULT,
        search: SearchSettings::default(),
    };
    let mut kind_at = None;
    let mut stages_at = None;
    let mut search_at = None;
    for (key, value) in in_order(document) {
        match key.get_ref().as_ref() {
            "name" => head.name = name(reader, value),
            "title" => head.title = reader.text("title", value).map(str::to_string),
            "problem" => {
                head.problem_at = value.span().start;
                head.spec = named(reader, value);
            }
            "kind" => {
                head.kind = reader.word("kind", value, &Kind::NAMES);
                kind_at = Some(value);
            }
            "priority" => {
                head.priority = reader.integer("priority", value, -1000..=1000).unwrap_or(0);
            }
            "share" => head.share = reader.integer("share", value, 1..=1000).unwrap_or(1),
            "time-limit" => head.time_limit = reader.duration("time-limit", value),
            "crash-limit" => {
                let limit = reader.integer("crash-limit", value, 1..=1000);
                head.crash_limit = limit.unwrap_or(CRASH_LIMIT);
            }
            "stages" => stages_at = Some(value),
            "labels" => head.labels = labels(reader, value),
            "search" => {
                (head.search, head.partitioner) = search::read(reader, value);
                search_at = Some(value);
            }
            "parameters" | "zip" => {}
            _ => reader.unknown("", key, FIELDS),
        }
    }
    for (field, what) in [
        ("name", "a name for the sweep, like name = \"chomp\""),
        ("problem", "a game or a job, like problem = \"chomp\""),
    ] {
        if !document.contains_key(field) {
            reader.error(0, field, format!("missing; expected {what}"));
        }
    }
    if let Some(spec) = head.spec {
        head.ordered_by = ordered_by(reader, spec, stages_at);
        if let (Err(error), Some(value)) =
            (spec.check_evaluation(head.search.evaluation), search_at)
        {
            reader.error(value.span().start, "search", error.to_string());
        }
    }
    if let (Some(spec), Some(value)) = (head.spec.filter(|spec| spec.trials), search_at) {
        search::only_time(reader, spec, value);
    }
    if let (Some(spec), Some(kind), Some(value)) = (head.spec, head.kind, kind_at)
        && !spec.kinds.contains(&kind)
    {
        let kinds: Vec<String> = spec.kinds.iter().map(ToString::to_string).collect();
        let expected = format!("{}, the way to spread {}", kinds.join(" or "), spec.name);
        reader.wrong("kind", value, expected);
    }
    head
}

/// The parameter that orders the items: from the file, or required by the spec.
fn ordered_by(
    reader: &mut Reader<'_>,
    spec: &Spec,
    value: Option<&Spanned<DeValue<'_>>>,
) -> Option<&'static str> {
    let Some(value) = value else { return spec.ordered_by };
    let name = reader.text("stages", value)?;
    let numbers = spec.params.iter().filter(|param| param.kind == params::Kind::Number);
    let names: Vec<&'static str> = match spec.ordered_by {
        Some(only) => vec![only],
        None => numbers.map(|param| param.name).collect(),
    };
    let found = names.iter().find(|known| **known == name).copied();
    if found.is_none() {
        let expected = if names.is_empty() {
            format!("no stages: {} has no parameter that is a whole number", spec.name)
        } else {
            format!("a parameter that is a whole number: {}", names.join(", "))
        };
        reader.wrong("stages", value, expected);
    }
    found
}

/// The labels that a worker must have to get work: `[labels]` with `key = "value"`.
fn labels(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<(String, String)> {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong("labels", value, "a table of what workers were started with: [labels]");
        return Vec::new();
    };
    let mut labels = Vec::new();
    for (key, value) in in_order(table) {
        let name = key.get_ref();
        if let Some(text) = reader.text(&format!("labels.{name}"), value) {
            labels.push((name.to_string(), text.to_string()));
        }
    }
    labels
}

/// Reads a name. It becomes part of file names and URLs.
fn name(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let name = reader.text("name", value)?;
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    let good = name.chars().all(plain)
        && name.starts_with(|sign: char| sign.is_ascii_alphanumeric())
        && name.len() <= MAX_NAME;
    if !good {
        let expected = format!(
            "letters, digits, -, _ and ., a letter or digit first, at most {MAX_NAME} of them"
        );
        reader.wrong("name", value, expected);
    }
    good.then(|| name.to_string())
}

fn named(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Option<&'static Spec> {
    let name = reader.text("problem", value)?;
    match reader.catalog.find(name) {
        Ok(spec) => Some(spec),
        Err(error) => {
            reader.error(value.span().start, "problem", error.to_string());
            None
        }
    }
}
