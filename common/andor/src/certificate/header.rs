//! The header of a part: what is asked, under which rules, and the verdict. Text, so that people can
//! read it, in one spelling.

use std::fmt;

use crate::numbers::Verdict;

/// What is asked: the rules and the parameters of the question, everything that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Name of the game.
    pub game: String,
    /// Version of its rules in docs/certificates.md.
    pub rules: u32,
    /// The parameters, in the order of the game.
    pub lines: Vec<(String, String)>,
    /// The bytes of a move that may not be the first.
    pub except: Option<Vec<u8>>,
}

/// Header of a part that proves a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The question.
    pub asked: Asked,
    /// The verdict.
    pub verdict: Verdict,
    /// No line against the side that follows the tree is longer.
    pub length: Option<u32>,
}

impl Asked {
    /// The value of a parameter.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.lines.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for Asked {
    /// In one line: the game and its parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.game)?;
        self.lines.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))?;
        self.except.iter().try_for_each(|mv| write!(f, " except={}", hex(mv)))
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, verdict, length } = self;
        writeln!(f, "claim verdict\nrules {} {}", asked.game, asked.rules)?;
        asked.lines.iter().try_for_each(|(key, value)| writeln!(f, "{key} {value}"))?;
        asked.except.iter().try_for_each(|mv| writeln!(f, "except {}", hex(mv)))?;
        writeln!(f, "verdict {}", verdict.word())?;
        length.iter().try_for_each(|length| writeln!(f, "length {length}"))?;
        writeln!(f)
    }
}

impl Header {
    /// Parses the lines of a header without its empty one.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().map(|line| line.split_once(' ').unwrap_or((line, "")));
        let mut next = |expected: &str| {
            let found = lines.next();
            found.ok_or_else(|| format!("the header ends; expected {expected}"))
        };
        match next("\"claim verdict\"")? {
            ("claim", "verdict") => {}
            (key, value) => return Err(found(key, value, "\"claim verdict\"")),
        }
        let (game, rules) = match next("\"rules NAME VERSION\"")? {
            ("rules", value) => value
                .split_once(' ')
                .and_then(|(game, rules)| Some((game.to_string(), number(rules)?)))
                .ok_or_else(|| found("rules", value, "\"rules NAME VERSION\""))?,
            (key, value) => return Err(found(key, value, "\"rules NAME VERSION\"")),
        };
        let mut asked = Asked { game, rules, lines: Vec::new(), except: None };
        let verdict = loop {
            match next("\"verdict proven\" or \"verdict disproven\"")? {
                ("verdict", "proven") => break Verdict::Proven,
                ("verdict", "disproven") => break Verdict::Disproven,
                (key @ "verdict", value) => return Err(found(key, value, "proven or disproven")),
                (key, value) if asked.except.is_some() => {
                    return Err(found(key, value, "the verdict after \"except\""));
                }
                (key @ "except", value) => {
                    let bytes = unhex(value);
                    asked.except =
                        Some(bytes.ok_or_else(|| found(key, value, "a move in hexadecimal"))?);
                }
                (key, value) => asked.lines.push((key.to_string(), value.to_string())),
            }
        };
        let length = match lines.next() {
            None => None,
            Some(("length", value)) => {
                Some(number(value).ok_or_else(|| found("length", value, "a number"))?)
            }
            Some((key, value)) => return Err(found(key, value, "nothing after the verdict")),
        };
        let header = Self { asked, verdict, length };
        if format!("{text}\n") == header.to_string() {
            Ok(header)
        } else {
            Err("the header is not in its one spelling".to_string())
        }
    }
}

fn found(key: &str, value: &str, expected: &str) -> String {
    let line: String = format!("{key} {value}").chars().take(100).collect();
    format!("the header has {line:?}; expected {expected}")
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    let plain = text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()).flatten()
}
