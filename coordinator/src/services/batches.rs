//! Replies of many messages, read ahead in batches of limited size. No thread waits for a reader:
//! a batch is read when there is room for it, by a thread that is free again afterwards.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use prost::Message;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tonic::Status;

/// Bytes after which a batch is full.
const BYTES: usize = 256 << 10;

/// A stream of messages that arrive in batches.
pub struct Batches<T> {
    batches: mpsc::Receiver<Result<Vec<T>, Status>>,
    current: std::vec::IntoIter<T>,
}

impl<T: Send + 'static> Batches<T> {
    /// Calls `next` until it returns an empty batch or an error, or the reader is gone.
    pub fn read<S, F>(mut state: S, mut next: impl FnMut(S) -> F + Send + 'static) -> Self
    where
        S: Send + 'static,
        F: Future<Output = Result<(S, Vec<T>), Status>> + Send + 'static,
    {
        let (send, batches) = mpsc::channel(1);
        tokio::spawn(async move {
            // Reserve first, so that at most one batch waits.
            while let Ok(place) = send.reserve().await {
                match next(state).await {
                    Ok((_, batch)) if batch.is_empty() => return,
                    Ok((after, batch)) => {
                        state = after;
                        place.send(Ok(batch));
                    }
                    Err(status) => return place.send(Err(status)),
                }
            }
        });
        Self { batches, current: Vec::new().into_iter() }
    }
}

impl<T: Unpin> Stream for Batches<T> {
    type Item = Result<T, Status>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<T, Status>>> {
        loop {
            if let Some(message) = self.current.next() {
                return Poll::Ready(Some(Ok(message)));
            }
            match ready!(self.batches.poll_recv(context)) {
                Some(Ok(batch)) => self.current = batch.into_iter(),
                Some(Err(status)) => return Poll::Ready(Some(Err(status))),
                None => return Poll::Ready(None),
            }
        }
    }
}

/// A batch being filled.
pub struct Batch<T> {
    messages: Vec<T>,
    bytes: usize,
}

impl<T: Message> Batch<T> {
    /// Empty.
    pub fn new() -> Self {
        Self { messages: Vec::new(), bytes: 0 }
    }

    /// Adds a message; false once it is full.
    pub fn push(&mut self, message: T) -> bool {
        self.bytes += message.encoded_len();
        self.messages.push(message);
        self.bytes < BYTES
    }

    /// The messages.
    pub fn take(self) -> Vec<T> {
        self.messages
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use hasami_proto::v1::GetCertificateResponse;
    use tokio_stream::StreamExt;

    use super::*;

    #[tokio::test]
    async fn everything_arrives_in_order_and_an_error_ends_it() {
        let next = |at: u32| async move {
            match at {
                0..3 => Ok((at + 1, vec![at * 10, at * 10 + 1])),
                _ => Err(Status::data_loss("here it ends")),
            }
        };
        let mut stream = Batches::read(0, next);
        let mut found = Vec::new();
        let error = loop {
            match stream.next().await.unwrap() {
                Ok(number) => found.push(number),
                Err(status) => break status,
            }
        };
        assert_eq!((found, error.message()), (vec![0, 1, 10, 11, 20, 21], "here it ends"));
        assert!(stream.next().await.is_none());
    }

    #[tokio::test]
    async fn nothing_is_read_that_nobody_has_room_for() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let mut stream = Batches::read((), move |()| {
            count.fetch_add(1, Ordering::SeqCst);
            async { Ok(((), vec![1])) }
        });
        for read in 1..10 {
            stream.next().await;
            tokio::task::yield_now().await;
            assert!(asked.load(Ordering::SeqCst) <= read + 2);
        }
    }

    #[test]
    fn a_batch_is_full_at_its_size() {
        let mut batch = Batch::new();
        let piece = || GetCertificateResponse { data: vec![0; BYTES / 2] };
        assert!(batch.push(piece()));
        assert!(!batch.push(piece()));
        assert_eq!(batch.take().len(), 2);
    }
}
