//! Plots of a table of values: the distribution of temperatures, and the number of different values
//! in each part of a sweep. Drawn as SVG, in the colours of the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use maud::{Markup, html};

use crate::table::Table;

/// Most columns of a histogram.
const MOST_BINS: usize = 24;
/// Most parts of a sweep that are shown side by side.
const MOST_PARTS: usize = 40;
const WIDTH: usize = 640;
const PLOT: usize = 160;
const TOP: usize = 28;
const LEFT: usize = 48;

/// One column of a plot.
struct Bar {
    label: String,
    /// Its tooltip.
    tooltip: String,
    /// A dark part at the bottom, and a light one above.
    dark: usize,
    light: usize,
}

/// All plots of a table of values; empty for other tables.
#[must_use]
pub fn plots(table: &Table) -> Markup {
    if !table.spec.values {
        return Markup::default();
    }
    html! {
        @for column in ["temperature", "mean"] {
            @if let Some(bars) = histogram(table, column) {
                (draw(&format!("{column}: items"), &bars, "items"))
            }
        }
        @for (name, bars) in by_part(table) {
            (draw(&format!("{name}: different values (dark) of items (light)"), &bars, "different"))
        }
    }
}

/// Exact numbers in bins of equal width, in ascending order; a few numbers get a bin each.
fn histogram(table: &Table, column: &str) -> Option<Vec<Bar>> {
    let mut counts: Vec<(f64, String, usize)> = Vec::new();
    for text in table.rows().iter().filter_map(|row| row.field(column)) {
        let number = near(text)?;
        match counts.iter_mut().find(|(_, known, _)| known == text) {
            Some((.., count)) => *count += 1,
            None => counts.push((number, text.to_string(), 1)),
        }
    }
    counts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (counts.first()?.0, counts.last()?.0);
    if counts.len() <= MOST_BINS {
        let bar = |(_, label, count): (f64, String, usize)| Bar {
            tooltip: format!("{label}: {count}"),
            label,
            dark: count,
            light: 0,
        };
        return Some(counts.into_iter().map(bar).collect());
    }
    let width = round_width((last - first) / MOST_BINS as f64);
    let start = (first / width).floor() * width;
    let bins = (((last - start) / width).floor() as usize) + 1;
    let mut bars: Vec<Bar> = (0..bins)
        .map(|bin| {
            let from = start + width * bin as f64;
            let label = format!("{from}");
            Bar { tooltip: format!("{from} to below {}", from + width), label, dark: 0, light: 0 }
        })
        .collect();
    for (number, _, count) in counts {
        let bin = (((number - start) / width).floor() as usize).min(bins - 1);
        bars[bin].dark += count;
    }
    for bar in &mut bars {
        let _ = write!(bar.tooltip, ": {}", bar.dark);
    }
    Some(bars)
}

/// The next power of two, so that bin borders are exact.
fn round_width(width: f64) -> f64 {
    let mut round = 1.0_f64;
    while round < width {
        round *= 2.0;
    }
    while round / 2.0 >= width {
        round /= 2.0;
    }
    round
}

/// For each parameter that divides the sweep into a few parts: items and different values of each
/// part. If a sweep has too many positions, those spelled `4x5` or `17` are grouped by size.
fn by_part(table: &Table) -> Vec<(String, Vec<Bar>)> {
    let mut all = Vec::new();
    let mut names: Vec<&str> = table.varying.iter().map(String::as_str).collect();
    names.push("size");
    for name in names {
        let mut parts: BTreeMap<(u64, String), (usize, BTreeSet<&str>)> = BTreeMap::new();
        for row in table.rows() {
            let Some(value) = row.field("value") else { continue };
            let label = match name {
                "size" => {
                    let param = |name: &str| row.param(name).to_string();
                    (table.spec.size)(&param).map(|size| size.to_string())
                }
                _ => Some(row.param(name).to_string()),
            };
            let Some(label) = label else { continue };
            let order = label.parse().unwrap_or(u64::MAX);
            let part = parts.entry((order, label)).or_default();
            part.0 += 1;
            part.1.insert(value);
        }
        let items: usize = parts.values().map(|part| part.0).sum();
        if parts.len() < 2 || parts.len() > MOST_PARTS || parts.len() == items {
            continue;
        }
        let bars = parts.into_iter().map(|((_, label), (items, values))| Bar {
            tooltip: format!("{label}: {} different values, {items} items", values.len()),
            label,
            dark: values.len(),
            light: items - values.len(),
        });
        all.push((name.to_string(), bars.collect()));
    }
    all
}

fn near(text: &str) -> Option<f64> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    Some(top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?)
}

/// Draws a plot whose dark parts have the class `dark`.
fn draw(title: &str, bars: &[Bar], dark: &str) -> Markup {
    let tallest = bars.iter().map(|bar| bar.dark + bar.light).max().unwrap_or(1).max(1);
    let step = ((WIDTH - LEFT - 8) as f64 / bars.len() as f64).min(48.0);
    let (bottom, height) = (TOP + PLOT, TOP + PLOT + 56);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class="plot" width=(WIDTH) height=(height)
            viewBox={ "0 0 " (WIDTH) " " (height) } font-family="sans-serif" font-size="11"
            fill="currentColor" role="img" {
            text x="4" y="14" font-weight="bold" { (title) }
            @for tick in ticks(tallest) {
                @let y = bottom - tick * PLOT / tallest;
                line x1=(LEFT) x2=(WIDTH - 8) y1=(y) y2=(y) stroke="currentColor"
                    stroke-opacity="0.2" {}
                text x=(LEFT - 6) y=(y + 4) text-anchor="end" { (tick) }
            }
            @for (at, bar) in bars.iter().enumerate() {
                (column(bar, LEFT as f64 + 4.0 + step * at as f64, step, tallest, dark))
            }
        }
        "\n"
    }
}

fn column(bar: &Bar, x: f64, step: f64, tallest: usize, dark: &str) -> Markup {
    let bottom = TOP + PLOT;
    let tall = |count: usize| count as f64 * PLOT as f64 / tallest as f64;
    let (low, high) = (tall(bar.dark), tall(bar.light));
    let part = |class: &str, opacity: f64, from: f64, height: f64| {
        html! {
            rect class=(class) x=(format_args!("{x:.1}"))
                y=(format_args!("{:.1}", bottom as f64 - from - height))
                width=(format_args!("{:.1}", (step - 3.0).max(2.0)))
                height=(format_args!("{height:.1}")) fill="#3b7dbd" fill-opacity=(opacity) {
                title { (bar.tooltip) }
            }
        }
    };
    let shown: String = bar.label.chars().take(9).collect();
    let (label, y) = (x + step / 2.0 - 1.0, bottom + 14);
    html! {
        (part(dark, 1.0, 0.0, low))
        @if bar.light > 0 { (part("items", 0.35, low, high)) }
        text x=(format_args!("{label:.1}")) y=(y) text-anchor="end"
            transform=(format_args!("rotate(-45 {label:.1} {y})")) { (shown) }
    }
}

/// Round numbers from 0 up to the tallest bar: steps of 1, 2 or 5 times a power of ten.
fn ticks(tallest: usize) -> impl Iterator<Item = usize> {
    let mut steps = (0..).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_usize.pow(zeros)));
    let step = steps.find(|step| tallest / step <= 5).unwrap_or(tallest);
    (0..=tallest).step_by(step)
}

#[cfg(test)]
mod tests;
