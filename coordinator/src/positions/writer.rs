//! The only thread that writes. Requests that arrive while it is busy are written together, so many
//! workers cost few writes; when it falls behind, the queue fills up and workers wait.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use hasami_andor::{Key, ProblemId};
use hasami_store::{Record, Store, StoreError};
use tokio::sync::{mpsc, oneshot};

use super::batch::Batch;
use super::service::Shared;

/// Capacity of the queue.
const QUEUE: usize = 64;
/// Records written together.
const TOGETHER: usize = 1 << 16;

type Done = oneshot::Sender<Result<(), StoreError>>;

/// A request to the writer.
pub(super) enum Job {
    /// Write these records.
    Publish(Batch, Done),
    /// Make all earlier requests durable.
    Flush(Done),
}

/// The queue and its thread. Dropping it writes all queued records and joins the thread, so that
/// the store is free afterwards.
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

    /// Queues a job and waits for it. A queued job is done even if the caller stops waiting.
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

/// Reports a panic of the writer, which would otherwise go unnoticed until the next call.
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
        // After all writes: they include those requested before the flush.
        if !flushes.is_empty() {
            let synced = sync(store, shared);
            for done in flushes {
                let _ = done.send(synced.clone());
            }
        }
    }
}

/// Writes batches, grouped by problem, and publishes them to other workers.
fn write(store: &dyn Store, shared: &Shared, writes: Vec<(Batch, Done)>) {
    let mut groups: HashMap<ProblemId, Vec<(Batch, Done)>> = HashMap::new();
    for write in writes {
        groups.entry(write.0.published.problem).or_default().push(write);
    }
    for (problem, group) in groups {
        let result = shared.fault.check(problem).and_then(|()| match group.as_slice() {
            [(batch, _)] => store.publish(problem, &batch.records),
            many => {
                let records: Vec<(Key, Record)> =
                    many.iter().flat_map(|(batch, _)| batch.records.iter().copied()).collect();
                store.publish(problem, &records)
            }
        });
        if let Err(error) = &result {
            shared.notice(error);
        }
        for (batch, done) in group {
            // Only records that the store accepted are published.
            if result.is_ok() {
                shared.tell(&batch.published);
            }
            let _ = done.send(result.clone());
        }
    }
}

fn sync(store: &dyn Store, shared: &Shared) -> Result<(), StoreError> {
    shared.fault.check_store()?;
    // The disk may have dropped what it could not write, and a later success would not bring it
    // back: after one failure nothing is trusted.
    store.sync().inspect_err(|error| shared.fault.keep(error))?;
    // Merges in the background detect contradictions.
    store.faults().iter().for_each(|error| shared.notice(error));
    shared.fault.check_store()
}
