//! The part of the plane that a drawing shows, and the numbers at its edges.

use crate::draw::Drawn;
use crate::dyadic::Dyadic;

/// The part of the plane that holds all walls, with some mast above.
pub(super) struct Plan {
    pub(super) least: f64,
    pub(super) greatest: f64,
    pub(super) top: f64,
    /// Temperatures of corners, rising.
    pub(super) temperatures: Vec<Dyadic>,
    /// Values of corners, rising.
    pub(super) values: Vec<Dyadic>,
}

impl Plan {
    /// `None` if there is nothing to draw, or nothing that floats can place.
    pub(super) fn new(drawn: &[Drawn]) -> Option<Self> {
        let walls = drawn.iter().flat_map(|one| [&one.thermograph.left, &one.thermograph.right]);
        let points = walls.flat_map(|wall| wall.points());
        let (mut temperatures, mut values) = (vec![Dyadic::ZERO], Vec::new());
        for point in points {
            temperatures.push(point.t.clone());
            values.push(point.v.clone());
        }
        for numbers in [&mut temperatures, &mut values] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let (mut least, mut greatest) = (values.first()?.to_f64(), values.last()?.to_f64());
        let hottest = temperatures.last()?.to_f64();
        if greatest <= least {
            // Only a mast: place it in the middle.
            let half = if hottest > 0.0 { hottest } else { 1.0 };
            (least, greatest) = (least - half, greatest + half);
        }
        let top = if hottest > 0.0 { hottest * 1.25 } else { (greatest - least) / 2.0 };
        let fits = [least, greatest, top, greatest - least].iter().all(|edge| edge.is_finite());
        // If the walls lie closer than floats can distinguish, a drawing would show nothing.
        let apart = greatest - least > f64::EPSILON * greatest.abs().max(least.abs()) * 1e3;
        (fits && apart && top > 0.0).then_some(Self { least, greatest, top, temperatures, values })
    }
}
