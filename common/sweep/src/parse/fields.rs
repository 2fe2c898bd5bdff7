//! Single fields of a sweep file: a text, a number in a range, a word from a list.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use hasami_spec::SearchSettings;
use hasami_spec::suggest::{hint, nearest};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::Reader;
use super::found::found;
use crate::amount;

/// A key and a value with their positions.
pub(super) type Entry<'d> = (&'d Spanned<DeString<'d>>, &'d Spanned<DeValue<'d>>);

/// The entries of a table in file order.
pub(super) fn in_order<'d>(table: &'d DeTable<'d>) -> Vec<Entry<'d>> {
    let mut entries: Vec<Entry<'d>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

impl Reader<'_> {
    /// Reports a value other than the expected one.
    pub(super) fn wrong(
        &mut self,
        field: &str,
        value: &Spanned<DeValue<'_>>,
        expected: impl Display,
    ) {
        let message = format!("found {}; expected {expected}", found(value.get_ref()));
        self.error(value.span().start, field, message);
    }

    /// Reports an unknown key.
    pub(super) fn unknown(&mut self, within: &str, key: &Spanned<DeString<'_>>, known: &[&str]) {
        let name = key.get_ref();
        let suggestion = hint(nearest(name, known.iter().copied()));
        let message = format!("unknown field; expected one of {}{suggestion}", known.join(", "));
        let field = if within.is_empty() { name.to_string() } else { format!("{within}.{name}") };
        self.error(key.span().start, &field, message);
    }

    /// Reads a text.
    pub(super) fn text<'d>(
        &mut self,
        field: &str,
        value: &'d Spanned<DeValue<'d>>,
    ) -> Option<&'d str> {
        match value.get_ref() {
            DeValue::String(text) => Some(text),
            _ => {
                self.wrong(field, value, "a text in quotes");
                None
            }
        }
    }

    /// Reads a duration from [`SearchSettings::MIN_TIME_LIMIT`] to
    /// [`SearchSettings::MAX_TIME_LIMIT`]: "30s", "2h".
    pub(super) fn duration(
        &mut self,
        field: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<Duration> {
        const RANGE: RangeInclusive<Duration> =
            SearchSettings::MIN_TIME_LIMIT..=SearchSettings::MAX_TIME_LIMIT;
        let duration = match value.get_ref() {
            DeValue::String(text) => amount::duration(text).ok(),
            _ => None,
        };
        let duration = duration.filter(|duration| RANGE.contains(duration));
        if duration.is_none() {
            let expected = "a duration from \"10ms\" to \"365d\", like \"30s\", \"5min\" or \"2h\"";
            self.wrong(field, value, expected);
        }
        duration
    }

    /// Reads a whole number.
    pub(super) fn integer<T>(
        &mut self,
        field: &str,
        value: &Spanned<DeValue<'_>>,
        range: RangeInclusive<T>,
    ) -> Option<T>
    where
        T: TryFrom<i128> + PartialOrd + Display,
    {
        let number = whole(value.get_ref()).and_then(|number| T::try_from(number).ok());
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            self.wrong(field, value, expected);
        }
        number
    }

    /// Reads a word and returns its meaning.
    pub(super) fn word<T: Copy>(
        &mut self,
        field: &str,
        value: &Spanned<DeValue<'_>>,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let given = match value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            _ => "",
        };
        let known = words.iter().find(|(word, _)| *word == given);
        if known.is_none() {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let suggestion = hint(nearest(given, names.iter().copied()));
            self.wrong(field, value, format!("one of {}{suggestion}", names.join(", ")));
        }
        known.map(|&(_, meaning)| meaning)
    }
}

/// The value as a whole number.
pub(super) fn whole(value: &DeValue<'_>) -> Option<i128> {
    match value {
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}
