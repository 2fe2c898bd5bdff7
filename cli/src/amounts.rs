//! Counts, sizes and durations on the command line, as sweep files spell them.

use std::time::Duration;

use hasami_spec::SearchSettings;
use hasami_sweep::amount;

/// A number of nodes, steps or positions from 1: `600k`, `5M`.
pub fn count(text: &str) -> Result<u64, String> {
    match amount::count(text) {
        Ok(0) => Err("expected a number from 1, like 600000, 600k or 5M".to_string()),
        other => other.map_err(|error| error.to_string()),
    }
}

/// A size from 1 MiB to 16 TiB, in MiB: `256MiB`, `2GiB`.
pub fn mebibytes(text: &str) -> Result<u64, String> {
    let mib = amount::bytes(text).map_err(|error| error.to_string())? >> 20;
    if (1..=16 << 20).contains(&mib) {
        Ok(mib)
    } else {
        Err("expected a size from 1MiB to 16TiB".to_string())
    }
}

/// A limit on time from 10 ms to a year: `30s`, `2h`.
pub fn limit(text: &str) -> Result<Duration, String> {
    let duration = amount::duration(text).map_err(|error| error.to_string())?;
    if (SearchSettings::MIN_TIME_LIMIT..=SearchSettings::MAX_TIME_LIMIT).contains(&duration) {
        Ok(duration)
    } else {
        Err("expected a duration from 10ms to 365d".to_string())
    }
}

/// How long ago something was: `12h`, `30d`.
pub fn age(text: &str) -> Result<Duration, String> {
    amount::duration(text).map_err(|error| error.to_string())
}

/// A duration from 10 ms to a day: `500ms`, `30s`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let duration = amount::duration(text).map_err(|error| error.to_string())?;
    if (Duration::from_millis(10)..=Duration::from_secs(86_400)).contains(&duration) {
        Ok(duration)
    } else {
        Err("expected a duration from 10ms to 24h".to_string())
    }
}
