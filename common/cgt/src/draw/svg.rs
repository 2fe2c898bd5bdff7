//! Thermographs as SVG.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::Drawn;
use super::plan::Plan;
use super::text::short;
use crate::dyadic::Dyadic;
use crate::thermograph::Wall;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
/// Room for the numbers at the edges.
const MARGIN: f64 = 64.0;
/// Tick marks closer than this would overlap.
const APART: f64 = 34.0;
const COLOURS: [&str; 8] =
    ["#1f4e9c", "#b3261e", "#2e7d32", "#8e5a00", "#6a1b9a", "#00796b", "#5d4037", "#455a64"];

/// One picture of all thermographs, each in its colour.
pub fn svg(drawn: &[Drawn]) -> String {
    picture(drawn).into_string()
}

pub(super) fn picture(drawn: &[Drawn]) -> Markup {
    let height = HEIGHT + 20.0 * drawn.len() as f64;
    let titles: Vec<&str> = drawn.iter().map(|one| one.title.as_str()).collect();
    let coloured = || drawn.iter().zip(COLOURS.iter().cycle());
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height)
            viewBox={ "0 0 " (WIDTH) " " (height) } font-family="sans-serif" font-size="13" {
            "\n"
            title { (titles.join("; ")) }
            rect width=(WIDTH) height=(height) fill="white" {}
            "\n"
            @if let Some(plan) = Plan::new(drawn) {
                (axes(&plan))
                @for (one, colour) in coloured() { (walls(&plan, one, colour)) }
            } @else {
                text x="64" y="80" { "no drawing: the numbers are too large, or too close" }
            }
            @for (number, (one, colour)) in coloured().enumerate() {
                @let y = HEIGHT + 20.0 * number as f64 + 6.0;
                rect x=(MARGIN) y=(y - 7.0) width="18" height="4" fill=(colour) {}
                text x=(MARGIN + 26.0) y=(y) { (one.title) }
                "\n"
            }
        }
        "\n"
    }
}

impl Plan {
    /// Values grow to the left.
    fn x(&self, v: f64) -> f64 {
        let width = self.greatest - self.least;
        MARGIN + (self.greatest - v) / width * (WIDTH - 2.0 * MARGIN)
    }

    /// Temperatures grow upwards.
    fn y(&self, t: f64) -> f64 {
        HEIGHT - MARGIN - t / self.top * (HEIGHT - 1.5 * MARGIN)
    }
}

fn axes(plan: &Plan) -> Markup {
    let (left, right) = (MARGIN - 16.0, WIDTH - MARGIN + 16.0);
    let (floor, top) = (plan.y(0.0), plan.y(plan.top));
    let temperatures = apart(&plan.temperatures, APART / 2.0, |t| plan.y(t.to_f64()));
    let values = apart(&plan.values, APART, |v| plan.x(v.to_f64()));
    html! {
        path d=(format_args!("M{left} {top:.2}V{floor:.2}H{right}")) fill="none" stroke="black" {}
        "\n"
        @for (y, t) in temperatures {
            path d=(format_args!("M{left} {y:.2}h-5")) stroke="black" {}
            path d=(format_args!("M{left} {y:.2}H{right}")) stroke="#dddddd" {}
            text x=(left - 8.0) y=(format_args!("{:.2}", y + 4.0)) text-anchor="end" { (short(t)) }
            "\n"
        }
        @for (x, v) in values {
            path d=(format_args!("M{x:.2} {floor:.2}v5")) stroke="black" {}
            text x=(format_args!("{x:.2}")) y=(format_args!("{:.2}", floor + 20.0))
                text-anchor="middle" { (short(v)) }
            "\n"
        }
        text x=(left) y=(format_args!("{:.2}", top - 8.0)) text-anchor="middle" { "t" }
        text x=(format_args!("{right:.2}")) y=(format_args!("{:.2}", floor + 40.0))
            text-anchor="end" { "value, growing to the left" }
        "\n"
    }
}

/// Numbers with their positions, without those that would overlap the one before.
fn apart(numbers: &[Dyadic], least: f64, place: impl Fn(&Dyadic) -> f64) -> Vec<(f64, &Dyadic)> {
    let mut shown: Vec<(f64, &Dyadic)> = Vec::new();
    for number in numbers {
        let at = place(number);
        if shown.last().is_none_or(|(last, _)| last - at >= least) {
            shown.push((at, number));
        }
    }
    shown
}

fn walls(plan: &Plan, one: &Drawn, colour: &str) -> Markup {
    html! {
        @for wall in [&one.thermograph.left, &one.thermograph.right] {
            polyline points=(places(plan, wall)) fill="none" stroke=(colour) stroke-width="2" {}
            "\n"
        }
    }
}

/// The corners, and the mast up to the top.
fn places(plan: &Plan, wall: &Wall) -> String {
    let mut text = String::new();
    for point in wall.points() {
        let (x, y) = (plan.x(point.v.to_f64()), plan.y(point.t.to_f64()));
        let _ = write!(text, "{x:.2},{y:.2} ");
    }
    let _ = write!(text, "{:.2},{:.2}", plan.x(wall.top().to_f64()), plan.y(plan.top));
    text
}
