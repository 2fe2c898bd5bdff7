//! Encryption to servers (`rediss://`): trusted authorities and the client certificate.

use std::path::{Path, PathBuf};

use redis::{ClientTlsConfig, TlsCertificates};

use crate::error::StoreError;

/// The query of a url: `?ca=FILE&cert=FILE&key=FILE`, each optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tls {
    /// The authority of the servers' certificates; `None` for those that this machine trusts.
    ca: Option<PathBuf>,
    /// The client certificate and its key, for servers that ask for one.
    identity: Option<(PathBuf, PathBuf)>,
}

impl Tls {
    /// Parses what follows the question mark; the error is the invalid part.
    pub(crate) fn parse(query: &str) -> Result<Self, String> {
        let (mut ca, mut cert, mut key) = (None, None, None);
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, file) = part.split_once('=').unwrap_or((part, ""));
            let place = match name {
                "ca" => &mut ca,
                "cert" => &mut cert,
                "key" => &mut key,
                _ => return Err(format!("?{name}=")),
            };
            if file.is_empty() || place.replace(PathBuf::from(file)).is_some() {
                return Err(format!("?{part}"));
            }
        }
        match (cert, key) {
            (None, None) => Ok(Self { ca, identity: None }),
            (Some(cert), Some(key)) => Ok(Self { ca, identity: Some((cert, key)) }),
            (Some(_), None) => Err("?cert= without ?key=".to_owned()),
            (None, Some(_)) => Err("?key= without ?cert=".to_owned()),
        }
    }

    /// Reads the files.
    pub(crate) fn load(&self) -> Result<TlsCertificates, StoreError> {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| StoreError::Io {
                path: path.to_owned(),
                detail: format!("of the url of the store: {error}"),
            })
        };
        let client_tls = match &self.identity {
            None => None,
            Some((cert, key)) => {
                Some(ClientTlsConfig { client_cert: read(cert)?, client_key: read(key)? })
            }
        };
        Ok(TlsCertificates { client_tls, root_cert: self.ca.as_deref().map(read).transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_in_any_order_and_belong_together() {
        let tls = Tls::parse("key=/k.pem&ca=c.pem&cert=/d=1/c.pem").unwrap();
        assert_eq!(tls.ca, Some("c.pem".into()));
        assert_eq!(tls.identity, Some(("/d=1/c.pem".into(), "/k.pem".into())));
        assert_eq!(Tls::parse("").unwrap(), Tls::default());
        for (wrong, found) in [
            ("cert=a", "?cert= without ?key="),
            ("key=a", "?key= without ?cert="),
            ("ca", "?ca"),
            ("ca=a&ca=b", "?ca=b"),
            ("insecure=yes", "?insecure="),
        ] {
            assert_eq!(Tls::parse(wrong).unwrap_err(), found);
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = Tls::parse("ca=/nowhere/ca.pem").unwrap().load().unwrap_err().to_string();
        assert!(error.contains("/nowhere/ca.pem"), "{error}");
    }
}
