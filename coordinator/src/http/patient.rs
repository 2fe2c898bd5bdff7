//! A connection that is cut when its peer does not read: what is sent must be taken within a time.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream with a limit on how long a write may wait.
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// What a write that is not ready means: wait, or the end.
    fn late<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, bytes)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Ready(written) => {
                self.waiting = None;
                Poll::Ready(written)
            }
            Poll::Pending => self.late(context),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(context) {
            Poll::Ready(flushed) => Poll::Ready(flushed),
            Poll::Pending => self.late(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_shutdown(context) {
            Poll::Ready(ended) => Poll::Ready(ended),
            Poll::Pending => self.late(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn whoever_does_not_read_is_cut_off_and_whoever_reads_is_not() {
        let (near, mut far) = tokio::io::duplex(64);
        let mut patient = Patient::new(near, Duration::from_secs(600));
        let reader = tokio::spawn(async move {
            let mut bytes = [0; 64];
            for _ in 0..16 {
                tokio::task::yield_now().await;
                far.read_exact(&mut bytes).await.unwrap();
            }
        });
        patient.write_all(&[7; 1024]).await.unwrap();
        reader.await.unwrap();
        let (near, far) = tokio::io::duplex(64);
        let mut patient = Patient::new(near, Duration::from_millis(20));
        let error = patient.write_all(&[7; 1024]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(far);
    }
}
