//! Sums, negatives, multiples, halves and roundings of dyadics.

use std::ops::{Add, Neg, Sub};

use num_bigint::BigInt;

use super::{Dyadic, Repr};

impl Add for &Dyadic {
    type Output = Dyadic;

    fn add(self, other: &Dyadic) -> Dyadic {
        if let (
            Repr::Small { exponent: e, numerator: m },
            Repr::Small { exponent: f, numerator: n },
        ) = (&self.0, &other.0)
        {
            let scale = *e.max(f);
            let sum = (i128::from(*m) << (scale - e)) + (i128::from(*n) << (scale - f));
            return Dyadic::from_wide(sum, u32::from(scale));
        }
        let ((m, e), (n, f)) = (self.to_big(), other.to_big());
        let scale = e.max(f);
        Dyadic::reduced((m << (scale - e)) + (n << (scale - f)), scale)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        match &self.0 {
            Repr::Small { exponent, numerator } => {
                Dyadic::from_wide(-i128::from(*numerator), u32::from(*exponent))
            }
            Repr::Big(big) => Dyadic::reduced(-&big.numerator, big.exponent),
        }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;

    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other
    }
}

impl Add for Dyadic {
    type Output = Dyadic;

    fn add(self, other: Dyadic) -> Dyadic {
        &self + &other
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        -&self
    }
}

impl Sub for Dyadic {
    type Output = Dyadic;

    fn sub(self, other: Dyadic) -> Dyadic {
        &self - &other
    }
}

/// For multiples n·x; dyadics have no quotients.
impl std::ops::Mul for &Dyadic {
    type Output = Dyadic;

    fn mul(self, other: &Dyadic) -> Dyadic {
        let ((m, e), (n, f)) = (self.to_big(), other.to_big());
        Dyadic::reduced(m * n, e + f)
    }
}

impl std::ops::Mul for Dyadic {
    type Output = Dyadic;

    fn mul(self, other: Dyadic) -> Dyadic {
        &self * &other
    }
}

impl Dyadic {
    /// x/2.
    pub fn half(&self) -> Dyadic {
        match &self.0 {
            Repr::Small { exponent, numerator } => {
                Dyadic::from_wide(i128::from(*numerator), u32::from(*exponent) + 1)
            }
            Repr::Big(big) => Dyadic::reduced(big.numerator.clone(), big.exponent + 1),
        }
    }

    /// The greatest integer that is at most x.
    pub fn floor(&self) -> Dyadic {
        match &self.0 {
            Repr::Small { exponent, numerator } => Dyadic::from(numerator >> exponent),
            // Shifting a big integer to the right rounds down, too.
            Repr::Big(big) => Dyadic::from(&big.numerator >> big.exponent),
        }
    }

    /// The least integer that is at least x.
    pub fn ceil(&self) -> Dyadic {
        -(-self).floor()
    }

    /// The absolute value.
    pub fn abs(&self) -> Dyadic {
        if self.signum() < 0 { -self } else { self.clone() }
    }

    /// The largest unit 1/2^k of which this number is a multiple.
    pub fn unit(&self) -> Dyadic {
        Dyadic::reduced(BigInt::from(1), self.exponent())
    }
}
