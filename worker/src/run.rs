//! The life of a worker, from its first call to its last.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_answer::AllowedFiles;
use hasami_proto::v1::LeaveRequest;
use hasami_proto::{Who, connect};
use tokio::sync::watch;
use tracing::field::Empty;
use tracing::{Instrument, Span, info, info_span, warn};

use crate::call::{timed, within};
use crate::compute::Compute;
use crate::error::WorkerError;
use crate::lease_queue::LeaseQueue;
use crate::options::{Options, Stop};
use crate::scratch::Scratch;
use crate::session::Session;
use crate::solver::Solver;
use crate::summary::Summary;
use crate::{certificates, hand_in, heartbeat, limits, summary, take, threads};

/// Time limit of a graceful end.
const GOODBYE: Duration = Duration::from_secs(10);
/// Time limit of its last call.
const LEAVE: Duration = Duration::from_secs(2);

/// Runs a worker until `stop` changes. Must be called inside a tokio runtime; the work itself is
/// done on separate threads.
///
/// # Errors
/// If the setup must change first; see [`WorkerError`].
pub async fn run(options: Options, stop: watch::Receiver<Stop>) -> Result<Summary, WorkerError> {
    let files = AllowedFiles::under(&options.allow_files)
        .map_err(|(path, source)| WorkerError::Allowed { path, source })?;
    let jobs = |options: &Options, session: &Arc<Session>| -> Arc<dyn Compute> {
        Arc::new(Solver::new(options, files, session))
    };
    let span = span(&options);
    begin(options, jobs, stop).instrument(span).await
}

/// Runs a worker with another implementation of the work.
///
/// # Errors
/// As [`run`].
pub async fn run_with(
    options: Options,
    compute: Arc<dyn Compute>,
    stop: watch::Receiver<Stop>,
) -> Result<Summary, WorkerError> {
    let span = span(&options);
    begin(options, |_: &Options, _: &Arc<Session>| compute, stop).instrument(span).await
}

/// Every log line names its worker: one process may have several.
fn span(options: &Options) -> Span {
    info_span!("worker", called = options.name, worker = Empty)
}

async fn begin(
    options: Options,
    make: impl FnOnce(&Options, &Arc<Session>) -> Arc<dyn Compute>,
    mut stop: watch::Receiver<Stop>,
) -> Result<Summary, WorkerError> {
    let started = Instant::now();
    let connection = connect(&options.access, Who::Worker)?;
    let scratch = Scratch::open(&options.directory)
        .map_err(|source| WorkerError::Directory { path: options.directory.clone(), source })?;
    let threads = options.threads.max(1);
    let queue = Arc::new(LeaseQueue::new(threads, Arc::new(scratch)));
    let session = Arc::new(Session::new(&options, connection, Arc::clone(&queue)));
    let compute = make(&options, &session);
    let nobody = session.current();
    tokio::select! {
        registered = session.register(&nobody) => registered?,
        _ = asked(&mut stop, Stop::Polite) => return Ok(queue.snapshot().since(started)),
    }
    // However this ends, the threads must not keep computing.
    let _close = CloseOnDrop(Arc::clone(&queue));
    threads::start(threads, &queue, &compute)?;
    let limits = async {
        let (time, idle) = (options.time_limit, options.idle_timeout);
        tokio::select! {
            () = limits::time_is_up(started, time) => info!(limit = ?time, "the time is up"),
            () = limits::idle_for(&queue, idle) => info!(limit = ?idle, "idle for too long"),
        }
    };
    live(&queue, &session, &compute, limits, &mut stop).await?;
    let summary = queue.snapshot().since(started);
    let Summary { units, nodes, seconds, handed_back, idle_seconds } = summary;
    let held = queue.read(|held| held.len());
    info!(units, nodes, seconds, idle_seconds, handed_back, held, "the worker has ended");
    Ok(summary)
}

async fn live(
    queue: &Arc<LeaseQueue>,
    session: &Arc<Session>,
    compute: &Arc<dyn Compute>,
    limits: impl Future<Output = ()>,
    stop: &mut watch::Receiver<Stop>,
) -> Result<(), WorkerError> {
    let always = async {
        tokio::try_join!(
            hand_in::run(queue, session, &**compute),
            certificates::run(queue, session),
            heartbeat::run(queue, session, &**compute),
        )
        .map(|_| ())
    };
    tokio::pin!(always);
    tokio::select! {
        ended = &mut always => return ended,
        ended = take::run(queue, session) => return ended,
        () = queue.broken.notified() => return Err(WorkerError::Broken),
        () = summary::tell(queue, session) => {}
        () = limits => {}
        _ = asked(stop, Stop::Polite) => {}
    }
    if *stop.borrow() == Stop::Now {
        return Ok(());
    }
    info!(held = queue.read(|held| held.len()), "stopping: what is not finished is handed back");
    queue.recall_all();
    tokio::select! {
        ended = &mut always => return ended,
        () = goodbye(queue, session) => {}
        () = tokio::time::sleep(GOODBYE) => {
            let held = queue.read(|held| held.len());
            warn!(held, "stopped after {GOODBYE:?} with units still held");
        }
        _ = asked(stop, Stop::Now) => {}
    }
    Ok(())
}

/// Waits until no unit is held, then leaves.
async fn goodbye(queue: &LeaseQueue, session: &Session) {
    while queue.read(|held| held.len()) > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let registration = session.current();
    let request = LeaveRequest { worker: registration.worker, session: registration.secret };
    // If the call does not arrive, the coordinator notices by itself; nothing is lost.
    if let Err(trouble) = within(LEAVE, session.work().leave(timed(request, LEAVE))).await {
        warn!("goodbye did not reach the coordinator: {trouble}");
    }
}

/// Waits until `stop` is at least `wish`; forever if the sender is gone.
async fn asked(stop: &mut watch::Receiver<Stop>, wish: Stop) {
    if stop.wait_for(|stop| *stop >= wish).await.is_err() {
        std::future::pending::<()>().await;
    }
}

struct CloseOnDrop(Arc<LeaseQueue>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}
