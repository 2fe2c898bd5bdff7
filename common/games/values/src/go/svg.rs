//! A board and thermographs as a picture: temperature upwards, value to the left.

use std::fmt::Write as _;

use super::board::{Board, Cell, Colour};

/// Walls to draw: corners as temperature and value, constant after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// What it is called.
    pub label: String,
    /// The left wall.
    pub left: Vec<(f64, f64)>,
    /// The right wall.
    pub right: Vec<(f64, f64)>,
}

/// Points of the picture to a point of the board.
const SIDE: f64 = 26.0;
/// Size of a graph.
const GRAPH: (f64, f64) = (260.0, 200.0);
const COLOURS: [&str; 6] = ["#26547c", "#c1440e", "#2a7f3f", "#7b3f9d", "#8a6d00", "#555"];

/// The board, with the thermographs below.
#[must_use]
pub fn svg(board: &Board, graphs: &[Drawn]) -> String {
    let (width, height) = (board.columns() as f64 * SIDE, board.rows() as f64 * SIDE);
    let across = graphs.len().clamp(1, 3) as f64;
    let whole = width.max(across * (GRAPH.0 + 20.0)) + 20.0;
    let down = (graphs.len() as f64 / across).ceil() * (GRAPH.1 + 50.0);
    let total = height + 30.0 + down;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"{total}\" \
         viewBox=\"0 0 {whole} {total}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{whole}\" height=\"{total}\" fill=\"white\"/>\n<g transform=\"translate(10 10)\">\n"
    );
    points(&mut text, board);
    text.push_str("</g>\n");
    for (at, graph) in graphs.iter().enumerate() {
        let (column, row) = (at % across as usize, at / across as usize);
        let (x, y) = (
            10.0 + column as f64 * (GRAPH.0 + 20.0),
            height + 40.0 + row as f64 * (GRAPH.1 + 50.0),
        );
        let _ = writeln!(text, "<g transform=\"translate({x} {y})\">");
        thermograph(&mut text, graph, COLOURS[at % COLOURS.len()]);
        text.push_str("</g>\n");
    }
    text + "</svg>\n"
}

fn points(text: &mut String, board: &Board) {
    for (at, &cell) in board.cells().iter().enumerate() {
        let (x, y) = ((at % board.columns()) as f64 * SIDE, (at / board.columns()) as f64 * SIDE);
        let (cx, cy, far) = (x + SIDE / 2.0, y + SIDE / 2.0, SIDE / 2.0);
        if cell == Cell::Outside {
            continue;
        }
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#f0d9a8\"/>\
             <path d=\"M{} {cy}h{SIDE}M{cx} {}v{SIDE}\" stroke=\"#876\" stroke-width=\"0.8\"/>",
            cx - far,
            cy - far
        );
        if let Some(colour) = cell.colour() {
            let (fill, mark) = match colour {
                Colour::Black => ("black", "white"),
                Colour::White => ("white", "black"),
            };
            let _ = writeln!(
                text,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"{fill}\" stroke=\"black\"/>",
                SIDE * 0.45
            );
            // Immortal stones carry a mark.
            if matches!(cell, Cell::Wall(_)) {
                let _ = writeln!(text, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3\" fill=\"{mark}\"/>");
            }
        }
    }
}

fn thermograph(text: &mut String, graph: &Drawn, colour: &str) {
    let corners = || graph.left.iter().chain(&graph.right);
    let top = corners().map(|corner| corner.0).fold(0.0, f64::max).max(0.25) * 1.4;
    let most = corners().map(|corner| corner.1).fold(f64::NEG_INFINITY, f64::max);
    let least = corners().map(|corner| corner.1).fold(f64::INFINITY, f64::min);
    let span = (most - least).max(0.5);
    // Larger values are further to the left.
    let x = |value: f64| 20.0 + (most - value) / span * (GRAPH.0 - 40.0);
    let y = |t: f64| GRAPH.1 - t / top * GRAPH.1;
    let _ = writeln!(
        text,
        "<path d=\"M0 {0}H{1}M{2} {0}V0\" stroke=\"#999\" fill=\"none\"/>\
         <text x=\"0\" y=\"-6\">{3}</text>",
        GRAPH.1,
        GRAPH.0,
        GRAPH.0 - 4.0,
        escaped(&graph.label)
    );
    for wall in [&graph.left, &graph.right] {
        let mut line: Vec<String> =
            wall.iter().map(|&(t, value)| format!("{:.2},{:.2}", x(value), y(t))).collect();
        line.extend(wall.last().map(|last| format!("{:.2},{:.2}", x(last.1), 0.0)));
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
    }
    let mut ticks: Vec<f64> = corners().map(|corner| corner.1).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    for value in ticks.iter().filter(|value| value.fract() == 0.0) {
        let _ = writeln!(
            text,
            "<text x=\"{:.2}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
            x(*value),
            GRAPH.1 + 14.0
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_values_are_to_the_left_and_higher_temperatures_above() {
        let board = Board::parse("XX\n.O").unwrap();
        let graph = Drawn {
            label: "{2|0} < 3".to_string(),
            left: vec![(0.0, 2.0), (1.0, 1.0)],
            right: vec![(0.0, 0.0), (1.0, 1.0)],
        };
        let text = svg(&board, &[graph]);
        assert!(text.contains("points=\"20.00,200.00 130.00,57.14 130.00,0.00\""), "{text}");
        assert!(text.contains("points=\"240.00,200.00 130.00,57.14"), "{text}");
        assert!(text.contains("{2|0} &lt; 3") && text.ends_with("</svg>\n"));
        assert_eq!(text.matches("<rect").count(), 5);
    }
}
