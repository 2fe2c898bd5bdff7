//! Reading: line by line, refusing everything that was not written so.

use std::path::Path;

use super::{Claim, PavingFileError, START, VERSION};
use crate::paving::lattice::Vector;
use crate::polyomino::shape::parse_set;

/// No certificate is longer; anything that is, is something else.
const MAX_BYTES: usize = 1 << 20;

/// Reads a certificate. What it says has yet to be checked.
///
/// # Errors
/// When the file cannot be read, or differs from what was written.
pub fn read(path: &Path) -> Result<Claim, PavingFileError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|source| PavingFileError::Io { path: name.clone(), source })?;
    Text { path: &name }.claim(&bytes)
}

struct Text<'a> {
    path: &'a str,
}

impl Text<'_> {
    fn damaged(&self, line: usize, found: &str, expected: impl Into<String>) -> PavingFileError {
        let mut shown: String = found.chars().take(100).collect();
        if shown.len() < found.len() {
            shown.push('…');
        }
        PavingFileError::Damaged {
            path: self.path.to_string(),
            line,
            found: format!("{shown:?}"),
            expected: expected.into(),
        }
    }

    fn claim(&self, bytes: &[u8]) -> Result<Claim, PavingFileError> {
        if bytes.len() > MAX_BYTES {
            return Err(self.damaged(1, "", format!("a file of at most {MAX_BYTES} bytes")));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let whole = &bytes[..error.valid_up_to()];
            let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
            self.damaged(line, "a byte that is no text", "UTF-8")
        })?;
        let lines: Vec<&str> = text.split('\n').collect();
        let Some(version) = lines[0].strip_prefix(START) else {
            return Err(self.damaged(1, lines[0], format!("\"{START}{VERSION}\"")));
        };
        if version != VERSION {
            let found = version.to_string();
            return Err(PavingFileError::Version { path: self.path.to_string(), found });
        }
        self.hash(text, &lines)?;
        let claim = self.contents(&lines[1..lines.len() - 2])?;
        self.spelled(&claim, &lines)?;
        Ok(claim)
    }

    /// The last line is the hash of those before, and ends.
    fn hash(&self, text: &str, lines: &[&str]) -> Result<(), PavingFileError> {
        let [.., last, ""] = lines else {
            let last = lines.last().unwrap_or(&"");
            return Err(self.damaged(lines.len(), last, "a last line \"blake3 …\" with its end"));
        };
        let line = lines.len() - 1;
        let Some(hash) = last.strip_prefix("blake3 ") else {
            return Err(self.damaged(line, last, "a last line \"blake3 …\""));
        };
        let body = &text[..text.len() - last.len() - 1];
        let expected = blake3::hash(body.as_bytes()).to_hex();
        match hash == expected.as_str() {
            true => Ok(()),
            false => {
                Err(self.damaged(line, last, format!("{expected}, the hash of all before it")))
            }
        }
    }

    /// The lines between the first and the hash.
    fn contents(&self, lines: &[&str]) -> Result<Claim, PavingFileError> {
        let value = |at: usize, key: &str, example: &str| {
            let line = lines.get(at).copied().unwrap_or("");
            line.strip_prefix(key)
                .and_then(|rest| rest.strip_prefix(' '))
                .ok_or_else(|| self.damaged(at + 2, line, format!("\"{key} {example}\"")))
        };
        let shapes = parse_set(value(0, "shapes", "Square,I")?)
            .map_err(|error| self.damaged(2, lines[0], format!("shapes ({error})")))?;
        let pairs = value(1, "pairs", "adjacent")?
            .parse()
            .map_err(|_| self.damaged(3, lines[1], "\"pairs adjacent\" or \"pairs any\""))?;
        let period = value(2, "period", "2x4")?
            .parse()
            .map_err(|error| self.damaged(4, lines[2], format!("a period ({error})")))?;
        let mut list = Vec::new();
        for (at, line) in lines.iter().enumerate().skip(3) {
            let expected = "\"pair ROW COLUMN step DOWN RIGHT\"";
            list.push(pair(line).ok_or_else(|| self.damaged(at + 2, line, expected))?);
        }
        Ok(Claim { shapes, pairs, period, list })
    }

    /// A claim has one spelling.
    fn spelled(&self, claim: &Claim, lines: &[&str]) -> Result<(), PavingFileError> {
        let body = claim.body();
        for (at, (expected, found)) in body.lines().zip(lines).enumerate() {
            if expected != *found {
                return Err(self.damaged(at + 1, found, format!("{expected:?}")));
            }
        }
        Ok(())
    }
}

fn pair(line: &str) -> Option<(Vector, Vector)> {
    let words: Vec<&str> = line.split(' ').collect();
    let ["pair", row, column, "step", down, right] = words[..] else { return None };
    // Small enough for every sum that is made of them.
    let number = |word: &str| word.parse().ok().filter(|n: &i32| n.abs() <= 1 << 20);
    Some(((number(row)?, number(column)?), (number(down)?, number(right)?)))
}
