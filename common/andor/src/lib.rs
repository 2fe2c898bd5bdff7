//! AND/OR search for hasami: the [`Problem`] trait that a game implements, the search kernels over
//! it, the transposition table they share, and the certificates that make a verdict checkable.
//!
//! No clock and no network. The only threads are those of [`kernel::threads`].

pub mod certificate;
mod kept;
pub mod kernel;
pub mod numbers;
pub mod oracle;
pub mod problem;
pub mod search;
pub mod split;
pub mod table;

pub use kernel::{Job, Kernel, Outcome, Search, Stopped};
pub use numbers::{Numbers, Verdict};
pub use problem::{Expansion, Key, Moves, Problem, ProblemId, Rank, Reason, Repetition, Turn};
pub use search::{Control, Counts, Method, Options, SumRule, children};
pub use split::{Child, PathNode, Role, SearchProgress, SearchReport, SearchTask};
pub use table::{Contradiction, Table};
