//! Access control. Every service has one kind of caller. A service that is not listed here cannot
//! be called at all: a new one stays closed until it is added.

use std::sync::Arc;
use std::task::{Context, Poll};

use hasami_proto::{Access, Who, token};
use http::header::AUTHORIZATION;
use http::{Request, Response};
use subtle::ConstantTimeEq;
use tonic::Status;
use tower::{Layer, Service};

use super::run::BoxFuture;

/// The tokens of a coordinator. Without any, every caller is admitted; with only one, the other
/// kind of caller is not.
#[derive(Clone, Default)]
pub struct Tokens {
    client: Option<String>,
    worker: Option<String>,
}

impl From<&Access> for Tokens {
    fn from(access: &Access) -> Self {
        Self { client: access.client_token.clone(), worker: access.worker_token.clone() }
    }
}

/// Who may call a service; `None`: every caller.
fn caller(service: &str) -> Result<Option<Who>, Status> {
    match service {
        "hasami.v1.RunService" => Ok(Some(Who::Client)),
        "hasami.v1.WorkService" | "hasami.v1.PositionService" => Ok(Some(Who::Worker)),
        "grpc.health.v1.Health"
        | "grpc.reflection.v1.ServerReflection"
        | "grpc.reflection.v1alpha.ServerReflection" => Ok(None),
        _ => Err(Status::unimplemented("this coordinator has no such service")),
    }
}

impl Tokens {
    /// Admits a call, or returns what is missing.
    fn check<B>(&self, request: &Request<B>) -> Result<(), Status> {
        let service = request.uri().path().trim_start_matches('/').split('/').next();
        let service = service.unwrap_or_default();
        let Some(who) = caller(service)? else { return Ok(()) };
        if self.client.is_none() && self.worker.is_none() {
            return Ok(());
        }
        let Some(expected) = self.of(who) else {
            return Err(Status::permission_denied(format!("there is no {who} token here")));
        };
        let expects = format!("{service} expects `authorization: Bearer <{who} token>`");
        let Some(header) = request.headers().get(AUTHORIZATION) else {
            return Err(Status::unauthenticated(format!("{expects}; there was none")));
        };
        let Some(shown) = token::from_header(header) else {
            return Err(Status::unauthenticated(format!("{expects}; there was something else")));
        };
        if same(expected, shown) {
            return Ok(());
        }
        let other = match who {
            Who::Client => Who::Worker,
            Who::Worker => Who::Client,
        };
        if self.of(other).is_some_and(|token| same(token, shown)) {
            return Err(Status::permission_denied(format!(
                "{expects}; this is the {other} token of this coordinator"
            )));
        }
        Err(Status::unauthenticated(format!(
            "{expects}; this one is not of this coordinator: use its present access file"
        )))
    }

    fn of(&self, who: Who) -> Option<&str> {
        match who {
            Who::Client => self.client.as_deref(),
            Who::Worker => self.worker.as_deref(),
        }
    }
}

/// Compares in constant time, so that a token cannot be guessed byte by byte.
fn same(expected: &str, shown: &[u8]) -> bool {
    expected.as_bytes().ct_eq(shown).into()
}

/// Layer that checks [`Tokens`] before all services.
#[derive(Clone)]
pub struct AuthLayer(Arc<Tokens>);

impl AuthLayer {
    /// Admits callers with these tokens.
    #[must_use]
    pub fn new(tokens: Tokens) -> Self {
        Self(Arc::new(tokens))
    }
}

impl<S> Layer<S> for AuthLayer {
    type Service = Auth<S>;

    fn layer(&self, inner: S) -> Auth<S> {
        Auth { inner, tokens: Arc::clone(&self.0) }
    }
}

/// A service behind [`Tokens`].
#[derive(Clone)]
pub struct Auth<S> {
    inner: S,
    tokens: Arc<Tokens>,
}

impl<S, B, R> Service<Request<B>> for Auth<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
    R: Default + Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = BoxFuture<Result<Response<R>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        match self.tokens.check(&request) {
            Ok(()) => Box::pin(self.inner.call(request)),
            Err(status) => Box::pin(std::future::ready(Ok(status.into_http()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    fn tokens() -> Tokens {
        Tokens { client: Some("for-clients".into()), worker: Some("for-workers".into()) }
    }

    fn call(tokens: &Tokens, path: &str, header: Option<&str>) -> Result<(), Status> {
        let mut request = Request::builder().uri(format!("http://host{path}"));
        if let Some(header) = header {
            request = request.header(AUTHORIZATION, header);
        }
        tokens.check(&request.body(()).unwrap())
    }

    #[test]
    fn everybody_has_services_of_their_own() {
        let (client, worker) = (Some("Bearer for-clients"), Some("Bearer for-workers"));
        for (path, good, bad) in [
            ("/hasami.v1.RunService/List", client, worker),
            ("/hasami.v1.WorkService/Register", worker, client),
            ("/hasami.v1.PositionService/Sync", worker, client),
        ] {
            call(&tokens(), path, good).unwrap();
            let refused = call(&tokens(), path, bad).unwrap_err();
            assert_eq!(refused.code(), Code::PermissionDenied, "{path}");
            for wrong in [None, Some("Bearer"), Some("Bearer x"), Some("Basic for-workers")] {
                let refused = call(&tokens(), path, wrong).unwrap_err();
                assert_eq!(refused.code(), Code::Unauthenticated, "{path} {wrong:?}");
                assert!(refused.message().contains("expects `authorization: Bearer <"));
            }
            call(&Tokens::default(), path, None).unwrap();
        }
        call(&tokens(), "/grpc.health.v1.Health/Check", None).unwrap();
        for closed in ["/hasami.v1.Secrets/List", "/", "", "/hasami.v1.RunServiceX/List"] {
            let refused = call(&tokens(), closed, client).unwrap_err();
            assert_eq!(refused.code(), Code::Unimplemented, "{closed}");
        }
    }

    #[test]
    fn a_token_that_is_missing_here_opens_nothing() {
        let half = Tokens { client: None, ..tokens() };
        for header in [None, Some("Bearer "), Some("Bearer for-workers")] {
            let refused = call(&half, "/hasami.v1.RunService/List", header).unwrap_err();
            assert_eq!(refused.code(), Code::PermissionDenied);
        }
    }

    #[test]
    fn no_message_repeats_a_token() {
        for header in ["Bearer for-workers", "Bearer for-nobody", "for-nothing"] {
            let refused = call(&tokens(), "/hasami.v1.RunService/List", Some(header)).unwrap_err();
            assert!(!refused.message().contains("for-"), "{refused}");
        }
    }
}
