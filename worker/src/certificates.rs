//! Uploads certificates, each before the answer that names it is handed in, so that no answer
//! refers to a file that the coordinator does not have.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hasami_proto::v1::PutCertificateRequest;
use hasami_proto::{Backoff, Trouble};
use hasami_sweep::Certificate;
use hasami_unit::Lease;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_stream::wrappers::ReceiverStream;
use tracing::Instrument;

use crate::call::{timed, within};
use crate::error::WorkerError;
use crate::held::Upload;
use crate::lease::lease_event;
use crate::lease_queue::LeaseQueue;
use crate::retry::Retry;
use crate::session::Session;

/// Bytes in a piece.
const PIECE: usize = 256 << 10;
/// Base time limit of an upload.
const LIMIT: Duration = Duration::from_secs(20);
/// One more second for each this many bytes.
const BYTES_PER_SECOND: u64 = 128 << 10;
/// Attempts if the coordinator refuses a certificate or computes another digest.
const TRIES: u32 = 4;

/// Why an upload failed.
#[derive(Debug, thiserror::Error)]
enum SendError {
    #[error("the certificate {} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("the coordinator has another certificate {name} than was sent: {found} bytes")]
    Differs { name: String, found: u64 },
    #[error("the coordinator did not take the certificate {name}: {trouble}")]
    Call { name: String, trouble: Trouble },
}

/// Uploads certificates for as long as it is polled.
///
/// # Errors
/// If retrying cannot help.
pub async fn run(queue: &Arc<LeaseQueue>, session: &Arc<Session>) -> Result<(), WorkerError> {
    let mut sending: JoinSet<Result<(), WorkerError>> = JoinSet::new();
    loop {
        for upload in queue.uploads() {
            let delivery = deliver(Arc::clone(queue), Arc::clone(session), upload);
            sending.spawn(delivery.in_current_span());
        }
        tokio::select! {
            () = queue.files.notified() => {}
            Some(done) = sending.join_next() => {
                // A task that panicked would leave its unit unsent forever: that is a bug, and the
                // panic itself reports it.
                done.unwrap_or(Ok(()))?;
            }
        }
    }
}

/// Uploads the files of one unit; the unit fails if that is impossible.
async fn deliver(
    queue: Arc<LeaseQueue>,
    session: Arc<Session>,
    upload: Upload,
) -> Result<(), WorkerError> {
    let Upload { ticket, files } = upload;
    let lease = ticket.lease;
    for (certificate, path) in &files {
        let mut retry = Retry::new("a certificate cannot be sent");
        let mut backoff = Backoff::new(u64::from(lease.unit.0) << 32 | u64::from(lease.item.0));
        loop {
            // The unit may have been cancelled meanwhile, and its files removed.
            if !queue.read(|held| held.has(ticket)) {
                return Ok(());
            }
            let registration = session.current();
            let error = match send(&session, lease, certificate, path).await {
                Ok(()) => break,
                Err(error) => error,
            };
            lease_event!(debug, lease, "{error}");
            match &error {
                SendError::Call { trouble, .. }
                    if trouble.passes() || matches!(trouble, Trouble::Refused { .. }) =>
                {
                    retry.after(trouble, &session, &registration).await?;
                }
                SendError::Call { .. } | SendError::Differs { .. } if backoff.tries() < TRIES => {
                    tokio::time::sleep(backoff.next()).await;
                }
                _ => {
                    queue.fail(ticket, error.to_string());
                    return Ok(());
                }
            }
        }
    }
    queue.sent(ticket);
    Ok(())
}

async fn send(
    session: &Session,
    lease: Lease,
    certificate: &Certificate,
    path: &Path,
) -> Result<(), SendError> {
    let name = certificate.name.clone();
    let limit = LIMIT + Duration::from_secs(certificate.bytes / BYTES_PER_SECOND);
    let (pieces, stream) = mpsc::channel(4);
    let registration = session.current();
    let first = PutCertificateRequest {
        lease: Some(lease.into()),
        name: name.clone(),
        data: Vec::new(),
        worker: registration.worker,
        session: registration.secret,
    };
    let file = path.to_owned();
    let reader = tokio::task::spawn_blocking(move || read(&file, first, &pieces));
    let request = timed(ReceiverStream::new(stream), limit);
    let reply = within(limit, session.work().put_certificate(request)).await;
    // An unreadable file ends the stream early: that is the cause, whatever the reply says.
    if let Ok(Err(source)) = reader.await {
        return Err(SendError::Read { path: path.to_owned(), source });
    }
    let reply = reply.map_err(|trouble| SendError::Call { name: name.clone(), trouble })?;
    let stored = reply.certificate.unwrap_or_default();
    if (stored.bytes, stored.digest.as_slice()) == (certificate.bytes, &certificate.digest) {
        Ok(())
    } else {
        Err(SendError::Differs { name, found: stored.bytes })
    }
}

/// Reads a file piece by piece; stops when the receiver is gone.
fn read(
    path: &Path,
    mut piece: PutCertificateRequest,
    pieces: &mpsc::Sender<PutCertificateRequest>,
) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    loop {
        let mut data = Vec::with_capacity(PIECE);
        (&mut file).take(PIECE as u64).read_to_end(&mut data)?;
        let last = data.len() < PIECE;
        piece.data = data;
        if pieces.blocking_send(std::mem::take(&mut piece)).is_err() || last {
            return Ok(());
        }
    }
}
