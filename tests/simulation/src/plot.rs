//! The figures of simulated runs as a picture: speed-ups, and below where the workers' time goes.

use std::fmt::Write as _;

use hasami_spec::Partitioner;

use super::Point;

const LEFT: f64 = 60.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
/// Height of one row of bars.
const ROW: f64 = 90.0;
const COLOURS: [&str; 6] = ["#26547c", "#c8553d", "#5b8e7d", "#8a6fa8", "#b58b00", "#666"];
/// Searching, waiting, talking.
const PARTS: [(&str, &str); 3] =
    [("search", "#5b8e7d"), ("idle", "#dddddd"), ("messages and store", "#c8553d")];

/// Places points on axes that double with every step.
struct Axes {
    steps: f64,
}

impl Axes {
    fn x(&self, workers: usize) -> f64 {
        LEFT + WIDTH * (workers.max(1) as f64).log2() / self.steps
    }

    fn y(&self, speedup: f64) -> f64 {
        20.0 + HEIGHT * (1.0 - speedup.max(0.5).log2() / self.steps)
    }
}

/// One picture for all points: a line for each partitioner, then a row of bars for each.
#[must_use]
pub fn svg(points: &[Point]) -> String {
    let mut kinds: Vec<Partitioner> = Vec::new();
    for point in points {
        if !kinds.contains(&point.partitioner) {
            kinds.push(point.partitioner);
        }
    }
    let most = points.iter().map(|point| point.workers).max().unwrap_or(1).max(2);
    let axes = Axes { steps: (most as f64).log2().ceil() };
    let (width, height) = (LEFT + WIDTH + 60.0, HEIGHT + 90.0 + ROW * kinds.len() as f64);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>speed-up over workers</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    grid(&mut text, &axes);
    for (place, &kind) in kinds.iter().enumerate() {
        let own: Vec<&Point> = points.iter().filter(|point| point.partitioner == kind).collect();
        let colour = COLOURS[place % COLOURS.len()];
        line(&mut text, &axes, &own, colour);
        let y = 36.0 + 16.0 * place as f64;
        let _ =
            writeln!(text, "<text x=\"{}\" y=\"{y}\" fill=\"{colour}\">{kind}</text>", LEFT + 8.0);
        bars(&mut text, &axes, &own, HEIGHT + 70.0 + ROW * place as f64);
    }
    for (place, (name, colour)) in PARTS.iter().enumerate() {
        let x = LEFT + 150.0 * place as f64;
        let y = height - 12.0;
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{y}\">{name}</text>",
            y - 9.0,
            x + 14.0
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Both axes, and the line of the best that could be expected.
fn grid(text: &mut String, axes: &Axes) {
    let (right, bottom) = (LEFT + WIDTH, 20.0 + HEIGHT);
    for step in 0..=axes.steps as u32 {
        let count = 1usize << step;
        let (x, y) = (axes.x(count), axes.y(count as f64));
        let _ = writeln!(
            text,
            "<path d=\"M{x:.1} 20V{bottom}M{LEFT} {y:.1}H{right}\" stroke=\"#eee\" fill=\"none\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{count}</text>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{count}×</text>",
            bottom + 16.0,
            LEFT - 6.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        text,
        "<path d=\"M{LEFT} {bottom}L{right} 20\" stroke=\"#bbb\" stroke-dasharray=\"4 4\"/>"
    );
}

fn line(text: &mut String, axes: &Axes, points: &[&Point], colour: &str) {
    let place =
        |point: &&Point| format!("{:.1},{:.1}", axes.x(point.workers), axes.y(point.speedup));
    let places: Vec<String> = points.iter().map(place).collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        places.join(" ")
    );
}

/// A bar for each point, stacked from searching up to talking.
fn bars(text: &mut String, axes: &Axes, points: &[&Point], top: f64) {
    let height = ROW - 24.0;
    for point in points {
        let mut y = top + height;
        for (share, (_, colour)) in [point.search, point.idle, point.talk].iter().zip(PARTS) {
            let part = share.clamp(0.0, 1.0) * height;
            y -= part;
            let _ = writeln!(
                text,
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{y:.1}\" width=\"20\" height=\"{part:.1}\" \
                 fill=\"{colour}\"/>",
                axes.x(point.workers) - 10.0
            );
        }
    }
    if let Some(point) = points.first() {
        let _ =
            writeln!(text, "<text x=\"{LEFT}\" y=\"{}\">{}</text>", top - 4.0, point.partitioner);
    }
}
