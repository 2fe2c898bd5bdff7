//! What whoever starts a worker decides.

use std::path::PathBuf;

use hasami_proto::Access;

/// How a worker runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the coordinator is.
    pub access: Access,
    /// What people call this worker.
    pub name: String,
    /// Units computed at a time.
    pub threads: u32,
    /// Memory for transposition tables, all threads together.
    pub memory_mib: u64,
    /// Whatever its owner says of it.
    pub labels: Vec<(String, String)>,
    /// Where certificates are until they are sent. Several workers may share it.
    pub directory: PathBuf,
    /// Whether values of games are shared with others through the store.
    pub share_values: bool,
}

/// Whether a worker should go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It should.
    #[default]
    No,
    /// Hand back what is not finished, say goodbye, then end; ten seconds at most.
    Polite,
    /// End at once; the coordinator will notice.
    Now,
}
