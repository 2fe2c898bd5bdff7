//! Streams all records of a problem to a worker that starts on it.

use std::sync::Arc;

use hasami_andor::ProblemId;
use hasami_proto::pack::Packer;
use hasami_proto::v1::LoadResponse;
use hasami_store::{Store, StoreError};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tonic::Status;

use super::fault;
use super::service::Shared;

/// Bytes of a piece.
const PIECE: usize = 256 << 10;
/// Pieces buffered for a slow reader.
const AHEAD: usize = 4;

/// The receiving end of a load.
pub(super) type Pieces = mpsc::Receiver<Result<LoadResponse, Status>>;

/// Reads on a thread that may block; `permit` is held until the end.
pub(super) fn start(
    store: Arc<dyn Store>,
    shared: Arc<Shared>,
    problem: ProblemId,
    min_work: u64,
    permit: OwnedSemaphorePermit,
) -> Pieces {
    let (send, pieces) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || {
        if let Err(error) = read(&*store, problem, min_work, &send) {
            shared.notice(&error);
            let _ = send.blocking_send(Err(fault::status(&error)));
        }
        drop(permit);
    });
    pieces
}

fn read(
    store: &dyn Store,
    problem: ProblemId,
    min_work: u64,
    send: &mpsc::Sender<Result<LoadResponse, Status>>,
) -> Result<(), StoreError> {
    let (mut packer, mut bytes, mut wrong) = (Packer::new(), Vec::new(), None);
    store.scan(problem, min_work, &mut |key, record| {
        // The reader is gone: the scan cannot be aborted, but it can skip the work.
        if send.is_closed() || wrong.is_some() {
            return;
        }
        bytes.clear();
        if let Err(source) = record.encode(&mut bytes) {
            wrong = Some(StoreError::Record { problem, key, source });
            return;
        }
        packer.push(key, &bytes).expect("a record is short");
        if packer.bytes() >= PIECE {
            let _ = send.blocking_send(Ok(LoadResponse { records: Some(packer.take()) }));
        }
    })?;
    if let Some(error) = wrong {
        return Err(error);
    }
    if packer.count() > 0 {
        let _ = send.blocking_send(Ok(LoadResponse { records: Some(packer.take()) }));
    }
    Ok(())
}
