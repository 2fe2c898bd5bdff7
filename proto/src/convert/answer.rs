//! Answers, their certificates, and their cost.

use hasami_sweep::{Answer, Basis, Certificate, Check, Measures, Verdict};

use super::{
    ConvertError, checked_list, checked_name, checked_seconds, checked_text, read_pairs,
    write_pairs,
};
use crate::v1;

impl From<Verdict> for v1::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Proven => Self::Proven,
            Verdict::Disproven => Self::Disproven,
            Verdict::Answered => Self::Answered,
            Verdict::Open => Self::Open,
        }
    }
}

impl TryFrom<v1::Verdict> for Verdict {
    type Error = ConvertError;

    fn try_from(message: v1::Verdict) -> Result<Self, ConvertError> {
        match message {
            v1::Verdict::Proven => Ok(Self::Proven),
            v1::Verdict::Disproven => Ok(Self::Disproven),
            v1::Verdict::Answered => Ok(Self::Answered),
            v1::Verdict::Open => Ok(Self::Open),
            v1::Verdict::Unspecified => {
                Err(ConvertError::new("verdict", "none", "a verdict of this version"))
            }
        }
    }
}

impl From<Certificate> for v1::Certificate {
    fn from(certificate: Certificate) -> Self {
        Self {
            name: certificate.name,
            digest: certificate.digest.to_vec(),
            bytes: certificate.bytes,
        }
    }
}

impl TryFrom<v1::Certificate> for Certificate {
    type Error = ConvertError;

    fn try_from(message: v1::Certificate) -> Result<Self, ConvertError> {
        let digest = <[u8; 32]>::try_from(message.digest).map_err(|bytes| {
            let found = format!("{} bytes", bytes.len());
            ConvertError::new("certificate.digest", found, "the 32 bytes of a blake3 hash")
        })?;
        Ok(Self { name: file_name(message.name)?, digest, bytes: message.bytes })
    }
}

/// Checks a plain file name and nothing else: it is joined to directories and shown on terminals.
fn file_name(name: String) -> Result<String, ConvertError> {
    let name = checked_name("certificate.name", name)?;
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.+".contains(sign);
    if name.starts_with('.') || !name.chars().all(plain) {
        let expected = "letters, digits, -, _, + and ., not . at first";
        Err(ConvertError::new("certificate.name", format_args!("{name:?}"), expected))
    } else {
        Ok(name)
    }
}

impl From<Measures> for v1::Measures {
    fn from(measures: Measures) -> Self {
        let Measures { nodes, seconds, store_hits } = measures;
        Self { nodes, seconds, store_hits }
    }
}

impl TryFrom<v1::Measures> for Measures {
    type Error = ConvertError;

    fn try_from(message: v1::Measures) -> Result<Self, ConvertError> {
        let v1::Measures { nodes, seconds, store_hits } = message;
        let seconds = checked_seconds("measures.seconds", seconds)?;
        Ok(Self { nodes, seconds, store_hits })
    }
}

impl From<Answer> for v1::Answer {
    fn from(answer: Answer) -> Self {
        Self {
            verdict: v1::Verdict::from(answer.verdict).into(),
            claim: answer.claim,
            fields: write_pairs(answer.fields),
            certificates: answer.certificates.into_iter().map(Into::into).collect(),
            measures: Some(answer.measures.into()),
            check: answer.check.map(Into::into),
        }
    }
}

impl TryFrom<v1::Answer> for Answer {
    type Error = ConvertError;

    fn try_from(message: v1::Answer) -> Result<Self, ConvertError> {
        // An unknown number, a verdict of a later version, reads as none.
        let certificates = checked_list("answer.certificates", message.certificates)?;
        Ok(Self {
            verdict: v1::Verdict::try_from(message.verdict).unwrap_or_default().try_into()?,
            claim: checked_text("answer.claim", message.claim)?,
            fields: read_pairs("answer.fields", message.fields)?,
            certificates: certificates
                .into_iter()
                .map(TryInto::try_into)
                .collect::<Result<_, _>>()?,
            measures: message.measures.unwrap_or_default().try_into()?,
            check: message.check.map(TryInto::try_into).transpose()?,
        })
    }
}

impl From<Check> for v1::Check {
    fn from(check: Check) -> Self {
        let Check { sender, by, basis, unproved, note } = check;
        let basis = match basis {
            Basis::Proved => v1::Basis::Proved,
            Basis::Recomputed => v1::Basis::Recomputed,
            Basis::Unproved => v1::Basis::Unproved,
        };
        Self { sender, by, basis: basis.into(), unproved, note }
    }
}

impl TryFrom<v1::Check> for Check {
    type Error = ConvertError;

    fn try_from(message: v1::Check) -> Result<Self, ConvertError> {
        let basis = match message.basis() {
            v1::Basis::Proved => Basis::Proved,
            v1::Basis::Recomputed => Basis::Recomputed,
            v1::Basis::Unproved => Basis::Unproved,
            v1::Basis::Unspecified => {
                return Err(ConvertError::new("check.basis", "none", "one of this version"));
            }
        };
        Ok(Self {
            sender: checked_text("check.sender", message.sender)?,
            by: checked_text("check.by", message.by)?,
            basis,
            unproved: checked_list("check.unproved", message.unproved)?,
            note: checked_text("check.note", message.note)?,
        })
    }
}
