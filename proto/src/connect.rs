//! The connection to a coordinator: a channel that connects on first use, reconnects after it was
//! cut, and sends the right token. `trouble` classifies later failures.

use std::time::Duration;

use http::{HeaderValue, Uri};
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, TrustAnchor};
use tonic::metadata::MetadataValue;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

use crate::access::{Access, Who};
use crate::route::Route;
use crate::v1::access_service_client::AccessServiceClient;
use crate::v1::position_service_client::PositionServiceClient;
use crate::v1::run_service_client::RunServiceClient;
use crate::v1::work_service_client::WorkServiceClient;
use crate::{MAX_MESSAGE, token};

/// Time limit for connecting, including the TLS handshake.
const CONNECT: Duration = Duration::from_secs(5);
/// Keep-alive interval and timeout for a silent peer. A network partition sends no notice: without
/// this a call would wait forever.
pub const KEEPALIVE: Duration = Duration::from_secs(5);

/// How long a client looks for a coordinator that leads, where it knows several: as long as one may
/// take to take over. Workers try again by themselves.
const CLIENT_PATIENCE: Duration = Duration::from_secs(20);
const WORKER_PATIENCE: Duration = Duration::from_secs(2);
/// Addresses that an access file may name.
const ADDRESSES: usize = 16;

/// The way to the leader, with a token.
pub type Authorized = InterceptedService<Route, Bearer>;

/// Why an [`Access`] is unusable; nothing has been sent yet.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address is invalid.
    #[error(
        "{url:?} is no address: expected http://host:port or https://host:port, or several of them \
         with commas between"
    )]
    Address {
        /// What was found.
        url: String,
    },
    /// TLS is requested, but there is no authority to trust.
    #[error("{url} asks for TLS, but the access file names no authority (\"ca_pem\")")]
    NoAuthority {
        /// The address.
        url: String,
    },
    /// TLS is possible but not requested.
    #[error("{url} is not encrypted, but the access file names an authority (\"ca_pem\")")]
    NotEncrypted {
        /// The address.
        url: String,
    },
    /// The access file is a copy for the other kind of caller.
    #[error("the access file has no \"{who}_token\"")]
    NoToken {
        /// Whose token is missing.
        who: Who,
    },
    /// The token has characters that are not valid in a header.
    #[error("the \"{who}_token\" has characters that no header may have")]
    BadToken {
        /// Whose token it is.
        who: Who,
    },
    /// The authority cannot be parsed.
    #[error("the authority (\"ca_pem\") cannot be used: {detail}")]
    Authority {
        /// What is wrong with it.
        detail: String,
    },
}

/// Adds the token to every request.
#[derive(Clone, Debug)]
pub struct Bearer(Option<HeaderValue>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            let value = MetadataValue::try_from(value.as_bytes())
                .map_err(|_| Status::internal("a token that was a header is none"))?;
            request.metadata_mut().insert("authorization", value);
        }
        Ok(request)
    }
}

/// A coordinator, as seen by one client or worker. Clones share the connection.
#[derive(Clone, Debug)]
pub struct Connection {
    channel: Route,
    bearer: Bearer,
}

/// Prepares a connection; the first call makes it, and it is remade after a loss. Must be called
/// inside a tokio runtime.
///
/// # Errors
/// If the access file is unusable. An unreachable coordinator is reported by the calls.
pub fn connect(access: &Access, who: Who) -> Result<Connection, ConnectError> {
    let bearer = bearer(access, who)?;
    let trusted = access.ca_pem.as_deref().map(authority).transpose();
    let trusted = trusted.map_err(|detail| ConnectError::Authority { detail })?;
    let mut channels = Vec::new();
    for url in addresses(access)? {
        channels.push((url.clone(), channel(url, trusted.clone())?));
    }
    let patience = match who {
        Who::Client => CLIENT_PATIENCE,
        Who::Worker => WORKER_PATIENCE,
    };
    Ok(Connection { channel: Route::new(channels, patience), bearer: Bearer(bearer) })
}

/// A channel to one address.
fn channel(
    url: String,
    trusted: Option<Vec<TrustAnchor<'static>>>,
) -> Result<Channel, ConnectError> {
    let mut endpoint = Endpoint::from_shared(url.clone())
        .map_err(|_| ConnectError::Address { url })?
        .connect_timeout(CONNECT)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEPALIVE)
        .keep_alive_timeout(KEEPALIVE)
        .keep_alive_while_idle(true)
        // A bulk load and a heartbeat share the connection: neither may wait for the other.
        .http2_adaptive_window(true);
    if let Some(trusted) = trusted {
        let tls = ClientTlsConfig::new().trust_anchors(trusted).timeout(CONNECT);
        let unusable = |error: tonic::transport::Error| error.to_string();
        endpoint = endpoint
            .tls_config(tls)
            .map_err(|error| ConnectError::Authority { detail: unusable(error) })?;
    }
    Ok(endpoint.connect_lazy())
}

/// The certificates to trust. tonic would skip those it cannot parse and then trust none.
fn authority(pem: &str) -> Result<Vec<TrustAnchor<'static>>, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("there is no certificate in it".into());
    }
    Ok(roots.roots)
}

/// The token to send. An access file without tokens is for a coordinator that requires none.
fn bearer(access: &Access, who: Who) -> Result<Option<HeaderValue>, ConnectError> {
    match access.token(who) {
        Some(token) => token::to_header(token).map(Some).ok_or(ConnectError::BadToken { who }),
        None if access.client_token.is_none() && access.worker_token.is_none() => Ok(None),
        None => Err(ConnectError::NoToken { who }),
    }
}

/// All addresses of an access file.
fn addresses(access: &Access) -> Result<Vec<String>, ConnectError> {
    let all: Vec<&str> = access.url.split(',').map(str::trim).collect();
    if all.len() > ADDRESSES {
        return Err(ConnectError::Address { url: access.url.clone() });
    }
    all.into_iter().map(|url| address(access, url)).collect()
}

/// An address with its scheme, which must match the presence of an authority: sending a token
/// unencrypted where TLS was set up would be the worst of both.
fn address(access: &Access, given: &str) -> Result<String, ConnectError> {
    let url = match (given.contains("://"), &access.ca_pem) {
        (true, _) => given.to_string(),
        (false, Some(_)) => format!("https://{given}"),
        (false, None) => format!("http://{given}"),
    };
    let malformed = || ConnectError::Address { url: given.to_string() };
    let uri: Uri = url.parse().map_err(|_| malformed())?;
    if uri.port().is_none() || uri.host().is_none_or(str::is_empty) {
        return Err(malformed());
    }
    match (uri.scheme_str(), &access.ca_pem) {
        (Some("https"), Some(_)) | (Some("http"), None) => Ok(url),
        (Some("https"), None) => Err(ConnectError::NoAuthority { url }),
        (Some("http"), Some(_)) => Err(ConnectError::NotEncrypted { url }),
        _ => Err(malformed()),
    }
}

impl Connection {
    /// The service for clients.
    #[must_use]
    pub fn runs(&self) -> RunServiceClient<Authorized> {
        RunServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    /// The service for operators.
    #[must_use]
    pub fn access(&self) -> AccessServiceClient<Authorized> {
        AccessServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
    }

    /// The service that hands out work.
    #[must_use]
    pub fn work(&self) -> WorkServiceClient<Authorized> {
        WorkServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    /// The shared transposition store.
    #[must_use]
    pub fn positions(&self) -> PositionServiceClient<Authorized> {
        PositionServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    /// The channel that sends the token, for other services (reflection).
    #[must_use]
    pub fn authorized(&self) -> Authorized {
        InterceptedService::new(self.channel.clone(), self.bearer.clone())
    }

    /// The bare channel to the first address, for the one service that requires no token (health).
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.channel.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROKEN: &str = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

    fn access(url: &str) -> Access {
        Access { url: url.into(), ..Access::default() }
    }

    #[test]
    fn addresses_are_completed_or_refused() {
        let ca = |url: &str| Access { ca_pem: Some(String::new()), ..access(url) };
        let address = |access: &Access| addresses(access).map(|all| all.join(" "));
        assert_eq!(address(&access("host:1")).unwrap(), "http://host:1");
        assert_eq!(address(&ca("host:1")).unwrap(), "https://host:1");
        assert_eq!(address(&ca("https://[::1]:1")).unwrap(), "https://[::1]:1");
        assert_eq!(address(&access("a:1, http://b:2")).unwrap(), "http://a:1 http://b:2");
        assert!(address(&access("a:1,")).is_err() && address(&access("a:1,b")).is_err());
        for url in ["", "host", "http://", "http://:1", "ftp://host:1", "a b:1", "http://host"] {
            let error = address(&access(url)).unwrap_err();
            assert!(matches!(error, ConnectError::Address { .. }), "{url}: {error}");
        }
        let error = address(&access("https://host:1")).unwrap_err();
        assert!(matches!(error, ConnectError::NoAuthority { .. }), "{error}");
        let error = address(&ca("http://host:1")).unwrap_err();
        assert!(matches!(error, ConnectError::NotEncrypted { .. }), "{error}");
    }

    #[test]
    fn the_other_ones_token_is_not_enough() {
        let both = Access {
            client_token: Some("c".into()),
            worker_token: Some("w\n".into()),
            ..access("host:1")
        };
        assert!(bearer(&both, Who::Client).unwrap().is_some());
        let error = bearer(&both, Who::Worker).unwrap_err();
        assert!(matches!(error, ConnectError::BadToken { who: Who::Worker }), "{error}");
        let error = bearer(&both.only(Who::Client), Who::Worker).unwrap_err();
        assert!(matches!(error, ConnectError::NoToken { who: Who::Worker }), "{error}");
        assert!(bearer(&access("host:1"), Who::Worker).unwrap().is_none());
    }

    #[tokio::test]
    async fn an_authority_that_is_none_is_refused() {
        for pem in ["", "no certificate at all", BROKEN] {
            let access = Access { ca_pem: Some(pem.into()), ..access("host:1") };
            let error = connect(&access, Who::Client).unwrap_err();
            assert!(matches!(error, ConnectError::Authority { .. }), "{error}");
        }
    }
}
