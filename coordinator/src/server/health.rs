//! The standard health service: process managers and load balancers can ask without a token whether
//! the coordinator has recovered.

use hasami_proto::v1::{position_service_server, run_service_server, work_service_server};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// The services whose health is reported; the empty name stands for the whole server.
const NAMES: [&str; 4] = [
    "",
    run_service_server::SERVICE_NAME,
    work_service_server::SERVICE_NAME,
    position_service_server::SERVICE_NAME,
];

/// Publishes the health of the coordinator.
#[derive(Clone, Debug)]
pub struct Health(HealthReporter);

impl Health {
    /// Not serving: recovery comes first.
    pub(super) async fn recovering(reporter: HealthReporter) -> Self {
        let health = Self(reporter);
        health.tell(ServingStatus::NotServing).await;
        health
    }

    /// Serving: the journal is replayed and the store is open.
    pub async fn recovered(&self) {
        self.tell(ServingStatus::Serving).await;
    }

    /// Not serving: the coordinator is stopping or has failed.
    pub async fn stopping(&self) {
        self.tell(ServingStatus::NotServing).await;
    }

    async fn tell(&self, status: ServingStatus) {
        for name in NAMES {
            self.0.set_service_status(name, status).await;
        }
    }
}
