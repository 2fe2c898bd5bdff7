//! TLS to the database. Certificates are always checked: against the authority of the URL, or those
//! that the machine trusts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Files that a URL names.
#[derive(Clone, Debug, Default)]
pub struct TlsFiles {
    /// Certificates to trust.
    pub authority: Option<PathBuf>,
    /// Our certificate.
    pub certificate: Option<PathBuf>,
    /// Its key.
    pub key: Option<PathBuf>,
}

impl TlsFiles {
    /// Whether there is any.
    pub fn any(&self) -> bool {
        self.authority.is_some() || self.certificate.is_some() || self.key.is_some()
    }
}

/// How connections are encrypted, if they are.
#[derive(Clone)]
pub struct Tls(pub(super) MakeRustlsConnect);

impl Tls {
    /// Reads the files. `None`: nothing is encrypted, and nobody is trusted.
    pub fn prepare(files: Option<&TlsFiles>) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        let builder = || {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .map_err(|error| error.to_string())
        };
        let Some(files) = files else {
            let config = builder()?.with_root_certificates(roots).with_no_client_auth();
            return Ok(Self(MakeRustlsConnect::new(config)));
        };
        match &files.authority {
            Some(path) => {
                for certificate in certificates(path)? {
                    roots.add(certificate).map_err(|error| at(path, &error))?;
                }
            }
            None => {
                let found = rustls_native_certs::load_native_certs();
                roots.add_parsable_certificates(found.certs);
                if roots.is_empty() {
                    return Err(
                        "this machine trusts no authority; expected sslrootcert=FILE".to_string()
                    );
                }
            }
        }
        let builder = builder()?.with_root_certificates(roots);
        let config = match (&files.certificate, &files.key) {
            (None, None) => builder.with_no_client_auth(),
            (Some(certificate), Some(key)) => {
                let chain = certificates(certificate)?;
                let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| at(key, &error))?;
                builder
                    .with_client_auth_cert(chain, secret)
                    .map_err(|error| at(certificate, &error))?
            }
            _ => return Err("expected both sslcert=FILE and sslkey=FILE, or none".to_string()),
        };
        Ok(Self(MakeRustlsConnect::new(config)))
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let all = CertificateDer::pem_file_iter(path).map_err(|error| at(path, &error))?;
    let all: Vec<_> = all.collect::<Result<_, _>>().map_err(|error| at(path, &error))?;
    if all.is_empty() { Err(format!("{}: no certificate in it", path.display())) } else { Ok(all) }
}

fn at(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
