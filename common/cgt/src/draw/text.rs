//! Thermographs as text.
//!
//! One row and one column stand for the same number, a power of two, so that walls are straight
//! diagonals.

use std::fmt::Write as _;

use super::Drawn;
use super::plan::Plan;
use crate::dyadic::Dyadic;
use crate::thermograph::Wall;

const WIDEST: f64 = 64.0;
const HIGHEST: f64 = 20.0;

/// One picture of all: a single one with slanted lines, several with their numbers.
pub fn text(drawn: &[Drawn]) -> String {
    let Some(plan) = Plan::new(drawn) else {
        return "(no drawing: the numbers are too large, or too close)\n".to_string();
    };
    let step = step(&plan);
    let columns = ((plan.greatest - plan.least) / step).ceil() as usize + 1;
    let rows = (plan.top / step).ceil() as usize + 1;
    let column = |v: f64| ((plan.greatest - v) / step).round().clamp(0.0, columns as f64 - 1.0);
    let mut grid = vec![vec![' '; columns]; rows];
    for (number, one) in drawn.iter().enumerate() {
        for wall in [&one.thermograph.left, &one.thermograph.right] {
            for (row, line) in grid.iter_mut().enumerate() {
                let (here, next) = (at(wall, row, step), at(wall, row + 1, step));
                let place = &mut line[column(here) as usize];
                let sign = if drawn.len() > 1 { digit(number) } else { slant(here, next, step) };
                *place = merged(*place, sign, drawn.len() > 1);
            }
        }
    }
    let mut text = framed(&grid, &plan, step);
    text.push_str(&scale(&plan, step, columns, margin(&plan)));
    if drawn.len() > 1 {
        for (number, one) in drawn.iter().enumerate() {
            let _ = writeln!(text, "{} {}", digit(number), one.title);
        }
    }
    text
}

/// The smallest power of two with which the picture fits.
fn step(plan: &Plan) -> f64 {
    let least = ((plan.greatest - plan.least) / WIDEST).max(plan.top / HIGHEST);
    2f64.powi(least.log2().ceil() as i32)
}

fn at(wall: &Wall, row: usize, step: f64) -> f64 {
    let t = row as f64 * step;
    let points = wall.points();
    let after = points.partition_point(|point| point.t.to_f64() <= t);
    let from = &points[after.max(1) - 1];
    match points.get(after) {
        None => from.v.to_f64(),
        Some(to) => {
            let part = (t - from.t.to_f64()) / (to.t.to_f64() - from.t.to_f64());
            from.v.to_f64() + part * (to.v.to_f64() - from.v.to_f64())
        }
    }
}

fn slant(here: f64, next: f64, step: f64) -> char {
    let rise = (next - here) / step;
    if rise < -0.5 {
        '/'
    } else if rise > 0.5 {
        '\\'
    } else {
        '|'
    }
}

fn merged(there: char, sign: char, several: bool) -> char {
    match there {
        ' ' => sign,
        there if there == sign => sign,
        // Both walls where the mast begins, or two games in one cell.
        _ if several => '#',
        _ => '^',
    }
}

fn digit(number: usize) -> char {
    char::from_digit(number as u32 % 35 + 1, 36).unwrap_or('?')
}

/// Adds the temperatures of corners at the left.
fn framed(grid: &[Vec<char>], plan: &Plan, step: f64) -> String {
    let margin = margin(plan);
    let mut text = String::new();
    for (row, line) in grid.iter().enumerate().rev() {
        let label = plan.temperatures.iter().rfind(|t| (t.to_f64() / step).round() == row as f64);
        let label = label.map(short).unwrap_or_default();
        let line: String = line.iter().collect();
        let _ = writeln!(text, "{label:>margin$} │{}", format!(" {line}").trim_end());
    }
    text
}

fn margin(plan: &Plan) -> usize {
    plan.temperatures.iter().map(|t| short(t).chars().count()).max().unwrap_or(1)
}

/// The line below, with as many values as fit, the outermost ones first.
fn scale(plan: &Plan, step: f64, columns: usize, margin: usize) -> String {
    let mut text = format!("{:margin$} └{}\n", "", "─".repeat(columns + 2));
    let mut line = vec![' '; columns + 40];
    let mut values: Vec<&Dyadic> = plan.values.iter().collect();
    let inner = if values.len() > 2 { values.split_off(2) } else { Vec::new() };
    let mut order: Vec<&Dyadic> = inner.iter().rev().copied().take(1).collect();
    order.extend(values);
    order.extend(inner.iter().rev().skip(1));
    for value in order {
        let label = short(value);
        let length = label.chars().count();
        let middle = ((plan.greatest - value.to_f64()) / step).round() as usize + 1;
        let start = middle.saturating_sub(length / 2);
        let room = start.saturating_sub(1)..(start + length + 1).min(line.len());
        if line[room].iter().all(|&letter| letter == ' ') {
            for (place, letter) in line[start..].iter_mut().zip(label.chars()) {
                *place = letter;
            }
        }
    }
    let line: String = line.iter().collect();
    let _ = writeln!(text, "{:margin$}  {}", "", line.trim_end());
    text
}

/// A number in few characters.
pub(super) fn short(number: &Dyadic) -> String {
    let text = number.to_string();
    if text.chars().count() <= 12 { text } else { format!("≈{:.4e}", number.to_f64()) }
}
