//! The simplest number in an interval: the one born first (Conway 1976, the simplicity theorem).

use num_bigint::BigInt;
use num_traits::One;

use super::{Dyadic, Repr};

/// An end of an interval of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound<'a> {
    /// The number at the end.
    pub at: &'a Dyadic,
    /// Whether that number itself is inside.
    pub closed: bool,
}

/// The simplest number between two ends; a missing end is no limit. `None` if there is no number.
pub fn simplest(low: Option<Bound<'_>>, high: Option<Bound<'_>>) -> Option<Dyadic> {
    if let (Some(low), Some(high)) = (low, high)
        && let (Some(from), Some(to)) = (low.at.to_i64(), high.at.to_i64())
        && let Some(found) = simplest_between_integers((from, low.closed), (to, high.closed))
    {
        return Some(found);
    }
    let from = low.map(|low| if low.closed { low.at.ceil() } else { above(low.at) });
    let to = high.map(|high| if high.closed { high.at.floor() } else { -above(&-high.at) });
    match (from, to) {
        (Some(from), Some(to)) if from > to => {
            let (low, high) = (low?, high?);
            match low.at.cmp(high.at) {
                std::cmp::Ordering::Less => Some(between(low, high)),
                std::cmp::Ordering::Equal if low.closed && high.closed => Some(low.at.clone()),
                _ => None,
            }
        }
        (Some(from), _) if from.signum() > 0 => Some(from),
        (_, Some(to)) if to.signum() < 0 => Some(to),
        _ => Some(Dyadic::ZERO),
    }
}

/// The usual case: both ends are integers, and the first is less.
fn simplest_between_integers(low: (i64, bool), high: (i64, bool)) -> Option<Dyadic> {
    let from = low.0.checked_add(i64::from(!low.1))?;
    let to = high.0.checked_sub(i64::from(!high.1))?;
    if from <= to {
        return Some(Dyadic::from(0.clamp(from, to)));
    }
    // Only the middle of two neighbours is left.
    (low.0 < high.0).then(|| Dyadic::from_wide(2 * i128::from(low.0) + 1, 1))
}

/// The least integer greater than x.
fn above(x: &Dyadic) -> Dyadic {
    x.floor() + Dyadic::ONE
}

/// The case without an integer inside: both ends have the same sign, and low < high.
fn between(low: Bound<'_>, high: Bound<'_>) -> Dyadic {
    if low.at.signum() < 0 || high.at.signum() < 0 {
        let (above, below) = (-low.at, -high.at);
        let low = Bound { at: &above, closed: low.closed };
        return -between_positive(Bound { at: &below, closed: high.closed }, low);
    }
    between_positive(low, high)
}

/// In units of half the finer end, some number of units is inside; the simplest of them has the
/// most factors of two. It keeps the bits that both ends share and the first one in which they
/// differ.
fn between_positive(low: Bound<'_>, high: Bound<'_>) -> Dyadic {
    if let (Repr::Small { exponent: e, numerator: m }, Repr::Small { exponent: f, numerator: n }) =
        (&low.at.0, &high.at.0)
    {
        let scale = *e.max(f) + 1;
        // One less than the first unit inside, and the last one.
        let before = (i128::from(*m) << (scale - e)) - i128::from(low.closed);
        let last = (i128::from(*n) << (scale - f)) - i128::from(!high.closed);
        if before < 0 {
            return Dyadic::ZERO;
        }
        let shared = 127 - (before ^ last).leading_zeros();
        return Dyadic::from_wide((last >> shared) << shared, u32::from(scale));
    }
    let ((m, e), (n, f)) = (low.at.to_big(), high.at.to_big());
    let scale = e.max(f) + 1;
    let before = (m << (scale - e)) - BigInt::from(u8::from(low.closed));
    let last = (n << (scale - f)) - BigInt::from(u8::from(!high.closed));
    if before < BigInt::ZERO {
        return Dyadic::ZERO;
    }
    let shared = (&before ^ &last).bits() - 1;
    let head: BigInt = last >> shared;
    debug_assert!(head >= BigInt::one());
    Dyadic::reduced(head << shared, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brute force: integers by size, then halves, quarters, …
    fn by_trying(low: Bound<'_>, high: Bound<'_>) -> Option<Dyadic> {
        let inside = |x: &Dyadic| {
            (x > low.at || (low.closed && x == low.at))
                && (x < high.at || (high.closed && x == high.at))
        };
        for exponent in 0..6u64 {
            for size in 0..400i64 {
                for numerator in [size, -size] {
                    let x = Dyadic::new(numerator, exponent);
                    if inside(&x) {
                        return Some(x);
                    }
                }
            }
        }
        None
    }

    #[test]
    fn it_is_the_first_one_found_by_trying_simple_numbers_first() {
        for m in -9..10i64 {
            for n in -9..10i64 {
                for (e, f) in [(0, 0), (2, 2), (1, 3), (3, 0), (4, 4)] {
                    for closed in 0..4 {
                        let (from, to) = (Dyadic::new(m, e), Dyadic::new(n, f));
                        let low = Bound { at: &from, closed: closed & 1 != 0 };
                        let high = Bound { at: &to, closed: closed & 2 != 0 };
                        let found = simplest(Some(low), Some(high));
                        assert_eq!(found, by_trying(low, high), "{low:?} {high:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_numbers_are_no_different() {
        for shift in [60u64, 61, 62, 63, 64, 200] {
            let [one, two, three] = [1, 2, 3].map(|n| Dyadic::new(n, shift));
            let open = |at| Some(Bound { at, closed: false });
            assert_eq!(simplest(open(&one), open(&three)), Some(two.clone()));
            assert_eq!(simplest(open(&one), open(&two)), Some(Dyadic::new(3, shift + 1)));
            let minus = -&one;
            let closed = Bound { at: &minus, closed: true };
            assert_eq!(simplest(None, Some(closed)), Some(Dyadic::from(-1)));
        }
    }
}
