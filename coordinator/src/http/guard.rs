//! Who may see what. Checks every request before anything else looks at it: the host that it names
//! (a page of another site that was rebound to this address names its own), where a form comes from,
//! and whose token or session it shows.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use hasami_page::Viewer;
use hasami_proto::{Role, limits, token};
use http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, HeaderMap, HeaderName,
    HeaderValue, ORIGIN,
};
use http::{Method, StatusCode};

use super::Web;
use super::calls::refusal;
use super::post::FORM;
use super::session::Session;

/// The name of the cookie.
pub(super) const COOKIE_NAME: &str = "hasami";
/// Scripts and styles only from here, nothing in a frame, no form to anywhere else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The names by which this server may be called.
#[derive(Clone, Debug)]
pub(super) struct Hosts(Vec<String>);

impl Hosts {
    /// The names that the operator gave, and this machine's own.
    pub fn new(names: &[String]) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase());
        Self(names.chain(["localhost".to_string()]).collect())
    }

    /// Whether the value of a `Host` header is a name of this server. An address is always one:
    /// rebinding needs a name.
    pub fn know(&self, host: &str) -> bool {
        if host.parse::<SocketAddr>().is_ok() || host.parse::<IpAddr>().is_ok() {
            return true;
        }
        let bracketed = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if bracketed.is_some_and(|address| address.parse::<IpAddr>().is_ok()) {
            return true;
        }
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
            _ => host,
        };
        self.0.contains(&name.to_ascii_lowercase())
    }
}

/// Who makes a request.
#[derive(Clone, Debug, Default)]
pub(super) struct Visitor {
    /// The name of the token, if one was shown and is in force.
    pub name: Option<String>,
    /// By a cookie.
    pub session: Option<Session>,
    /// The value of the cookie.
    pub cookie: Option<String>,
    /// By a header, as programs do.
    pub bearer: bool,
}

impl Visitor {
    /// As pages need it.
    pub fn viewer(&self) -> Viewer {
        Viewer {
            name: self.name.clone(),
            form_key: self.session.as_ref().map(|session| session.form_key.clone()),
            may_log_in: !self.bearer,
        }
    }

    /// Whether they may change something with a form that has this key.
    pub fn may_change(&self, key: &str) -> bool {
        self.bearer || self.session.as_ref().is_some_and(|session| session.has_key(key))
    }
}

impl Web {
    /// The token or session that a request shows.
    fn visitor(&self, headers: &HeaderMap) -> Visitor {
        let client = |info: &crate::server::TokenInfo| info.role.covers(Role::Client);
        if let Some(shown) = headers.get(AUTHORIZATION).and_then(token::from_header) {
            let name = self.tokens.shown(shown).filter(client).map(|info| info.name);
            return Visitor { bearer: name.is_some(), name, ..Visitor::default() };
        }
        let Some(cookie) = cookie(headers) else { return Visitor::default() };
        let Some(session) = self.sessions.find(&cookie) else { return Visitor::default() };
        match self.tokens.in_force(session.token).filter(client) {
            Some(info) => Visitor {
                name: Some(info.name),
                session: Some(session),
                cookie: Some(cookie),
                bearer: false,
            },
            None => Visitor::default(),
        }
    }

    fn check(&self, request: &Request) -> Result<Visitor, Box<Response>> {
        let headers = request.headers();
        let refuse = |code, text: &str| Err(Box::new(refusal(code, text)));
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let Some(host) = host.filter(|host| self.hosts.know(host)) else {
            return refuse(
                StatusCode::MISDIRECTED_REQUEST,
                "this coordinator has no such name; expected its address, localhost, or a name of \
                 `hasami coordinator --name`",
            );
        };
        let visitor = self.visitor(headers);
        let path = request.uri().path();
        if request.method() == Method::POST && !visitor.bearer && !same_origin(headers, host) {
            return refuse(StatusCode::FORBIDDEN, "this form was sent from another site");
        }
        let public =
            matches!(path, "/healthz" | "/readyz" | "/login") || path.starts_with("/assets/");
        if public || self.open || visitor.name.is_some() {
            return Ok(visitor);
        }
        // People are led to the form, programs are told.
        let browser = headers.get(http::header::ACCEPT).and_then(|accept| accept.to_str().ok());
        if browser.is_some_and(|accept| accept.contains("text/html"))
            && request.method() == Method::GET
        {
            return Err(Box::new(Redirect::to("/login").into_response()));
        }
        let mut response = refusal(
            StatusCode::UNAUTHORIZED,
            "this needs the token of a client: `Authorization: Bearer TOKEN`, or log in",
        );
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(http::header::WWW_AUTHENTICATE, scheme);
        Err(Box::new(response))
    }
}

/// Whether a form comes from a page of this server. Every browser that sends forms says so.
fn same_origin(headers: &HeaderMap, host: &str) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return false;
    }
    let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok());
    origin.and_then(|origin| origin.split_once("://")).is_some_and(|(scheme, named)| {
        (scheme == "http" || scheme == "https") && named.eq_ignore_ascii_case(host)
    })
}

/// The value of the session's cookie.
fn cookie(headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, value)| value.to_string())
}

/// A form must be short enough, and arrive in time.
async fn bounded(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length = length.map(str::parse::<usize>);
    if length.is_some_and(|length| length.map_or(true, |length| length > FORM)) {
        return refusal(StatusCode::PAYLOAD_TOO_LARGE, "this form is too long");
    }
    let patience = Duration::from_secs(limits::UPLOAD_SECONDS);
    let late = || refusal(StatusCode::REQUEST_TIMEOUT, "this form has not arrived in time");
    tokio::time::timeout(patience, next.run(request)).await.unwrap_or_else(|_| late())
}

/// The layer before all pages.
pub(super) async fn guard(
    State(web): State<Arc<Web>>,
    mut request: Request,
    next: Next,
) -> Response {
    let known = web.check(&request);
    let close = known.as_ref().map_or(true, |visitor| visitor.name.is_none() && !web.open);
    let mut response = match known {
        Ok(visitor) => {
            request.extensions_mut().insert(visitor);
            bounded(request, next).await
        }
        Err(refused) => {
            web.traffic.refused.fetch_add(1, Relaxed);
            *refused
        }
    };
    let class = usize::from(response.status().as_u16() / 100).min(5);
    web.traffic.answered[class].fetch_add(1, Relaxed);
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if close {
        // Who shows no token keeps no connection.
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_refused_and_addresses_are_not() {
        let hosts = Hosts::new(&["Lab1.example.org".to_string()]);
        for good in [
            "localhost",
            "localhost:80",
            "127.0.0.1:7445",
            "[::1]:7445",
            "[::1]",
            "10.0.0.7",
            "lab1.example.org",
            "LAB1.example.org:7445",
        ] {
            assert!(hosts.know(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
            "evil:x",
            "localhost:80:evil",
            "[evil]",
            "lab1.example.org.evil",
        ] {
            assert!(!hosts.know(bad), "{bad}");
        }
    }

    #[test]
    fn a_form_of_another_site_is_known_by_its_origin() {
        let of = |pairs: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().unwrap());
            }
            same_origin(&headers, "localhost:7445")
        };
        assert!(of(&[("origin", "http://localhost:7445")]));
        assert!(of(&[("origin", "https://LOCALHOST:7445"), ("sec-fetch-site", "same-origin")]));
        assert!(!of(&[]), "no origin");
        for wrong in ["null", "http://evil.example", "http://localhost", "file://localhost:7445"] {
            assert!(!of(&[("origin", wrong)]), "{wrong}");
        }
        assert!(!of(&[("origin", "http://localhost:7445"), ("sec-fetch-site", "cross-site")]));
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "a=b; hasamix=no".parse().unwrap());
        headers.append(COOKIE, "c=d;hasami=yes".parse().unwrap());
        assert_eq!(cookie(&headers).as_deref(), Some("yes"));
    }
}
