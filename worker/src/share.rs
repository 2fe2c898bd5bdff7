//! Shares what searches learn: an exchange per problem that runs beside the searches, and the
//! lookups of a search before it starts. A running search never waits for the network, and
//! continues when the store does not answer.

mod exchange;
mod link;
mod notes;
mod pace;
mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hasami_andor::{Control, Key, ProblemId};
use hasami_record::Record;
use hasami_unit::Lease;
use tokio::runtime::Handle;
use tracing::Instrument;

use crate::session::Session;
use exchange::Exchange;
pub use exchange::Terms;
use hasami_answer::tables::HotTables;
pub use link::Link;
pub use notes::SharedNotes;
use store::Store;

/// The exchanges of a worker, one per problem.
pub struct Shares {
    runtime: Handle,
    tables: Arc<HotTables>,
    store: Store,
    exchanges: Mutex<BTreeMap<ProblemId, Arc<Exchange>>>,
}

/// A unit that takes part in an exchange, until it is dropped.
pub struct Member {
    exchange: Arc<Exchange>,
    lease: Lease,
}

impl Shares {
    /// Without exchanges. Must be called inside the runtime that they will run on.
    #[must_use]
    pub fn new(session: Arc<Session>, tables: Arc<HotTables>) -> Self {
        let (runtime, store) = (Handle::current(), Store::new(session));
        Self { runtime, tables, store, exchanges: Mutex::default() }
    }

    /// Adds a unit to the exchange of its problem.
    pub fn join(
        &self,
        problem: ProblemId,
        lease: Lease,
        control: &Arc<Control>,
        terms: Terms,
    ) -> Member {
        let exchange = self.of(problem);
        if exchange.enter(lease, Arc::clone(control), terms) {
            self.runtime.spawn(Arc::clone(&exchange).run().in_current_span());
        }
        Member { exchange, lease }
    }

    /// The notes of the shared store, for one job.
    #[must_use]
    pub fn notes(&self) -> SharedNotes {
        SharedNotes::new(self.runtime.clone(), self.store.clone())
    }

    /// Other workers have found something for this unit: fetch it now.
    pub fn look(&self, lease: Lease) {
        for exchange in self.exchanges().values() {
            exchange.look(lease);
        }
    }

    /// Publishes the results of units that have ended. Waits for it, but not for long: records that
    /// are not sent now go with the next exchange.
    pub async fn publish(&self) {
        let owing: Vec<Arc<Exchange>> =
            self.exchanges().values().filter(|exchange| exchange.owes()).cloned().collect();
        for exchange in owing {
            exchange.flush().await;
        }
    }

    fn of(&self, problem: ProblemId) -> Arc<Exchange> {
        let new = || Arc::new(Exchange::new(problem, &self.tables, self.store.clone()));
        Arc::clone(self.exchanges().entry(problem).or_insert_with(new))
    }

    fn exchanges(&self) -> MutexGuard<'_, BTreeMap<ProblemId, Arc<Exchange>>> {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Member {
    /// This unit is ending: everything known here is sent with [`Shares::publish`], including
    /// `last`, however cheap it was.
    pub fn announce(&self, last: impl IntoIterator<Item = (Key, Record)>) {
        self.exchange.announce(self.lease, last);
    }

    /// A contradiction between records of others and those known here.
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        self.exchange.contradiction()
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.exchange.leave(self.lease);
    }
}
