//! What workers say, where it enters the coordinator. These checks are stricter than those of
//! messages in general: what was stored once is read without being judged again.

use hasami_sweep::text::{cut, is_shown, shown, unshown};
use hasami_unit::{Lease, Progress};
use prost::Message;

use super::{ConvertError, checked_length, checked_text};
use crate::limits;
use crate::v1;

/// A worker's description of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduced {
    /// Its display name.
    pub name: String,
    /// The machine.
    pub host: String,
    /// Its version.
    pub version: String,
    /// Units that it computes at a time, at least 1.
    pub threads: u32,
    /// Memory for its tables.
    pub memory_mib: u64,
    /// Labels chosen by its owner; names are unique.
    pub labels: Vec<(String, String)>,
    /// Leases that it holds.
    pub held: Vec<Lease>,
}

/// Checks what a worker says of itself.
///
/// # Errors
/// If a text is too long or cannot be shown, or a number is out of range.
pub fn introduced(message: v1::RegisterRequest) -> Result<Introduced, ConvertError> {
    checked_length("labels", &message.labels, limits::LABELS)?;
    let mut labels: Vec<(String, String)> = Vec::with_capacity(message.labels.len());
    for v1::Param { name, value } in message.labels {
        if name.is_empty() {
            return Err(ConvertError::new("labels", "a label without a name", "a name"));
        }
        if labels.iter().any(|(other, _)| *other == name) {
            return Err(ConvertError::new("labels", format_args!("\"{name}\" twice"), "it once"));
        }
        labels.push((checked_line("labels", name)?, checked_line("labels", value)?));
    }
    if message.threads > limits::THREADS {
        let expected = format!("at most {}", limits::THREADS);
        return Err(ConvertError::new("threads", message.threads, expected));
    }
    if message.memory_mib > limits::MEMORY_MIB {
        let expected = format!("at most {}", limits::MEMORY_MIB);
        return Err(ConvertError::new("memory_mib", message.memory_mib, expected));
    }
    Ok(Introduced {
        name: checked_line("name", message.name)?,
        host: checked_line("host", message.host)?,
        version: checked_line("version", message.version)?,
        threads: message.threads.max(1),
        memory_mib: message.memory_mib,
        labels,
        held: leases("held", message.held)?,
    })
}

/// Leases that a call names.
fn leases(field: &'static str, list: Vec<v1::Lease>) -> Result<Vec<Lease>, ConvertError> {
    checked_length(field, &list, limits::LEASES)?;
    Ok(list.into_iter().map(Lease::from).collect())
}

/// The progress that a heartbeat reports.
///
/// # Errors
/// If there is too much, or one of them is malformed.
pub fn progress(list: Vec<v1::Progress>) -> Result<Vec<Progress>, ConvertError> {
    checked_length("progress", &list, limits::LEASES)?;
    list.into_iter().map(TryInto::try_into).collect()
}

/// The receipt for an outcome that cannot be read: the others of its call still count.
#[must_use]
pub fn malformed(lease: Option<v1::Lease>, error: &ConvertError) -> v1::Receipt {
    let message = cut(&error.to_string(), limits::ERROR);
    v1::Receipt { lease, status: v1::ReceiptStatus::Malformed.into(), message }
}

/// A time that somebody may have measured.
pub(super) fn checked_duration(field: &'static str, seconds: f64) -> Result<f64, ConvertError> {
    if (0.0..=limits::SECONDS as f64).contains(&seconds) {
        return Ok(seconds);
    }
    Err(ConvertError::new(field, seconds, format_args!("a time up to {} s", limits::SECONDS)))
}

/// A short text on one line.
fn checked_line(field: &'static str, line: String) -> Result<String, ConvertError> {
    if line.len() > limits::NAME {
        let found = format!("{} bytes", line.len());
        return Err(ConvertError::new(field, found, format_args!("at most {}", limits::NAME)));
    }
    match line.chars().find(|&sign| !is_shown(sign)) {
        None => Ok(line),
        Some(sign) => Err(unfit(field, sign)),
    }
}

/// A text that may have several lines.
fn checked_lines(field: &'static str, text: &str) -> Result<(), ConvertError> {
    unshown(text).map_or(Ok(()), |sign| Err(unfit(field, sign)))
}

fn unfit(field: &'static str, sign: char) -> ConvertError {
    let found = format!("the character U+{:04X}", u32::from(sign));
    ConvertError::new(field, found, "characters that can be shown")
}

/// An answer that can be kept, sent and shown.
pub(super) fn checked_answer(answer: &v1::Answer) -> Result<(), ConvertError> {
    let bytes = answer.encoded_len();
    if bytes > limits::ANSWER {
        let expected = format!("at most {}", limits::ANSWER);
        return Err(ConvertError::new("answer", format_args!("{bytes} bytes"), expected));
    }
    let seconds = answer.measures.map_or(0.0, |measures| measures.seconds);
    checked_duration("measures.seconds", seconds)?;
    checked_lines("answer.claim", &answer.claim)?;
    for v1::Param { name, value } in &answer.fields {
        if let Some(sign) = name.chars().find(|&sign| !is_shown(sign)) {
            return Err(unfit("answer.fields", sign));
        }
        checked_lines("answer.fields", value)?;
    }
    Ok(())
}

/// A part of an enumeration whose lists can be kept.
pub(super) fn checked_part(part: &v1::EnumerateReport) -> Result<(), ConvertError> {
    checked_length("enumerate.rest", &part.rest, limits::PARTS)?;
    checked_length("enumerate.found", &part.found, limits::FOUND)?;
    for (field, list) in [("enumerate.rest", &part.rest), ("enumerate.found", &part.found)] {
        for spelled in list {
            if spelled.len() > limits::PART {
                let found = format!("{} bytes", spelled.len());
                let expected = format!("at most {}", limits::PART);
                return Err(ConvertError::new(field, found, expected));
            }
            if let Some(sign) = spelled.chars().find(|&sign| !is_shown(sign)) {
                return Err(unfit(field, sign));
            }
        }
    }
    Ok(())
}

/// The message of a failure may quote anything, a panic for example: it is made fit, not refused.
pub(super) fn cleaned_failure(message: &str) -> String {
    cut(&shown(message), limits::FAILURE)
}

/// The text of a sweep.
///
/// # Errors
/// If it is too long or has characters that cannot be shown.
pub fn sweep(text: String) -> Result<String, ConvertError> {
    if text.len() > limits::SWEEP {
        let found = format!("{} bytes", text.len());
        return Err(ConvertError::new("sweep", found, format_args!("at most {}", limits::SWEEP)));
    }
    checked_lines("sweep", &text.replace("\r\n", "\n"))?;
    checked_text("sweep", text)
}

#[cfg(test)]
mod tests {
    use hasami_unit::{Failure, FailureKind, Outcome};

    use super::*;
    use crate::v1::outcome::Kind;

    fn outcome(kind: Kind) -> Result<(Lease, Outcome), ConvertError> {
        v1::Outcome { lease: Some(v1::Lease::default()), kind: Some(kind) }.try_into()
    }

    fn answer(change: impl FnOnce(&mut v1::Answer)) -> Result<(Lease, Outcome), ConvertError> {
        let mut answer = v1::Answer { verdict: v1::Verdict::Proven.into(), ..Default::default() };
        change(&mut answer);
        outcome(Kind::Answer(answer))
    }

    fn column(name: &str, value: &str) -> v1::Param {
        v1::Param { name: name.into(), value: value.into() }
    }

    #[test]
    fn an_answer_that_cannot_be_shown_or_kept_is_refused_by_its_field() {
        answer(|a| a.fields.push(column("list", "one\ntwo\tthree"))).unwrap();
        let refused = |change: fn(&mut v1::Answer), field| {
            let error = answer(change).unwrap_err();
            assert_eq!(error.field, field, "{error}");
            assert!(error.to_string().chars().all(is_shown), "{error:?}");
        };
        refused(|a| a.claim = "\x1b]0;title\x07".into(), "answer.claim");
        refused(|a| a.fields.push(column("a\nb", "")), "answer.fields");
        refused(|a| a.fields.push(column("a", "\u{202e}")), "answer.fields");
        refused(
            |a| a.measures = Some(v1::Measures { seconds: f64::NAN, ..Default::default() }),
            "measures.seconds",
        );
        refused(
            |a| a.measures = Some(v1::Measures { seconds: 1e300, ..Default::default() }),
            "measures.seconds",
        );
        // Each column is short enough, the answer is not.
        refused(
            |a| {
                let value = "x".repeat(limits::TEXT);
                a.fields = ["a", "b", "c"].map(|name| column(name, &value)).to_vec();
            },
            "answer",
        );
    }

    #[test]
    fn lists_and_parts_have_limits() {
        let part = |change: fn(&mut v1::EnumerateReport)| {
            let mut part = v1::EnumerateReport::default();
            change(&mut part);
            outcome(Kind::Enumerate(part)).map(drop)
        };
        part(|p| p.rest = vec!["all".into(); limits::PARTS]).unwrap();
        let error = part(|p| p.rest = vec![String::new(); limits::PARTS + 1]).unwrap_err();
        assert_eq!(error.field, "enumerate.rest");
        let error = part(|p| p.found = vec!["x".repeat(limits::PART + 1)]).unwrap_err();
        assert_eq!(error.field, "enumerate.found");
        let child = v1::Child { state: vec![0; limits::STATE + 1], ..Default::default() };
        let report = |children| v1::SearchReport {
            numbers: Some(v1::Numbers { proof: 1, disproof: 1 }),
            turn: v1::Turn::Or.into(),
            stopped: v1::StopReason::Budget.into(),
            children,
            ..Default::default()
        };
        let many = vec![v1::Child::default(); limits::CHILDREN + 1];
        assert_eq!(outcome(Kind::Search(report(many))).unwrap_err().field, "search.children");
        let fine = v1::Child {
            key: vec![0; 16],
            turn: v1::Turn::Or.into(),
            numbers: Some(v1::Numbers { proof: 1, disproof: 1 }),
            ..child
        };
        assert_eq!(outcome(Kind::Search(report(vec![fine]))).unwrap_err().field, "child.state");
    }

    #[test]
    fn the_message_of_a_failure_is_made_fit() {
        let message = format!("line\n\x1b[31mred{}", "x".repeat(limits::FAILURE));
        let failure = v1::Failure { kind: v1::FailureKind::Panic.into(), message };
        let (_, read) = outcome(Kind::Failure(failure)).unwrap();
        let Outcome::Failure(Failure { kind: FailureKind::Panic, message }) = read else {
            panic!("{read:?}")
        };
        assert!(message.starts_with("line\n\u{FFFD}[31mred") && message.ends_with('…'));
        assert!(message.len() <= limits::FAILURE);
    }

    #[test]
    fn a_worker_introduces_itself_in_plain_words() {
        let sound = || v1::RegisterRequest {
            name: "host-7".into(),
            labels: vec![column("rack", "3")],
            ..Default::default()
        };
        assert_eq!(introduced(sound()).unwrap().threads, 1);
        let field = |change: fn(&mut v1::RegisterRequest)| {
            let mut request = sound();
            change(&mut request);
            introduced(request).unwrap_err().field
        };
        assert_eq!(field(|r| r.name = "a\x1b[2J".into()), "name");
        assert_eq!(field(|r| r.host = "x".repeat(limits::NAME + 1)), "host");
        assert_eq!(field(|r| r.version = "1\n2".into()), "version");
        assert_eq!(field(|r| r.labels.push(column("rack", "4"))), "labels");
        assert_eq!(field(|r| r.labels.push(column("", "4"))), "labels");
        assert_eq!(field(|r| r.threads = u32::MAX), "threads");
        assert_eq!(field(|r| r.memory_mib = u64::MAX), "memory_mib");
        assert_eq!(field(|r| r.held = vec![v1::Lease::default(); limits::LEASES + 1]), "held");
    }

    #[test]
    fn a_sweep_has_text_that_can_be_shown() {
        sweep("name = 'a'\r\n\t[parameters]\n".into()).unwrap();
        assert_eq!(sweep("name = '\x1b'".into()).unwrap_err().field, "sweep");
        assert_eq!(sweep(" ".repeat(limits::SWEEP + 1)).unwrap_err().field, "sweep");
    }
}
