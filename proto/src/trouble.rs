//! What a failed call means for the caller: give up, because retrying cannot help; or retry,
//! because the coordinator was unreachable. Relies on the errors that tonic and rustls keep as
//! sources.

use std::error::Error;
use std::io;
use std::time::Duration;

use rustls::CertificateError;
use tonic::{Code, Status};

use crate::limits;
use crate::v1::ProtocolRange;

/// The header with the meaning of a status, where the code alone is ambiguous.
const MARK: &str = "hasami-mark";

/// The meaning of a status beyond its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// There is no common protocol version.
    Version,
    /// The store holds two verdicts on one state.
    Contradiction,
    /// The worker has to register first.
    UnknownWorker,
    /// The coordinator has no room on its disk, or cannot write: try again later.
    NoRoom,
    /// The caller has more under way than its share.
    Busy,
    /// This coordinator stands by: another one leads.
    NotLeader,
}

impl Mark {
    const ALL: [Self; 6] = [
        Self::Version,
        Self::Contradiction,
        Self::UnknownWorker,
        Self::NoRoom,
        Self::Busy,
        Self::NotLeader,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Contradiction => "contradiction",
            Self::UnknownWorker => "unknown-worker",
            Self::NoRoom => "no-room",
            Self::Busy => "busy",
            Self::NotLeader => "not-leader",
        }
    }

    /// Whether the headers of a reply have this mark.
    pub(crate) fn is_in(self, headers: &http::HeaderMap) -> bool {
        headers.get(MARK).is_some_and(|value| value == self.word())
    }

    /// The status with this mark.
    #[must_use]
    pub fn on(self, mut status: Status) -> Status {
        status.metadata_mut().insert(MARK, self.word().parse().expect("a word in ASCII"));
        status
    }

    fn of(status: &Status) -> Option<Self> {
        let value = status.metadata().get(MARK)?;
        Self::ALL.into_iter().find(|mark| value == mark.word())
    }
}

/// What a failed call means.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Retrying cannot help: the setup must change.
    #[error("{message}")]
    Refused {
        /// What was refused.
        why: Refusal,
        /// The message.
        message: String,
    },
    /// The coordinator is unreachable or too slow: retry after a while.
    #[error("{0}")]
    Unreachable(String),
    /// The store holds two verdicts on one state: no search of the problem can be trusted.
    #[error("{0}")]
    Contradiction(String),
    /// The coordinator does not know this worker: register again.
    #[error("{0}")]
    UnknownWorker(String),
    /// The coordinator cannot write at present: retry after a while.
    #[error("{0}")]
    NoRoom(String),
    /// The caller has more under way than its share: try again after this time.
    #[error("{message}")]
    Busy {
        /// What there is too much of.
        message: String,
        /// When to try again.
        after: Duration,
    },
    /// The coordinator replied with an error of the call itself.
    #[error("{message}")]
    Other {
        /// Its code.
        code: Code,
        /// The message.
        message: String,
    },
}

/// Why a coordinator and its caller cannot communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The token is missing, wrong, or for other services.
    Token,
    /// The coordinator's certificate has expired, or is not valid yet.
    Expired,
    /// The coordinator's certificate is signed by another authority.
    Authority,
    /// The coordinator's certificate is for other addresses.
    Name,
    /// The two cannot agree on TLS: for example, one of them does not use it.
    Tls,
    /// They support different versions.
    Version,
}

/// The header with the time after which a call may be tried again, as gRPC names it.
const PUSHBACK: &str = "grpc-retry-pushback-ms";
/// The longest time that a caller lets itself be told to wait.
const LONGEST_PUSHBACK: Duration = Duration::from_secs(60);

/// The reply to a caller that has more under way than its share.
#[must_use]
pub fn busy(message: impl Into<String>) -> Status {
    let mut status = Mark::Busy.on(Status::resource_exhausted(message));
    status.metadata_mut().insert(PUSHBACK, limits::RETRY_MS.into());
    status
}

/// When a call may be tried again.
fn pushback(status: &Status) -> Duration {
    let value = status.metadata().get(PUSHBACK).and_then(|value| value.to_str().ok());
    let after = value.and_then(|value| value.parse().ok()).unwrap_or(limits::RETRY_MS);
    Duration::from_millis(after).min(LONGEST_PUSHBACK)
}

/// The reply of a coordinator that stands by, to every call.
#[must_use]
pub fn not_leader() -> Status {
    Mark::NotLeader.on(Status::unavailable(
        "this coordinator stands by: another one leads; name the addresses of all of them",
    ))
}

/// The reply to a caller without a common protocol version.
#[must_use]
pub fn wrong_protocol(theirs: ProtocolRange) -> Status {
    Mark::Version.on(Status::failed_precondition(format!(
        "this coordinator speaks {} of the protocol, the caller {}: \
         use releases of hasami that have one in common",
        ProtocolRange::OURS.words(),
        theirs.words()
    )))
}

impl From<&Status> for Trouble {
    fn from(status: &Status) -> Self {
        if let Some(error) = tls(status) {
            return refused_by_tls(error);
        }
        let message = status.message().to_owned();
        match Mark::of(status) {
            Some(Mark::Version) => return Self::Refused { why: Refusal::Version, message },
            Some(Mark::Contradiction) => return Self::Contradiction(message),
            Some(Mark::UnknownWorker) => return Self::UnknownWorker(message),
            Some(Mark::NoRoom) => return Self::NoRoom(message),
            Some(Mark::Busy) => return Self::Busy { message, after: pushback(status) },
            Some(Mark::NotLeader) => return Self::Unreachable(message),
            None => {}
        }
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => {
                Self::Refused { why: Refusal::Token, message }
            }
            Code::Unimplemented => Self::Refused {
                why: Refusal::Version,
                message: format!("the coordinator does not know this call: {message}"),
            },
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled => {
                Self::Unreachable(deepest(status).unwrap_or(message))
            }
            // An error that no peer has sent: the connection broke during the call.
            _ if status.source().is_some() => Self::Unreachable(deepest(status).unwrap_or(message)),
            code => Self::Other { code, message },
        }
    }
}

impl Trouble {
    /// Whether retrying later may help.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::NoRoom(_) | Self::Busy { .. })
    }
}

fn refused_by_tls(error: &rustls::Error) -> Trouble {
    use CertificateError as Bad;
    let (why, message) = match error {
        rustls::Error::InvalidCertificate(bad) => match bad {
            Bad::Expired | Bad::ExpiredContext { .. } => {
                (Refusal::Expired, "the coordinator's certificate has expired")
            }
            Bad::NotValidYet | Bad::NotValidYetContext { .. } => {
                (Refusal::Expired, "the coordinator's certificate is not valid yet")
            }
            Bad::NotValidForName | Bad::NotValidForNameContext { .. } => {
                (Refusal::Name, "the coordinator's certificate is not for this address")
            }
            Bad::UnknownIssuer | Bad::BadSignature => (
                Refusal::Authority,
                "the coordinator's certificate is not of the authority in the access file",
            ),
            _ => (Refusal::Authority, "the coordinator's certificate cannot be trusted"),
        },
        _ => (Refusal::Tls, "the two sides do not agree on TLS"),
    };
    Trouble::Refused { why, message: format!("{message} ({error})") }
}

/// The TLS error that caused a status.
fn tls(status: &Status) -> Option<&rustls::Error> {
    causes(status).find_map(|error| error.downcast_ref())
}

/// The innermost error says most: "connection refused" rather than "transport error".
fn deepest(status: &Status) -> Option<String> {
    causes(status).last().map(ToString::to_string)
}

fn causes(status: &Status) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(status.source(), |&error| {
        // The error inside an io::Error is not its source, but may be all there is.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_is_refused_by_name() {
        let status = wrong_protocol(ProtocolRange { oldest: 7, newest: 7 });
        let trouble = Trouble::from(&status);
        assert!(matches!(trouble, Trouble::Refused { why: Refusal::Version, .. }), "{trouble:?}");
        assert!(trouble.to_string().contains("version 7"), "{trouble}");
        let status = Mark::UnknownWorker.on(Status::not_found("who are you?"));
        assert_eq!(Trouble::from(&status), Trouble::UnknownWorker("who are you?".into()));
        // The same code without the mark is an error of the call.
        let trouble = Trouble::from(&Status::failed_precondition("contradiction"));
        let code = Code::FailedPrecondition;
        assert_eq!(trouble, Trouble::Other { code, message: "contradiction".into() });
    }

    #[test]
    fn only_silence_is_worth_another_try() {
        assert!(Trouble::from(&Status::unavailable("")).passes());
        assert!(Trouble::from(&Status::deadline_exceeded("")).passes());
        assert!(!Trouble::from(&Status::unauthenticated("")).passes());
        assert!(!Trouble::from(&Status::permission_denied("")).passes());
        assert!(!Trouble::from(&Status::internal("")).passes());
        assert!(!Trouble::from(&Status::resource_exhausted("")).passes());
    }

    #[test]
    fn a_busy_coordinator_says_when_to_try_again() {
        let Trouble::Busy { after, .. } = Trouble::from(&busy("too much")) else { panic!() };
        assert_eq!(after, Duration::from_millis(limits::RETRY_MS));
        for (told, expected) in [("250", 250), ("86400000", 60_000), ("-1", limits::RETRY_MS)] {
            let mut status = busy("too much");
            status.metadata_mut().insert(PUSHBACK, told.parse().unwrap());
            let Trouble::Busy { after, .. } = Trouble::from(&status) else { panic!() };
            assert_eq!(after, Duration::from_millis(expected), "{told}");
        }
        assert!(Trouble::from(&busy("too much")).passes());
    }

    #[test]
    fn errors_of_tls_are_found_inside_errors_of_the_socket() {
        let expired = rustls::Error::InvalidCertificate(CertificateError::Expired);
        let socket = io::Error::new(io::ErrorKind::InvalidData, expired);
        let trouble = Trouble::from(&Status::from_error(Box::new(socket)));
        assert!(matches!(trouble, Trouble::Refused { why: Refusal::Expired, .. }), "{trouble:?}");
        let reset = io::Error::from(io::ErrorKind::ConnectionReset);
        let trouble = Trouble::from(&Status::from_error(Box::new(reset)));
        assert_eq!(trouble, Trouble::Unreachable("connection reset".into()));
    }
}
