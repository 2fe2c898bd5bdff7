//! Lasting failures of a store. If the store itself fails, every call fails from then on. If two
//! workers contradict each other about a problem, calls about that problem do, until an operator
//! clears it. The coordinator is notified of both.

use std::collections::BTreeMap;

use hasami_andor::ProblemId;
use hasami_store::StoreError;
use tokio::sync::watch;
use tonic::{Code, Status};

use super::senders::Contradiction;

/// What is wrong with a store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// The first permanent error of the store itself.
    pub store: Option<StoreError>,
    /// Problems with a contradiction.
    pub problems: BTreeMap<ProblemId, Contradiction>,
}

/// The faults of a store, watched.
#[derive(Debug)]
pub(super) struct Fault(watch::Sender<Faults>);

impl Fault {
    pub fn none() -> Self {
        Self(watch::Sender::new(Faults::default()))
    }

    /// Fails if the store has failed permanently.
    pub fn check_store(&self) -> Result<(), StoreError> {
        self.0.borrow().store.clone().map_or(Ok(()), Err)
    }

    /// Fails if the store has failed permanently, or the problem has a contradiction.
    pub fn check(&self, problem: ProblemId) -> Result<(), StoreError> {
        let faults = self.0.borrow();
        match (&faults.store, faults.problems.get(&problem)) {
            (Some(error), _) => Err(error.clone()),
            (None, Some(found)) => Err(StoreError::Contradiction { problem, key: found.key }),
            (None, None) => Ok(()),
        }
    }

    /// Stores an error if it is permanent. What failed for lack of space may succeed later. `who`
    /// names the sender of the verdict that is known.
    pub fn notice(&self, error: &StoreError, who: impl FnOnce() -> Option<u64>) {
        match error {
            &StoreError::Contradiction { problem, key } => {
                self.contradiction(problem, || Contradiction {
                    key,
                    senders: who().into_iter().collect(),
                });
            }
            StoreError::Damaged { .. } => self.keep(error),
            _ => {}
        }
    }

    /// Stores the first contradiction of a problem.
    pub fn contradiction(&self, problem: ProblemId, found: impl FnOnce() -> Contradiction) {
        self.0.send_if_modified(|faults| {
            let first = !faults.problems.contains_key(&problem);
            if first {
                faults.problems.insert(problem, found());
            }
            first
        });
    }

    /// The contradiction of a problem is gone.
    pub fn clear(&self, problem: ProblemId) {
        self.0.send_if_modified(|faults| faults.problems.remove(&problem).is_some());
    }

    /// Stores any error; the first one stays.
    pub fn keep(&self, error: &StoreError) {
        let first = self.0.send_if_modified(|faults| {
            let first = faults.store.is_none();
            faults.store.get_or_insert_with(|| error.clone());
            first
        });
        if first {
            tracing::error!(%error, "the store has failed: nothing more is taken");
        }
    }

    pub fn watch(&self) -> watch::Receiver<Faults> {
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
    // No mark of a contradiction: the run waits, and its units are called back; nothing has failed.
    Status::new(code, error.to_string())
}

/// The store reports errors as text only.
fn no_space(detail: &str) -> bool {
    ["No space left", "no space", "Disk quota", "NoSpace"].iter().any(|word| detail.contains(word))
}

#[cfg(test)]
mod tests {
    use hasami_andor::Key;
    use hasami_proto::Trouble;

    use super::*;

    const PROBLEM: ProblemId = ProblemId(1);

    fn contradiction() -> StoreError {
        StoreError::Contradiction { problem: PROBLEM, key: Key(2) }
    }

    fn io(detail: &str) -> StoreError {
        StoreError::Io { path: "/data".into(), detail: detail.into() }
    }

    #[test]
    fn a_contradiction_concerns_its_problem_until_it_is_cleared() {
        let fault = Fault::none();
        let watcher = fault.watch();
        fault.notice(&io("No space left on device"), || None);
        fault.notice(&contradiction(), || Some(9));
        fault.contradiction(PROBLEM, || unreachable!("the first one stays"));
        assert_eq!(fault.check(PROBLEM), Err(contradiction()));
        fault.check(ProblemId(2)).unwrap();
        fault.check_store().unwrap();
        let told = watcher.borrow().problems[&PROBLEM].clone();
        assert_eq!(told, Contradiction { key: Key(2), senders: vec![9] });
        fault.clear(PROBLEM);
        fault.check(PROBLEM).unwrap();
    }

    #[test]
    fn the_first_lasting_error_of_the_store_stays_and_concerns_all() {
        let fault = Fault::none();
        fault.keep(&io("first"));
        fault.keep(&io("second"));
        assert_eq!(fault.check(PROBLEM), Err(io("first")));
        assert_eq!(fault.watch().borrow().store, Some(io("first")));
    }

    #[test]
    fn codes_say_what_can_be_done() {
        let told = Trouble::from(&status(&contradiction()));
        assert!(matches!(told, Trouble::Other { code: Code::FailedPrecondition, .. }), "{told:?}");
        let damaged = StoreError::Damaged { path: "/data".into(), detail: "x".into() };
        assert_eq!(status(&damaged).code(), Code::DataLoss);
        let full = status(&io("IO error: No space left on device: While appending to file"));
        assert_eq!(full.code(), Code::ResourceExhausted);
        assert!(full.message().contains("/data"), "{full}");
        assert_eq!(status(&io("Input/output error")).code(), Code::Internal);
    }
}
