//! Certificates that are small texts: a first line with kind and version, the lines of a claim, and
//! a last line with the hash of all lines before it. A claim has one spelling; a file that differs
//! from it in any byte is refused. Files are written atomically.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// What is wrong with a certificate file.
#[derive(Debug, thiserror::Error)]
pub enum TextFileError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The text is damaged, or of another version.
    #[error("{path}: {damage}")]
    Damaged {
        /// Which file.
        path: String,
        /// Where and what.
        damage: Damage,
    },
    /// The text is intact, but its claim does not hold.
    #[error("{path}: refused: {detail}")]
    Refused {
        /// Which file.
        path: String,
        /// What does not hold.
        detail: String,
    },
}

impl TextFileError {
    /// The error for an intact text whose claim does not hold.
    #[must_use]
    pub fn refused(path: &Path, detail: String) -> Self {
        Self::Refused { path: path.display().to_string(), detail }
    }

    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::Io { path, source }
    }
}

/// A line that differs from what a writer produces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: found {found}; expected {expected}")]
pub struct Damage {
    line: usize,
    found: String,
    expected: String,
}

impl Damage {
    /// Damage at a line, counted from 1.
    #[must_use]
    fn new(line: usize, found: &str, expected: impl Into<String>) -> Self {
        let mut shown: String = found.chars().take(100).collect();
        if shown.len() < found.len() {
            shown.push('…');
        }
        Self { line, found: format!("{shown:?}"), expected: expected.into() }
    }
}

/// A claim that is written as text.
pub trait TextCertificate: Sized {
    /// Start of the first line; a space and the version follow.
    const START: &'static str;
    /// The version that is written and read.
    const VERSION: &'static str;
    /// Largest size of a certificate; longer files are something else.
    const MAX_BYTES: usize;

    /// All lines but the hash, each with its line break.
    fn body(&self) -> String;

    /// Parses the lines between the first and the hash.
    ///
    /// # Errors
    /// The first line that is not part of a claim.
    fn parse(lines: &Lines<'_>) -> Result<Self, Damage>;

    /// The whole certificate.
    #[must_use]
    fn text(&self) -> String {
        with_hash(self.body())
    }

    /// Writes the certificate atomically. Returns its size in bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn write(&self, path: &Path) -> Result<u64, TextFileError> {
        let text = self.text();
        hasami_files::write_whole(path, text.as_bytes()).map_err(TextFileError::io(path))?;
        Ok(text.len() as u64)
    }

    /// Whether a file starts like such a certificate.
    ///
    /// # Errors
    /// If it cannot be read.
    fn is_one(path: &Path) -> Result<bool, TextFileError> {
        let start = format!("{} ", Self::START);
        let mut found = Vec::new();
        File::open(path)
            .and_then(|file| file.take(start.len() as u64).read_to_end(&mut found))
            .map_err(TextFileError::io(path))?;
        Ok(found == start.as_bytes())
    }

    /// Reads a certificate, without checking its claim.
    ///
    /// # Errors
    /// If the file cannot be read, or differs from what was written.
    fn read(path: &Path) -> Result<Self, TextFileError> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(Self::MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
            .map_err(TextFileError::io(path))?;
        claim(&bytes)
            .map_err(|damage| TextFileError::Damaged { path: path.display().to_string(), damage })
    }

    /// Reads the lines between the first and the hash, without checking the claim.
    ///
    /// # Errors
    /// If they differ from what is written.
    fn from_lines(lines: &str) -> Result<Self, Damage> {
        let body = format!("{} {}\n{lines}", Self::START, Self::VERSION);
        claim(with_hash(body).as_bytes())
    }
}

/// The lines of a claim.
pub struct Lines<'a>(&'a [&'a str]);

impl<'a> Lines<'a> {
    /// The number of lines.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The rest of a line after `key`; the example is for the message.
    ///
    /// # Errors
    /// If the line is missing or has another key.
    pub fn value(&self, at: usize, key: &str, example: &str) -> Result<&'a str, Damage> {
        let line = self.0.get(at).copied().unwrap_or("");
        line.strip_prefix(key)
            .and_then(|rest| rest.strip_prefix(' '))
            .ok_or_else(|| self.damage(at, format!("\"{key} {example}\"")))
    }

    /// The error for a line in which something else was expected.
    #[must_use]
    pub fn damage(&self, at: usize, expected: impl Into<String>) -> Damage {
        // The first line of the file precedes these.
        Damage::new(at + 2, self.0.get(at).copied().unwrap_or(""), expected)
    }
}

fn claim<Claim: TextCertificate>(bytes: &[u8]) -> Result<Claim, Damage> {
    if bytes.len() > Claim::MAX_BYTES {
        return Err(Damage::new(1, "", format!("a file of at most {} bytes", Claim::MAX_BYTES)));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let whole = &bytes[..error.valid_up_to()];
        let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
        Damage::new(line, "a byte that is no text", "UTF-8")
    })?;
    let lines: Vec<&str> = text.split('\n').collect();
    check_version::<Claim>(lines[0])?;
    check_hash(text, &lines)?;
    let claim = Claim::parse(&Lines(&lines[1..lines.len() - 2]))?;
    check_spelling(&claim, &lines[..lines.len() - 2])?;
    Ok(claim)
}

fn check_version<Claim: TextCertificate>(first: &str) -> Result<(), Damage> {
    let known = Claim::VERSION;
    match first.strip_prefix(Claim::START).and_then(|rest| rest.strip_prefix(' ')) {
        None => Err(Damage::new(1, first, format!("\"{} {known}\"", Claim::START))),
        Some(version) if version == known => Ok(()),
        Some(_) => {
            let what = format!("version {known}, the only one that this program reads");
            Err(Damage::new(1, first, what))
        }
    }
}

/// A text with the line that has its hash.
#[must_use]
pub fn with_hash(mut body: String) -> String {
    let hash = sha256(&body);
    body.push_str("sha256 ");
    body.push_str(&hash);
    body.push('\n');
    body
}

/// The SHA-256 of a text, in hexadecimal: Python's standard library has it, so that strangers can
/// check it.
fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks that the last line is complete and the hash of those before.
fn check_hash(text: &str, lines: &[&str]) -> Result<(), Damage> {
    let [_, .., last, ""] = lines else {
        let last = lines.last().unwrap_or(&"");
        return Err(Damage::new(lines.len(), last, "a last line \"sha256 …\" with its end"));
    };
    let line = lines.len() - 1;
    let Some(hash) = last.strip_prefix("sha256 ") else {
        return Err(Damage::new(line, last, "a last line \"sha256 …\""));
    };
    let body = &text[..text.len() - last.len() - 1];
    let expected = sha256(body);
    if hash == expected {
        Ok(())
    } else {
        Err(Damage::new(line, last, format!("{expected}, the hash of all before it")))
    }
}

/// Checks that the lines are the canonical spelling of the claim.
fn check_spelling(claim: &impl TextCertificate, lines: &[&str]) -> Result<(), Damage> {
    let body = claim.body();
    let expected: Vec<&str> = body.lines().collect();
    for at in 0..lines.len().max(expected.len()) {
        let found = lines.get(at).copied().unwrap_or("");
        match expected.get(at) {
            Some(line) if *line == found && at < lines.len() => {}
            Some(line) => return Err(Damage::new(at + 1, found, format!("{line:?}"))),
            None => return Err(Damage::new(at + 1, found, "the hash")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From FIPS 180-4, and `sha256sum`.
    #[test]
    fn the_hash_is_sha_256() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), known);
        let line = "sha256 edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb";
        assert_eq!(with_hash("abc\n".to_string()), format!("abc\n{line}\n"));
    }
}
