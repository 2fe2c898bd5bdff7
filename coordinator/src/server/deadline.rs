//! Deadlines: a call is dropped when its deadline has passed, and the caller gets the right code.
//! (tonic drops it too, but reports "cancelled".)

use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use tonic::Status;
use tower::{Layer, Service};

use super::run::BoxFuture;

/// Honours the `grpc-timeout` header.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeadlineLayer;

impl<S> Layer<S> for DeadlineLayer {
    type Service = Deadline<S>;

    fn layer(&self, inner: S) -> Deadline<S> {
        Deadline { inner }
    }
}

/// A service that is dropped when the caller no longer waits.
#[derive(Clone)]
pub struct Deadline<S> {
    inner: S,
}

impl<S, B, R> Service<Request<B>> for Deadline<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
    R: Default + Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = BoxFuture<Result<Response<R>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let patience = request.headers().get("grpc-timeout").and_then(|v| parse(v.as_bytes()));
        let answer = self.inner.call(request);
        let Some(patience) = patience else { return Box::pin(answer) };
        Box::pin(async move {
            match tokio::time::timeout(patience, answer).await {
                Ok(answer) => answer,
                Err(_) => Ok(Status::deadline_exceeded(format!(
                    "not done within the {patience:?} that the caller gave"
                ))
                .into_http()),
            }
        })
    }
}

/// At most eight digits and a unit; anything else is no deadline.
fn parse(value: &[u8]) -> Option<Duration> {
    let (unit, digits) = value.split_last()?;
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(match unit {
        b'H' => Duration::from_secs(number * 3600),
        b'M' => Duration::from_secs(number * 60),
        b'S' => Duration::from_secs(number),
        b'm' => Duration::from_millis(number),
        b'u' => Duration::from_micros(number),
        b'n' => Duration::from_nanos(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_read_as_the_protocol_spells_them() {
        assert_eq!(parse(b"3S"), Some(Duration::from_secs(3)));
        assert_eq!(parse(b"2M"), Some(Duration::from_secs(120)));
        assert_eq!(parse(b"1H"), Some(Duration::from_secs(3600)));
        assert_eq!(parse(b"250m"), Some(Duration::from_millis(250)));
        assert_eq!(parse(b"99999999u"), Some(Duration::from_micros(99_999_999)));
        assert_eq!(parse(b"7n"), Some(Duration::from_nanos(7)));
        for none in ["", "S", "3", "3s", "-3S", "+3S", "999999999S", "3 S"] {
            assert_eq!(parse(none.as_bytes()), None, "{none}");
        }
    }
}
