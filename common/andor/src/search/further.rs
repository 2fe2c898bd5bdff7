//! Thresholds for searches that would otherwise go in circles.

use crate::numbers::{INFINITE, LIMIT, Numbers};

/// For a search that must make progress at last: squares, and soon no limit.
pub(crate) fn much_further(thresholds: Numbers) -> Numbers {
    let further = |threshold: u32| match threshold.checked_mul(threshold.max(4)) {
        Some(product) if product <= LIMIT => product,
        _ => INFINITE,
    };
    Numbers { proof: further(thresholds.proof), disproof: further(thresholds.disproof) }
}

/// For a search that has been here often.
pub(crate) fn twice(thresholds: Numbers) -> Numbers {
    let twice = |threshold: u32| if threshold > LIMIT / 2 { INFINITE } else { threshold * 2 };
    Numbers { proof: twice(thresholds.proof), disproof: twice(thresholds.disproof) }
}
