//! The only thread that owns the core and the journal. Calls arrive as closures; all that have
//! arrived meanwhile run together, are written in one synced batch, and only then answered.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use tokio::sync::oneshot;

use crate::core::{Core, Millis, Notice};
use crate::journal::{Journal, JournalError};

/// Calls that are committed together.
const BATCH: usize = 1024;
/// How often the core gets the time if there are no calls.
const TICK: Duration = Duration::from_millis(200);

/// Called after the commit with what happened and the core's state at that time.
pub type Listener = Box<dyn FnMut(&Core, &[Notice]) + Send>;

/// What a call can read and change.
pub struct State {
    /// The scheduler.
    pub core: Core,
    /// The clock of the core.
    pub now: Millis,
    /// Milliseconds since 1970.
    pub wall_ms: u64,
    /// Seconds that the commits have taken. Clones share it.
    pub commits: Histogram,
}

type Reply = Box<dyn FnOnce() + Send>;
type Call = Box<dyn FnOnce(&mut State) -> Reply + Send>;

/// The engine has stopped: the journal could not be written, or the coordinator is closing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the coordinator is stopping and acknowledges nothing more")]
pub struct Stopped;

/// A handle to call the engine.
#[derive(Clone)]
pub struct Engine {
    calls: Sender<Option<Call>>,
}

/// Why the engine ended by itself. Nothing is scheduled any more: the process must end too.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The journal could not be written.
    #[error("the journal cannot be written: {0}")]
    Journal(#[from] JournalError),
    /// A bug: the state in memory cannot be trusted.
    #[error("the scheduler has panicked: {0}")]
    Panicked(String),
}

/// The thread of an engine and its result.
pub struct EngineThread {
    thread: std::thread::JoinHandle<Result<(), EngineError>>,
}

impl EngineThread {
    /// Waits for the thread to end.
    ///
    /// # Errors
    /// If it ended by itself.
    pub fn join(self) -> Result<(), EngineError> {
        self.thread.join().unwrap_or_else(|panic| Err(panicked(&*panic)))
    }
}

fn panicked(panic: &(dyn Any + Send)) -> EngineError {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    EngineError::Panicked(text.unwrap_or("no message").to_string())
}

impl Engine {
    /// Starts the thread. `listener` gets what happened once it is durable; `failed` is called once
    /// if the engine ends by itself.
    pub fn start(
        core: Core,
        journal: Arc<Journal>,
        listener: Listener,
        failed: Box<dyn FnOnce(&EngineError) + Send>,
    ) -> (Self, EngineThread) {
        let (calls, incoming) = channel();
        let work = move || {
            // Unwind safe: core and listener are dropped, and the journal holds what was committed.
            let run = AssertUnwindSafe(|| run(core, &journal, &incoming, listener));
            let ended = match catch_unwind(run) {
                Ok(ended) => ended.map_err(EngineError::from),
                Err(panic) => Err(panicked(&*panic)),
            };
            if let Err(error) = &ended {
                failed(error);
            }
            ended
        };
        let thread = std::thread::Builder::new()
            .name("engine".to_string())
            .spawn(work)
            .expect("a thread for the engine");
        (Self { calls }, EngineThread { thread })
    }

    /// Runs `call` on the core; returns its result once all its changes are on disk.
    ///
    /// # Errors
    /// If the engine has stopped: nothing was acknowledged, and the call may not have happened.
    pub async fn call<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (send, receive) = oneshot::channel();
        let job: Call = Box::new(move |state| {
            let value = call(state);
            Box::new(move || drop(send.send(value)))
        });
        self.calls.send(Some(job)).map_err(|_| Stopped)?;
        receive.await.map_err(|_| Stopped)
    }

    /// Like [`Engine::call`], for a thread that may wait.
    ///
    /// # Errors
    /// As [`Engine::call`].
    pub fn ask<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (send, receive) = channel();
        let job: Call = Box::new(move |state| {
            let value = call(state);
            Box::new(move || drop(send.send(value)))
        });
        self.calls.send(Some(job)).map_err(|_| Stopped)?;
        receive.recv().map_err(|_| Stopped)
    }

    /// Like [`Engine::call`], without waiting.
    ///
    /// # Errors
    /// If the engine has stopped.
    pub fn post(&self, call: impl FnOnce(&mut State) + Send + 'static) -> Result<(), Stopped> {
        let job: Call = Box::new(move |state| {
            call(state);
            Box::new(|| {})
        });
        self.calls.send(Some(job)).map_err(|_| Stopped)
    }

    /// Ends the thread after the queued calls.
    pub fn stop(&self) {
        // Ignore a thread that has already ended.
        let _ = self.calls.send(None);
    }
}

/// Milliseconds since 1970.
#[must_use]
pub fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

fn run(
    core: Core,
    journal: &Journal,
    incoming: &Receiver<Option<Call>>,
    mut listener: Listener,
) -> Result<(), JournalError> {
    let started = Instant::now();
    let commits = Histogram::new(exponential_buckets(0.000_1, 2.0, 16));
    let mut state = State { core, now: Millis(0), wall_ms: wall_ms(), commits };
    let mut replies: Vec<Reply> = Vec::new();
    let mut open = true;
    while open {
        let first = match incoming.recv_timeout(TICK) {
            Ok(Some(call)) => Some(call),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                open = false;
                None
            }
            Err(RecvTimeoutError::Timeout) => None,
        };
        state.now = Millis(started.elapsed().as_millis() as u64);
        state.wall_ms = wall_ms();
        replies.extend(first.map(|call| call(&mut state)));
        while replies.len() < BATCH {
            match incoming.try_recv() {
                Ok(Some(call)) => replies.push(call(&mut state)),
                Ok(None) => open = false,
                Err(_) => break,
            }
        }
        state.core.tick(state.now, state.wall_ms);
        let (changes, notices) = state.core.take_effects();
        // If this fails, memory is ahead of the disk: the only safe way to continue is a restart.
        let begun = Instant::now();
        journal.commit(&changes, state.wall_ms)?;
        if !changes.is_empty() {
            state.commits.observe(begun.elapsed().as_secs_f64());
        }
        replies.drain(..).for_each(|reply| reply());
        if !notices.is_empty() {
            listener(&state.core, &notices);
        }
    }
    Ok(())
}
