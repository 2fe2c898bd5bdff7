//! The URL of a journal in PostgreSQL: `postgres://user@host:port/database?journal=NAME&sslmode=…`.

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};

use super::tls::{Tls, TlsFiles};

/// The journal of a URL that names none.
const NAME: &str = "hasami";
/// The longest name of a journal: PostgreSQL cuts longer names of schemas.
const LONGEST: usize = 48;

/// Why a URL cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("journal {shown}: {why}")]
pub struct AddressError {
    shown: String,
    why: String,
}

/// Where a journal is, and how to reach it.
#[derive(Clone)]
pub struct Address {
    pub(super) config: Config,
    pub(super) tls: Tls,
    /// The schema that holds the journal.
    pub(super) name: String,
    shown: String,
}

impl Address {
    /// Whether a text is such a URL.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Reads a URL.
    ///
    /// # Errors
    /// If it is not one, or asks for what cannot be had.
    pub fn parse(url: &str) -> Result<Self, AddressError> {
        let shown = without_password(url);
        let wrong = |why: String| AddressError { shown: shown.clone(), why };
        if !Self::is_one(url) {
            return Err(wrong(
                "expected postgres://user@host:port/database?journal=NAME".to_string(),
            ));
        }
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut name = NAME.to_string();
        let mut files = TlsFiles::default();
        let (mut encrypted, mut asked) = (false, false);
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = percent_decode_str(value)
                .decode_utf8()
                .map_err(|error| wrong(format!("{key}: expected UTF-8 ({error})")))?;
            match key {
                "journal" => name = value.into_owned(),
                "sslmode" => {
                    asked = true;
                    encrypted = match &*value {
                        "disable" => false,
                        "require" | "verify-ca" | "verify-full" => true,
                        other => {
                            return Err(wrong(format!(
                                "sslmode={other}: expected disable, or verify-full (require and \
                                 verify-ca mean the same here: certificates are always checked)"
                            )));
                        }
                    };
                }
                "sslrootcert" => files.authority = Some(PathBuf::from(&*value)),
                "sslcert" => files.certificate = Some(PathBuf::from(&*value)),
                "sslkey" => files.key = Some(PathBuf::from(&*value)),
                _ => rest.push(pair),
            }
        }
        if files.any() && !encrypted {
            let how = if asked { "sslmode=disable" } else { "no sslmode" };
            return Err(wrong(format!(
                "certificates are named, but there is {how}; expected sslmode=verify-full"
            )));
        }
        if !is_name(&name) {
            return Err(wrong(format!(
                "journal={name}: expected 1 to {LONGEST} letters a to z, digits and _, a letter \
                 first"
            )));
        }
        let plain = match rest.is_empty() {
            true => base.to_string(),
            false => format!("{base}?{}", rest.join("&")),
        };
        let mut config: Config = plain.parse().map_err(|error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            wrong(cause.unwrap_or_else(|| error.to_string()))
        })?;
        if config.get_dbname().is_none() {
            return Err(wrong("expected the name of a database after the host".to_string()));
        }
        config
            .ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable })
            .application_name(format!("hasami {name}"))
            .connect_timeout(Duration::from_secs(3))
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(3)
            .tcp_user_timeout(Duration::from_secs(10));
        if config.get_target_session_attrs() == TargetSessionAttrs::Any {
            // Of several hosts only the primary can be written.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let tls = Tls::prepare(encrypted.then_some(&files)).map_err(wrong)?;
        Ok(Self { config, tls, name, shown })
    }

    /// The URL without its password.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The name of the journal.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Whether a text is fit for the name of a schema, as it is.
fn is_name(name: &str) -> bool {
    let plain = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
    !name.is_empty()
        && name.len() <= LONGEST
        && name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name.chars().all(plain)
        && !name.starts_with("pg_")
}

/// Passwords may also stand in the query.
fn without_password(url: &str) -> String {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let base = match base.split_once("://").and_then(|(scheme, rest)| {
        rest.rsplit_once('@').map(|(login, hosts)| (scheme, login, hosts))
    }) {
        Some((scheme, login, hosts)) => {
            let user = login.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{hosts}")
        }
        None => base.to_string(),
    };
    let open: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("password="))
        .collect();
    if open.is_empty() { base } else { format!("{base}?{}", open.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, expected) in [
            ("postgres://me:a%40b@db/x", "postgres://me@db/x"),
            ("postgres://db/x?password=p&journal=y", "postgres://db/x?journal=y"),
            ("postgres://me@db:1,other:2/x", "postgres://me@db:1,other:2/x"),
        ] {
            assert_eq!(without_password(url), expected);
            assert_eq!(Address::parse(url).unwrap().shown(), expected);
        }
    }

    #[test]
    fn what_cannot_be_had_is_refused_with_what_is_expected() {
        for (url, expected) in [
            ("redis://db/x", "expected postgres://"),
            ("postgres://db", "expected the name of a database"),
            ("postgres://db/x?journal=A", "expected 1 to 48 letters"),
            ("postgres://db/x?journal=pg_x", "expected 1 to 48 letters"),
            ("postgres://db/x?journal=a%22;drop", "expected 1 to 48 letters"),
            ("postgres://db/x?sslmode=prefer", "expected disable, or verify-full"),
            ("postgres://db/x?sslrootcert=ca.pem", "expected sslmode=verify-full"),
            ("postgres://db/x?colour=red", "colour"),
            ("postgres://me:secret@db:port/x", "port"),
        ] {
            let error = Address::parse(url).err().expect(url).to_string();
            assert!(error.contains(expected) && !error.contains("secret"), "{url}: {error}");
        }
        let plain = Address::parse("postgres://me@db/x?journal=lab_2").unwrap();
        assert_eq!((plain.name(), plain.config.get_ssl_mode()), ("lab_2", SslMode::Disable));
        let tls = Address::parse("postgres://me@db/x?sslmode=verify-full").unwrap();
        assert_eq!((tls.name(), tls.config.get_ssl_mode()), ("hasami", SslMode::Require));
    }
}
