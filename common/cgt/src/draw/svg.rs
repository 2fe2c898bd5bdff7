//! Thermographs as SVG.

use std::fmt::Write as _;

use super::Drawn;
use super::plan::Plan;
use super::text::short;
use crate::thermograph::Wall;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
/// Room for the numbers around.
const MARGIN: f64 = 64.0;
/// Tick marks closer than this would be printed over each other.
const APART: f64 = 34.0;
const COLOURS: [&str; 8] =
    ["#1f4e9c", "#b3261e", "#2e7d32", "#8e5a00", "#6a1b9a", "#00796b", "#5d4037", "#455a64"];

/// One picture of all, each in its colour.
pub fn svg(drawn: &[Drawn]) -> String {
    let legend = 20.0 * drawn.len() as f64;
    let height = HEIGHT + legend;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n",
        escaped(&drawn.iter().map(|one| one.title.as_str()).collect::<Vec<_>>().join("; "))
    );
    match Plan::new(drawn) {
        Some(plan) => {
            axes(&mut text, &plan);
            for (number, one) in drawn.iter().enumerate() {
                walls(&mut text, &plan, one, COLOURS[number % COLOURS.len()]);
            }
        }
        None => text.push_str(
            "<text x=\"64\" y=\"80\">no drawing: the numbers are too large, or too close</text>\n",
        ),
    }
    for (number, one) in drawn.iter().enumerate() {
        let y = HEIGHT + 20.0 * number as f64 + 6.0;
        let colour = COLOURS[number % COLOURS.len()];
        let _ = writeln!(
            text,
            "<rect x=\"{MARGIN}\" y=\"{}\" width=\"18\" height=\"4\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{y}\">{}</text>",
            y - 7.0,
            MARGIN + 26.0,
            escaped(&one.title)
        );
    }
    text.push_str("</svg>\n");
    text
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

fn axes(text: &mut String, plan: &Plan) {
    let (left, right) = (MARGIN - 16.0, WIDTH - MARGIN + 16.0);
    let floor = plan.y(0.0);
    let _ = writeln!(
        text,
        "<path d=\"M{left} {:.2}V{floor:.2}H{right}\" fill=\"none\" stroke=\"black\"/>",
        plan.y(plan.top)
    );
    let mut last = f64::INFINITY;
    for t in &plan.temperatures {
        let y = plan.y(t.to_f64());
        if last - y < APART / 2.0 {
            continue;
        }
        last = y;
        let _ = writeln!(
            text,
            "<path d=\"M{left} {y:.2}h-5\" stroke=\"black\"/>\
             <path d=\"M{left} {y:.2}H{right}\" stroke=\"#dddddd\"/>\
             <text x=\"{}\" y=\"{:.2}\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            y + 4.0,
            short(t)
        );
    }
    let mut last = f64::INFINITY;
    for v in &plan.values {
        let x = plan.x(v.to_f64());
        if last - x < APART {
            continue;
        }
        last = x;
        let _ = writeln!(
            text,
            "<path d=\"M{x:.2} {floor:.2}v5\" stroke=\"black\"/>\
             <text x=\"{x:.2}\" y=\"{:.2}\" text-anchor=\"middle\">{}</text>",
            floor + 20.0,
            short(v)
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{left}\" y=\"{:.2}\" text-anchor=\"middle\">t</text>\
         <text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"end\">value, growing to the left</text>",
        plan.y(plan.top) - 8.0,
        right,
        floor + 40.0
    );
}

fn walls(text: &mut String, plan: &Plan, one: &Drawn, colour: &str) {
    for wall in [&one.thermograph.left, &one.thermograph.right] {
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            places(plan, wall)
        );
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

/// Text that may stand in a document.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter => safe.push(letter),
        }
    }
    safe
}
