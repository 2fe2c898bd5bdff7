//! Dyadic rationals, m/2^k, exact at any size.
//!
//! Nearly all numbers of games are small, so they are stored in two machine words; larger ones
//! become big integers automatically. Nothing overflows.

mod arithmetic;
mod simplest;
mod text;

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};

pub use simplest::{Bound, simplest};
pub use text::BadNumber;

/// The largest exponent of a number in two machine words. Scaled to it, 63 bits still fit in 126.
const SMALL: u64 = 62;

/// m/2^k in lowest terms: k is 0 or m is odd.
///
/// ```
/// use hasami_cgt::Dyadic;
/// let number: Dyadic = "-3/4".parse().unwrap();
/// assert_eq!((&number + &Dyadic::from(1)).to_string(), "1/4");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dyadic(Repr);

/// Each number has one form, so that equality and hashes are those of the fields.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// A number that fits: an exponent up to 62.
    Small { exponent: u8, numerator: i64 },
    /// A number that does not fit.
    Big(Arc<Big>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Big {
    numerator: BigInt,
    exponent: u64,
}

impl Dyadic {
    /// 0.
    pub const ZERO: Self = Self(Repr::Small { exponent: 0, numerator: 0 });
    /// 1.
    pub const ONE: Self = Self(Repr::Small { exponent: 0, numerator: 1 });

    /// numerator/2^exponent.
    pub fn new(numerator: impl Into<BigInt>, exponent: u64) -> Self {
        Self::reduced(numerator.into(), exponent)
    }

    fn reduced(mut numerator: BigInt, mut exponent: u64) -> Self {
        if exponent > 0 {
            let twos = numerator.trailing_zeros().unwrap_or(exponent).min(exponent);
            if twos > 0 {
                numerator >>= twos;
                exponent -= twos;
            }
        }
        match i64::try_from(&numerator) {
            Ok(numerator) if exponent <= SMALL => Self::small(numerator, exponent),
            _ => Self(Repr::Big(Arc::new(Big { numerator, exponent }))),
        }
    }

    /// A small number; it must be in lowest terms already.
    fn small(numerator: i64, exponent: u64) -> Self {
        Self(Repr::Small { exponent: exponent as u8, numerator })
    }

    /// From values that fit into machine words; `exponent` is at most 63.
    fn from_wide(numerator: i128, exponent: u32) -> Self {
        let twos = if numerator == 0 { exponent } else { numerator.trailing_zeros().min(exponent) };
        let (numerator, exponent) = (numerator >> twos, u64::from(exponent - twos));
        match i64::try_from(numerator) {
            Ok(numerator) if exponent <= SMALL => Self::small(numerator, exponent),
            _ => Self(Repr::Big(Arc::new(Big { numerator: numerator.into(), exponent }))),
        }
    }

    /// The numerator in lowest terms.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small { numerator, .. } => BigInt::from(*numerator),
            Repr::Big(big) => big.numerator.clone(),
        }
    }

    /// k, where the denominator in lowest terms is 2^k.
    pub fn exponent(&self) -> u64 {
        match &self.0 {
            Repr::Small { exponent, .. } => u64::from(*exponent),
            Repr::Big(big) => big.exponent,
        }
    }

    /// Whether the denominator is 1.
    pub fn is_integer(&self) -> bool {
        self.exponent() == 0
    }

    /// The integer, if it is one and fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small { exponent: 0, numerator } => Some(numerator),
            _ => None,
        }
    }

    /// An approximation; infinite if too large.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small { exponent, numerator } => *numerator as f64 / (1u64 << exponent) as f64,
            Repr::Big(big) => {
                // The first 63 bits are more than a float has.
                let spare = big.numerator.bits().saturating_sub(63);
                let head = i64::try_from(&big.numerator >> spare).unwrap_or(i64::MAX) as f64;
                let power = i128::from(spare) - i128::from(big.exponent);
                // In two steps, because 2^power alone may be 0 where the number is not.
                let half = power.clamp(-4000, 4000) as i32 / 2;
                head * 2f64.powi(half) * 2f64.powi(power.clamp(-4000, 4000) as i32 - half)
            }
        }
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small { numerator, .. } => numerator.signum() as i32,
            Repr::Big(big) => match big.numerator.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
            },
        }
    }

    /// Number of machine words beyond the two that every number has.
    pub fn extra_words(&self) -> u64 {
        match &self.0 {
            Repr::Small { .. } => 0,
            Repr::Big(big) => 4 + big.numerator.bits() / 64,
        }
    }

    fn to_big(&self) -> (BigInt, u64) {
        (self.numerator(), self.exponent())
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        if let (
            Repr::Small { exponent: e, numerator: m },
            Repr::Small { exponent: f, numerator: n },
        ) = (&self.0, &other.0)
        {
            if e == f {
                return m.cmp(n);
            }
            let scale = *e.max(f);
            return (i128::from(*m) << (scale - e)).cmp(&(i128::from(*n) << (scale - f)));
        }
        self.cmp_big(other)
    }
}

impl Dyadic {
    /// Compares sizes first: scaling to one denominator may need long numbers.
    fn cmp_big(&self, other: &Self) -> Ordering {
        let signs = self.signum().cmp(&other.signum());
        if signs != Ordering::Equal || self.signum() == 0 {
            return signs;
        }
        let ((m, e), (n, f)) = (self.to_big(), other.to_big());
        let size = |m: &BigInt, e: u64| i128::from(m.bits()) - i128::from(e);
        let sizes = size(&m, e).cmp(&size(&n, f));
        if sizes != Ordering::Equal {
            return if m.is_positive() { sizes } else { sizes.reverse() };
        }
        let scale = e.max(f);
        (m << (scale - e)).cmp(&(n << (scale - f)))
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Dyadic {
    fn from(number: i64) -> Self {
        Self::small(number, 0)
    }
}

impl From<BigInt> for Dyadic {
    fn from(number: BigInt) -> Self {
        Self::reduced(number, 0)
    }
}

impl Default for Dyadic {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Zero for Dyadic {
    fn zero() -> Self {
        Self::ZERO
    }

    fn is_zero(&self) -> bool {
        self.signum() == 0
    }
}
