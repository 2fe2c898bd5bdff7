//! What the end-to-end tests in `tests/` share: the program in a directory of its own, a program
//! that is still running, a cluster of processes, a certificate that can be forged, and the files of a directory.
//!
//! Nothing here knows the inside of the program: words go in; text, exit codes and files come out.

mod certificate;
mod cluster;
mod files;
mod process;
mod program;
mod running;

pub use certificate::{Certificate, Record};
pub use cluster::{Cluster, DATA, quiet};
pub use files::{Files, files};
pub use process::{Process, until};
pub use program::{Hasami, Run};
pub use running::Running;
