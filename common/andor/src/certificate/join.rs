//! Claims of several parts: the least value of a parameter, and the only move that wins.

use std::path::Path;

use super::{Asked, CertificateError, Header, Writer};
use crate::numbers::Verdict;

/// What a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A verdict.
    Verdict,
    /// The least value of a parameter with which the question is proven.
    Least {
        /// The parameter.
        key: String,
        /// The next lower value differs by this much.
        step: u32,
    },
    /// One first move wins, and no other.
    OnlyMove,
}

impl Claim {
    /// Most parts that prove it.
    #[must_use]
    pub fn most_parts(&self) -> usize {
        if *self == Self::Verdict { 1 } else { 2 }
    }

    fn header(&self) -> String {
        match self {
            Self::Verdict => String::new(),
            Self::Least { key, step } => format!("claim least {key}\nstep {step}\n\n"),
            Self::OnlyMove => "claim only-move\n\n".to_string(),
        }
    }

    /// Reads the claim off the header of the first part.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if text.starts_with("claim verdict\n") {
            return Ok(Self::Verdict);
        }
        let claim = match text.lines().collect::<Vec<_>>()[..] {
            ["claim only-move"] => Some(Self::OnlyMove),
            [first, second] => first
                .strip_prefix("claim least ")
                .zip(second.strip_prefix("step "))
                .and_then(|(key, step)| Some((key.to_string(), step.parse().ok()?)))
                .map(|(key, step)| Self::Least { key, step }),
            _ => None,
        };
        claim.filter(|claim| claim.header() == format!("{text}\n")).ok_or_else(|| {
            let first: String = text.lines().next().unwrap_or("").chars().take(100).collect();
            format!("the first part has {first:?}; expected a claim")
        })
    }

    /// Whether parts with these headers, all of them proven by their trees, prove the claim. `first`
    /// is the first move that the tree of the first part names, and `least` the least value that the
    /// parameter of the claim can have.
    ///
    /// # Errors
    /// What is missing.
    pub fn follows(
        &self,
        headers: &[Header],
        first: Option<&[u8]>,
        least: &dyn Fn(&str) -> Option<Least>,
    ) -> Result<(), String> {
        match (self, headers) {
            (Self::Verdict, [_]) => Ok(()),
            (Self::Least { key, step }, [proven, rest @ ..]) => {
                least_follows(key, *step, proven, rest, least)
            }
            (Self::OnlyMove, [proven, others]) => only_move_follows(proven, others, first),
            _ => Err(format!("{} parts are too few for the claim", headers.len())),
        }
    }
}

/// What is known of a parameter that can have a least value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// The smallest value that makes sense.
    pub from: u32,
    /// Values that differ by less than this have the same verdict, from `from` on.
    pub step: u32,
}

fn least_follows(
    key: &str,
    step: u32,
    proven: &Header,
    rest: &[Header],
    least: &dyn Fn(&str) -> Option<Least>,
) -> Result<(), String> {
    let known = least(key).ok_or_else(|| format!("{key} has no least value in this game"))?;
    if step == 0 || step > known.step {
        return Err(format!("step {step}; expected 1 to {}", known.step));
    }
    let value = |asked: &Asked| asked.value(key).and_then(|value| value.parse::<u32>().ok());
    let n = value(&proven.asked).ok_or_else(|| format!("{key} is no number"))?;
    if proven.verdict != Verdict::Proven || proven.asked.except.is_some() {
        return Err("the first part is not proven".to_string());
    }
    if step > 1 && (n < known.from || !(n - known.from).is_multiple_of(step)) {
        return Err(format!("{key} {n} cannot be the least with step {step}"));
    }
    match rest {
        [] if n <= known.from => Ok(()),
        [] => Err(format!("no part disproves less than {key} {n}")),
        [below, ..] => {
            let mut asked = proven.asked.clone();
            asked.lines.iter_mut().filter(|line| line.0 == key).for_each(|line| {
                line.1 = n.saturating_sub(step).to_string();
            });
            if below.verdict == Verdict::Disproven && below.asked == asked && n > step {
                Ok(())
            } else {
                Err(format!(
                    "the second part is not the disproof for {key} {}",
                    n.saturating_sub(step)
                ))
            }
        }
    }
}

fn only_move_follows(proven: &Header, others: &Header, first: Option<&[u8]>) -> Result<(), String> {
    let mut asked = proven.asked.clone();
    asked.except = first.map(<[u8]>::to_vec);
    let mut unlimited = asked.clone();
    unlimited.lines.iter_mut().filter(|line| line.0 == "within").for_each(|line| {
        line.1 = "any".to_string();
    });
    let verdicts = (proven.verdict, others.verdict) == (Verdict::Proven, Verdict::Disproven);
    if first.is_none() || !verdicts || proven.asked.except.is_some() {
        return Err("the parts are not a proof that begins with a move, and a disproof".to_string());
    }
    if others.asked == asked || others.asked == unlimited {
        Ok(())
    } else {
        Err("the second part does not leave out the move that the first begins with".to_string())
    }
}

/// Joins a proof and the disproof for the next lower value into one claim. Returns its size.
///
/// # Errors
/// If a file cannot be read or written.
pub fn join_least(
    path: &Path,
    key: &str,
    step: u32,
    proven: &Path,
    below: Option<&Path>,
) -> Result<u64, CertificateError> {
    let parts: Vec<&Path> = [proven].into_iter().chain(below).collect();
    join(path, &Claim::Least { key: key.to_string(), step }, &parts)
}

/// Joins a proof and the disproof without its first move into one claim. Returns its size.
///
/// # Errors
/// If a file cannot be read or written.
pub fn join_only_move(path: &Path, proven: &Path, others: &Path) -> Result<u64, CertificateError> {
    join(path, &Claim::OnlyMove, &[proven, others])
}

fn join(path: &Path, claim: &Claim, parts: &[&Path]) -> Result<u64, CertificateError> {
    let mut writer = Writer::create(path)?;
    writer.part::<CertificateError>(|out| {
        out.bytes(claim.header().as_bytes());
        Ok(())
    })?;
    parts.iter().try_for_each(|part| writer.copy(part))?;
    writer.finish()
}
