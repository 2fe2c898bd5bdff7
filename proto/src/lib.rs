//! `hasami.v1`: the messages and services of the cluster, generated from `proto/hasami/v1`, and the
//! conversions to domain types. Only the edges of a program use messages.

mod access;
mod backoff;
mod codec;
mod connect;
mod convert;
pub mod limits;
pub mod pack;
mod protocol;
mod role;
mod route;
pub mod token;
mod trouble;

pub use access::{Access, AccessError, Who};
pub use backoff::Backoff;
pub use connect::{Authorized, Bearer, ConnectError, Connection, KEEPALIVE, connect};
pub use convert::{ConvertError, Introduced, introduced, malformed, progress, sweep};
pub use protocol::{OLDEST_PROTOCOL, PROTOCOL, agree};
pub use role::Role;
pub use route::Route;
pub use trouble::{Mark, Refusal, Trouble, busy, not_leader, wrong_protocol};

/// Version 1 of the package. Fields are only added.
#[allow(missing_docs, clippy::all, clippy::pedantic, unused_qualifications)]
pub mod v1 {
    tonic::include_proto!("hasami.v1");

    /// The descriptors of all files, for reflection.
    pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/hasami.bin"));
}

/// Records of the coordinator's journal: a disk format, not part of the protocol.
#[allow(missing_docs, clippy::all, clippy::pedantic, unused_qualifications)]
pub mod journal {
    pub mod v1 {
        tonic::include_proto!("hasami.journal.v1");
    }
}

/// The largest message: certificates and bulk loads are sent in pieces.
pub const MAX_MESSAGE: usize = limits::MESSAGE;
