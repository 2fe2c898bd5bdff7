//! What follows a failed call: registering again where that may help, a pause, or the end of the
//! worker.

use std::time::Instant;

use hasami_proto::{Backoff, Trouble};
use tracing::{debug, warn};

use crate::error::WorkerError;
use crate::outage::{Outage, Say};
use crate::session::{Registration, Session};

/// Decides what follows a failed call.
pub struct Retry {
    what: &'static str,
    backoff: Backoff,
    outage: Outage,
}

impl Retry {
    /// `what` describes the failure in the log.
    #[must_use]
    pub fn new(what: &'static str) -> Self {
        Self {
            what,
            backoff: Backoff::new(u64::from(std::process::id())),
            outage: Outage::default(),
        }
    }

    /// Records a successful call.
    pub fn worked(&mut self) {
        self.backoff.reset();
        if let Some(after) = self.outage.over(Instant::now()) {
            debug!(?after, "works again");
        }
    }

    /// Handles a failed call; returns when it is worth retrying.
    ///
    /// # Errors
    /// If retrying can never help.
    pub async fn after(
        &mut self,
        trouble: &Trouble,
        session: &Session,
        registration: &Registration,
    ) -> Result<(), WorkerError> {
        match trouble {
            Trouble::Refused { .. } => session.refused(trouble).map_or(Ok(()), Err),
            // The session logs an unreachable coordinator. Registering also recovers at once the
            // units that a lost reply granted.
            Trouble::Unreachable(_) | Trouble::UnknownWorker(_) => {
                debug!("{}: {trouble}", self.what);
                if self.backoff.tries() > 0 {
                    tokio::time::sleep(self.backoff.next()).await;
                } else {
                    // The first time without a pause.
                    self.backoff.next();
                }
                session.register(registration).await
            }
            // It is there, and says when to come back.
            Trouble::Busy { after, .. } => {
                debug!("{}: {trouble}", self.what);
                tokio::time::sleep((*after).max(self.backoff.next())).await;
                Ok(())
            }
            Trouble::Contradiction(_) | Trouble::NoRoom(_) | Trouble::Other { .. } => {
                match self.outage.failed(Instant::now()) {
                    Say::Begun => warn!("{}: {trouble}", self.what),
                    Say::Lasting(since) => warn!(?since, "{} still: {trouble}", self.what),
                    Say::Nothing => {}
                }
                tokio::time::sleep(self.backoff.next()).await;
                Ok(())
            }
        }
    }
}
