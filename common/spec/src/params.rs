//! Parameters of games: those that a game declares, and the values that a user gave, checked and in
//! canonical spelling. Games read numbers and choices from [`Params`] only.

mod error;
mod escape;
mod param;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::suggest::nearest;

pub use error::ParamError;
use escape::{escape, unescape};
pub use param::{Kind, Param};

/// A value for every parameter of a game, in order of declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    entries: Vec<(&'static str, String)>,
}

impl Params {
    /// Checks the user's values against the declarations and fills in the defaults.
    ///
    /// # Errors
    /// If a key is unknown, missing or given twice, or a value is of the wrong kind.
    pub fn new<K: AsRef<str>, V: AsRef<str>>(
        known: &'static [Param],
        given: &[(K, V)],
    ) -> Result<Self, ParamError> {
        for (key, _) in given {
            let names = || known.iter().map(|param| param.name);
            if !names().any(|name| name == key.as_ref()) {
                return Err(ParamError::Unknown {
                    key: key.as_ref().to_string(),
                    known: names().collect(),
                    suggestion: nearest(key.as_ref(), names()),
                });
            }
        }
        let mut entries = Vec::with_capacity(known.len());
        for param in known {
            let mut values = given
                .iter()
                .filter(|(key, _)| key.as_ref() == param.name)
                .map(|(_, value)| value.as_ref());
            let value = values.next();
            if let (Some(first), Some(second)) = (value, values.next()) {
                return Err(ParamError::Twice {
                    key: param.name,
                    first: first.to_string(),
                    second: second.to_string(),
                });
            }
            let value = value.or(param.default).ok_or(ParamError::Missing {
                key: param.name,
                placeholder: param.placeholder,
                help: param.help,
            })?;
            entries.push((param.name, param.normal(value)?));
        }
        Ok(Self { entries })
    }

    /// The same parameters with one value changed.
    ///
    /// # Errors
    /// If the game did not declare it.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, ParamError> {
        self.text(name)?;
        let mut other = self.clone();
        let entries = other.entries.iter_mut().filter(|(key, _)| *key == name);
        entries.for_each(|entry| entry.1 = value.to_string());
        Ok(other)
    }

    /// Parses the output of [`Params::canonical`]. Any order is accepted, and defaults may be left
    /// out.
    ///
    /// # Errors
    /// See [`Params::new`]; also if a word is not `key=value`.
    pub fn parse(known: &'static [Param], spelling: &str) -> Result<Self, ParamError> {
        let pairs = spelling
            .split_ascii_whitespace()
            .map(|word| {
                word.split_once('=')
                    .and_then(|(key, value)| Some((key, unescape(value)?)))
                    .ok_or_else(|| ParamError::NoPair { found: word.to_string() })
            })
            .collect::<Result<Vec<_>, _>>()?;
        Self::new(known, &pairs)
    }

    /// The canonical spelling: `key=value key=value`, defaults included, in order of declaration,
    /// numbers without needless digits, special bytes as `%XX`.
    #[must_use]
    pub fn canonical(&self) -> String {
        let words: Vec<String> =
            self.entries.iter().map(|(key, value)| format!("{key}={}", escape(value))).collect();
        words.join(" ")
    }

    /// All keys and values, in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.entries.iter().map(|(key, value)| (*key, value.as_str()))
    }

    /// The value of a parameter as text.
    ///
    /// # Errors
    /// If the game did not declare it.
    pub fn text(&self, name: &str) -> Result<&str, ParamError> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value).ok_or_else(|| {
            ParamError::Unknown {
                key: name.to_string(),
                known: self.iter().map(|(key, _)| key).collect(),
                suggestion: None,
            }
        })
    }

    /// The value of a parameter as a whole number within `range`.
    ///
    /// # Errors
    /// If it is not a number or out of range.
    pub fn number<T>(&self, name: &str, range: RangeInclusive<T>) -> Result<T, ParamError>
    where
        T: FromStr + PartialOrd + fmt::Display,
    {
        let value = self.text(name)?;
        match value.parse::<T>() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => {
                let expected = format!("a whole number from {} to {}", range.start(), range.end());
                Err(ParamError::bad(name, value, expected))
            }
        }
    }

    /// The value of a parameter as a number from 0 to 1.
    ///
    /// # Errors
    /// If it is not such a number.
    pub fn fraction(&self, name: &str) -> Result<f64, ParamError> {
        let value = self.text(name)?;
        match value.parse::<f64>() {
            Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
            _ => Err(ParamError::bad(name, value, "a number from 0 to 1")),
        }
    }

    /// The meaning of a parameter's word.
    ///
    /// # Errors
    /// If the word is not in the list.
    pub fn choice<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, ParamError> {
        let value = self.text(name)?;
        let found = words.iter().find(|(word, _)| *word == value);
        found.map(|&(_, meaning)| meaning).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            ParamError::bad(name, value, format!("one of {}", words.join(", ")))
        })
    }

    /// Whether a parameter is `on`.
    ///
    /// # Errors
    /// If it is neither `on` nor `off`.
    pub fn switch(&self, name: &str) -> Result<bool, ParamError> {
        self.choice(name, &[("on", true), ("off", false)])
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static KNOWN: &[Param] = &[
        Param::number("nodes", "how many nodes"),
        Param::fraction("bias", "how many wins").or("0.50"),
        Param::choice("shape", "the shape", &["tree", "dag"]).or("tree"),
        Param::switch("zones", "use zones").or("off"),
        Param::text("label", "any name").or("x"),
    ];

    fn made(given: &[(&str, &str)]) -> Result<Params, ParamError> {
        Params::new(KNOWN, given)
    }

    fn message(given: &[(&str, &str)]) -> String {
        made(given).unwrap_err().to_string()
    }

    #[test]
    fn the_spelling_is_in_order_with_defaults_and_plain_numbers() {
        let params = made(&[("shape", "dag"), ("nodes", "007")]).unwrap();
        let spelling = "nodes=7 bias=0.5 shape=dag zones=off label=x";
        assert_eq!(params.canonical(), spelling);
        assert_eq!(Params::parse(KNOWN, spelling), Ok(params));
    }

    #[test]
    fn values_come_back_as_what_they_are() {
        let params = made(&[("nodes", "12"), ("zones", "on"), ("bias", "1e-1")]).unwrap();
        assert_eq!(params.number("nodes", 1..=20u8), Ok(12));
        assert_eq!(params.fraction("bias"), Ok(0.1));
        assert_eq!(params.choice("shape", &[("tree", 1), ("dag", 2)]), Ok(1));
        assert_eq!(params.switch("zones"), Ok(true));
        assert_eq!(params.text("label"), Ok("x"));
        let wrong = params.number("nodes", 13..=20u8).unwrap_err().to_string();
        assert_eq!(wrong, "nodes=12: expected a whole number from 13 to 20");
    }

    #[test]
    fn a_number_too_large_for_its_type_is_an_error() {
        let params = made(&[("nodes", "300")]).unwrap();
        assert!(params.number("nodes", 0..=255u8).is_err());
    }

    #[test]
    fn messages_name_the_key_what_was_found_and_what_was_expected() {
        for (given, expected) in [
            (
                vec![("node", "1")],
                "unknown parameter \"node\"; expected one of nodes, bias, shape, zones, label; \
                 did you mean \"nodes\"?",
            ),
            (vec![("nodes", "many")], "nodes=many: expected a whole number"),
            (vec![("nodes", "1"), ("bias", "1.5")], "bias=1.5: expected a number from 0 to 1"),
            (vec![("nodes", "1"), ("bias", "nan")], "bias=nan: expected a number from 0 to 1"),
            (vec![("nodes", "1"), ("shape", "ring")], "shape=ring: expected one of tree, dag"),
            (vec![], "parameter \"nodes\" is missing; expected nodes=N (how many nodes)"),
            (
                vec![("nodes", "1"), ("nodes", "2")],
                "parameter \"nodes\" is given twice, as 1 and as 2; expected it once",
            ),
        ] {
            assert_eq!(message(&given), expected);
        }
        let wrong = Params::parse(KNOWN, "nodes=1 zones").unwrap_err();
        assert_eq!(wrong.to_string(), "found \"zones\"; expected key=value");
        assert!(Params::parse(KNOWN, "nodes=1 label=%f").is_err());
    }

    proptest! {
        #[test]
        fn every_text_survives_the_canonical_spelling(label in any::<String>(), nodes in any::<u64>()) {
            let nodes = nodes.to_string();
            let params = made(&[("label", &label), ("nodes", &nodes)]).unwrap();
            let again = Params::parse(KNOWN, &params.canonical()).unwrap();
            prop_assert_eq!(again.text("label").unwrap(), &label);
            prop_assert_eq!(again, params);
        }

        #[test]
        fn every_fraction_keeps_its_value(bias in 0.0..=1.0f64) {
            let params = made(&[("nodes", "1"), ("bias", &bias.to_string())]).unwrap();
            prop_assert_eq!(params.fraction("bias").unwrap(), bias);
        }
    }
}
