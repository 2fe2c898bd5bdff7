//! Dyadics as text: `-3/4`, and read back from fractions and finite decimals.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use num_traits::Zero;

use super::{Dyadic, Repr};

/// Why a text is not a dyadic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNumber {
    /// Not a number at all.
    #[error("`{0}` is not a number; expected one such as 3, -5/8 or 0.25")]
    NotANumber(String),
    /// A number that is not dyadic.
    #[error("`{0}` is not a dyadic; expected a denominator that is a power of two")]
    NotDyadic(String),
}

impl FromStr for Dyadic {
    type Err = BadNumber;

    fn from_str(text: &str) -> Result<Self, BadNumber> {
        let not_a_number = || BadNumber::NotANumber(text.to_string());
        let not_dyadic = || BadNumber::NotDyadic(text.to_string());
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let whole = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse::<BigInt>().ok()).flatten().ok_or_else(not_a_number)
        };
        let size = if let Some((above, below)) = digits.split_once('/') {
            let (above, below) = (whole(above)?, whole(below)?);
            let exponent = below.trailing_zeros().ok_or_else(not_dyadic)?;
            if below.bits() != exponent + 1 {
                return Err(not_dyadic());
            }
            Dyadic::reduced(above, exponent)
        } else if let Some((before, after)) = digits.split_once('.') {
            let places = after.len() as u32;
            let all = whole(before)? * BigInt::from(10).pow(places) + whole(after)?;
            // n/10^p = (n/5^p)/2^p
            let fives = BigInt::from(5).pow(places);
            if !(&all % &fives).is_zero() {
                return Err(not_dyadic());
            }
            Dyadic::reduced(all / fives, u64::from(places))
        } else {
            Dyadic::from(whole(digits)?)
        };
        Ok(if negative { -size } else { size })
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small { exponent: 0, numerator } => write!(f, "{numerator}"),
            Repr::Small { exponent, numerator } => write!(f, "{numerator}/{}", 1u64 << exponent),
            Repr::Big(big) if big.exponent == 0 => write!(f, "{}", big.numerator),
            Repr::Big(big) => write!(f, "{}/{}", big.numerator, BigInt::from(1) << big.exponent),
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
