//! Who may use the store: registered workers, for the problems of the units that they hold.

use hasami_proto::Mark;
use tonic::Status;

use crate::core::{Refused, WorkerId};
use crate::engine::Engine;
use crate::positions::{Call, Callers};

/// The workers that the core knows.
pub struct Registered(pub Engine);

#[tonic::async_trait]
impl Callers for Registered {
    async fn check(&self, call: Call) -> Result<(), Status> {
        let Call { worker, session, leases, problem } = call;
        let worker = WorkerId(worker);
        let checked = self.0.call(move |state| match problem {
            Some(problem) => state.core.bind(worker, session, &leases, problem),
            None if state.core.knows(worker, session) => Ok(()),
            None => Err(Refused::UnknownWorker),
        });
        checked.await?.map_err(|refused| match refused {
            Refused::UnknownWorker => {
                Mark::UnknownWorker.on(Status::not_found(refused.to_string()))
            }
            Refused::NoLease | Refused::OtherProblem { .. } => {
                Status::failed_precondition(refused.to_string())
            }
        })
    }
}
