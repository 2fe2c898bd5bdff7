//! Values as bytes: the results of one search for use in another.
//!
//! The encoding follows the canonical form. Each position comes once, after its options: a number
//! is `0`, its exponent and its numerator; a game is its number of left options plus one, its
//! number of right options, and how far back each option stands. The value is the last one.
//!
//! Decoding builds every value again from its options, so bytes can never bring a game into an
//! arena that is not in canonical form; bytes of anything but a canonical form are refused.

use hasami_varint::VarintError;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::budget::Exhausted;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value};

/// No writer uses larger exponents: such a number would fill a page.
const LARGEST_EXPONENT: u64 = 1 << 16;

/// Why bytes are not a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBytes {
    /// The bytes end too early, or go on.
    #[error("cut short or too long at byte {at}")]
    Length {
        /// Offset, from 0.
        at: usize,
    },
    /// An invalid number or index.
    #[error("a number that cannot be at byte {at}")]
    Number {
        /// Offset, from 0.
        at: usize,
    },
    /// The bytes encode a game that is not in canonical form.
    #[error("no canonical form before byte {at}")]
    NotCanonical {
        /// Offset, from 0.
        at: usize,
    },
    /// The bytes encode more than the limit allows.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl Games {
    /// The bytes of a value, if there are at most `most`.
    pub fn to_bytes(&self, value: Value, most: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut places: FxHashMap<Value, usize> = FxHashMap::default();
        let mut stack = vec![(value, false)];
        while let Some((value, ready)) = stack.pop() {
            if places.contains_key(&value) {
                continue;
            }
            if let Some(number) = self.number(value) {
                put_number(&mut bytes, number);
            } else if ready {
                let (left, right) = (self.left_options(value), self.right_options(value));
                put(&mut bytes, left.len() as u64 + 1);
                put(&mut bytes, right.len() as u64);
                for option in left.iter().chain(right) {
                    put(&mut bytes, (places.len() - places[option]) as u64);
                }
            } else {
                stack.push((value, true));
                let options = self.left_options(value).iter().chain(self.right_options(value));
                stack.extend(options.map(|&option| (option, false)));
                continue;
            }
            places.insert(value, places.len());
            if bytes.len() > most {
                return None;
            }
        }
        Some(bytes)
    }

    /// Decodes a value that [`Games::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are not those of a canonical form, or the limit of this arena is reached.
    pub fn from_bytes(&mut self, bytes: &[u8]) -> Result<Value, BadBytes> {
        let mut reader = Reader { bytes, at: 0 };
        let mut values: Vec<Value> = Vec::new();
        while reader.at < bytes.len() {
            let value = match reader.take()? {
                0 => {
                    let number = reader.number()?;
                    self.dyadic(&number)?
                }
                lefts => {
                    let rights = reader.count()?;
                    let lefts = reader.fits(lefts - 1)?;
                    let mut options = [Vec::new(), Vec::new()];
                    for (side, count) in options.iter_mut().zip([lefts, rights]) {
                        for _ in 0..count {
                            side.push(reader.back(&values)?);
                        }
                        side.sort_unstable();
                    }
                    let [left, right] = options;
                    let value = self.make(&left, &right)?;
                    let same = !self.is_number(value)
                        && self.left_options(value) == left
                        && self.right_options(value) == right;
                    if !same {
                        return Err(BadBytes::NotCanonical { at: reader.at });
                    }
                    value
                }
            };
            values.push(value);
        }
        values.last().copied().ok_or(BadBytes::Length { at: 0 })
    }
}

fn put_number(bytes: &mut Vec<u8>, number: &Dyadic) {
    let numerator = number.numerator().to_signed_bytes_le();
    put(bytes, 0);
    put(bytes, number.exponent());
    put(bytes, numerator.len() as u64);
    bytes.extend_from_slice(&numerator);
}

fn put(out: &mut Vec<u8>, number: u64) {
    hasami_varint::write(out, number);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self) -> Result<u64, BadBytes> {
        let mut rest = &self.bytes[self.at..];
        let number = hasami_varint::take(&mut rest).map_err(|error| match error {
            VarintError::CutShort => BadBytes::Length { at: self.bytes.len() },
            VarintError::TooLarge | VarintError::Overlong => BadBytes::Number { at: self.at },
        })?;
        self.at = self.bytes.len() - rest.len();
        Ok(number)
    }

    /// Reads a number of items: each takes at least one byte.
    fn count(&mut self) -> Result<usize, BadBytes> {
        let count = self.take()?;
        self.fits(count)
    }

    fn fits(&self, count: u64) -> Result<usize, BadBytes> {
        let left = self.bytes.len() - self.at;
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= left)
            .ok_or(BadBytes::Number { at: self.at })
    }

    fn number(&mut self) -> Result<Dyadic, BadBytes> {
        let exponent = self.take()?;
        let length = self.count()?;
        let numerator = BigInt::from_signed_bytes_le(&self.bytes[self.at..self.at + length]);
        self.at += length;
        let number = Dyadic::new(numerator, exponent.min(LARGEST_EXPONENT));
        if number.exponent() == exponent {
            Ok(number)
        } else {
            Err(BadBytes::Number { at: self.at })
        }
    }

    fn back(&mut self, values: &[Value]) -> Result<Value, BadBytes> {
        let back = self.take()?;
        let place = usize::try_from(back).ok().and_then(|back| values.len().checked_sub(back));
        place.and_then(|place| values.get(place)).copied().ok_or(BadBytes::Number { at: self.at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXAMPLES: [&str; 14] = [
        "0",
        "-7",
        "3/1024",
        "1/9444732965739290427392",
        "-1208925819614629174706177",
        "*3",
        "^5*2",
        "v",
        "tiny(3/4)",
        "{3|||2||1|0}",
        "{5,{6|2}|{1|0},{2|-8}}",
        "±1+±2+±3+±4",
        "{^,*2|{0|-1}}",
        "-1/2v3*",
    ];

    #[test]
    fn values_come_back_in_another_arena_as_they_were() {
        for text in EXAMPLES {
            let mut games = Games::new();
            let value = games.parse(text).unwrap();
            let bytes = games.to_bytes(value, 1 << 16).unwrap();
            let mut other = Games::new();
            other.parse("{7|{1|*}}+^4").unwrap();
            let read = other.from_bytes(&bytes).unwrap();
            assert_eq!(other.show(read), games.show(value));
            assert_eq!(games.from_bytes(&bytes).unwrap(), value, "{text}");
            assert_eq!(games.to_bytes(value, bytes.len() - 1), None, "{text}");
            for cut in 0..bytes.len() {
                // A part of the bytes may be another value, but never this one.
                assert_ne!(games.from_bytes(&bytes[..cut]), Ok(value), "{text}: {cut}");
            }
        }
    }

    #[test]
    fn what_is_not_canonical_is_refused() {
        let mut games = Games::new();
        // {0|2} is the number 1; {0,0|0} has an option twice; {-1,0|0} a dominated one.
        let [zero, two, less] = [[0, 0, 1, 0], [0, 0, 1, 2], [0, 0, 1, 255]];
        for game in [
            [&zero[..], &two, &[2, 1, 2, 1]].concat(),
            [&zero[..], &[3, 1, 1, 1, 1]].concat(),
            [&zero[..], &less, &[3, 1, 2, 1, 2]].concat(),
        ] {
            let error = games.from_bytes(&game).unwrap_err();
            assert!(matches!(error, BadBytes::NotCanonical { .. }), "{error}");
        }
        // 2/2 is not in lowest terms.
        assert!(matches!(games.from_bytes(&[0, 1, 1, 2]), Err(BadBytes::Number { .. })));
    }

    proptest! {
        #[test]
        fn hostile_bytes_are_refused_or_are_a_value(
            bytes in prop::collection::vec(prop_oneof![3 => 0u8..5, 1 => any::<u8>()], 0..60),
        ) {
            let mut games = Games::with_limit(100_000);
            if let Ok(value) = games.from_bytes(&bytes) {
                let again = games.to_bytes(value, usize::MAX).unwrap();
                prop_assert_eq!(games.from_bytes(&again), Ok(value));
            }
        }
    }
}
