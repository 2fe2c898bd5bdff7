//! The tables and figures of the paper, drawn again from the results, with those of the paper beside
//! them, as one HTML file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hasami_report::chart::{Axis, Chart, Series, Shape};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::Trouble;
use crate::draw::Stop;
use crate::fitting::{self, Fit, tables_file};
use crate::paper::{self, PAPER};
use crate::plan::Plan;
use crate::shard::{self, Kind};
use crate::trial::{self, Results, Sums};

const STYLE: &str = "
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; }
.paper { opacity: .7; } .best { font-weight: 700; }
@media print { body { max-width: none; } figure, table { break-inside: avoid; } }
";

/// The file of the report.
#[must_use]
pub fn file(plan: &Plan) -> PathBuf {
    plan.directory.join("report.html")
}

/// Writes the report. Returns what was learned, and what the trials came to.
///
/// # Errors
/// See [`Trouble`].
pub fn write(plan: &Plan, version: &str, stop: Stop<'_>) -> Result<(Fit, Results), Trouble> {
    let (fit, results) = (fitting::read(plan)?, trial::all(plan, stop)?);
    let sizes = |kind: Kind| -> Result<Vec<u64>, Trouble> {
        let drawn = shard::drawn(plan)?;
        Ok(drawn
            .iter()
            .filter(|one| one.kind == kind && !one.held_out)
            .map(|one| one.size)
            .collect())
    };
    let (mates, no_mates) = (sizes(Kind::Mate)?, sizes(Kind::NoMate)?);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { "Evaluations for mate search, learned from games" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Evaluations for mate search, learned from games" }
                (introduction(&fit))
                (fits(&fit))
                (trials(&results))
                h2 { "Sizes of trees" }
                (histogram("Figure 1. Mates: sizes of proof trees", &mates))
                (histogram("Figure 2. No mates: sizes of disproof trees", &no_mates))
                (scatter("Figure 3. Mates: nodes and size of the tree, without an evaluation", Kind::Mate, &results))
                (scatter("Figure 4. No mates: nodes and size of the tree, without an evaluation", Kind::NoMate, &results))
                (provenance(plan, &fit, version))
            }
        }
    };
    shard::save(&file(plan), page.into_string().as_bytes())?;
    Ok((fit, results))
}

fn introduction(fit: &Fit) -> Markup {
    let [[mates, mates_out], [no_mates, no_mates_out]] = fit.positions;
    html! {
        p {
            "After Kaneko, Tanaka, Yamaguchi and Kawai, “Evaluation functions for checkmate search in shogi programs”. "
            (fit.games[0]) " games (" (fit.games[1]) " records could not be read): "
            (mates) " mates and " (no_mates) " no-mates to learn from, "
            (mates_out) " and " (no_mates_out) " held out, "
            (fit.open) " positions not settled. A mate is a position whose side to move would be mated if it passed."
        }
    }
}

fn fits(fit: &Fit) -> Markup {
    let found = |what: &str, target: &str, set: u8| {
        fit.linear.iter().find(|fit| fit.what == what && fit.target == target && fit.set == set)
    };
    let cell = |what: &str, target: &str, set: u8, paper: f64| {
        let own =
            found(what, target, set).map_or(String::new(), |fit| format!("{:.3}", fit.r_squared));
        html! { td { (own) } td.paper { (format!("{paper:.3}")) } }
    };
    html! {
        h2 { "Fits" }
        table {
            caption { "Table 2. Method 1, explained variance R² of the sizes of trees (beside it the paper’s)" }
            thead { tr {
                th { "features" } th { "weights" }
                th colspan="2" { "proof" } th colspan="2" { "log proof" }
                th colspan="2" { "disproof" } th colspan="2" { "log disproof" }
            } }
            tbody { @for set in 1..=4_u8 {
                @let paper = &PAPER.sizes[usize::from(set) - 1];
                tr {
                    td { "(" (set) ")" }
                    td { (found("proof", "size", set).map_or(0, |fit| fit.weights)) }
                    (cell("proof", "size", set, paper[0])) (cell("proof", "log", set, paper[1]))
                    (cell("disproof", "size", set, paper[2]))
                    // The paper prints this one for the largest set only.
                    @let log = found("disproof", "log", set).map_or(String::new(), |fit| format!("{:.3}", fit.r_squared));
                    td { (log) } td.paper { @if set == 4 { (format!("{:.3}", paper[3])) } }
                }
            } }
        }
        table {
            caption { "Table 3. Method 2, explained variance R² of the value of an expansion" }
            thead { tr { th { "features" } th { "weights" } th { "R²" } th { "paper" } } }
            tbody { @for set in 1..=4_u8 {
                tr {
                    td { "(" (set) ")" }
                    td { (found("value", "value", set).map_or(0, |fit| fit.weights)) }
                    (cell("value", "value", set, PAPER.values[usize::from(set) - 1]))
                }
            } }
        }
        p {
            "Tables over moves, fitted to " (fit.tables.count) " moves: R² of the logarithm of the size "
            (format!("{:.3}", fit.tables.proofs)) " for proofs and " (format!("{:.3}", fit.tables.disproofs))
            " for disproofs, " (format!("{:.3}", fit.tables.bits)) " bits for a verdict, on moves that were not learned from; "
            (fit.tables.tried) " curves were tried."
        }
    }
}

fn trials(results: &Results) -> Markup {
    html! {
        h2 { "Trials" }
        p {
            "Positions of games that were held out, searched by df-pn with first numbers from each evaluation. "
            "“Positions” are visited positions that the table did not know, which is what the paper counts; “nodes” counts every visit. "
            "Ratios are to the search without an evaluation, in the same run. Time is processor time."
        }
        @for kind in Kind::ALL {
            @if let Some(sums) = results.sums.get(kind.word()) { (trial_table(kind, sums)) }
        }
    }
}

fn trial_table(kind: Kind, sums: &BTreeMap<String, Sums>) -> Markup {
    let none = sums.get("none").copied().unwrap_or_default();
    let ratio = |own: f64, none: f64| format!("{:.2}", own / none.max(1e-9));
    let mean = |sums: &Sums| (sums.logs / sums.count.max(1) as f64).exp();
    let caption = match kind {
        Kind::Mate => "Tables 4 and 5. Mates",
        Kind::NoMate => "Tables 4 and 5. No mates",
    };
    html! {
        table {
            caption { (caption) ": " (none.count) " positions" }
            thead { tr {
                th { "evaluation" } th { "tree" } th { "positions" } th { "ratio" } th { "paper" }
                th { "nodes" } th { "ratio" } th { "geometric" } th { "time" } th { "ratio" } th { "open" }
            } }
            tbody { @for (name, own) in sums {
                tr.best[name == "learned"] {
                    td { (name) } td { (own.size) }
                    td { (own.fresh) } td { (ratio(own.fresh as f64, none.fresh as f64)) }
                    td.paper { @if let Some(ratio) = paper::ratio(kind, name) { (format!("{ratio:.2}")) } }
                    td { (own.nodes) } td { (ratio(own.nodes as f64, none.nodes as f64)) }
                    td { (ratio(mean(own), mean(&none))) }
                    td { (format!("{:.2} s", own.seconds)) } td { (ratio(own.seconds, none.seconds)) }
                    td { (own.open) }
                }
            } }
        }
    }
}

/// How many trees there are of each size, by powers of two.
fn histogram(title: &str, sizes: &[u64]) -> Markup {
    let mut counts = BTreeMap::new();
    for size in sizes {
        *counts.entry(size.max(&1).ilog2()).or_insert(0_u32) += 1;
    }
    let points = counts.iter().map(|(&power, &count)| (f64::from(power), f64::from(count)));
    let series = Series::new("positions", Shape::Bars, points.collect());
    let chart = Chart {
        title: title.to_string(),
        x: Axis::linear("size of the tree, as a power of two"),
        y: Axis::linear("positions"),
        series: vec![series],
    };
    html! { figure { (PreEscaped(chart.svg())) } }
}

fn scatter(title: &str, kind: Kind, results: &Results) -> Markup {
    let own = results.dots.iter().filter(|(one, ..)| *one == kind);
    let points = own.map(|(_, size, nodes)| (*size as f64, *nodes as f64)).collect();
    let chart = Chart {
        title: title.to_string(),
        x: Axis::log("size of the tree"),
        y: Axis::log("positions searched"),
        series: vec![Series::new("a position", Shape::Points, points)],
    };
    html! { figure { (PreEscaped(chart.svg())) } }
}

fn provenance(plan: &Plan, fit: &Fit, version: &str) -> Markup {
    let Plan { records, directory: _, slices, every, first_ply, budget, held_out, tests } = plan;
    let name = records.file_name().unwrap_or_default().to_string_lossy();
    html! {
        h2 { "Where this comes from" }
        table { tbody {
            tr { td { "program" } td { (version) } }
            tr { td { "records" } td { (name) ", BLAKE3 " code { (fit.records) } } }
            tr { td { "positions" } td { "every " (every) "th from ply " (first_ply) ", at most " (budget) " nodes each" } }
            tr { td { "held out" } td { "every " (held_out) "th game, at most " (tests) " positions of each kind" } }
            tr { td { "slices" } td { (slices) } }
            tr { td { "weights" } td { code { (tables_file(plan).file_name().unwrap_or_default().to_string_lossy()) } ", BLAKE3 " code { (fit.digest) } } }
        } }
        p { "The same again: " code { "hasami learn " (name) " -o DIR --every " (every) " --slices " (slices) } }
    }
}
