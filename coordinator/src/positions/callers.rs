//! Who calls. Records are taken from, and given to, registered workers, about the problems of units
//! that they hold.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hasami_andor::ProblemId;
use hasami_proto::v1::Caller;
use hasami_unit::Lease;
use tonic::Status;

/// Leases that one call may name.
const MOST_LEASES: usize = 1024;
/// A caller that was checked is not checked again for this long: a search calls often.
const FRESH: Duration = Duration::from_secs(1);
/// Callers remembered.
const MOST: usize = 4096;

/// A call to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The worker.
    pub worker: u64,
    /// Its secret.
    pub session: u64,
    /// The units that the call concerns.
    pub leases: Vec<Lease>,
    /// The problem; `None` for notes, which belong to no unit.
    pub problem: Option<ProblemId>,
}

/// Knows the workers.
#[tonic::async_trait]
pub trait Callers: Send + Sync {
    /// Fails unless the worker is registered and holds one of the leases for this problem.
    async fn check(&self, call: Call) -> Result<(), Status>;
}

type Who = (u64, u64, Option<ProblemId>);

/// Callers that were checked lately.
pub(super) struct Door {
    callers: Arc<dyn Callers>,
    checked: Mutex<HashMap<Who, Instant>>,
}

impl Door {
    pub fn new(callers: Arc<dyn Callers>) -> Self {
        Self { callers, checked: Mutex::default() }
    }

    /// Checks a caller; returns its number.
    pub async fn check(
        &self,
        caller: Option<Caller>,
        problem: Option<ProblemId>,
    ) -> Result<u64, Status> {
        let Caller { worker, session, leases } =
            caller.ok_or_else(|| Status::invalid_argument("caller: missing"))?;
        if leases.len() > MOST_LEASES {
            let count = leases.len();
            return Err(Status::invalid_argument(format!(
                "{count} leases at once, at most {MOST_LEASES} are taken"
            )));
        }
        let who = (worker, session, problem);
        let checked = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if checked().get(&who).is_some_and(|at| at.elapsed() < FRESH) {
            return Ok(worker);
        }
        let leases = leases.into_iter().map(Lease::from).collect();
        self.callers.check(Call { worker, session, leases, problem }).await?;
        let mut checked = checked();
        if checked.len() >= MOST {
            checked.retain(|_, at| at.elapsed() < FRESH);
        }
        if checked.len() < MOST {
            checked.insert(who, Instant::now());
        }
        Ok(worker)
    }
}
