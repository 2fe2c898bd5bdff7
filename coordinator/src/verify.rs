//! Verifies answers on threads of low priority. The coordinator knows no rules: whoever starts it
//! passes a function that does.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hasami_spec::Question;
use hasami_sweep::Answer;

use crate::certificates::{CertificateError, Certificates, hash};
use crate::core::{Claimed, Found, Lease};
use crate::engine::{Engine, Stopped};
use crate::room::Room;

/// What records name as the verifier.
const BY: &str = "the coordinator";
/// Scheduling and workers on the same machine come first.
const NICE: i32 = 10;
/// Between two looks for room on the disk.
const AGAIN: Duration = Duration::from_millis(200);

/// Decides whether an answer follows from its certificates, given in the same order.
pub type Verifier = Arc<dyn Fn(&Question, &Answer, &[PathBuf]) -> Found + Send + Sync>;

/// Answers that wait, and the threads that verify them.
#[derive(Clone, Default)]
pub struct Queue(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Default)]
struct Waiting {
    leases: VecDeque<Lease>,
    closed: bool,
}

impl Queue {
    /// Adds an answer.
    pub fn add(&self, lease: Lease) {
        self.waiting().leases.push_back(lease);
        self.0.more.notify_one();
    }

    /// Lets the threads end. What still waits is in the journal.
    pub fn close(&self) {
        self.waiting().closed = true;
        self.0.more.notify_all();
    }

    /// Starts the threads.
    pub fn start(
        &self,
        threads: usize,
        engine: &Engine,
        certificates: &Certificates,
        verifier: &Verifier,
        room: &Room,
    ) -> std::io::Result<()> {
        for number in 0..threads {
            let (queue, engine) = (self.clone(), engine.clone());
            let (certificates, verifier) = (certificates.clone(), Arc::clone(verifier));
            let room = room.clone();
            std::thread::Builder::new().name(format!("verify-{number}")).spawn(move || {
                lower_priority();
                while let Some(lease) = queue.next() {
                    // What is found must be written.
                    while room.is_short() && !queue.waiting().closed {
                        std::thread::sleep(AGAIN);
                    }
                    let go_on = || !queue.waiting().closed;
                    if one(lease, &engine, &certificates, &verifier, &go_on).is_err() {
                        return;
                    }
                }
            })?;
        }
        Ok(())
    }

    fn next(&self) -> Option<Lease> {
        let mut waiting = self.waiting();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(lease) = waiting.leases.pop_front() {
                return Some(lease);
            }
            waiting = self.0.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// On Linux this concerns the calling thread alone.
fn lower_priority() {
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "verification keeps its priority");
    }
}

fn one(
    lease: Lease,
    engine: &Engine,
    certificates: &Certificates,
    verifier: &Verifier,
    go_on: &dyn Fn() -> bool,
) -> Result<(), Stopped> {
    let Some(Claimed { question, answer }) = engine.ask(move |state| state.core.claim(lease))?
    else {
        return Ok(());
    };
    let found = match files(&answer, certificates, go_on) {
        Err(why) => Found::Lost(why),
        // The claim is in the journal: the next start verifies it.
        Ok(None) => return Err(Stopped),
        Ok(Some(files)) => {
            // Unwind safe: nothing outlives the call.
            catch_unwind(AssertUnwindSafe(|| verifier(&question, &answer, &files)))
                .unwrap_or_else(|_| Found::Refuted("the verifier panicked".to_string()))
        }
    };
    engine.post(move |state| state.core.verified(lease, BY, found, state.wall_ms))
}

/// The files of all certificates, with exactly the bytes that the answer names. An object store that
/// is away is waited for; `None` if `go_on` says to stop.
fn files(
    answer: &Answer,
    certificates: &Certificates,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Vec<PathBuf>>, String> {
    let mut files = Vec::new();
    for certificate in &answer.certificates {
        let mut told = false;
        let file = loop {
            match certificates.find(certificate) {
                Ok(file) => break file,
                Err(error @ CertificateError::Away { .. }) => {
                    if !told {
                        tracing::warn!("verification waits: {error}");
                    }
                    told = true;
                    if !go_on() {
                        return Ok(None);
                    }
                    std::thread::sleep(AGAIN);
                }
                Err(error) => return Err(error.to_string()),
            }
        };
        let found = hash(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        if found != certificate.digest {
            return Err(format!("{}: damaged on disk", file.display()));
        }
        files.push(file);
    }
    Ok(Some(files))
}
