//! Reads values as they are shown: names, or braces with the options of the canonical form. Nothing
//! else is accepted, so that a text that is read proves nothing but is exactly what it says.

use crate::budget::Exhausted;
use crate::games::{Games, Value};
use crate::notation::ParseError;

/// Why a text is not a value as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadForm {
    /// A syntax error, or a form that is not the canonical one.
    #[error("column {column}: found {found}; expected {expected}")]
    Bad {
        /// Column, in characters from 1.
        column: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The value is too large for the limit.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// An open brace.
struct Open {
    at: usize,
    left: Vec<Value>,
    right: Vec<Value>,
    /// Whether the bar was read.
    bar: bool,
}

/// The signs of names.
const SIGNS: &str = "0123456789/-+^v*±tinym()";
/// Longest text that is shown in a message.
const SHOWN: usize = 40;

impl Games {
    /// Reads a value as [`Games::show`] writes it; the order of options does not matter.
    ///
    /// # Errors
    /// If it is no value, or not in canonical form, or written otherwise.
    pub fn read_form(&mut self, text: &str) -> Result<Value, BadForm> {
        let letters: Vec<char> = text.chars().collect();
        let mut open: Vec<Open> = Vec::new();
        let (mut at, mut may_end_side) = (0, false);
        loop {
            let side_is_empty = open
                .last()
                .is_some_and(|open| if open.bar { &open.right } else { &open.left }.is_empty());
            let value = match letters.get(at) {
                Some('{') => {
                    open.push(Open { at, left: Vec::new(), right: Vec::new(), bar: false });
                    at += 1;
                    may_end_side = true;
                    continue;
                }
                Some('|') if may_end_side && side_is_empty && !is_past_bar(&open) => {
                    mark_bar(&mut open);
                    at += 1;
                    continue;
                }
                Some('}') if may_end_side && side_is_empty && is_past_bar(&open) => {
                    at += 1;
                    self.closed(&mut open)?
                }
                _ => {
                    let (value, end) = self.name_at(&letters, at)?;
                    at = end;
                    value
                }
            };
            // After a value: the end, a comma, the bar or the end of the braces.
            let mut value = value;
            loop {
                let Some(brace) = open.last_mut() else {
                    return if at == letters.len() {
                        Ok(value)
                    } else {
                        Err(bad(at, &letters[at..], "the end"))
                    };
                };
                if brace.bar { &mut brace.right } else { &mut brace.left }.push(value);
                let past_bar = brace.bar;
                match letters.get(at) {
                    Some(',') => {
                        may_end_side = false;
                        at += 1;
                    }
                    Some('|') if !past_bar => {
                        mark_bar(&mut open);
                        may_end_side = true;
                        at += 1;
                    }
                    Some('}') if past_bar => {
                        at += 1;
                        value = self.closed(&mut open)?;
                        continue;
                    }
                    _ => {
                        let rest = letters.get(at..).unwrap_or_default();
                        return Err(bad(at, rest, if past_bar { ", or }" } else { ", or |" }));
                    }
                }
                break;
            }
        }
    }

    /// The value of the innermost braces, which must hold the options of its canonical form.
    fn closed(&mut self, open: &mut Vec<Open>) -> Result<Value, BadForm> {
        let Open { at, mut left, mut right, .. } = open.pop().expect("an open brace");
        let value = self.make(&left, &right)?;
        let wrong = |found: &str, expected: String| {
            Err(BadForm::Bad { column: at + 1, found: found.to_string(), expected })
        };
        if let Some(name) = self.short_name(value) {
            return wrong("braces", format!("the name {}", shortened(&name)));
        }
        let (mut lefts, mut rights) = (self.left(value)?, self.right(value)?);
        for list in [&mut left, &mut right, &mut lefts, &mut rights] {
            list.sort_unstable();
        }
        if (left, right) == (lefts, rights) {
            Ok(value)
        } else {
            let expected = format!("the canonical form {}", self.show_within(value, SHOWN));
            wrong("other options", expected)
        }
    }

    /// The value of the name that begins here, and where it ends.
    fn name_at(&mut self, letters: &[char], at: usize) -> Result<(Value, usize), BadForm> {
        let rest = letters.get(at..).unwrap_or_default();
        let name: String = rest.iter().take_while(|sign| SIGNS.contains(**sign)).collect();
        let end = at + name.chars().count();
        let value = match self.parse(&name) {
            Ok(value) => value,
            Err(ParseError::Exhausted(limit)) => return Err(limit.into()),
            Err(ParseError::Bad { .. }) => return Err(bad(at, rest, "a value")),
        };
        match self.short_name(value) {
            Some(shown) if shown == name => Ok((value, end)),
            _ => Err(bad(at, rest, self.show_within(value, SHOWN))),
        }
    }
}

fn is_past_bar(open: &[Open]) -> bool {
    open.last().is_some_and(|open| open.bar)
}

fn mark_bar(open: &mut [Open]) {
    if let Some(open) = open.last_mut() {
        open.bar = true;
    }
}

fn bad(at: usize, rest: &[char], expected: impl Into<String>) -> BadForm {
    let rest: String = rest.iter().collect();
    let found = if rest.is_empty() { "the end".to_string() } else { shortened(&rest) };
    BadForm::Bad { column: at + 1, found, expected: expected.into() }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_shown_is_read() {
        let mut games = Games::new();
        for text in [
            "0",
            "-3/4",
            "*",
            "*2",
            "^",
            "v3*",
            "1/2^*",
            "-1v",
            "tiny(2)",
            "1+miny(1/2)",
            "±1",
            "{1|*}",
            "{3|{2|0}}",
            "{2,{3|*}|{1|-1},0}",
            "{0,*|*}",
            "{*2|0}",
        ] {
            let value = games.parse(text).unwrap();
            let shown = games.show(value);
            assert_eq!(games.read_form(&shown), Ok(value), "{text}: {shown}");
        }
        // Another order of the options.
        let value = games.parse("{2,{3|0}|0}").unwrap();
        let shown = games.show(value);
        let turned = if shown == "{2,{3|0}|0}" { "{{3|0},2|0}" } else { "{2,{3|0}|0}" };
        assert_eq!(games.read_form(turned), Ok(value));
    }

    #[test]
    fn other_spellings_are_refused() {
        let mut games = Games::new();
        for text in [
            "",
            " 0",
            "0 ",
            "+1",
            "01",
            "2/4",
            "-0",
            "*1",
            "*0",
            "^1",
            "^^",
            "0^",
            "{0|1}",
            "{0|0}",
            "{1|-1}",
            "{0|{0|-1}}",
            "{1,0|*}",
            "{1,1|*}",
            "{1|*",
            "{1|*}}",
            "{1}",
            "{1,|*}",
            "{,1|*}",
            "1|*",
            "{1|*}+1",
            "{1|{|}}",
            "{|}",
            "tiny(-1)",
            "tiny({1|*})",
            "cool(1)",
            "2+1",
            "1*+tiny(1)",
            "{1||*}",
            "{1|*}…",
            "±-1",
        ] {
            assert!(games.read_form(text).is_err(), "{text}");
        }
        // {0|v} is reversible to {0|...}; the canonical form has other options.
        assert!(games.read_form("{^|v,0}").is_err());
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "[0-9{}|,*^v±tiny()+/-]{0,24}") {
            let mut games = Games::with_limit(100_000);
            if let Ok(value) = games.read_form(&text) {
                let shown = games.show(value);
                let sorted = |text: &str| {
                    let mut letters: Vec<char> = text.chars().collect();
                    letters.sort_unstable();
                    letters
                };
                prop_assert_eq!(sorted(&shown), sorted(&text));
            }
        }
    }
}
