//! The one thread that writes. Requests that come while it is busy are written together, so that
//! many workers cost few writes; when it falls behind, the queue is full and workers wait.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use hasami_andor::{Key, ProblemId};
use hasami_store::{Record, Store, StoreError};
use tokio::sync::{mpsc, oneshot};

use super::batch::Batch;
use super::service::Shared;

/// Requests that may wait for the writer.
const QUEUE: usize = 64;
/// Records that are written together.
const TOGETHER: usize = 1 << 16;

type Done = oneshot::Sender<Result<(), StoreError>>;

/// What the writer is asked for.
pub(super) enum Job {
    /// Write these.
    Publish(Batch, Done),
    /// Make durable what was asked for before.
    Flush(Done),
}

/// The queue, and the thread behind it. Dropping it writes what is queued and waits for the end,
/// so that the store is free afterwards.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub fn start(store: Arc<dyn Store>, shared: Arc<Shared>) -> io::Result<Self> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("positions".into())
            .spawn(move || run(&*store, &shared, jobs))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    /// Queues a job and waits for its end. Once queued it is done, even if nobody waits any more.
    pub async fn ask(&self, job: impl FnOnce(Done) -> Job) -> Result<(), StoreError> {
        let (done, wait) = oneshot::channel();
        let queue = self.queue.as_ref().expect("a writer that is not dropped");
        if queue.send(job(done)).await.is_err() {
            return Err(ended());
        }
        wait.await.unwrap_or_else(|_| Err(ended()))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that writes positions has panicked");
        }
    }
}

fn ended() -> StoreError {
    StoreError::Io { path: "positions".into(), detail: "the writing thread has ended".into() }
}

/// Tells of a writer that has panicked: nobody would hear of it before the next call.
struct Alarm<'a>(&'a Shared);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.fault.keep(&ended());
        }
    }
}

fn run(store: &dyn Store, shared: &Shared, mut jobs: mpsc::Receiver<Job>) {
    let _alarm = Alarm(shared);
    while let Some(first) = jobs.blocking_recv() {
        let (mut writes, mut flushes, mut records) = (Vec::new(), Vec::new(), 0);
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                Job::Publish(batch, done) => {
                    records += batch.records.len();
                    writes.push((batch, done));
                }
                Job::Flush(done) => flushes.push(done),
            }
            next = if records < TOGETHER { jobs.try_recv().ok() } else { None };
        }
        write(store, shared, writes);
        // After all writes: those that were asked for before a flush are among them.
        if !flushes.is_empty() {
            let synced = sync(store, shared);
            for done in flushes {
                let _ = done.send(synced.clone());
            }
        }
    }
}

/// Writes batches, those of one problem together, and tells others of them.
fn write(store: &dyn Store, shared: &Shared, writes: Vec<(Batch, Done)>) {
    let mut groups: HashMap<ProblemId, Vec<(Batch, Done)>> = HashMap::new();
    for write in writes {
        groups.entry(write.0.published.problem).or_default().push(write);
    }
    for (problem, group) in groups {
        let result = shared.fault.check().and_then(|()| match group.as_slice() {
            [(batch, _)] => store.publish(problem, &batch.records),
            many => {
                let records: Vec<(Key, Record)> =
                    many.iter().flat_map(|(batch, _)| batch.records.iter().copied()).collect();
                store.publish(problem, &records)
            }
        });
        if let Err(error) = &result {
            shared.fault.notice(error);
        }
        for (batch, done) in group {
            // Only what the store has taken is published to others.
            if result.is_ok() {
                shared.tell(&batch.published);
            }
            let _ = done.send(result.clone());
        }
    }
}

fn sync(store: &dyn Store, shared: &Shared) -> Result<(), StoreError> {
    shared.fault.check()?;
    // The disk may have dropped what it could not write, and a later success would not bring it
    // back: after a failure nothing is believed any more.
    store.sync().inspect_err(|error| shared.fault.keep(error))?;
    // A contradiction is met by merges in the background; asking for nothing tells of it.
    store.lookup(ProblemId(0), &[], &mut Vec::new()).inspect_err(|error| shared.fault.notice(error))
}
