//! Whole numbers in LEB128: seven bits a byte, low ones first. Every number has exactly one spelling,
//! and anything else is refused: certificates, records and values come from strangers.
//!
//! The crate `unsigned-varint` does the same but for one thing: it takes ten bytes that spell more than
//! 64 bits and drops the upper ones, so that a number has many spellings.

use std::io::{self, Read};

/// Most bytes that a number takes.
pub const MAX_BYTES: usize = 10;

/// Why bytes are no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VarintError {
    /// The bytes end within the number.
    #[error("a number is cut short")]
    CutShort,
    /// More than 64 bits.
    #[error("a number of more than 64 bits")]
    TooLarge,
    /// There is a shorter spelling.
    #[error("a number with a shorter form")]
    Overlong,
}

/// Appends a number.
pub fn write(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front of `bytes`.
///
/// # Errors
/// If there is none in its one spelling; `bytes` is then unchanged.
pub fn take(bytes: &mut &[u8]) -> Result<u64, VarintError> {
    let mut rest = *bytes;
    let number = decode(|| {
        let (&byte, tail) = rest.split_first().ok_or(VarintError::CutShort)?;
        rest = tail;
        Ok(byte)
    })?;
    *bytes = rest;
    Ok(number)
}

/// Reads a number.
///
/// # Errors
/// If the reader fails, or there is no number in its one spelling.
pub fn read(from: &mut impl Read) -> io::Result<u64> {
    decode(|| {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        Ok(byte[0])
    })
}

impl From<VarintError> for io::Error {
    fn from(error: VarintError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

fn decode<E: From<VarintError>>(mut next: impl FnMut() -> Result<u8, E>) -> Result<u64, E> {
    let mut number = 0;
    for at in 0..MAX_BYTES {
        let byte = next()?;
        let bits = u64::from(byte & 0x7f);
        // The tenth byte has room for one bit.
        if at == MAX_BYTES - 1 && byte > 1 {
            return Err(VarintError::TooLarge.into());
        }
        number |= bits << (7 * at);
        if byte < 0x80 {
            let overlong = byte == 0 && at > 0;
            return if overlong { Err(VarintError::Overlong.into()) } else { Ok(number) };
        }
    }
    Err(VarintError::TooLarge.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spelled(number: u64) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, number);
        out
    }

    #[test]
    fn the_borders_of_every_length_come_back() {
        for bits in 0..64 {
            for number in [(1 << bits) - 1, 1 << bits, u64::MAX >> bits] {
                let bytes = spelled(number);
                assert_eq!(take(&mut &*bytes), Ok(number));
                assert_eq!(read(&mut &*bytes).unwrap(), number);
            }
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        let mut wide = vec![0xff; 9];
        wide.push(2);
        for (bytes, error) in [
            (vec![], VarintError::CutShort),
            (vec![0x80], VarintError::CutShort),
            (vec![0x80, 0], VarintError::Overlong),
            (vec![0xff, 0x80, 0], VarintError::Overlong),
            (wide, VarintError::TooLarge),
            (vec![0xff; 12], VarintError::TooLarge),
        ] {
            assert_eq!(take(&mut &*bytes), Err(error), "{bytes:?}");
            assert!(read(&mut &*bytes).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_spelled_so(bytes in prop::collection::vec(any::<u8>(), 0..14)) {
            let mut rest = &*bytes;
            if let Ok(number) = take(&mut rest) {
                let used = bytes.len() - rest.len();
                prop_assert_eq!(spelled(number), &bytes[..used]);
            } else {
                prop_assert_eq!(rest, &*bytes);
            }
        }
    }
}
