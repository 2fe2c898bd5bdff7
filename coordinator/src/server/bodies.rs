//! What is watched while a call runs: the request as it comes in, the reply as it is read.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hasami_proto::limits;
use http::{HeaderMap, HeaderValue};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Sleep;
use tonic::Status;
use tonic::body::Body;

use super::doorman::Connection;
use super::share::{Charge, Place};

/// The bytes before each message: whether it is compressed, and its length.
const PREFIX: usize = 5;

/// Memory that a call holds until it has ended.
pub(super) type Charged = Arc<Mutex<Charge>>;

/// A request. It must go on, its messages have a size that is known before they arrive, and its
/// bytes count for the caller.
pub(super) struct Received {
    body: Body,
    patience: Duration,
    /// Set while nothing comes.
    waiting: Option<Pin<Box<Sleep>>>,
    messages: Messages,
    /// `None` if messages are worked on one by one.
    charge: Option<Charged>,
}

impl Received {
    pub fn new(body: Body, most: usize, patience: Duration, charge: Option<Charged>) -> Self {
        Self { body, patience, waiting: None, messages: Messages::new(most), charge }
    }
}

impl HttpBody for Received {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = self.get_mut();
        let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) else {
            let patience = this.patience;
            let waiting =
                this.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
            ready!(waiting.as_mut().poll(context));
            let text = format!("the request did not go on for {patience:?}");
            return Poll::Ready(Some(Err(Status::deadline_exceeded(text))));
        };
        this.waiting = None;
        if let Some(Ok(frame)) = &frame
            && let Some(bytes) = frame.data_ref()
        {
            this.messages.take(bytes)?;
            if let Some(charge) = &this.charge {
                charge.lock().unwrap_or_else(PoisonError::into_inner).add(bytes.len())?;
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Follows the messages in a stream of bytes, to know the length of each before it arrives.
struct Messages {
    most: usize,
    prefix: [u8; PREFIX],
    /// Bytes of the prefix seen.
    seen: usize,
    /// Bytes of the message still to come.
    left: usize,
}

impl Messages {
    fn new(most: usize) -> Self {
        Self { most, prefix: [0; PREFIX], seen: 0, left: 0 }
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<(), Status> {
        while !bytes.is_empty() {
            if self.left > 0 {
                let skip = self.left.min(bytes.len());
                self.left -= skip;
                bytes = &bytes[skip..];
                continue;
            }
            let copy = (PREFIX - self.seen).min(bytes.len());
            self.prefix[self.seen..self.seen + copy].copy_from_slice(&bytes[..copy]);
            self.seen += copy;
            bytes = &bytes[copy..];
            if self.seen == PREFIX {
                self.seen = 0;
                let [_, length @ ..] = self.prefix;
                self.left = u32::from_be_bytes(length) as usize;
                if self.left > self.most {
                    let (length, most) = (self.left, self.most);
                    return Err(Status::out_of_range(format!(
                        "a message of {length} bytes, at most {most} are taken by this call"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// A reply. The place of its call is free when it has been read or given up.
pub(super) struct Sent {
    body: Body,
    call: u64,
    connection: Option<Arc<Connection>>,
    /// A message was passed on, and the reader has not asked for the next.
    passed_on: bool,
    _place: Place,
    _charge: Charged,
}

impl Sent {
    pub fn new(
        body: Body,
        call: u64,
        connection: Option<Arc<Connection>>,
        place: Place,
        charge: Charged,
    ) -> Self {
        Self { body, call, connection, passed_on: false, _place: place, _charge: charge }
    }

    fn went_on(&mut self) {
        if std::mem::take(&mut self.passed_on)
            && let Some(connection) = &self.connection
        {
            connection.went_on(self.call);
        }
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.went_on();
    }
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = self.get_mut();
        this.went_on();
        let mut frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        if let Some(Ok(frame)) = &mut frame {
            if let Some(trailers) = frame.trailers_mut() {
                shorten(trailers);
            } else if let Some(connection) = &this.connection {
                connection.passed_on(this.call);
                this.passed_on = true;
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Cuts an error text to its limit. It is percent-encoded, and what is left must be whole text.
pub(super) fn shorten(headers: &mut HeaderMap) {
    const NAME: &str = "grpc-message";
    let Some(value) = headers.get(NAME).filter(|value| value.len() > limits::ERROR) else { return };
    let bytes = value.as_bytes();
    let (mut at, mut end) = (0, 0);
    while at < bytes.len() {
        let (decoded, width) = match bytes[at..] {
            [b'%', high, low, ..] => {
                let digit = |sign: u8| char::from(sign).to_digit(16).unwrap_or(0) as u8;
                (digit(high) << 4 | digit(low), 3)
            }
            [plain, ..] => (plain, 1),
            [] => break,
        };
        // A character begins where a byte does not continue one.
        if decoded & 0xC0 != 0x80 {
            if at + "...".len() > limits::ERROR {
                break;
            }
            end = at;
        }
        at += width;
    }
    let cut = [&bytes[..end], b"..."].concat();
    if let Ok(cut) = HeaderValue::from_bytes(&cut) {
        headers.insert(NAME, cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(length: usize) -> Vec<u8> {
        let mut bytes = vec![0];
        bytes.extend((length as u32).to_be_bytes());
        bytes.extend(vec![7; length]);
        bytes
    }

    #[test]
    fn messages_are_measured_however_they_are_cut() {
        let stream: Vec<u8> = [message(3), message(0), message(10), message(7)].concat();
        for size in 1..stream.len() {
            let mut messages = Messages::new(10);
            stream.chunks(size).for_each(|piece| messages.take(piece).unwrap());
            assert_eq!((messages.left, messages.seen), (0, 0), "pieces of {size}");
            let mut messages = Messages::new(9);
            let refused = stream.chunks(size).find_map(|piece| messages.take(piece).err());
            assert!(refused.unwrap().message().contains("10 bytes, at most 9"));
        }
    }

    #[test]
    fn a_long_error_is_cut_to_whole_text() {
        for sign in ["x", "ä", "将", "%", "\u{1F600}"] {
            let text = sign.repeat(limits::ERROR + 1);
            let mut response: http::Response<()> = Status::internal(&text).into_http();
            shorten(response.headers_mut());
            assert!(response.headers()["grpc-message"].len() <= limits::ERROR);
            let read = Status::from_header_map(response.headers()).unwrap();
            let kept = read.message().strip_suffix("...").unwrap();
            assert!(text.starts_with(kept) && kept.len() > limits::ERROR / 16, "{read}");
        }
        let mut response: http::Response<()> = Status::internal("short").into_http();
        shorten(response.headers_mut());
        assert_eq!(Status::from_header_map(response.headers()).unwrap().message(), "short");
    }
}
