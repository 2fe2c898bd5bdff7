//! A wall or scaffold: value by temperature, from 0 on, in pieces that are constant or have slope
//! ±1. The last slope continues after the last point.

use std::cmp::Ordering;

use crate::dyadic::Dyadic;

/// A corner of a wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The temperature.
    pub t: Dyadic,
    /// The value there.
    pub v: Dyadic,
}

/// A piecewise linear function of the temperature with slopes −1, 0 and 1 only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Corners, the first at temperature 0, none on the line between its neighbours.
    points: Vec<Point>,
    /// The slope after the last corner; 0 for a wall.
    slope: i8,
}

impl Wall {
    pub(crate) fn constant(v: Dyadic) -> Self {
        Self { points: vec![Point { t: Dyadic::ZERO, v }], slope: 0 }
    }

    /// The corners. The first is at temperature 0; after the last one a wall is constant.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The value at the last corner.
    pub fn top(&self) -> &Dyadic {
        &self.points.last().expect("a first corner").v
    }

    /// The value at a temperature that is not negative.
    pub fn at(&self, t: &Dyadic) -> Dyadic {
        let after = self.points.partition_point(|point| point.t <= *t);
        let from = &self.points[after.max(1) - 1];
        along(from, self.slope_after(after.max(1) - 1), t)
    }

    /// The slope of the piece that begins at a corner.
    fn slope_after(&self, corner: usize) -> i8 {
        match self.points.get(corner + 1) {
            None => self.slope,
            Some(next) => match next.v.cmp(&self.points[corner].v) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
        }
    }

    /// Adds or subtracts the temperature.
    pub(crate) fn taxed(&self, sign: i8) -> Self {
        let moved = |point: &Point| Point {
            t: point.t.clone(),
            v: if sign < 0 { &point.v - &point.t } else { &point.v + &point.t },
        };
        Self { points: self.points.iter().map(moved).collect(), slope: self.slope + sign }
    }

    /// The pointwise maximum.
    pub(crate) fn greater(&self, other: &Self) -> Self {
        self.merged(other, Ordering::Greater)
    }

    /// The pointwise minimum.
    pub(crate) fn lesser(&self, other: &Self) -> Self {
        self.merged(other, Ordering::Less)
    }

    fn merged(&self, other: &Self, wanted: Ordering) -> Self {
        let mut points = Vec::new();
        let mut slope = self.slope;
        for piece in pieces(self, other) {
            let order = piece.a.cmp(&piece.b);
            let ahead = piece.slope_a.cmp(&piece.slope_b);
            // At a common point the one that is ahead after it counts.
            let first = if order == Ordering::Equal { ahead } else { order };
            let take_a = first == wanted || first == Ordering::Equal;
            let (v, with) =
                if take_a { (&piece.a, piece.slope_a) } else { (&piece.b, piece.slope_b) };
            points.push(Point { t: piece.t.clone(), v: v.clone() });
            slope = with;
            if let Some((t, v)) = piece.crossing() {
                points.push(Point { t, v });
                slope = if take_a { piece.slope_b } else { piece.slope_a };
            }
        }
        Self { points, slope }.tidy()
    }

    /// The least t from which a falling left scaffold is no longer greater than a rising right one.
    pub(crate) fn meets(&self, right: &Self) -> Dyadic {
        for piece in pieces(self, right) {
            if piece.a <= piece.b {
                return piece.t;
            }
            if let Some((t, _)) = piece.crossing() {
                return t;
            }
        }
        unreachable!("after the last corner scaffolds approach each other")
    }

    /// Makes the wall constant from a temperature on.
    pub(crate) fn cut(&self, t: &Dyadic, v: &Dyadic) -> Self {
        let mut points: Vec<Point> =
            self.points.iter().take_while(|point| point.t < *t).cloned().collect();
        points.push(Point { t: t.clone(), v: v.clone() });
        Self { points, slope: 0 }.tidy()
    }

    /// Removes points that are not corners.
    fn tidy(self) -> Self {
        let mut tidy = Self { points: Vec::with_capacity(self.points.len()), slope: 0 };
        for corner in 0..self.points.len() {
            let slope = self.slope_after(corner);
            if corner == 0 || slope != tidy.slope {
                tidy.points.push(self.points[corner].clone());
            }
            tidy.slope = slope;
        }
        tidy
    }
}

fn along(from: &Point, slope: i8, t: &Dyadic) -> Dyadic {
    match slope {
        0 => from.v.clone(),
        1 => &from.v + &(t - &from.t),
        _ => &from.v - &(t - &from.t),
    }
}

/// Two walls between neighbouring corners of either.
struct Piece {
    t: Dyadic,
    /// The end of the piece, if it has one.
    end: Option<Dyadic>,
    a: Dyadic,
    b: Dyadic,
    slope_a: i8,
    slope_b: i8,
}

impl Piece {
    /// The crossing strictly inside the piece.
    fn crossing(&self) -> Option<(Dyadic, Dyadic)> {
        let gap = &self.a - &self.b;
        let closing = i64::from(self.slope_b) - i64::from(self.slope_a);
        if gap.signum() == 0 || i64::from(gap.signum()) * closing <= 0 {
            return None;
        }
        let time = match closing.abs() {
            1 => gap.abs(),
            _ => gap.abs().half(),
        };
        let t = &self.t + &time;
        if self.end.as_ref().is_some_and(|end| t >= *end) {
            return None;
        }
        let v = along(&Point { t: self.t.clone(), v: self.a.clone() }, self.slope_a, &t);
        Some((t, v))
    }
}

fn pieces(a: &Wall, b: &Wall) -> Vec<Piece> {
    let mut starts: Vec<&Dyadic> = a.points.iter().chain(&b.points).map(|point| &point.t).collect();
    starts.sort_unstable();
    starts.dedup();
    let slope_at = |wall: &Wall, t: &Dyadic| {
        let after = wall.points.partition_point(|point| point.t <= *t);
        wall.slope_after(after - 1)
    };
    let piece = |(i, &t): (usize, &&Dyadic)| Piece {
        t: t.clone(),
        end: starts.get(i + 1).map(|&end| end.clone()),
        a: a.at(t),
        b: b.at(t),
        slope_a: slope_at(a, t),
        slope_b: slope_at(b, t),
    };
    starts.iter().enumerate().map(piece).collect()
}
