//! The server of a coordinator that stands by: health, which says that it does not serve, and for
//! every other call a quick reply that another one leads.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hasami_proto::{limits, not_leader};
use http::{Request, Response};
use tokio::sync::oneshot;
use tonic::body::Body;
use tonic::service::RoutesBuilder;
use tonic::transport::{Error, Identity, ServerTlsConfig};
use tower::{Layer, Service};

use super::doorman::{Doorman, Patience};
use super::health::Health;
use super::limits::limited;
use super::listener::{Listener, room};
use super::run::BoxFuture;
use super::tls::Tls;

/// How long calls may take to end; all of them are short.
const LAST_CALLS: Duration = Duration::from_millis(500);
const HEALTH: &str = "/grpc.health.v1.Health/";

/// Serves until `stop` completes.
///
/// # Errors
/// If the certificate cannot be used or the socket fails.
pub async fn stand_by(
    listener: Listener,
    tls: Option<Tls>,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), Error> {
    let (reporter, health) = tonic_health::server::health_reporter();
    let _health = Health::recovering(reporter).await;
    let mut routes = RoutesBuilder::default();
    routes.add_service(health);
    let mut server = limited();
    if let Some(tls) = &tls {
        let identity = Identity::from_pem(&tls.certificate, &tls.key);
        let handshake = Duration::from_secs(limits::HANDSHAKE_SECONDS);
        server = server.tls_config(ServerTlsConfig::new().identity(identity).timeout(handshake))?;
    }
    let doorman = Doorman::new(room(), Patience::default());
    let (stopping, stopped) = oneshot::channel();
    let signal = async move {
        stop.await;
        // A server that has ended by itself does not listen.
        let _ = stopping.send(());
    };
    // Connections must end with the server: whoever keeps one would be told for ever that this
    // coordinator stands by.
    let served = server
        .layer(RefuseLayer)
        .add_routes(routes.routes())
        .serve_with_incoming_shutdown(listener.incoming(Arc::clone(&doorman)), signal);
    let late = async move {
        match stopped.await {
            Ok(()) => tokio::time::sleep(LAST_CALLS).await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        result = served => result,
        () = late => Ok(()),
        () = doorman.look_after() => Ok(()),
    }
}

#[derive(Clone)]
struct RefuseLayer;

impl<S> Layer<S> for RefuseLayer {
    type Service = Refuse<S>;

    fn layer(&self, inner: S) -> Refuse<S> {
        Refuse(inner)
    }
}

#[derive(Clone)]
struct Refuse<S>(S);

impl<S> Service<Request<Body>> for Refuse<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if request.uri().path().starts_with(HEALTH) {
            return Box::pin(self.0.call(request));
        }
        Box::pin(async { Ok(not_leader().into_http()) })
    }
}
