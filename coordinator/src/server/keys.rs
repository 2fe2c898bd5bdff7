//! Tokens and certificate, kept across restarts. A worker with a copy of the access file reconnects
//! after a restart without further setup.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use hasami_proto::{Access, AccessError};

use super::security::Security;
use super::tls::{Tls, TlsError};
use super::tokens::{TokenError, Tokens};

/// The name of the access file in the data directory.
pub const ACCESS_FILE: &str = "access.json";

/// The name of the list of tokens in the data directory.
pub const TOKENS_FILE: &str = "tokens.json";

/// Why a coordinator has no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The access file is unusable.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The certificate is unusable.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The list of tokens is unusable.
    #[error(transparent)]
    Tokens(#[from] TokenError),
}

/// The tokens and certificate of a coordinator.
#[derive(Clone)]
pub struct Keys {
    /// What callers need to connect; also on disk.
    pub access: Access,
    /// The certificate, if connections are encrypted.
    pub tls: Option<Tls>,
    tokens: Tokens,
}

impl Keys {
    /// Loads the keys from the data directory, creates missing ones, and writes the access file for
    /// the address that is actually bound. `hosts` are the names and addresses by which others
    /// reach the coordinator; the first is the one in the access file.
    ///
    /// # Errors
    /// If the data directory cannot be used or its contents are damaged.
    pub fn prepare(
        data: &Path,
        security: Security,
        bound: SocketAddr,
        hosts: &[String],
    ) -> Result<Self, KeysError> {
        Self::prepare_with(data, security, bound, hosts, &[])
    }

    /// As [`Keys::prepare`]; `also` are addresses of coordinators that may take over, as
    /// `host:port`: they go into the access file.
    ///
    /// # Errors
    /// As [`Keys::prepare`].
    pub fn prepare_with(
        data: &Path,
        security: Security,
        bound: SocketAddr,
        hosts: &[String],
        also: &[String],
    ) -> Result<Self, KeysError> {
        let file = data.join(ACCESS_FILE);
        let kept = match Access::read(&file) {
            Ok(access) => Some(access),
            Err(AccessError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let names = names(bound.ip(), hosts);
        let host = hosts.first().unwrap_or(&names[0]);
        let tls = match security {
            Security::TokensAndTls => Some(Self::tls(data, bound, hosts)?),
            Security::Open | Security::Tokens => None,
        };
        let (tokens, [client_token, worker_token]) = match security {
            Security::Open => (Tokens::from(&Access::default()), [None, None]),
            Security::Tokens | Security::TokensAndTls => {
                Tokens::prepare(&data.join(TOKENS_FILE), &file, kept.as_ref())?
            }
        };
        let mut urls = vec![url(host, bound.port(), tls.is_some())];
        urls.extend(also.iter().map(|other| with_scheme(other, tls.is_some())));
        let mut seen = std::collections::HashSet::new();
        urls.retain(|url| seen.insert(url.clone()));
        let access = Access {
            url: urls.join(","),
            client_token,
            worker_token,
            ca_pem: tls.as_ref().map(|tls| tls.authority.clone()),
        };
        if kept.as_ref() != Some(&access) {
            access.write(&file)?;
        }
        Ok(Self { access, tls, tokens })
    }

    /// The certificate of the data directory, made or renewed if need be.
    ///
    /// # Errors
    /// If the directory cannot be used or its contents are damaged.
    pub fn tls(data: &Path, bound: SocketAddr, hosts: &[String]) -> Result<Tls, TlsError> {
        Tls::prepare(&data.join("tls"), &names(bound.ip(), hosts))
    }

    /// The tokens to check.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.tokens.clone()
    }
}

/// All names of the certificate, never empty. Callers on the same machine use the loopback.
fn names(bound: IpAddr, hosts: &[String]) -> Vec<String> {
    let mut names = hosts.to_vec();
    if !bound.is_unspecified() {
        names.push(bound.to_string());
    }
    names.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn url(host: &str, port: u16, tls: bool) -> String {
    let scheme = if tls { "https" } else { "http" };
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V6(address)) => format!("{scheme}://[{address}]:{port}"),
        _ => format!("{scheme}://{host}:{port}"),
    }
}

/// An address with the scheme that goes with TLS or its absence.
fn with_scheme(address: &str, tls: bool) -> String {
    match address.contains("://") {
        true => address.to_string(),
        false if tls => format!("https://{address}"),
        false => format!("http://{address}"),
    }
}

#[cfg(test)]
mod tests {
    use hasami_proto::Who;

    use super::*;

    fn bound(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn tokens_and_authority_outlive_a_restart_on_another_port() {
        let data = tempfile::tempdir().unwrap();
        let hosts = ["host".to_owned()];
        let secure = Security::TokensAndTls;
        let first = Keys::prepare(data.path(), secure, bound("0.0.0.0:1"), &hosts).unwrap();
        let second = Keys::prepare(data.path(), secure, bound("0.0.0.0:2"), &hosts).unwrap();
        assert_eq!(first.access.url, "https://host:1");
        assert_eq!(second.access, Access { url: "https://host:2".into(), ..first.access.clone() });
        assert_eq!(Access::read(data.path().join(ACCESS_FILE)).unwrap(), second.access);
        assert_ne!(first.access.token(Who::Client), first.access.token(Who::Worker));
    }

    #[test]
    fn the_access_file_names_those_who_may_take_over() {
        let data = tempfile::tempdir().unwrap();
        let also = ["b:7".to_owned(), "http://127.0.0.1:7".to_owned()];
        let at = bound("127.0.0.1:7");
        let keys = Keys::prepare_with(data.path(), Security::Tokens, at, &[], &also).unwrap();
        assert_eq!(keys.access.url, "http://127.0.0.1:7,http://b:7");
    }

    #[test]
    fn there_are_no_more_secrets_than_the_security_needs() {
        let data = tempfile::tempdir().unwrap();
        let at = bound("[::1]:7");
        let open = Keys::prepare(data.path(), Security::Open, at, &[]).unwrap();
        assert_eq!(open.access, Access { url: "http://[::1]:7".into(), ..Access::default() });
        let tokens = Keys::prepare(data.path(), Security::Tokens, at, &[]).unwrap();
        assert!(tokens.access.worker_token.is_some() && tokens.tls.is_none());
    }

    #[test]
    fn an_access_file_that_others_can_read_stops_the_coordinator() {
        use std::os::unix::fs::PermissionsExt;
        let data = tempfile::tempdir().unwrap();
        let at = bound("127.0.0.1:7");
        Keys::prepare(data.path(), Security::Tokens, at, &[]).unwrap();
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(data.path().join(ACCESS_FILE), open).unwrap();
        let error = Keys::prepare(data.path(), Security::Tokens, at, &[]).err().unwrap();
        assert!(matches!(error, KeysError::Access(AccessError::TooOpen { .. })), "{error}");
    }
}
