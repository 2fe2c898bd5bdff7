//! The layer between the network and the services: access control, shares, encryption, limits,
//! health, and the socket. Knows the services by name only.

mod bodies;
mod caller;
mod certificate;
mod complaints;
mod deadline;
mod doorman;
mod guard;
mod health;
mod keys;
mod limits;
mod listener;
mod run;
mod security;
mod share;
mod standby;
mod tls;
mod tokens;

pub use caller::Caller;
pub use complaints::Complaints;
pub use deadline::DeadlineLayer;
pub use doorman::{Doorman, Patience};
pub use health::Health;
pub use keys::{ACCESS_FILE, Keys, KeysError, TOKENS_FILE};
pub use limits::limited;
pub use listener::Listener;
pub use run::{GRACE, Server};
pub use security::Security;
pub use standby::stand_by;
pub use tls::{Tls, TlsError};
pub use tokens::{OPERATOR, Saved, TokenError, TokenInfo, Tokens, WORKER};
