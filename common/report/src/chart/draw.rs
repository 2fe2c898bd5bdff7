//! A chart as SVG. Colours are attributes, so that every program can draw them; a style sheet has
//! those for dark ground. Series differ in colour, in their marks and in how their lines are broken.

use maud::{Markup, PreEscaped, html};
use unicode_width::UnicodeWidthStr as _;

use super::axis::{Ruler, distinct, written};
use super::{Chart, Scale, Series, Shape};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const HIGH: f64 = 300.0;
const BOTTOM: f64 = 56.0;
/// Height of a row of the legend.
const ROW: f64 = 20.0;
/// Width of a letter, about.
const LETTER: f64 = 7.0;
/// Most points of a line that get marks.
const MOST_MARKED: usize = 40;

const LIGHT: [&str; 6] = ["#1957a8", "#b3541e", "#2c7a45", "#8a3ea8", "#8a6a00", "#3d4550"];
const DARK: [&str; 6] = ["#8fbcf5", "#f0a06a", "#7fce95", "#d9a3ee", "#e5c558", "#c6ced8"];
const DASHES: [&str; 3] = ["none", "7 4", "2 3"];

/// Where things are on the page.
struct Plot<'a> {
    chart: &'a Chart,
    x: Ruler,
    y: Ruler,
    top: f64,
    /// Space left free on both sides of the data.
    margin: f64,
    /// Width of all bars at one place.
    bars: f64,
}

impl<'a> Plot<'a> {
    fn new(chart: &'a Chart, legend_rows: usize) -> Self {
        let x = Ruler::tight(chart.x.scale, chart.all_shown().map(|point| point.0));
        let y = chart.all_shown().map(|point| point.1);
        let y = Ruler::round(chart.y.scale, y, chart.has_bars());
        let wide = WIDTH - LEFT - RIGHT;
        let (mut margin, mut bars) = (12.0, 0.0);
        if chart.has_bars() {
            let at = distinct(chart.all_shown().map(|point| point.0));
            let gaps = at.windows(2).map(|pair| x.place(pair[1]) - x.place(pair[0]));
            let gap = gaps.fold(1.0, f64::min);
            margin = wide * gap / 2.0 / (1.0 + gap);
            bars = (wide - 2.0 * margin) * gap * 0.86;
        }
        Self { chart, x, y, top: TOP + ROW * legend_rows as f64, margin, bars }
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + self.margin + self.x.place(x) * (WIDTH - LEFT - RIGHT - 2.0 * self.margin)
    }

    fn down(&self, y: f64) -> f64 {
        self.top + HIGH * (1.0 - self.y.place(y))
    }

    fn bottom(&self) -> f64 {
        self.top + HIGH
    }
}

pub(super) fn svg(chart: &Chart) -> Markup {
    let entries = legend_places(chart);
    let plot = Plot::new(chart, entries.last().map_or(0, |(_, row)| row + 1));
    let height = plot.bottom() + BOTTOM;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class="chart" width=(WIDTH) height=(height)
            viewBox={ "0 0 " (WIDTH) " " (height) } font-family="sans-serif" font-size="12"
            fill="#1d2126" role="img" {
            title { (chart.title) }
            desc { (in_words(chart)) }
            style { (PreEscaped(style())) }
            rect class="ground" width=(WIDTH) height=(height) fill="#ffffff" {}
            text x=(LEFT) y="24" font-size="15" font-weight="bold" { (chart.title) }
            @for (at, (series, (x, row))) in chart.series.iter().zip(&entries).enumerate() {
                (legend(at, series, LEFT + x, TOP + ROW * *row as f64))
            }
            (axes(&plot))
            @for (at, series) in chart.series.iter().enumerate() { (drawn(&plot, at, series)) }
        }
    }
}

/// Distance from the left, and row, of each entry of the legend.
fn legend_places(chart: &Chart) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (0.0, 0);
    let place = |series: &Series| {
        let wide = 40.0 + LETTER * series.name.width() as f64;
        if x > 0.0 && x + wide > WIDTH - LEFT - RIGHT {
            (x, row) = (0.0, row + 1);
        }
        let here = (x, row);
        x += wide;
        here
    };
    chart.series.iter().map(place).collect()
}

fn legend(at: usize, series: &Series, x: f64, y: f64) -> Markup {
    let middle = y + 6.0;
    html! {
        @match series.shape {
            Shape::Bars => {
                rect class=(format!("f{}", colour(at))) x=(n(x)) y=(n(y)) width="16" height="12"
                    fill=(LIGHT[colour(at)]) {}
            }
            Shape::Line => { (line(at, &[(x, middle), (x + 20.0, middle)])) (mark(at, x + 10.0, middle, "")) }
            Shape::Points => { (mark(at, x + 10.0, middle, "")) }
        }
        text class="ink" x=(n(x + 26.0)) y=(n(y + 10.0)) { (series.name) }
    }
}

fn axes(plot: &Plot<'_>) -> Markup {
    let (chart, bottom) = (plot.chart, plot.bottom());
    let wide = WIDTH - LEFT - RIGHT;
    let across = plot.x.ticks_at(chart.all_shown().map(|point| point.0), 30.0 / wide);
    let (middle_x, middle_y) = (LEFT + wide / 2.0, plot.top + HIGH / 2.0);
    html! {
        g class="soft" fill="#5c6675" stroke="none" {
            @for tick in plot.y.ticks() {
                @let y = plot.down(tick);
                line class="rule" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(n(y)) y2=(n(y)) stroke="#dfe2e6" {}
                text x=(LEFT - 8.0) y=(n(y + 4.0)) text-anchor="end" { (written(tick)) }
            }
            @for tick in across {
                @let x = plot.across(tick);
                line class="rule" x1=(n(x)) x2=(n(x)) y1=(n(bottom)) y2=(n(bottom + 5.0)) stroke="#dfe2e6" {}
                text x=(n(x)) y=(n(bottom + 18.0)) text-anchor="middle" { (written(tick)) }
            }
        }
        line class="edge" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(n(bottom)) y2=(n(bottom)) stroke="#5c6675" {}
        text class="ink" x=(n(middle_x)) y=(n(bottom + 42.0)) text-anchor="middle" { (chart.x.label) }
        text class="ink" x="16" y=(n(middle_y)) text-anchor="middle"
            transform=(format!("rotate(-90 16 {})", n(middle_y))) { (chart.y.label) }
    }
}

fn drawn(plot: &Plot<'_>, at: usize, series: &Series) -> Markup {
    let points: Vec<(f64, f64)> = plot.chart.shown(series).collect();
    let places: Vec<(f64, f64)> =
        points.iter().map(|&(x, y)| (plot.across(x), plot.down(y))).collect();
    let said = |(x, y): (f64, f64)| format!("{}: {}, {}", series.name, written(x), written(y));
    let marked = series.shape == Shape::Points || places.len() <= MOST_MARKED;
    html! {
        @if series.shape == Shape::Bars {
            @for (&place, &point) in places.iter().zip(&points) { (bar(plot, at, place, &said(point))) }
        } @else {
            @if series.shape == Shape::Line && places.len() > 1 { (line(at, &places)) }
            @if marked {
                @for (place, &point) in places.iter().zip(&points) {
                    (mark(at, place.0, place.1, &said(point)))
                }
            }
        }
    }
}

fn bar(plot: &Plot<'_>, at: usize, (x, y): (f64, f64), said: &str) -> Markup {
    let all = &plot.chart.series;
    let of_bars = |series: &&Series| series.shape == Shape::Bars;
    let (before, count) =
        (all[..at].iter().filter(of_bars).count(), all.iter().filter(of_bars).count());
    let wide = plot.bars / count as f64;
    let left = x - plot.bars / 2.0 + wide * before as f64;
    // On a linear axis bars stand on 0, which may be above the bottom.
    let (low, _) = plot.y.ends();
    let foot = if plot.chart.y.scale == Scale::Linear { low.max(0.0) } else { low };
    let foot = plot.down(foot);
    html! {
        rect class=(format!("f{}", colour(at))) x=(n(left)) y=(n(y.min(foot)))
            width=(n((wide - 1.0).max(1.0))) height=(n((foot - y).abs())) fill=(LIGHT[colour(at)]) {
            title { (said) }
        }
    }
}

fn line(at: usize, places: &[(f64, f64)]) -> Markup {
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{},{}", n(*x), n(*y))).collect();
    let dash = DASHES[at / LIGHT.len() % DASHES.len()];
    html! {
        polyline class=(format!("k{}", colour(at))) points=(points.join(" ")) fill="none"
            stroke=(LIGHT[colour(at)]) stroke-width="2" stroke-dasharray=(dash) {}
    }
}

/// The mark of a series: a circle, a square, a triangle or a diamond.
fn mark(at: usize, x: f64, y: f64, said: &str) -> Markup {
    let corners: &[(f64, f64)] = match at % 4 {
        0 => &[],
        1 => &[(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)],
        2 => &[(0.0, -4.5), (4.5, 3.5), (-4.5, 3.5)],
        _ => &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
    };
    let (class, fill) = (format!("f{}", colour(at)), LIGHT[colour(at)]);
    let corners: Vec<String> =
        corners.iter().map(|(a, b)| format!("{},{}", n(x + a), n(y + b))).collect();
    html! {
        @if corners.is_empty() {
            circle class=(class) cx=(n(x)) cy=(n(y)) r="4" fill=(fill) { (tooltip(said)) }
        } @else {
            polygon class=(class) points=(corners.join(" ")) fill=(fill) { (tooltip(said)) }
        }
    }
}

fn tooltip(said: &str) -> Markup {
    html! { @if !said.is_empty() { title { (said) } } }
}

/// What the chart shows, for those who do not see it.
fn in_words(chart: &Chart) -> String {
    let axis = |axis: &super::Axis, pick: fn((f64, f64)) -> f64| {
        let values = distinct(chart.all_shown().map(pick));
        let range = match (values.first(), values.last()) {
            (Some(low), Some(high)) => format!(", {} to {}", written(*low), written(*high)),
            _ => String::new(),
        };
        let log = if axis.scale == Scale::Log { ", logarithmic" } else { "" };
        format!("{}{range}{log}", axis.label)
    };
    let series = chart.series.iter().map(|series| {
        let points = chart.shown(series).count();
        format!("{} ({points} {})", series.name, if points == 1 { "point" } else { "points" })
    });
    format!(
        "Across: {}. Up: {}. Series: {}.",
        axis(&chart.x, |point| point.0),
        axis(&chart.y, |point| point.1),
        series.collect::<Vec<_>>().join(", ")
    )
}

/// Colours for dark ground; only charts are meant, wherever they are.
fn style() -> String {
    let mut rules = vec![
        ".chart .ground{fill:#1c2026}".to_string(),
        ".chart{fill:#e6e8eb}".to_string(),
        ".chart .soft{fill:#a0abb8}".to_string(),
        ".chart .rule{stroke:#343a42}".to_string(),
        ".chart .edge{stroke:#a0abb8}".to_string(),
    ];
    for (at, colour) in DARK.iter().enumerate() {
        rules.push(format!(".chart .f{at}{{fill:{colour}}}.chart .k{at}{{stroke:{colour}}}"));
    }
    format!("@media(prefers-color-scheme:dark){{{}}}", rules.concat())
}

fn colour(at: usize) -> usize {
    at % LIGHT.len()
}

/// A length in tenths.
fn n(length: f64) -> String {
    let text = format!("{length:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}
