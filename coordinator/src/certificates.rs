//! Certificates that workers have sent, as files that anybody can verify.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hasami_files::Draft;
use hasami_sweep::Certificate;

/// Names are short, and nothing but letters, digits and a few signs.
const LONGEST_NAME: usize = 128;

/// A directory of certificates.
#[derive(Clone, Debug)]
pub struct Certificates {
    directory: PathBuf,
}

/// Why a certificate was not kept or found.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The name could lead anywhere.
    #[error(
        "certificate name {name:?}: expected up to {LONGEST_NAME} letters, digits and - _ . , \
         not beginning with a dot"
    )]
    Name {
        /// What was found.
        name: String,
    },
    /// It is not there, or not as it was announced.
    #[error("certificate {name}: {why}")]
    Missing {
        /// Which.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The disk refuses.
    #[error("certificate {name}: {error}")]
    Io {
        /// Which.
        name: String,
        /// What the system says.
        error: io::Error,
    },
}

impl Certificates {
    /// The directory, made if it is not there.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn open(directory: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(directory)?;
        Ok(Self { directory: directory.to_owned() })
    }

    /// Where they are.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of a certificate.
    ///
    /// # Errors
    /// When the name could lead elsewhere.
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

    /// Begins to write a certificate; it appears under its name when it is whole and on disk.
    ///
    /// # Errors
    /// When the name is wrong or the disk refuses.
    pub fn begin(&self, name: &str) -> Result<Incoming, CertificateError> {
        let file = self.file(name)?;
        let io = |error| CertificateError::Io { name: name.to_string(), error };
        let draft = Draft::new(&file).map_err(io)?;
        Ok(Incoming { name: name.to_string(), draft, hash: blake3::Hasher::new(), bytes: 0 })
    }

    /// Whether a certificate that an answer names is here.
    ///
    /// # Errors
    /// When it is not, or has another size.
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

/// A certificate on its way.
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
    /// When the disk refuses.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), CertificateError> {
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        let name = &self.name;
        let io = |error| CertificateError::Io { name: name.clone(), error };
        self.draft.write_all(piece).map_err(io)
    }

    /// Puts it in its place; it outlives a crash from here on.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn finish(self) -> Result<Certificate, CertificateError> {
        let Self { name, draft, hash, bytes } = self;
        match draft.finish() {
            Ok(()) => Ok(Certificate { name, digest: *hash.finalize().as_bytes(), bytes }),
            Err(error) => Err(CertificateError::Io { name, error }),
        }
    }
}
