//! `[parameters]` and `[[zip]]`: the axes of the product, with the positions of their values in the
//! text for errors about single items.

use hasami_spec::{Param, ParamError};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::fields::in_order;
use super::found::found;
use super::{MAX_ITEMS, Reader};
use crate::product::{Group, Product, Values};
use crate::range::NumberRange;
use hasami_spec::Spec;

/// One parameter and its values.
struct Column {
    param: usize,
    name: &'static str,
    key_at: usize,
    values: Values,
    /// Position of each value; a range has one for all.
    places: Vec<usize>,
}

/// Columns that advance together.
struct Columns(Vec<Column>);

/// All parameters that vary or are fixed by the file, in file order.
pub(super) struct Axes {
    groups: Vec<Columns>,
    /// Position of `[parameters]`, or the start.
    at: usize,
    /// Whether an error has left something out.
    broken: bool,
}

/// Reads both tables. If the problem is unknown, only the form is checked, not the values.
pub(super) fn read(
    reader: &mut Reader<'_>,
    document: &DeTable<'_>,
    problem: Option<&Spec>,
) -> Axes {
    let errors = reader.errors.len();
    let mut axes = Axes { groups: Vec::new(), at: 0, broken: false };
    for (key, value) in in_order(document) {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("parameters", DeValue::Table(table)) => {
                axes.at = key.span().start;
                let columns = columns(reader, "parameters", table, problem);
                axes.groups.extend(columns.into_iter().map(|column| Columns(vec![column])));
            }
            ("parameters", _) => reader.wrong("parameters", value, "a table: [parameters]"),
            ("zip", DeValue::Array(tables)) => {
                for (at, table) in tables.iter().enumerate() {
                    axes.groups.extend(zip(reader, &format!("zip {}", at + 1), table, problem));
                }
            }
            ("zip", _) => reader.wrong("zip", value, "a list of tables: [[zip]]"),
            _ => {}
        }
    }
    axes.broken = reader.errors.len() > errors;
    axes.groups.sort_by_key(|Columns(columns)| columns[0].key_at);
    axes.twice(reader);
    axes
}

fn columns(
    reader: &mut Reader<'_>,
    within: &str,
    table: &DeTable<'_>,
    problem: Option<&Spec>,
) -> Vec<Column> {
    let entries = in_order(table).into_iter();
    let columns = entries.filter_map(|(key, value)| {
        let field = format!("{within}.{}", key.get_ref());
        column(reader, &field, key, value, problem?)
    });
    columns.collect()
}

/// A group of lists of equal length.
fn zip(
    reader: &mut Reader<'_>,
    within: &str,
    value: &Spanned<DeValue<'_>>,
    problem: Option<&Spec>,
) -> Option<Columns> {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong(within, value, "a table: [[zip]]");
        return None;
    };
    let columns = columns(reader, within, table, problem);
    if table.is_empty() {
        reader.error(value.span().start, within, "found nothing; expected lists of equal length");
    }
    let (first, others) = columns.split_first()?;
    let len = first.values.len();
    for other in others.iter().filter(|other| other.values.len() != len) {
        let message = format!(
            "found {} values where {} has {len}; expected lists of equal length",
            other.values.len(),
            first.name
        );
        reader.error(other.key_at, &format!("{within}.{}", other.name), message);
    }
    others.iter().all(|other| other.values.len() == len).then_some(Columns(columns))
}

fn column(
    reader: &mut Reader<'_>,
    field: &str,
    key: &Spanned<DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
    problem: &Spec,
) -> Option<Column> {
    let name = key.get_ref().as_ref();
    let Some(at) = problem.params.iter().position(|param| param.name == name) else {
        let known: Vec<&str> = problem.params.iter().map(|param| param.name).collect();
        reader.unknown(field.trim_end_matches(name).trim_end_matches('.'), key, &known);
        return None;
    };
    let param = &problem.params[at];
    let (values, places) = match value.get_ref() {
        DeValue::String(text) if NumberRange::is_meant(text) => {
            let range = NumberRange::parse(text)
                .map_err(|error| reader.error(value.span().start, field, error.to_string()));
            (Values::Range(range.ok()?), vec![value.span().start])
        }
        DeValue::Array(list) if list.is_empty() => {
            reader.error(value.span().start, field, "found an empty list; expected a value in it");
            return None;
        }
        DeValue::Array(list) => {
            let texts: Vec<_> =
                list.iter().map(|value| scalar(reader, field, value, param, problem)).collect();
            let places = list.iter().map(|value| value.span().start).collect();
            (Values::List(texts.into_iter().collect::<Option<_>>()?), places)
        }
        _ => {
            let text = scalar(reader, field, value, param, problem)?;
            (Values::List(vec![text]), vec![value.span().start])
        }
    };
    Some(Column { param: at, name: param.name, key_at: key.span().start, values, places })
}

/// One value in its canonical spelling.
fn scalar(
    reader: &mut Reader<'_>,
    field: &str,
    value: &Spanned<DeValue<'_>>,
    param: &Param,
    problem: &Spec,
) -> Option<Box<str>> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| number.to_string(), |number| number.to_string()),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(value) => {
            let words = [["off", "on"], ["no", "yes"], ["false", "true"]];
            let words = words.iter().find(|words| param.values.contains(&words[0]));
            words.unwrap_or(&["false", "true"])[usize::from(*value)].to_string()
        }
        _ => {
            let expected = "a number, true or false, a text, a list of these, or a range";
            reader.wrong(field, value, expected);
            return None;
        }
    };
    match problem.spell(param, &text) {
        Ok(spelled) => Some(spelled.into()),
        Err(error) => {
            let message = match error {
                ParamError::Bad { expected, .. } => {
                    format!("found {}; expected {expected}", found(value.get_ref()))
                }
                other => other.to_string(),
            };
            reader.error(value.span().start, field, message);
            None
        }
    }
}

impl Axes {
    /// Reports parameters that are in two groups.
    fn twice(&mut self, reader: &mut Reader<'_>) {
        let mut seen: Vec<&'static str> = Vec::new();
        for column in self.groups.iter().flat_map(|Columns(columns)| columns) {
            if seen.contains(&column.name) {
                self.broken = true;
                let message = "given twice; expected it once, in [parameters] or in one [[zip]]";
                reader.error(column.key_at, column.name, message);
            }
            seen.push(column.name);
        }
    }

    /// All items, unless a parameter is missing or there are too many.
    pub(super) fn product(
        &self,
        reader: &mut Reader<'_>,
        problem: &Spec,
        problem_at: usize,
    ) -> Option<Product> {
        if self.broken {
            return None;
        }
        let given = |at: usize| {
            self.groups.iter().any(|Columns(columns)| columns.iter().any(|one| one.param == at))
        };
        let mut defaults = Vec::new();
        for (at, param) in problem.params.iter().enumerate() {
            let default = param.default.and_then(|value| problem.spell(param, value).ok());
            if default.is_none() && !given(at) {
                let place = if self.at > 0 { self.at } else { problem_at };
                let message = format!("missing; expected {} = … ({})", param.name, param.help);
                reader.error(place, &format!("parameters.{}", param.name), message);
                return None;
            }
            defaults.push(default);
        }
        let groups = self.groups.iter().map(|Columns(columns)| Group {
            len: columns[0].values.len(),
            axes: columns.iter().map(|one| (one.param, one.values.clone())).collect(),
        });
        let groups: Vec<Group> = groups.collect();
        let len = groups.iter().try_fold(1usize, |len, group| len.checked_mul(group.len));
        if len.is_none_or(|len| len > MAX_ITEMS) {
            let count = len.map_or("too many".to_string(), |len| len.to_string());
            let message = format!("found {count} items; expected at most {MAX_ITEMS}");
            reader.error(self.at, "parameters", message);
            return None;
        }
        Some(Product::new(problem.params, groups, &defaults))
    }

    /// Position and field of the value of a parameter in an item.
    pub(super) fn place(&self, product: &Product, item: usize, name: &str) -> (usize, String) {
        for (group, Columns(columns)) in self.groups.iter().enumerate() {
            if let Some(column) = columns.iter().find(|column| column.name == name) {
                let digit = product.digit(item, group).min(column.places.len() - 1);
                return (column.places[digit], column.name.to_string());
            }
        }
        (self.at, "parameters".to_string())
    }

    /// Position of a value of a group.
    pub(super) fn place_of(&self, group: usize, digit: usize) -> (usize, &'static str) {
        let column = &self.groups[group].0[0];
        (column.places[digit.min(column.places.len() - 1)], column.name)
    }
}
