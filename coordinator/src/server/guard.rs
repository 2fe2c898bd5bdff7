//! The layer before all services: who calls, whether they may, and how much they have under way.
//! A service that is not listed here cannot be called at all: a new one stays closed until it is
//! added.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use hasami_proto::{Role, busy, limits, token};
use http::header::AUTHORIZATION;
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::server::TcpConnectInfo;
use tower::{Layer, Service};

use super::bodies::{Received, Sent, shorten};
use super::caller::Caller;
use super::complaints::Complaints;
use super::doorman::{Connection, Doorman};
use super::run::BoxFuture;
use super::share::{Charge, Kind, Share, enter};
use super::tokens::{Token, Tokens};

/// Room for what surrounds the text of a sweep or the bytes of a piece.
const AROUND: usize = 4096;
/// The longest request of a client other than a sweep.
const SHORT: usize = 64 << 10;
/// The name of callers where no token is needed.
const ANYBODY: &str = "anybody";

/// What a call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Method {
    /// `None`: every caller.
    role: Option<Role>,
    kind: Kind,
    /// The longest message of the request.
    message: usize,
}

/// What the call of this path needs.
fn method(path: &str) -> Result<Method, Status> {
    let needs = |role, kind, message| Ok(Method { role: Some(role), kind, message });
    let (service, name) = path.trim_start_matches('/').split_once('/').unwrap_or_default();
    match (service, name) {
        ("hasami.v1.RunService", "Submit") => {
            needs(Role::Client, Kind::Plain, limits::SWEEP + AROUND)
        }
        ("hasami.v1.RunService", "Items" | "Watch" | "GetCertificate") => {
            needs(Role::Client, Kind::Stream, SHORT)
        }
        ("hasami.v1.RunService", "Checkpoint") => needs(Role::Operator, Kind::Plain, SHORT),
        ("hasami.v1.RunService", _) => needs(Role::Client, Kind::Plain, SHORT),
        ("hasami.v1.AccessService", _) => needs(Role::Operator, Kind::Plain, SHORT),
        ("hasami.v1.WorkService", "PutCertificate") => {
            needs(Role::Worker, Kind::Upload, limits::PIECE + AROUND)
        }
        ("hasami.v1.PositionService", "Load") => needs(Role::Worker, Kind::Load, SHORT),
        ("hasami.v1.WorkService" | "hasami.v1.PositionService", _) => {
            needs(Role::Worker, Kind::Plain, limits::MESSAGE)
        }
        ("grpc.reflection.v1.ServerReflection", _) => needs(Role::Client, Kind::Stream, SHORT),
        ("grpc.health.v1.Health", _) => {
            Ok(Method { role: None, kind: Kind::Plain, message: SHORT })
        }
        _ => Err(Status::unimplemented("this coordinator has no such service")),
    }
}

/// Everything that the layer needs to know.
pub(super) struct Gate {
    tokens: Tokens,
    doorman: Arc<Doorman>,
    all: Share,
    /// The share of those who show no token.
    guests: Share,
    complaints: Complaints,
    calls: AtomicU64,
}

/// A call that may go on.
struct Admitted {
    method: Method,
    token: Option<Arc<Token>>,
    caller: Caller,
}

impl Gate {
    pub fn new(tokens: Tokens, doorman: Arc<Doorman>) -> Arc<Self> {
        Arc::new(Self {
            tokens,
            doorman,
            all: Share::of_all(),
            guests: Share::of_one(),
            complaints: Complaints::default(),
            calls: AtomicU64::new(0),
        })
    }

    /// Admits a call, or returns what is missing.
    fn check<B>(
        &self,
        request: &Request<B>,
        connection: Option<&Connection>,
    ) -> Result<Admitted, Status> {
        let method = method(request.uri().path())?;
        let address = connection.map(|connection| connection.address);
        let anybody = |role| Caller { name: ANYBODY.into(), role, address };
        let Some(role) = method.role else {
            return Ok(Admitted { method, token: None, caller: anybody(Role::Client) });
        };
        if self.tokens.is_open() {
            return Ok(Admitted { method, token: None, caller: anybody(role) });
        }
        let expects = format_args!("this call expects `authorization: Bearer <{role} token>`");
        let Some(header) = request.headers().get(AUTHORIZATION) else {
            return Err(Status::unauthenticated(format!("{expects}; there was none")));
        };
        let Some(shown) = token::from_header(header) else {
            return Err(Status::unauthenticated(format!("{expects}; there was something else")));
        };
        let unknown = || {
            Status::unauthenticated(format!(
                "{expects}; this one is not, or no longer, of this coordinator: use a present \
                 access file"
            ))
        };
        let token = self.tokens.find(shown).ok_or_else(unknown)?;
        if let Some(connection) = connection
            && !self.doorman.know(connection, token.id())
        {
            connection.close();
            return Err(busy("this token: too many connections"));
        }
        // Revoked after it was found: the connection may have been missed when all were closed.
        if token.is_revoked() {
            return Err(unknown());
        }
        if !token.role.covers(role) {
            let (name, has) = (&token.name, token.role);
            return Err(Status::permission_denied(format!(
                "{expects}; {name} is a {has} token of this coordinator"
            )));
        }
        let caller = Caller { name: Arc::clone(&token.name), role: token.role, address };
        Ok(Admitted { method, token: Some(token), caller })
    }

    /// Logs a refusal, for each caller at a bounded rate.
    fn refused(
        &self,
        path: &str,
        status: &Status,
        who: Option<&Token>,
        connection: Option<&Connection>,
    ) {
        self.doorman.count_refused();
        let complaints = who.map_or(&self.complaints, |token| &token.complaints);
        let Some(left_out) = complaints.next() else { return };
        let caller = who.map(|token| &*token.name);
        let address = connection.map(|connection| connection.address.to_string());
        let path = hasami_sweep::text::line(path, limits::NAME);
        tracing::warn!(caller, address, path, left_out, "call refused: {}", status.message());
    }
}

/// Layer with a [`Gate`].
#[derive(Clone)]
pub(super) struct GuardLayer(pub Arc<Gate>);

impl<S> Layer<S> for GuardLayer {
    type Service = Guard<S>;

    fn layer(&self, inner: S) -> Guard<S> {
        Guard { inner, gate: Arc::clone(&self.0) }
    }
}

/// A service behind a [`Gate`].
#[derive(Clone)]
pub(super) struct Guard<S> {
    inner: S,
    gate: Arc<Gate>,
}

impl<S> Service<Request<Body>> for Guard<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<Result<Response<Body>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let gate = Arc::clone(&self.gate);
        let connection = request.extensions().get::<Arc<Connection>>().cloned();
        let admitted = match gate.check(&request, connection.as_deref()) {
            Ok(admitted) => admitted,
            Err(status) => {
                gate.refused(request.uri().path(), &status, None, connection.as_deref());
                if let Some(connection) = &connection {
                    connection.was_refused();
                }
                return Box::pin(std::future::ready(Ok(status.into_http())));
            }
        };
        let Admitted { method, token, caller } = admitted;
        let remote_addr: Option<SocketAddr> = caller.address;
        request.extensions_mut().insert(TcpConnectInfo { local_addr: None, remote_addr });
        request.extensions_mut().insert(caller);
        // The service that was polled is the one to call.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        Box::pin(async move {
            let share = token.as_ref().map_or(&gate.guests, |token| &token.share);
            let place = match enter(share, &gate.all, method.kind).await {
                Ok(place) => place,
                Err(status) => {
                    let (path, who) = (request.uri().path(), token.as_deref());
                    gate.refused(path, &status, who, connection.as_deref());
                    return Ok(status.into_http());
                }
            };
            let charge = Arc::new(Mutex::new(Charge::new(share, &gate.all)));
            let charged = (method.kind != Kind::Upload).then(|| Arc::clone(&charge));
            let patience = gate.doorman.patience().upload;
            let request = request
                .map(|body| Body::new(Received::new(body, method.message, patience, charged)));
            let mut response = inner.call(request).await?;
            shorten(response.headers_mut());
            let call = gate.calls.fetch_add(1, Ordering::Relaxed);
            Ok(response.map(|body| Body::new(Sent::new(body, call, connection, place, charge))))
        })
    }
}

#[cfg(test)]
mod tests {
    use hasami_proto::Access;
    use tonic::Code;

    use super::super::doorman::Patience;
    use super::*;

    fn gate(access: &Access) -> Arc<Gate> {
        Gate::new(access.into(), Doorman::new(64, Patience::default()))
    }

    fn closed() -> Arc<Gate> {
        gate(&Access {
            client_token: Some("for-clients".into()),
            worker_token: Some("for-workers".into()),
            ..Access::default()
        })
    }

    fn call(gate: &Gate, path: &str, header: Option<&str>) -> Result<Caller, Status> {
        let mut request = Request::builder().uri(format!("http://host{path}"));
        if let Some(header) = header {
            request = request.header(AUTHORIZATION, header);
        }
        gate.check(&request.body(()).unwrap(), None).map(|admitted| admitted.caller)
    }

    #[test]
    fn everybody_has_services_of_their_own() {
        let (client, worker) = (Some("Bearer for-clients"), Some("Bearer for-workers"));
        for (path, good, bad) in [
            ("/hasami.v1.RunService/List", client, worker),
            ("/hasami.v1.RunService/Checkpoint", client, worker),
            ("/hasami.v1.AccessService/AddToken", client, worker),
            ("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", client, worker),
            ("/hasami.v1.WorkService/Register", worker, client),
            ("/hasami.v1.PositionService/Sync", worker, client),
        ] {
            let gate = closed();
            let name = if good == client { "operator" } else { "worker" };
            assert_eq!(&*call(&gate, path, good).unwrap().name, name);
            let refused = call(&gate, path, bad).unwrap_err();
            assert_eq!(refused.code(), Code::PermissionDenied, "{path}");
            for wrong in [None, Some("Bearer"), Some("Bearer x"), Some("Basic for-workers")] {
                let refused = call(&gate, path, wrong).unwrap_err();
                assert_eq!(refused.code(), Code::Unauthenticated, "{path} {wrong:?}");
                assert!(refused.message().contains("expects `authorization: Bearer <"));
            }
            call(&self::gate(&Access::default()), path, None).unwrap();
        }
        call(&closed(), "/grpc.health.v1.Health/Check", None).unwrap();
        for closed_path in ["/hasami.v1.Secrets/List", "/", "", "/hasami.v1.RunServiceX/List"] {
            let refused = call(&closed(), closed_path, client).unwrap_err();
            assert_eq!(refused.code(), Code::Unimplemented, "{closed_path}");
        }
    }

    #[test]
    fn a_client_is_no_operator() {
        let data = tempfile::tempdir().unwrap();
        let file = |name: &str| data.path().join(name);
        let (tokens, _) = Tokens::prepare(&file("tokens"), &file("access"), None).unwrap();
        let (_, secret) = tokens.add("reader", Role::Client).unwrap();
        let gate = Gate::new(tokens, Doorman::new(64, Patience::default()));
        let header = format!("Bearer {secret}");
        let caller = call(&gate, "/hasami.v1.RunService/List", Some(&header)).unwrap();
        assert_eq!((&*caller.name, caller.role), ("reader", Role::Client));
        for path in ["/hasami.v1.AccessService/ListTokens", "/hasami.v1.RunService/Checkpoint"] {
            let refused = call(&gate, path, Some(&header)).unwrap_err();
            assert_eq!(refused.code(), Code::PermissionDenied, "{path}");
        }
    }

    #[test]
    fn a_token_that_is_missing_here_opens_nothing() {
        let half = gate(&Access { worker_token: Some("for-workers".into()), ..Access::default() });
        for header in [None, Some("Bearer "), Some("Bearer for-workers")] {
            call(&half, "/hasami.v1.RunService/List", header).unwrap_err();
        }
    }

    #[test]
    fn no_message_repeats_a_token() {
        for header in ["Bearer for-workers", "Bearer for-nobody", "for-nothing"] {
            let refused = call(&closed(), "/hasami.v1.RunService/List", Some(header)).unwrap_err();
            assert!(!refused.message().contains("for-"), "{refused}");
        }
    }
}
