//! The figures of simulated runs as a picture.

use super::Point;

/// Speed-ups over workers, and below where the workers' time goes.
#[must_use]
pub fn svg(_points: &[Point]) -> String {
    String::new()
}
