//! A board and thermographs as a picture: temperature upwards, value to the left.

use maud::{Markup, html};

use super::board::{Board, Cell, Colour};

/// Walls to draw: corners as temperature and value, constant after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Its label.
    pub label: String,
    /// The left wall.
    pub left: Vec<(f64, f64)>,
    /// The right wall.
    pub right: Vec<(f64, f64)>,
}

/// Picture units per point of the board.
const SIDE: f64 = 26.0;
/// Size of a graph.
const GRAPH: (f64, f64) = (260.0, 200.0);
const COLOURS: [&str; 6] = ["#26547c", "#c1440e", "#2a7f3f", "#7b3f9d", "#8a6d00", "#555"];

/// The board, with the thermographs below.
#[must_use]
pub fn svg(board: &Board, graphs: &[Drawn]) -> String {
    let (width, height) = (board.columns() as f64 * SIDE, board.rows() as f64 * SIDE);
    let across = graphs.len().clamp(1, 3);
    let whole = width.max(across as f64 * (GRAPH.0 + 20.0)) + 20.0;
    let down = graphs.len().div_ceil(across) as f64 * (GRAPH.1 + 50.0);
    let total = height + 30.0 + down;
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(whole) height=(total)
            viewBox={ "0 0 " (whole) " " (total) } font-family="sans-serif" font-size="11" {
            "\n"
            rect width=(whole) height=(total) fill="white" {}
            "\n"
            g transform="translate(10 10)" { "\n" (points(board)) }
            @for (at, graph) in graphs.iter().enumerate() {
                @let x = 10.0 + (at % across) as f64 * (GRAPH.0 + 20.0);
                @let y = height + 40.0 + (at / across) as f64 * (GRAPH.1 + 50.0);
                "\n"
                g transform=(format_args!("translate({x} {y})")) {
                    (thermograph(graph, COLOURS[at % COLOURS.len()]))
                }
            }
        }
        "\n"
    };
    picture.into_string()
}

fn points(board: &Board) -> Markup {
    let inside = board.cells().iter().enumerate().filter(|(_, cell)| **cell != Cell::Outside);
    html! {
        @for (at, &cell) in inside {
            @let x = (at % board.columns()) as f64 * SIDE;
            @let y = (at / board.columns()) as f64 * SIDE;
            @let (cx, cy) = (x + SIDE / 2.0, y + SIDE / 2.0);
            rect x=(x) y=(y) width=(SIDE) height=(SIDE) fill="#f0d9a8" {}
            path d=(format_args!("M{x} {cy}h{SIDE}M{cx} {y}v{SIDE}")) stroke="#876"
                stroke-width="0.8" {}
            @if let Some(colour) = cell.colour() {
                @let (fill, mark) = match colour {
                    Colour::Black => ("black", "white"),
                    Colour::White => ("white", "black"),
                };
                circle cx=(cx) cy=(cy) r=(SIDE * 0.45) fill=(fill) stroke="black" {}
                // Mark immortal stones.
                @if matches!(cell, Cell::Wall(_)) {
                    circle cx=(cx) cy=(cy) r="3" fill=(mark) {}
                }
            }
            "\n"
        }
    }
}

fn thermograph(graph: &Drawn, colour: &str) -> Markup {
    let corners = || graph.left.iter().chain(&graph.right);
    let top = corners().map(|corner| corner.0).fold(0.0, f64::max).max(0.25) * 1.4;
    let most = corners().map(|corner| corner.1).fold(f64::NEG_INFINITY, f64::max);
    let least = corners().map(|corner| corner.1).fold(f64::INFINITY, f64::min);
    let span = (most - least).max(0.5);
    // Larger values are further to the left.
    let x = |value: f64| 20.0 + (most - value) / span * (GRAPH.0 - 40.0);
    let y = |t: f64| GRAPH.1 - t / top * GRAPH.1;
    let line = |wall: &[(f64, f64)]| {
        let mut line: Vec<String> =
            wall.iter().map(|&(t, value)| format!("{:.2},{:.2}", x(value), y(t))).collect();
        line.extend(wall.last().map(|last| format!("{:.2},{:.2}", x(last.1), 0.0)));
        line.join(" ")
    };
    let mut ticks: Vec<f64> = corners().map(|corner| corner.1).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    html! {
        path d=(format_args!("M0 {0}H{1}M{2} {0}V0", GRAPH.1, GRAPH.0, GRAPH.0 - 4.0))
            stroke="#999" fill="none" {}
        text x="0" y="-6" { (graph.label) }
        @for wall in [&graph.left, &graph.right] {
            "\n"
            polyline points=(line(wall)) fill="none" stroke=(colour) stroke-width="2" {}
        }
        @for value in ticks.iter().filter(|value| value.fract() == 0.0) {
            "\n"
            text x=(format_args!("{:.2}", x(*value))) y=(GRAPH.1 + 14.0) text-anchor="middle" {
                (value)
            }
        }
        "\n"
    }
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
