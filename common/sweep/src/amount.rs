//! Counts, sizes and durations as people write them: `600k`, `5M`, `2GiB`, `30s`. Sweep files and
//! the command line read them with the same parsers.

use std::time::Duration;

/// Why a text is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// It is not a whole number with one of the units.
    #[error("expected a {what}")]
    Form {
        /// What was expected, with examples.
        what: &'static str,
    },
    /// The number does not fit into 64 bits.
    #[error("the number is too large")]
    TooLarge,
}

/// A number of things: `1000`, `1_000`, `600k`, `5M`, `2G`.
pub fn count(text: &str) -> Result<u64, AmountError> {
    const UNITS: &[(&str, u64)] =
        &[("", 1), ("k", 1_000), ("K", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];
    amount(text, UNITS, "whole number, like 600000, 600k or 5M")
}

/// A size in bytes: `512KiB`, `256MiB`, `2GiB`. The unit is required; `K`, `M`, `G` and `T` are
/// binary units too, and `kB`, `MB`, `GB` and `TB` are decimal.
pub fn bytes(text: &str) -> Result<u64, AmountError> {
    const UNITS: &[(&str, u64)] = &[
        ("B", 1),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("K", 1 << 10),
        ("M", 1 << 20),
        ("G", 1 << 30),
        ("T", 1 << 40),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
    ];
    amount(text, UNITS, "size with a unit, like 256MiB or 2GiB")
}

/// A duration: `500ms`, `30s`, `5min`, `2h`. The unit is required.
pub fn duration(text: &str) -> Result<Duration, AmountError> {
    const UNITS: &[(&str, u64)] =
        &[("ms", 1), ("s", 1_000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    amount(text, UNITS, "duration with a unit, like 500ms, 30s or 5min").map(Duration::from_millis)
}

fn amount(text: &str, units: &[(&str, u64)], what: &'static str) -> Result<u64, AmountError> {
    let text = text.trim().replace('_', "");
    let digits = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    let unit = units.iter().find(|(name, _)| *name == &text[digits.len()..]);
    // No sign: +5 is not an amount.
    let plain = !digits.is_empty() && digits.chars().all(|sign| sign.is_ascii_digit());
    match unit {
        Some((_, unit)) if plain => {
            let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(*unit));
            number.ok_or(AmountError::TooLarge)
        }
        _ => Err(AmountError::Form { what }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_a_unit() {
        let cases = [("600k", 600_000), ("5M", 5_000_000), ("1_000", 1000), ("2G", 2_000_000_000)];
        for (text, number) in cases {
            assert_eq!(count(text), Ok(number), "{text}");
        }
        for wrong in ["", "k", "-5", "+5", "5m", "5 k", "1.5M", "5MiB"] {
            assert!(matches!(count(wrong), Err(AmountError::Form { .. })), "{wrong}");
        }
        for large in ["99999999999999999999", "99999999999G"] {
            assert_eq!(count(large), Err(AmountError::TooLarge), "{large}");
        }
    }

    #[test]
    fn sizes_need_a_unit() {
        let cases = [
            ("1MiB", 1_048_576),
            ("2GiB", 2_147_483_648),
            ("2G", 2_147_483_648),
            ("3MB", 3_000_000),
            ("512KiB", 524_288),
        ];
        for (text, number) in cases {
            assert_eq!(bytes(text), Ok(number), "{text}");
        }
        for wrong in ["64", "64mib", "1.5GiB", "GiB"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("5min"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert!(duration("30").is_err() && duration("30 s").is_err());
    }
}
