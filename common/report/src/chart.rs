//! Charts as SVG: lines, points and bars over two axes, each linear or logarithmic. A chart needs no
//! other file, can be read on light and on dark ground, and says in words what it shows.

mod axis;
mod draw;

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its heading.
    pub title: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from bottom to top.
    pub y: Axis,
    /// What is drawn, in the order of the legend.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// How numbers become distances.
    pub scale: Scale,
}

/// How the numbers of an axis become distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart. Numbers that are not above 0 are left out.
    Log,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// How its points are drawn.
    pub shape: Shape,
    /// Its points, x and y. Those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Joined in their order, with a mark on each if there are few.
    Line,
    /// A mark for each.
    Points,
    /// A bar from the bottom for each; bars of several series stand side by side.
    Bars,
}

impl Axis {
    /// A linear axis.
    #[must_use]
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_string(), scale: Scale::Linear }
    }

    /// A logarithmic axis.
    #[must_use]
    pub fn log(label: &str) -> Self {
        Self { label: label.to_string(), scale: Scale::Log }
    }
}

impl Series {
    /// A series of points.
    #[must_use]
    pub fn new(name: &str, shape: Shape, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_string(), shape, points }
    }
}

impl Chart {
    /// The chart as an SVG element, which is a whole file as well.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(self).into_string()
    }

    /// The points of a series that can be drawn.
    fn shown<'a>(&self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + use<'a> {
        let fits =
            |scale: Scale| move |v: f64| v.is_finite() && (scale == Scale::Linear || v > 0.0);
        let (x, y) = (fits(self.x.scale), fits(self.y.scale));
        series.points.iter().copied().filter(move |point| x(point.0) && y(point.1))
    }

    /// All points that can be drawn.
    fn all_shown(&self) -> impl Iterator<Item = (f64, f64)> {
        self.series.iter().flat_map(|series| self.shown(series))
    }

    fn has_bars(&self) -> bool {
        self.series.iter().any(|series| series.shape == Shape::Bars)
    }
}

#[cfg(test)]
mod tests;
