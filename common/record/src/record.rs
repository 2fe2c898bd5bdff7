//! One record and its encoding. Each record has exactly one encoding, and anything else is refused:
//! bytes from a disk or a peer may be hostile. Relies only on the numbers.

use hasami_andor::numbers::{LIMIT, Numbers, Verdict};

use crate::words::{MAX_WORDS, Words};

// The high half of a tag is the version of the record format, the low half the kind.
const OPEN: u8 = 0x10;
const PROVEN: u8 = 0x11;
const DISPROVEN: u8 = 0x12;
/// The tag of a [`Fault`](crate::Fault), which is not a record.
pub(crate) const FAULT: u8 = 0x1f;

/// What is known about one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Settled: exactly [`Numbers::PROVEN`] or [`Numbers::DISPROVEN`]. Otherwise both numbers are
    /// between 1 and the limit of open numbers.
    pub numbers: Numbers,
    /// Number of states searched for it.
    pub work: u64,
    /// The index of the move that settles the state, or of the one that looks best.
    pub best: u16,
    /// What a verdict depends on; empty for most games.
    pub reason: Words,
}

/// Why bytes are not a record, or a record cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// There are no bytes.
    #[error("a record of no bytes")]
    Empty,
    /// The first byte is unknown: damage, or a later version.
    #[error("unknown tag {0:#04x}")]
    Tag(u8),
    /// A number that is truncated, too large, or encoded longer than needed.
    #[error("a number is cut short, too large or not in its shortest form")]
    Number,
    /// Numbers that no state can have.
    #[error("no state has proof number {proof} and disproof number {disproof}")]
    Numbers {
        /// The proof number.
        proof: u32,
        /// The disproof number.
        disproof: u32,
    },
    /// A reason that does not consist of whole words, or has too many.
    #[error("a reason of {0} bytes")]
    Reason(usize),
    /// An invalid fault.
    #[error("a malformed fault")]
    Fault,
}

impl Record {
    /// A record without a reason.
    #[must_use]
    pub fn new(numbers: Numbers, work: u64, best: u16) -> Self {
        Self { numbers, work, best, reason: Words::EMPTY }
    }

    /// Appends the encoding of this record.
    ///
    /// # Errors
    /// If no state can have these numbers; nothing is appended then.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), RecordError> {
        check(self.numbers)?;
        match self.numbers.verdict() {
            Some(Verdict::Proven) => out.push(PROVEN),
            Some(Verdict::Disproven) => out.push(DISPROVEN),
            None => {
                out.push(OPEN);
                put(out, self.numbers.proof.into());
                put(out, self.numbers.disproof.into());
            }
        }
        put(out, self.work);
        put(out, self.best.into());
        for word in self.reason.as_slice() {
            out.extend_from_slice(&word.to_le_bytes());
        }
        Ok(())
    }

    /// Decodes a record that [`Record::encode`] wrote.
    ///
    /// # Errors
    /// If it did not write these bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, RecordError> {
        let (&tag, mut rest) = bytes.split_first().ok_or(RecordError::Empty)?;
        let numbers = match tag {
            PROVEN => Numbers::PROVEN,
            DISPROVEN => Numbers::DISPROVEN,
            OPEN => open(take(&mut rest)?, take(&mut rest)?)?,
            other => return Err(RecordError::Tag(other)),
        };
        let work = take(&mut rest)?;
        let best = u16::try_from(take(&mut rest)?).map_err(|_| RecordError::Number)?;
        let reason = words(rest)?;
        Ok(Self { numbers, work, best, reason })
    }
}

fn open(proof: u64, disproof: u64) -> Result<Numbers, RecordError> {
    let narrow = |number| u32::try_from(number).map_err(|_| RecordError::Number);
    let (proof, disproof) = (narrow(proof)?, narrow(disproof)?);
    let numbers = Numbers { proof, disproof };
    if numbers.settled() {
        return Err(RecordError::Numbers { proof, disproof });
    }
    check(numbers)?;
    Ok(numbers)
}

fn check(numbers: Numbers) -> Result<(), RecordError> {
    let Numbers { proof, disproof } = numbers;
    let open = 1..=LIMIT;
    if numbers == Numbers::PROVEN
        || numbers == Numbers::DISPROVEN
        || (open.contains(&proof) && open.contains(&disproof))
    {
        Ok(())
    } else {
        Err(RecordError::Numbers { proof, disproof })
    }
}

fn words(bytes: &[u8]) -> Result<Words, RecordError> {
    if bytes.is_empty() {
        return Ok(Words::EMPTY);
    }
    let (chunks, []) = bytes.as_chunks::<8>() else {
        return Err(RecordError::Reason(bytes.len()));
    };
    let mut all = [0; MAX_WORDS];
    let all = all.get_mut(..chunks.len()).ok_or(RecordError::Reason(bytes.len()))?;
    for (word, chunk) in all.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*chunk);
    }
    Ok(Words::new(all).expect("at most four words"))
}

fn put(out: &mut Vec<u8>, number: u64) {
    hasami_varint::write(out, number);
}

fn take(rest: &mut &[u8]) -> Result<u64, RecordError> {
    hasami_varint::take(rest).map_err(|_| RecordError::Number)
}

#[cfg(test)]
pub(crate) mod tests;
