//! Numbers, durations and times as people read them.

use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;

/// Milliseconds since 1970.
#[must_use]
pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// A time as `2026-01-31T23:59:59Z`.
#[must_use]
pub fn utc(ms: u64) -> String {
    let time =
        i64::try_from(ms / 1000).ok().and_then(|s| OffsetDateTime::from_unix_timestamp(s).ok());
    let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = time.to_calendar_date();
    let (hour, minute, second) = time.to_hms();
    format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
}

/// A duration in two units at most: `350 ms`, `12.3 s`, `4 min 05 s`, `3 h 20 min`, `2 d 04 h`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "?".to_string();
    }
    let whole = seconds.round() as u64;
    match seconds {
        ..0.9995 => format!("{:.0} ms", seconds * 1000.0),
        ..59.95 => format!("{seconds:.1} s"),
        _ if whole < 3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ if whole < 86_400 => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} d {:02} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

/// A large number in short: `950`, `12.3k`, `4.56M`, `7.89G`.
#[must_use]
pub fn short(number: f64) -> String {
    match number {
        ..999.5 => format!("{number:.0}"),
        ..999_950.0 => format!("{:.1}k", number / 1e3),
        ..999_995_000.0 => format!("{:.2}M", number / 1e6),
        _ => format!("{:.2}G", number / 1e9),
    }
}

/// A part of a whole: `62 %`; never 100 % before all is done.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "100 %".to_string(),
        _ => format!("{} %", u128::from(part) * 100 / u128::from(whole)),
    }
}

/// `1 item`, `2 items`.
#[must_use]
pub fn counted(number: u64, thing: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {thing}{end}", grouped(number))
}

/// 1234567 as `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes with a unit that fits: `812 B`, `1.4 KiB`, `3.0 MiB`.
#[must_use]
pub fn bytes(number: u64) -> String {
    let scaled = number as f64;
    match number {
        0..1024 => format!("{number} B"),
        1024..1_048_576 => format!("{:.1} KiB", scaled / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", scaled / 1_048_576.0),
        _ => format!("{:.1} GiB", scaled / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_change_their_units_where_people_do() {
        for (seconds, words) in [
            (0.0, "0 ms"),
            (0.9994, "999 ms"),
            (0.9996, "1.0 s"),
            (59.94, "59.9 s"),
            (59.96, "1 min 00 s"),
            (245.0, "4 min 05 s"),
            (3599.6, "1 h 00 min"),
            (12_000.0, "3 h 20 min"),
            (187_200.0, "2 d 04 h"),
            (-1.0, "?"),
            (f64::NAN, "?"),
        ] {
            assert_eq!(duration(seconds), words, "{seconds}");
        }
    }

    #[test]
    fn short_numbers_keep_three_digits() {
        let words: Vec<_> =
            [0.0, 999.0, 999.6, 12_345.0, 999_960.0, 4_560_000.0, 7.89e9].map(short).into();
        assert_eq!(words, ["0", "999", "1.0k", "12.3k", "1.00M", "4.56M", "7.89G"]);
    }

    #[test]
    fn all_but_one_is_not_everything() {
        assert_eq!(percent(9_999, 10_000), "99 %");
        assert_eq!(percent(10_000, 10_000), "100 %");
        assert_eq!(percent(0, 0), "100 %");
    }

    #[test]
    fn times_are_utc() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(1_709_210_096_789), "2024-02-29T12:34:56Z");
    }
}
