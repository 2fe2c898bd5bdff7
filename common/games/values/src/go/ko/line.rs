//! Values that change with the temperature: current value and slope.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;

/// A value at the current temperature, and its slope from there. Ordered by which is greater just
/// above that temperature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub value: BigRational,
    pub slope: i64,
}

impl Line {
    /// Adds this multiple of the temperature, now `t`.
    pub fn taxed(&self, times: i64, t: &BigRational) -> Self {
        Self { value: &self.value + t * whole(times), slope: self.slope + times }
    }

    pub fn plus(&self, offset: &BigRational) -> Self {
        Self { value: &self.value + offset, slope: self.slope }
    }

    /// How long this line, which is greater, stays so.
    pub fn until(&self, lesser: &Self) -> Option<BigRational> {
        let closing = lesser.slope - self.slope;
        (closing > 0 && self.value > lesser.value)
            .then(|| (&self.value - &lesser.value) / whole(closing))
    }
}

impl PartialOrd for Line {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Line {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value).then(self.slope.cmp(&other.slope))
    }
}

pub(in crate::go) fn whole(number: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(number))
}
