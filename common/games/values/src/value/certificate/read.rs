//! Reading: line by line, refusing everything that was not written so.

use std::path::Path;

use super::{Claim, START, VERSION, ValueFileError, WITH_TABLE};
use crate::value::{Entry, Family};

/// Canonical forms are cut after a million letters, so no certificate is longer.
const MAX_BYTES: usize = 1 << 22;

/// Reads a certificate. What it says has yet to be checked.
///
/// # Errors
/// When the file cannot be read, or differs from what was written.
pub fn read(path: &Path) -> Result<Claim, ValueFileError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|source| ValueFileError::Io { path: name.clone(), source })?;
    claim(&bytes).map_err(|Wrong { line, found, expected }| {
        let mut shown: String = found.chars().take(100).collect();
        if shown.len() < found.len() {
            shown.push('…');
        }
        ValueFileError::Damaged { path: name, line, found: format!("{shown:?}"), expected }
    })
}

struct Wrong {
    line: usize,
    found: String,
    expected: String,
}

fn claim(bytes: &[u8]) -> Result<Claim, Wrong> {
    let wrong = |line: usize, found: &str, expected: String| Wrong {
        line,
        found: found.to_string(),
        expected,
    };
    if bytes.len() > MAX_BYTES {
        return Err(wrong(1, "", format!("a file of at most {MAX_BYTES} bytes")));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| wrong(1, "a byte that is no text", "UTF-8".to_string()))?;
    let lines: Vec<&str> = text.split('\n').collect();
    let value = |at: usize, key: &str, example: &str| {
        let line = lines.get(at).copied().unwrap_or("");
        line.strip_prefix(key)
            .and_then(|rest| rest.strip_prefix(' '))
            .ok_or_else(|| wrong(at + 1, line, format!("\"{key} {example}\"")))
    };
    let version = value(0, START.trim_end(), VERSION)?;
    if ![VERSION, WITH_TABLE].contains(&version) {
        let known = format!("format {VERSION} or {WITH_TABLE}, those this program reads");
        return Err(wrong(1, version, known));
    }
    let name = value(1, "family", "go-room")?;
    let family = Family::NAMES.iter().find(|(known, _)| *known == name).map(|(_, one)| *one);
    let known: Vec<&str> = Family::NAMES.iter().map(|(known, _)| *known).collect();
    let family =
        family.ok_or_else(|| wrong(2, name, format!("a family: one of {}", known.join(", "))))?;
    let mut table = Vec::new();
    while version == WITH_TABLE
        && lines.get(4 + table.len()).is_some_and(|line| line.starts_with("part "))
    {
        let at = 4 + table.len();
        let line = value(at, "part", "XXX/O.X/XXX {1|0}")?;
        let Some((part, worth)) = line.split_once(' ') else {
            return Err(wrong(at + 1, line, "a part and its value".to_string()));
        };
        table.push(Entry { part: part.to_string(), value: worth.to_string() });
    }
    let end = 4 + table.len();
    let claim = Claim {
        table,
        family,
        position: value(2, "position", "…")?.to_string(),
        value: value(3, "value", "{1|0}")?.to_string(),
    };
    value(end, "blake3", "…")?;
    let expected = claim.text();
    for (at, (expected, found)) in expected.split('\n').zip(&lines).enumerate() {
        if expected != *found {
            return Err(wrong(at + 1, found, format!("{expected:?}")));
        }
    }
    match text == expected {
        true => Ok(claim),
        false => Err(wrong(lines.len(), "more or less", "the end after the hash".to_string())),
    }
}
