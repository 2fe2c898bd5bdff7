//! Ranges of whole numbers as sweep files spell them: `4..10`, `4..=10`, `0..=100 step 5`.

/// `len` numbers from `first`, each `step` after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberRange {
    first: i64,
    step: i64,
    len: usize,
}

/// Why a text is not a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found \"{found}\"{what}; expected a range like 4..=10, 4..10 or 0..=100 step 5")]
pub(crate) struct RangeError {
    found: String,
    what: &'static str,
}

impl NumberRange {
    /// Whether the text is meant as a range: pictures of shapes contain dots too, but never begin
    /// with a digit.
    pub fn is_meant(text: &str) -> bool {
        let digits = text.trim_start().trim_start_matches('-');
        let rest = digits.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '_');
        digits.len() > rest.len() && rest.trim_start().starts_with("..")
    }

    /// Parses a range with at least one number.
    pub fn parse(text: &str) -> Result<Self, RangeError> {
        let refuse = |what| RangeError { found: text.to_string(), what };
        let (first, rest) = text.split_once("..").ok_or_else(|| refuse(""))?;
        let (closed, rest) = match rest.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (last, step) = match rest.split_once("step") {
            Some((last, step)) => (last, number(step).ok_or_else(|| refuse(": no step"))?),
            None => (rest, 1),
        };
        let first = number(first).ok_or_else(|| refuse(": no first number"))?;
        let last = number(last).ok_or_else(|| refuse(": no last number"))?;
        if step < 1 {
            return Err(refuse(": a step below 1"));
        }
        // In 128 bits: the difference of the ends may exceed 64 bits.
        let room = i128::from(last) - i128::from(first) + i128::from(closed);
        if room < 1 {
            return Err(refuse(": no number in it"));
        }
        let len = (room - 1) / i128::from(step) + 1;
        let len = usize::try_from(len).map_err(|_| refuse(": too many numbers"))?;
        Ok(Self { first, step, len })
    }

    /// `len` numbers from `first`; `None` if there are none, or they do not fit.
    pub fn new(first: i64, step: i64, len: usize) -> Option<Self> {
        let last = i64::try_from(len).ok()?.checked_sub(1)?.checked_mul(step)?;
        (step >= 1 && last >= 0 && first.checked_add(last).is_some()).then_some(Self {
            first,
            step,
            len,
        })
    }

    /// The first number and the distance to the next.
    pub fn ends(&self) -> (i64, i64) {
        (self.first, self.step)
    }

    /// Number of values; never 0.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Number `at`, from 0.
    pub fn get(&self, at: usize) -> i64 {
        self.first + self.step * at as i64
    }
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim().replace('_', "");
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<i64> {
        let range = NumberRange::parse(text).unwrap();
        (0..range.len()).map(|at| range.get(at)).collect()
    }

    #[test]
    fn ends_and_steps_are_as_in_rust() {
        assert_eq!(numbers("4..=7"), [4, 5, 6, 7]);
        assert_eq!(numbers("4..7"), [4, 5, 6]);
        assert_eq!(numbers("-2 ..= 2"), [-2, -1, 0, 1, 2]);
        assert_eq!(numbers("0..=100 step 50"), [0, 50, 100]);
        assert_eq!(numbers("0..100 step 50"), [0, 50]);
        assert_eq!(numbers("1_000..=1_001"), [1000, 1001]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |text| NumberRange::parse(text).unwrap_err().to_string();
        let expected = "; expected a range like 4..=10, 4..10 or 0..=100 step 5";
        assert_eq!(wrong("4..4"), format!("found \"4..4\": no number in it{expected}"));
        assert_eq!(wrong("4..x"), format!("found \"4..x\": no last number{expected}"));
        assert_eq!(
            wrong("4..9 step 0"),
            format!("found \"4..9 step 0\": a step below 1{expected}")
        );
        let all = format!("{}..={}", i64::MIN, i64::MAX);
        assert!(wrong(&all).contains("too many") || usize::BITS == 64, "{all}");
    }

    #[test]
    fn pictures_are_no_ranges() {
        assert!(NumberRange::is_meant("4..=10") && NumberRange::is_meant("-4 .. 10"));
        assert!(!NumberRange::is_meant(".##/##.") && !NumberRange::is_meant("#..#"));
        assert!(!NumberRange::is_meant("6x6") && !NumberRange::is_meant(""));
    }
}
