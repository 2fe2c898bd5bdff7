//! The whole server: a socket, the layers before the services, and a graceful shutdown.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hasami_proto::limits;
use hasami_proto::v1::DESCRIPTORS;
use http::{Request, Response};
use tokio::sync::oneshot;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::service::RoutesBuilder;
use tonic::transport::{Error, Identity, ServerTlsConfig};
use tower::Service;

use super::deadline::DeadlineLayer;
use super::doorman::{Doorman, Patience};
use super::guard::{Gate, GuardLayer};
use super::health::Health;
use super::limits::limited;
use super::listener::{Listener, room};
use super::tls::Tls;
use super::tokens::Tokens;

pub(super) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// How long running calls may take to end once the server stops. Calls that wait for work or for
/// news would otherwise keep it up.
pub const GRACE: Duration = Duration::from_secs(5);

/// A configured server.
pub struct Server {
    listener: Listener,
    gate: Arc<Gate>,
    doorman: Arc<Doorman>,
    tls: Option<Tls>,
    routes: RoutesBuilder,
    health: Health,
}

impl Server {
    /// A server with health (not serving yet) and reflection, and nothing else.
    pub async fn new(listener: Listener, tokens: Tokens, tls: Option<Tls>) -> Self {
        Self::with_patience(listener, tokens, tls, Patience::default()).await
    }

    /// The same, with other times.
    pub async fn with_patience(
        listener: Listener,
        tokens: Tokens,
        tls: Option<Tls>,
        patience: Patience,
    ) -> Self {
        let (reporter, health_service) = tonic_health::server::health_reporter();
        let health = Health::recovering(reporter).await;
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            .build_v1()
            .expect("descriptors that the build has compiled");
        let mut routes = RoutesBuilder::default();
        routes.add_service(health_service).add_service(reflection);
        let doorman = Doorman::new(room(), patience);
        let gate = Gate::new(tokens, Arc::clone(&doorman));
        Self { listener, gate, doorman, tls, routes, health }
    }

    /// Adds a service. The service limits its messages itself.
    #[must_use]
    pub fn with<S>(mut self, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>
            + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send + 'static,
    {
        self.routes.add_service(service);
        self
    }

    /// Who is connected.
    #[must_use]
    pub fn doorman(&self) -> Arc<Doorman> {
        Arc::clone(&self.doorman)
    }

    /// The handle that reports the end of recovery.
    #[must_use]
    pub fn health(&self) -> Health {
        self.health.clone()
    }

    /// Serves until `stop` completes, then accepts no more calls and gives running ones [`GRACE`]
    /// to end. A call that lasts longer continues until its connection or the runtime ends, and
    /// holds its service until then.
    ///
    /// # Errors
    /// If the certificate cannot be used or the socket fails.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send) -> Result<(), Error> {
        let mut server = limited();
        if let Some(tls) = &self.tls {
            let identity = Identity::from_pem(&tls.certificate, &tls.key);
            // A caller that connects and stays silent must not hold a socket forever.
            let handshake = Duration::from_secs(limits::HANDSHAKE_SECONDS);
            let config = ServerTlsConfig::new().identity(identity).timeout(handshake);
            server = server.tls_config(config)?;
        }
        let health = self.health;
        let (stopping, stopped) = oneshot::channel();
        let signal = async move {
            stop.await;
            health.stopping().await;
            let _ = stopping.send(());
        };
        let served = server
            .layer(DeadlineLayer)
            .layer(GuardLayer(self.gate))
            .add_routes(self.routes.routes())
            .serve_with_incoming_shutdown(
                self.listener.incoming(Arc::clone(&self.doorman)),
                signal,
            );
        let late = async move {
            match stopped.await {
                Ok(()) => tokio::time::sleep(GRACE).await,
                // The server has ended by itself.
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            result = served => result,
            () = late => Ok(()),
            () = self.doorman.look_after() => Ok(()),
        }
    }
}
