//! Units of work: what a coordinator hands out, and what a worker hands in. Both sides use these
//! types; `hasami-proto` turns them into messages and back. Pure data: no network, no clock.

mod ids;
mod outcome;
mod state;
mod task;

pub use ids::{Attempt, ItemNo, Lease, RunId, UnitNo};
pub use outcome::{Failure, FailureKind, Outcome, Part, Rejection};
pub use state::{ItemState, RunState};
pub use task::{Assignment, EnumerateTask, OtherWorkers, Progress, Task};
