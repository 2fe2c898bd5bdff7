//! The standard health service: who starts a coordinator, and who balances load before it, can
//! ask without a token whether it has recovered.

use hasami_proto::v1::{position_service_server, run_service_server, work_service_server};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// The services whose health is told; the empty name stands for the whole.
const NAMES: [&str; 4] = [
    "",
    run_service_server::SERVICE_NAME,
    work_service_server::SERVICE_NAME,
    position_service_server::SERVICE_NAME,
];

/// Tells the world how the coordinator is.
#[derive(Clone, Debug)]
pub struct Health(HealthReporter);

impl Health {
    /// Not serving: recovery comes first.
    pub(super) async fn recovering(reporter: HealthReporter) -> Self {
        let health = Self(reporter);
        health.tell(ServingStatus::NotServing).await;
        health
    }

    /// Everything is in place: the journal is replayed, the store is open.
    pub async fn recovered(&self) {
        self.tell(ServingStatus::Serving).await;
    }

    /// The coordinator is about to end, or can do nothing useful any more.
    pub async fn stopping(&self) {
        self.tell(ServingStatus::NotServing).await;
    }

    async fn tell(&self, status: ServingStatus) {
        for name in NAMES {
            self.0.set_service_status(name, status).await;
        }
    }
}
