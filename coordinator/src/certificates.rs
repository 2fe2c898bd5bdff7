//! Certificates uploaded by workers, each in a file named by the hash of its bytes. So no upload can
//! replace another certificate, whoever sends it and whatever it calls it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hasami_files::Draft;
use hasami_sweep::Certificate;

/// The largest certificate that is stored.
pub const LARGEST: u64 = 4 << 30;

/// Part of the name of a file while it is uploaded.
const UPLOAD: &str = "upload";

/// A directory of certificates.
#[derive(Clone, Debug)]
pub struct Certificates {
    directory: PathBuf,
}

/// Why a certificate cannot be stored or found.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// It is too large.
    #[error("certificate {name}: more than {LARGEST} bytes")]
    TooLarge {
        /// Its name.
        name: String,
    },
    /// The upload ended early.
    #[error("certificate {name}: it was cut short")]
    CutShort {
        /// Its name.
        name: String,
    },
    /// There is no file with these bytes.
    #[error("certificate {name}: there is no file with its digest and {bytes} bytes")]
    Missing {
        /// Its name.
        name: String,
        /// Its size.
        bytes: u64,
    },
    /// A file operation failed.
    #[error("certificate {name}: {error}")]
    Io {
        /// Its name.
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
        fs::create_dir_all(directory)?;
        Ok(Self { directory: directory.to_owned() })
    }

    /// Removes uploads that a crash has cut short. Only before any upload begins.
    ///
    /// # Errors
    /// If a file operation fails.
    pub fn remove_unfinished(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&format!(".{UPLOAD}.")) && name.ends_with(".partial") {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of a certificate.
    #[must_use]
    pub fn file(&self, certificate: &Certificate) -> PathBuf {
        self.directory.join(certificate.file_name())
    }

    /// Starts to write a certificate. `name` is for messages only.
    ///
    /// # Errors
    /// If a file operation fails.
    pub fn begin(&self, name: &str) -> Result<Incoming, CertificateError> {
        let io = |error| CertificateError::Io { name: name.to_string(), error };
        let draft = Draft::new(&self.directory.join(UPLOAD)).map_err(io)?;
        Ok(Incoming {
            certificates: self.clone(),
            name: name.to_string(),
            draft,
            hash: blake3::Hasher::new(),
            bytes: 0,
        })
    }

    /// The file of a certificate that an answer names. Earlier releases named files as their makers
    /// did; such a file counts if it has the right bytes.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, certificate: &Certificate) -> Result<PathBuf, CertificateError> {
        let missing = || {
            let Certificate { name, bytes, .. } = certificate.clone();
            CertificateError::Missing { name, bytes }
        };
        let file = self.file(certificate);
        if fs::metadata(&file).is_ok_and(|found| found.len() == certificate.bytes) {
            return Ok(file);
        }
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.,+".contains(sign);
        let name = &certificate.name;
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(missing());
        }
        let old = self.directory.join(name);
        let same = hash(&old).is_ok_and(|digest| digest == certificate.digest);
        if same { Ok(old) } else { Err(missing()) }
    }
}

/// The BLAKE3 hash of a file.
///
/// # Errors
/// If it cannot be read.
pub fn hash(file: &Path) -> io::Result<[u8; 32]> {
    let mut hash = blake3::Hasher::new();
    hash.update_reader(fs::File::open(file)?)?;
    Ok(*hash.finalize().as_bytes())
}

/// A certificate being written.
pub struct Incoming {
    certificates: Certificates,
    name: String,
    draft: Draft,
    hash: blake3::Hasher,
    bytes: u64,
}

impl Incoming {
    /// Adds a piece.
    ///
    /// # Errors
    /// If it becomes too large or a file operation fails.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), CertificateError> {
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        let name = || self.name.clone();
        if self.bytes > LARGEST {
            return Err(CertificateError::TooLarge { name: name() });
        }
        self.draft.write_all(piece).map_err(|error| CertificateError::Io { name: name(), error })
    }

    /// Moves it into place, unless it is there; it survives a crash from here on.
    ///
    /// # Errors
    /// If a file operation fails.
    pub fn finish(self) -> Result<Certificate, CertificateError> {
        let Self { certificates, name, draft, hash, bytes } = self;
        let certificate = Certificate { name, digest: *hash.finalize().as_bytes(), bytes };
        if certificates.find(&certificate).is_ok() {
            return Ok(certificate);
        }
        match draft.finish_as(&certificates.file(&certificate)) {
            Ok(()) => Ok(certificate),
            Err(error) => Err(CertificateError::Io { name: certificate.name, error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(certificates: &Certificates, name: &str, bytes: &[u8]) -> Certificate {
        let mut incoming = certificates.begin(name).unwrap();
        bytes.chunks(3).for_each(|piece| incoming.write(piece).unwrap());
        incoming.finish().unwrap()
    }

    #[test]
    fn two_certificates_of_one_name_are_two_files() {
        let directory = tempfile::tempdir().unwrap();
        let certificates = Certificates::open(directory.path()).unwrap();
        let first = put(&certificates, "a.cert", b"the first proof");
        let second = put(&certificates, "a.cert", b"another");
        assert_ne!(first.digest, second.digest);
        for (certificate, bytes) in [(&first, &b"the first proof"[..]), (&second, b"another")] {
            assert_eq!(fs::read(certificates.find(certificate).unwrap()).unwrap(), bytes);
        }
        assert_eq!(put(&certificates, "b.cert", b"another").digest, second.digest);
        // A crash in the middle of an upload.
        fs::write(directory.path().join(".upload.x7.partial"), "the fir").unwrap();
        certificates.remove_unfinished().unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "nothing twice");
    }

    #[test]
    fn a_file_of_an_earlier_release_is_found_by_its_name_if_its_bytes_are_right() {
        let directory = tempfile::tempdir().unwrap();
        let certificates = Certificates::open(directory.path()).unwrap();
        fs::write(directory.path().join("old.cert"), "proof").unwrap();
        let digest = *blake3::hash(b"proof").as_bytes();
        let old = Certificate { name: "old.cert".to_string(), digest, bytes: 5 };
        assert!(certificates.find(&old).is_ok());
        let other = Certificate { digest: [7; 32], ..old.clone() };
        assert!(certificates.find(&other).is_err(), "other bytes");
        let outside = Certificate { name: "../old.cert".to_string(), ..old };
        assert!(certificates.find(&outside).is_err(), "no path");
    }
}
