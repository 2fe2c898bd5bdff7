//! What the end-to-end tests in `tests/` share: the program in a directory of its own, a program
//! that is still running, a cluster of processes, lines, packets, disks and clocks that fail when
//! told to, text certificates that can be forged, and the files of a directory.
//!
//! Nothing here knows the inside of the program: words go in; text, exit codes and files come out.

pub mod browser;
mod cluster;
mod files;
pub mod http;
mod postgres;
mod preload;
mod process;
mod program;
mod proxy;
mod running;
mod text;
mod usi;
mod wire;

pub use cluster::{Cluster, DATA, quiet};
pub use files::{Files, files};
pub use postgres::PostgresServer;
pub use preload::Faults;
pub use process::{Process, until};
pub use program::{Hasami, Run, binary};
pub use proxy::{Proxy, Towards};
pub use running::Running;
pub use text::with_hash;
pub use usi::Engine;
pub use wire::{Mishaps, Wire};
