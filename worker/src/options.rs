//! Options of a worker.

use std::path::PathBuf;
use std::time::Duration;

use hasami_proto::Access;

/// How a worker runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the coordinator is.
    pub access: Access,
    /// Its display name.
    pub name: String,
    /// Units computed at a time.
    pub threads: u32,
    /// Memory for transposition tables, all threads together.
    pub memory_mib: u64,
    /// Labels chosen by its owner.
    pub labels: Vec<(String, String)>,
    /// Directory of certificates until they are uploaded. Several workers may share it.
    pub directory: PathBuf,
    /// Directories under which questions may name files; none by default.
    pub allow_files: Vec<PathBuf>,
    /// Hand everything back and end after this long.
    pub time_limit: Option<Duration>,
    /// End after this long without a unit.
    pub idle_timeout: Option<Duration>,
    /// Whether game values are shared with others through the store.
    pub share_values: bool,
}

/// Whether a worker should continue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Continue.
    #[default]
    No,
    /// Hand back unfinished units, sign off, then end; ten seconds at most.
    Polite,
    /// End at once; the coordinator will notice.
    Now,
}
