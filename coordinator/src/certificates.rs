//! Certificates uploaded by workers, stored as files that anyone can verify.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hasami_files::Draft;
use hasami_sweep::Certificate;

/// Names are short and contain only letters, digits and a few signs.
const LONGEST_NAME: usize = 128;

/// A directory of certificates.
#[derive(Clone, Debug)]
pub struct Certificates {
    directory: PathBuf,
}

/// Why a certificate cannot be stored or found.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The name could escape the directory.
    #[error(
        "certificate name {name:?}: expected up to {LONGEST_NAME} letters, digits and - _ . , \
         not beginning with a dot"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// It is missing, or differs from what the answer names.
    #[error("certificate {name}: {why}")]
    Missing {
        /// The certificate.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// A file operation failed.
    #[error("certificate {name}: {error}")]
    Io {
        /// The file.
        name: String,
        /// The system's message.
        error: io::Error,
    },
}

impl Certificates {
    /// Opens the directory, and creates it if missing.
    ///
    /// # Errors
    /// If a file operation fails.
    pub fn open(directory: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(directory)?;
        Ok(Self { directory: directory.to_owned() })
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of a certificate.
    ///
    /// # Errors
    /// If the name could escape the directory.
    pub fn file(&self, name: &str) -> Result<PathBuf, CertificateError> {
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.,+".contains(sign);
        let fine = !name.is_empty()
            && name.len() <= LONGEST_NAME
            && !name.starts_with('.')
            && name.chars().all(plain);
        if fine {
            Ok(self.directory.join(name))
        } else {
            Err(CertificateError::Name { name: name.to_string() })
        }
    }

    /// Starts to write a certificate; it appears under its name once it is complete and on disk.
    ///
    /// # Errors
    /// If the name is invalid or a file operation fails.
    pub fn begin(&self, name: &str) -> Result<Incoming, CertificateError> {
        let file = self.file(name)?;
        let io = |error| CertificateError::Io { name: name.to_string(), error };
        let draft = Draft::new(&file).map_err(io)?;
        Ok(Incoming { name: name.to_string(), draft, hash: blake3::Hasher::new(), bytes: 0 })
    }

    /// Checks that a certificate named by an answer is here.
    ///
    /// # Errors
    /// If it is missing or has another size.
    pub fn check(&self, certificate: &Certificate) -> Result<(), CertificateError> {
        let file = self.file(&certificate.name)?;
        let name = certificate.name.clone();
        match std::fs::metadata(file) {
            Ok(found) if found.len() == certificate.bytes => Ok(()),
            Ok(found) => Err(CertificateError::Missing {
                name,
                why: format!("it has {} bytes; expected {}", found.len(), certificate.bytes),
            }),
            Err(error) => Err(CertificateError::Missing { name, why: error.to_string() }),
        }
    }
}

/// A certificate being written.
pub struct Incoming {
    name: String,
    draft: Draft,
    hash: blake3::Hasher,
    bytes: u64,
}

impl Incoming {
    /// Adds a piece.
    ///
    /// # Errors
    /// If a file operation fails.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), CertificateError> {
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        let name = &self.name;
        let io = |error| CertificateError::Io { name: name.clone(), error };
        self.draft.write_all(piece).map_err(io)
    }

    /// Moves it into place; it survives a crash from here on.
    ///
    /// # Errors
    /// If a file operation fails.
    pub fn finish(self) -> Result<Certificate, CertificateError> {
        let Self { name, draft, hash, bytes } = self;
        match draft.finish() {
            Ok(()) => Ok(Certificate { name, digest: *hash.finalize().as_bytes(), bytes }),
            Err(error) => Err(CertificateError::Io { name, error }),
        }
    }
}
