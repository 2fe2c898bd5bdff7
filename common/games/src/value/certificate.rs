//! The certificate of a value: a small text that says which position, and what it is worth.
//!
//! ```text
//! hasami value 1
//! family go-corridor
//! position 3
//! value {2|{1|*}}
//! blake3 (64 hexadecimal digits: the hash of all lines before)
//! ```
//!
//! A claim has one spelling. Whoever verifies it needs the rules and the file, nothing else.

mod read;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub use read::read;

use super::{Family, Proof, prove};

/// What every certificate of a value starts with; the version follows.
pub const START: &str = "hasami value ";
const VERSION: &str = "1";

/// What a certificate says: this position is worth this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The family.
    pub family: Family,
    /// The position, as its family spells it.
    pub position: String,
    /// The canonical form, as the kernel shows it.
    pub value: String,
}

/// A claim that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// What holds.
    pub claim: Claim,
    /// How it was checked.
    pub proof: Proof,
}

/// What is wrong with the certificate of a value.
#[derive(Debug, thiserror::Error)]
pub enum ValueFileError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The text is not one that was written.
    #[error("{path}: line {line}: found {found}; expected {expected}")]
    Damaged {
        /// Which file.
        path: String,
        /// From 1.
        line: usize,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// The text is whole, but what it says does not hold.
    #[error("{path}: refused: {detail}")]
    Refused {
        /// Which file.
        path: String,
        /// What does not hold.
        detail: String,
    },
}

impl Claim {
    /// A short name for files about this position.
    #[must_use]
    pub fn file_name(&self) -> String {
        let question = format!("{} {}", self.family.name(), self.position);
        let id = blake3::hash(question.as_bytes()).to_hex();
        format!("value-{}.value", &id[..12])
    }

    fn body(&self) -> String {
        format!(
            "{START}{VERSION}\nfamily {}\nposition {}\nvalue {}\n",
            self.family.name(),
            self.position,
            self.value
        )
    }

    /// The whole certificate.
    #[must_use]
    pub fn text(&self) -> String {
        let body = self.body();
        let hash = blake3::hash(body.as_bytes()).to_hex();
        format!("{body}blake3 {hash}\n")
    }
}

/// Writes a certificate; it is there whole or not at all. Returns its size in bytes.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, claim: &Claim) -> Result<u64, ValueFileError> {
    let text = claim.text();
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".partial-{}", std::process::id()));
    let partial = PathBuf::from(name);
    let put = || -> io::Result<()> {
        let mut file = File::create(&partial)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&partial, path)
    };
    put().map_err(|source| {
        // If that fails too, the name still says what it is.
        let _ = std::fs::remove_file(&partial);
        ValueFileError::Io { path: path.display().to_string(), source }
    })?;
    Ok(text.len() as u64)
}

/// Whether a file starts as the certificate of a value does.
///
/// # Errors
/// When it cannot be read.
pub fn is_one(path: &Path) -> Result<bool, ValueFileError> {
    let failed = |source| ValueFileError::Io { path: path.display().to_string(), source };
    let file = File::open(path).map_err(failed)?;
    let mut start = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(file, START.len() as u64), &mut start)
        .map_err(failed)?;
    Ok(start == START.as_bytes())
}

/// Reads a certificate and checks what it says.
///
/// # Errors
/// When the file is damaged, or what it says does not hold.
pub fn verify(path: &Path) -> Result<Verified, ValueFileError> {
    let claim = read(path)?;
    let refused = |detail| ValueFileError::Refused { path: path.display().to_string(), detail };
    let position = claim
        .family
        .read(&claim.position)
        .map_err(|error| refused(format!("position {}: expected {error}", claim.position)))?;
    let proof = prove(&position, &claim.value).map_err(refused)?;
    Ok(Verified { claim, proof })
}
