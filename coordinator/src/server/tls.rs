//! The coordinator's certificate, signed by its own authority. Both are kept, so that a worker that
//! trusts the authority recognises the coordinator after a restart; a new name or date needs only a
//! new certificate, not a new authority.

use std::fs::DirBuilder;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use hasami_files::Draft;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};

use super::certificate::Inspected;

/// Lifetime of the authority.
const AUTHORITY: Duration = Duration::days(3650);
/// Lifetime of a certificate. Only the coordinator holds it, and a restart renews it.
const CERTIFICATE: Duration = Duration::days(825);
/// A certificate that expires within this time is renewed: the coordinator may run for long.
const MARGIN: Duration = Duration::days(90);
/// Workers' clocks may be behind.
const BEFORE: Duration = Duration::days(2);

/// PEM files that a coordinator needs for TLS.
#[derive(Clone)]
pub struct Tls {
    /// The authority that callers trust.
    pub authority: String,
    /// The certificate signed by the authority.
    pub certificate: String,
    /// The key of the certificate.
    pub key: String,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file operation failed.
    #[error("{} cannot be used: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// A file is damaged.
    #[error("{} is damaged ({detail}); remove its directory for a new authority", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// A name is not valid in a certificate.
    #[error("no certificate can be made for {names:?}: {detail}")]
    Names {
        /// The names.
        names: Vec<String>,
        /// What is wrong.
        detail: String,
    },
}

impl Tls {
    /// Loads the certificate in `folder`, or creates one, for hosts with these names or addresses.
    ///
    /// # Errors
    /// If the directory cannot be used or has other contents, or a name is invalid.
    pub fn prepare(folder: &Path, names: &[String]) -> Result<Self, TlsError> {
        Self::prepare_at(folder, names, OffsetDateTime::now_utc())
    }

    fn prepare_at(folder: &Path, names: &[String], now: OffsetDateTime) -> Result<Self, TlsError> {
        let refused = |source| TlsError::Io { path: folder.to_owned(), source };
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(refused)?;
        let (authority, issuer, fresh) = prepare_authority(folder, now)?;
        let [certificate_path, key_path] = ["server.pem", "server.key"].map(|n| folder.join(n));
        if let (false, Some(certificate), Some(key)) =
            (fresh, load(&certificate_path)?, load(&key_path)?)
        {
            let found = Inspected::read(&certificate).map_err(damaged(&certificate_path))?;
            KeyPair::from_pem(&key).map_err(|e| damaged(&key_path)(e.to_string()))?;
            if found.ends > now + MARGIN && found.covers(names) {
                return Ok(Self { authority, certificate, key });
            }
            if found.ends <= now {
                tracing::warn!(expired = %found.ends, "the certificate has expired: renewed");
            } else {
                tracing::info!(?names, ends = %found.ends, "the certificate is renewed");
            }
        }
        let (certificate, key) = sign(&issuer, names, now)?;
        // The certificate last: if only a key is found, both are created again.
        keep(&key_path, &key)?;
        keep(&certificate_path, &certificate)?;
        Ok(Self { authority, certificate, key })
    }
}

/// The authority in `folder` or a new one, and whether it is new.
fn prepare_authority(
    folder: &Path,
    now: OffsetDateTime,
) -> Result<(String, Issuer<'static, KeyPair>, bool), TlsError> {
    let [path, key_path] = ["ca.pem", "ca.key"].map(|name| folder.join(name));
    if let (Some(pem), Some(key)) = (load(&path)?, load(&key_path)?) {
        let found = Inspected::read(&pem).map_err(damaged(&path))?;
        if found.ends > now + MARGIN {
            let key =
                KeyPair::from_pem(&key).map_err(|error| damaged(&key_path)(error.to_string()))?;
            let issuer = Issuer::from_ca_cert_pem(&pem, key)
                .map_err(|error| damaged(&path)(error.to_string()))?;
            return Ok((pem, issuer, false));
        }
        tracing::warn!(
            ends = %found.ends,
            "the authority has expired or is about to: there is a new one, and everybody needs \
             the new access file"
        );
    }
    let (pem, key) = new_authority(now).map_err(|error| damaged(&path)(error.to_string()))?;
    keep(&key_path, &key.serialize_pem())?;
    keep(&path, &pem)?;
    let issuer =
        Issuer::from_ca_cert_pem(&pem, key).map_err(|error| damaged(&path)(error.to_string()))?;
    Ok((pem, issuer, true))
}

fn new_authority(now: OffsetDateTime) -> Result<(String, KeyPair), rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, "hasami authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    (params.not_before, params.not_after) = (now - BEFORE, now + AUTHORITY);
    Ok((params.self_signed(&key)?.pem(), key))
}

fn sign(
    issuer: &Issuer<'_, KeyPair>,
    names: &[String],
    now: OffsetDateTime,
) -> Result<(String, String), TlsError> {
    let make = || -> Result<_, rcgen::Error> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(names)?;
        params.distinguished_name.push(DnType::CommonName, "hasami coordinator");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        (params.not_before, params.not_after) = (now - BEFORE, now + CERTIFICATE);
        Ok((params.signed_by(&key, issuer)?.pem(), key.serialize_pem()))
    };
    make().map_err(|error| TlsError::Names { names: names.to_vec(), detail: error.to_string() })
}

fn damaged(path: &Path) -> impl Fn(String) -> TlsError {
    move |detail| TlsError::Damaged { path: path.to_owned(), detail }
}

fn load(path: &Path) -> Result<Option<String>, TlsError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(TlsError::Io { path: path.to_owned(), source }),
    }
}

/// Writes a file atomically that only its owner can read.
fn keep(path: &Path, text: &str) -> Result<(), TlsError> {
    let write = || {
        let mut draft = Draft::with_mode(path, 0o600)?;
        draft.write_all(text.as_bytes())?;
        draft.finish()
    };
    write().map_err(|source| TlsError::Io { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests;
