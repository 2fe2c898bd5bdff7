//! Assignments, outcomes and receipts.

use hasami_andor::Verdict;
use hasami_unit::{
    Assignment, EnumerateTask, Failure, FailureKind, Lease, Outcome, Part, Rejection, Task,
};

use super::ConvertError;
use super::entry::{checked_answer, checked_duration, checked_part, cleaned_failure};
use super::lease::lease;
use crate::v1::{self, assignment, outcome};

impl From<Assignment> for v1::Assignment {
    fn from(assignment: Assignment) -> Self {
        use assignment::Task as Message;
        let Assignment { lease, question, task } = assignment;
        let task = match task {
            Task::Answer => Message::Answer(v1::AnswerTask {}),
            Task::Search(task) => Message::Search(task.into()),
            Task::Certify(verdict) => {
                let verdict = match verdict {
                    Verdict::Proven => v1::Verdict::Proven,
                    Verdict::Disproven => v1::Verdict::Disproven,
                };
                Message::Certify(v1::CertifyTask { verdict: verdict.into() })
            }
            Task::Enumerate(EnumerateTask { prefix, split_ms }) => {
                Message::Enumerate(v1::EnumerateTask { prefix, split_ms })
            }
        };
        Self { lease: Some(lease.into()), question: Some(question.into()), task: Some(task) }
    }
}

impl TryFrom<v1::Assignment> for Assignment {
    type Error = ConvertError;

    fn try_from(message: v1::Assignment) -> Result<Self, ConvertError> {
        use assignment::Task as Message;
        let missing = |field| ConvertError::new(field, "none", "one of this version");
        let lease = lease(message.lease)?;
        let question = message.question.ok_or_else(|| missing("question"))?.try_into()?;
        let task = match message.task.ok_or_else(|| missing("task"))? {
            Message::Answer(v1::AnswerTask {}) => Task::Answer,
            Message::Search(task) => Task::Search(task.try_into()?),
            Message::Certify(task) => Task::Certify(match task.verdict() {
                v1::Verdict::Proven => Verdict::Proven,
                v1::Verdict::Disproven => Verdict::Disproven,
                v1::Verdict::Unspecified | v1::Verdict::Answered | v1::Verdict::Open => {
                    let expected = "a verdict that can have a certificate";
                    return Err(ConvertError::new("certify.verdict", task.verdict, expected));
                }
            }),
            Message::Enumerate(v1::EnumerateTask { prefix, split_ms }) => {
                Task::Enumerate(EnumerateTask { prefix, split_ms })
            }
        };
        Ok(Self { lease, question, task })
    }
}

impl From<(Lease, Outcome)> for v1::Outcome {
    fn from((lease, outcome): (Lease, Outcome)) -> Self {
        use outcome::Kind;
        let kind = match outcome {
            Outcome::Answer(answer) => Kind::Answer(answer.into()),
            Outcome::Search(report) => Kind::Search(report.into()),
            Outcome::Part(Part { raw, patterns, found, rest, seconds, nodes }) => {
                let report = v1::EnumerateReport { raw, patterns, seconds, rest, found, nodes };
                Kind::Enumerate(report)
            }
            Outcome::Failure(Failure { kind, message }) => {
                Kind::Failure(v1::Failure { kind: v1::FailureKind::from(kind).into(), message })
            }
            Outcome::HandedBack => Kind::HandedBack(v1::HandedBack {}),
        };
        Self { lease: Some(lease.into()), kind: Some(kind) }
    }
}

/// Where everything that a worker has to say of a unit enters: what passes here can be kept, shown
/// and read again.
impl TryFrom<v1::Outcome> for (Lease, Outcome) {
    type Error = ConvertError;

    fn try_from(message: v1::Outcome) -> Result<Self, ConvertError> {
        use outcome::Kind;
        let lease = lease(message.lease)?;
        let kind = message.kind.ok_or_else(|| ConvertError::new("outcome", "none", "one"))?;
        let outcome = match kind {
            Kind::Answer(answer) => {
                checked_answer(&answer)?;
                Outcome::Answer(answer.try_into()?)
            }
            Kind::Search(report) => Outcome::Search(report.try_into()?),
            Kind::Enumerate(part) => {
                checked_part(&part)?;
                let v1::EnumerateReport { raw, patterns, seconds, rest, found, nodes } = part;
                let seconds = checked_duration("enumerate.seconds", seconds)?;
                Outcome::Part(Part { raw, patterns, found, rest, seconds, nodes })
            }
            Kind::Failure(failure) => {
                let kind = failure.kind().try_into()?;
                Outcome::Failure(Failure { kind, message: cleaned_failure(&failure.message) })
            }
            Kind::HandedBack(v1::HandedBack {}) => Outcome::HandedBack,
        };
        Ok((lease, outcome))
    }
}

impl From<FailureKind> for v1::FailureKind {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Question => Self::Question,
            FailureKind::Contradiction => Self::Contradiction,
            FailureKind::Machine => Self::Machine,
            FailureKind::Panic => Self::Panic,
            FailureKind::UnknownTask => Self::UnknownTask,
            FailureKind::Delivery => Self::Delivery,
        }
    }
}

impl TryFrom<v1::FailureKind> for FailureKind {
    type Error = ConvertError;

    fn try_from(message: v1::FailureKind) -> Result<Self, ConvertError> {
        match message {
            v1::FailureKind::Question => Ok(Self::Question),
            v1::FailureKind::Contradiction => Ok(Self::Contradiction),
            v1::FailureKind::Machine => Ok(Self::Machine),
            v1::FailureKind::Panic => Ok(Self::Panic),
            v1::FailureKind::UnknownTask => Ok(Self::UnknownTask),
            v1::FailureKind::Delivery => Ok(Self::Delivery),
            v1::FailureKind::Unspecified => {
                Err(ConvertError::new("failure.kind", "none", "a kind of this version"))
            }
        }
    }
}

impl From<Result<(), Rejection>> for v1::ReceiptStatus {
    fn from(used: Result<(), Rejection>) -> Self {
        match used {
            Ok(()) => Self::Accepted,
            Err(Rejection::UnknownRun) => Self::UnknownRun,
            Err(Rejection::RunOver) => Self::RunOver,
            Err(Rejection::ItemEnded) => Self::ItemEnded,
            Err(Rejection::UnitCancelled) => Self::UnitCancelled,
            Err(Rejection::Superseded) => Self::Superseded,
            Err(Rejection::AlreadyCounted) => Self::AlreadyCounted,
            Err(Rejection::HeldByAnother) => Self::HeldByAnother,
            Err(Rejection::WrongKind) => Self::WrongKind,
            Err(Rejection::Malformed) => Self::Malformed,
        }
    }
}

impl TryFrom<v1::ReceiptStatus> for Result<(), Rejection> {
    type Error = ConvertError;

    fn try_from(message: v1::ReceiptStatus) -> Result<Self, ConvertError> {
        Ok(Err(match message {
            v1::ReceiptStatus::Accepted => return Ok(Ok(())),
            v1::ReceiptStatus::UnknownRun => Rejection::UnknownRun,
            v1::ReceiptStatus::RunOver => Rejection::RunOver,
            v1::ReceiptStatus::ItemEnded => Rejection::ItemEnded,
            v1::ReceiptStatus::UnitCancelled => Rejection::UnitCancelled,
            v1::ReceiptStatus::Superseded => Rejection::Superseded,
            v1::ReceiptStatus::AlreadyCounted => Rejection::AlreadyCounted,
            v1::ReceiptStatus::HeldByAnother => Rejection::HeldByAnother,
            v1::ReceiptStatus::WrongKind => Rejection::WrongKind,
            v1::ReceiptStatus::Malformed => Rejection::Malformed,
            v1::ReceiptStatus::Unspecified => {
                let expected = "a status of this version";
                return Err(ConvertError::new("receipt.status", "none", expected));
            }
        }))
    }
}
