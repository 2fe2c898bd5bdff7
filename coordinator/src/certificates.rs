//! Certificates uploaded by workers, each in a file named by the hash of its bytes. So no upload can
//! replace another certificate, whoever sends it and whatever it calls it.
//!
//! With an object store, that is where they are: a certificate is stored there before its upload is
//! acknowledged, and the directory is a cache, which another machine fills by itself.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasami_files::Draft;
use hasami_sweep::Certificate;

use crate::objects::{ObjectError, Objects};

/// The largest certificate that is stored.
pub const LARGEST: u64 = 4 << 30;

/// Part of the name of a file while it is uploaded.
const UPLOAD: &str = "upload";

/// The prefix of certificates in an object store.
pub(crate) const PREFIX: &str = "certificates";

/// A directory of certificates.
#[derive(Clone)]
pub struct Certificates {
    directory: PathBuf,
    objects: Option<Arc<Objects>>,
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
    /// The object store is away: try again later.
    #[error("certificate {name}: {why}")]
    Away {
        /// Its name.
        name: String,
        /// What the store says.
        why: String,
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
        Ok(Self { directory: directory.to_owned(), objects: None })
    }

    /// Keeps certificates in an object store from here on, also those that are here already.
    ///
    /// # Errors
    /// If the store does not take them.
    pub fn keep_in(self, objects: Arc<Objects>) -> Result<Self, ObjectError> {
        let there: HashSet<String> =
            objects.list(PREFIX)?.into_iter().map(|one| one.name).collect();
        let failed = |error| ObjectError::File { path: self.directory.clone(), error };
        for entry in fs::read_dir(&self.directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') && !there.contains(&name) {
                objects.put_file(&key(&name), &entry.path())?;
            }
        }
        Ok(Self { objects: Some(objects), ..self })
    }

    /// The object store, if there is one.
    #[must_use]
    pub fn objects(&self) -> Option<&Arc<Objects>> {
        self.objects.as_ref()
    }

    /// Whether a certificate is stored, without reading it.
    ///
    /// # Errors
    /// If it is not, or the object store does not say.
    pub fn check(&self, certificate: &Certificate) -> Result<(), CertificateError> {
        if let Some(objects) = &self.objects
            && !self.is_here(certificate)
        {
            let found = objects.size(&key(&certificate.file_name()));
            return match found.map_err(|error| away(certificate, error))? {
                Some(bytes) if bytes == certificate.bytes => Ok(()),
                _ => Err(missing(certificate)),
            };
        }
        self.find(certificate).map(drop)
    }

    fn is_here(&self, certificate: &Certificate) -> bool {
        let file = self.file(certificate);
        fs::metadata(&file).is_ok_and(|found| found.len() == certificate.bytes)
    }

    /// Brings a certificate from the object store; its bytes are checked against its digest.
    fn fetch(
        &self,
        objects: &Objects,
        certificate: &Certificate,
    ) -> Result<PathBuf, CertificateError> {
        let io = |error| CertificateError::Io { name: certificate.name.clone(), error };
        let mut draft = Draft::new(&self.directory.join(UPLOAD)).map_err(io)?;
        let mut reading = Hashing { draft: &mut draft, hash: blake3::Hasher::new() };
        let name = key(&certificate.file_name());
        objects
            .get_into(&name, certificate.bytes, &mut reading)
            .map_err(|error| away(certificate, error))?;
        if *reading.hash.finalize().as_bytes() != certificate.digest {
            let place = format!("{}/{name}", objects.shown());
            let error = io::Error::new(io::ErrorKind::InvalidData, format!("{place} is damaged"));
            return Err(io(error));
        }
        let file = self.file(certificate);
        draft.finish_as(&file).map_err(io)?;
        Ok(file)
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
        if self.is_here(certificate) {
            return Ok(self.file(certificate));
        }
        if let Some(objects) = &self.objects {
            return self.fetch(objects, certificate);
        }
        let missing = || missing(certificate);
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

/// The name of a file in an object store.
pub(crate) fn key(file: &str) -> String {
    format!("{PREFIX}/{file}")
}

fn missing(certificate: &Certificate) -> CertificateError {
    let Certificate { name, bytes, .. } = certificate.clone();
    CertificateError::Missing { name, bytes }
}

fn away(certificate: &Certificate, error: ObjectError) -> CertificateError {
    let name = certificate.name.clone();
    match error {
        ObjectError::Missing(_) => missing(certificate),
        ObjectError::Unavailable(why) => CertificateError::Away { name, why },
        ObjectError::File { error, .. } => CertificateError::Io { name, error },
    }
}

/// Writes and hashes.
struct Hashing<'a> {
    draft: &'a mut Draft,
    hash: blake3::Hasher,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.draft.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.draft.flush()
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
        if certificates.is_here(&certificate) {
            return Ok(certificate);
        }
        if let Some(objects) = &certificates.objects {
            objects
                .put_file(&key(&certificate.file_name()), draft.path())
                .map_err(|error| away(&certificate, error))?;
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
