//! The layer between the network and the services: access control, encryption, limits, health, and
//! the socket. Knows the services by name only.

mod auth;
mod certificate;
mod deadline;
mod health;
mod keys;
mod limits;
mod listener;
mod run;
mod security;
mod tls;

pub use auth::{AuthLayer, Tokens};
pub use deadline::DeadlineLayer;
pub use health::Health;
pub use keys::{ACCESS_FILE, Keys, KeysError};
pub use limits::{PER_CONNECTION, limited};
pub use listener::Listener;
pub use run::{GRACE, Server};
pub use security::Security;
pub use tls::{Tls, TlsError};
