//! Parses the text of a sweep file into a [`Sweep`]. It collects all errors, so that a file can be
//! fixed in one go; consequences of an error are not reported.

mod axes;
mod check;
mod fields;
mod found;
mod head;
mod search;
mod stages;

use hasami_spec::Catalog;
use toml::de::DeTable;

use crate::error::{SweepError, SweepErrors};
use crate::sweep::Sweep;

/// Most errors reported for one file.
const MAX_ERRORS: usize = 20;
/// Most items of a sweep.
pub(crate) const MAX_ITEMS: usize = 10_000_000;

/// Collects errors with their places in the text.
struct Reader<'t> {
    catalog: Catalog,
    text: &'t str,
    file: &'t str,
    errors: Vec<SweepError>,
    more: bool,
}

impl Reader<'_> {
    /// Reports an error at a byte of the text.
    fn error(&mut self, at: usize, field: &str, message: impl Into<String>) {
        if self.full() {
            self.more = true;
            return;
        }
        let before = &self.text[..self.text.floor_char_boundary(at)];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        self.errors.push(SweepError {
            file: self.file.to_string(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            field: field.to_string(),
            message: message.into(),
        });
    }

    /// Whether the limit of errors is reached.
    fn full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    fn failed(self) -> SweepErrors {
        SweepErrors { errors: self.errors, more: self.more }
    }
}

/// Parses a sweep; `file` is the name used in errors.
pub(crate) fn parse(catalog: Catalog, text: &str, file: &str) -> Result<Sweep, SweepErrors> {
    let mut reader = Reader { catalog, text, file, errors: Vec::new(), more: false };
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let message = error.message().replace('\n', "; ");
        reader.error(error.span().map_or(0, |span| span.start), "", message);
    }
    // Errors in text that is not valid TOML are enough; do not interpret it.
    if !reader.errors.is_empty() {
        return Err(reader.failed());
    }
    let head = head::read(&mut reader, document.get_ref());
    let axes = axes::read(&mut reader, document.get_ref(), head.spec);
    let product = head.spec.and_then(|spec| {
        let product = axes.product(&mut reader, spec, head.problem_at)?;
        check::check(&mut reader, spec, &product, &axes);
        if let Some(name) = head.ordered_by {
            stages::check(&mut reader, name, &product, &axes);
        }
        Some((spec, product))
    });
    match (product, head.name, reader.errors.is_empty()) {
        (Some((spec, product)), Some(name), true) => Ok(Sweep {
            name,
            title: head.title,
            problem: spec.name.into(),
            spec,
            unreadable: None,
            kind: head.kind.unwrap_or(spec.kinds[0]),
            priority: head.priority,
            share: head.share,
            time_limit: head.time_limit,
            crash_limit: head.crash_limit,
            ordered_by: head.ordered_by.map(Into::into),
            labels: head.labels,
            partitioner: head.partitioner,
            search: head.search,
            product,
            text: text.to_string(),
        }),
        _ => Err(reader.failed()),
    }
}

#[cfg(test)]
mod tests;
