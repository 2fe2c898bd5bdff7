//! The permanent failure of a store. From then on every call fails with the same message, and the
//! coordinator is notified: no verdict may rest on such a store.

use hasami_proto::Mark;
use hasami_store::StoreError;
use tokio::sync::watch;
use tonic::{Code, Status};

/// The first permanent error of a store.
#[derive(Debug)]
pub(super) struct Fault(watch::Sender<Option<StoreError>>);

impl Fault {
    pub fn none() -> Self {
        Self(watch::Sender::new(None))
    }

    /// Fails if the store has failed permanently.
    pub fn check(&self) -> Result<(), StoreError> {
        self.0.borrow().clone().map_or(Ok(()), Err)
    }

    /// Stores an error if it is permanent. What failed for lack of space may succeed later.
    pub fn notice(&self, error: &StoreError) {
        if matches!(error, StoreError::Contradiction { .. } | StoreError::Damaged { .. }) {
            self.keep(error);
        }
    }

    /// Stores any error; the first one stays.
    pub fn keep(&self, error: &StoreError) {
        let first = self.0.send_if_modified(|kept| {
            let first = kept.is_none();
            kept.get_or_insert_with(|| error.clone());
            first
        });
        if first {
            tracing::error!(%error, "the store has failed: nothing more is taken");
        }
    }

    pub fn watch(&self) -> watch::Receiver<Option<StoreError>> {
        self.0.subscribe()
    }
}

/// Maps a store error to the status of a call.
pub(super) fn status(error: &StoreError) -> Status {
    let code = match error {
        StoreError::Contradiction { .. } => Code::FailedPrecondition,
        StoreError::Damaged { .. } | StoreError::Format { .. } => Code::DataLoss,
        StoreError::Record { .. } => Code::InvalidArgument,
        StoreError::Io { detail, .. } if no_space(detail) => Code::ResourceExhausted,
        StoreError::Io { .. } => Code::Internal,
        _ => Code::FailedPrecondition,
    };
    let status = Status::new(code, error.to_string());
    match error {
        StoreError::Contradiction { .. } => Mark::Contradiction.on(status),
        _ => status,
    }
}

/// The store reports errors as text only.
fn no_space(detail: &str) -> bool {
    ["No space left", "no space", "Disk quota", "NoSpace"].iter().any(|word| detail.contains(word))
}

#[cfg(test)]
mod tests {
    use hasami_andor::{Key, ProblemId};
    use hasami_proto::Trouble;

    use super::*;

    fn contradiction() -> StoreError {
        StoreError::Contradiction { problem: ProblemId(1), key: Key(2) }
    }

    fn io(detail: &str) -> StoreError {
        StoreError::Io { path: "/data".into(), detail: detail.into() }
    }

    #[test]
    fn the_first_lasting_error_stays_and_is_told() {
        let fault = Fault::none();
        let watcher = fault.watch();
        fault.notice(&io("No space left on device"));
        fault.check().unwrap();
        fault.notice(&contradiction());
        fault.keep(&io("Input/output error"));
        assert_eq!(fault.check(), Err(contradiction()));
        assert_eq!(*watcher.borrow(), Some(contradiction()));
    }

    #[test]
    fn codes_say_what_can_be_done() {
        let marked = Trouble::from(&status(&contradiction()));
        assert!(matches!(marked, Trouble::Contradiction(_)), "{marked:?}");
        let damaged = StoreError::Damaged { path: "/data".into(), detail: "x".into() };
        assert_eq!(status(&damaged).code(), Code::DataLoss);
        let full = status(&io("IO error: No space left on device: While appending to file"));
        assert_eq!(full.code(), Code::ResourceExhausted);
        assert!(full.message().contains("/data"), "{full}");
        assert_eq!(status(&io("Input/output error")).code(), Code::Internal);
    }
}
