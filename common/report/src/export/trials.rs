//! The comparison of the settings of a run of trials: a table, the figures of Takano et al. redrawn from
//! the answers, and what a choice of a setting is worth on other problems.

use maud::{Markup, PreEscaped, html};

use super::grouped;
use crate::chart::{Axis, Chart, Series, Shape};
use crate::table::{Columns, Table};
use crate::trials::{Cost, Mean, Trials};

/// A figure of the paper.
struct Figure {
    number: u32,
    title: &'static str,
    /// The parameter whose values are compared.
    varied: &'static str,
    /// The others, with their values there.
    fixed: &'static [(&'static str, &'static str)],
    /// What the text of the paper says of its curves.
    said: &'static str,
}

const FIGURES: [Figure; 5] = [
    Figure {
        number: 3,
        title: "Optimized schedule and plain round robin",
        varied: "optimized",
        fixed: &[("amount", "constant"), ("base", "1000"), ("weight", "0"), ("leader", "1")],
        said: "about equal with 2 and 3 pseudo-threads; with 4 optimized is slightly better",
    },
    Figure {
        number: 4,
        title: "Nodes of a turn",
        varied: "base",
        fixed: &[("optimized", "yes"), ("amount", "constant"), ("weight", "0"), ("leader", "1")],
        said: "1000 is best on average; with 3 pseudo-threads 10000 is",
    },
    Figure {
        number: 5,
        title: "Weight of a table reference",
        varied: "weight",
        fixed: &[("optimized", "yes"), ("amount", "constant"), ("base", "1000"), ("leader", "1")],
        said: "0 is best on average; 0.05 with 2 pseudo-threads is the best of all settings",
    },
    Figure {
        number: 6,
        title: "What limits a turn",
        varied: "amount",
        fixed: &[("optimized", "yes"), ("base", "1000"), ("weight", "0"), ("leader", "1")],
        said: "about equal; best are pn with 2, constant with 3 and pn+dn with 4 pseudo-threads",
    },
    Figure {
        number: 7,
        title: "Factor of the leader",
        varied: "leader",
        fixed: &[("optimized", "yes"), ("amount", "pn+dn"), ("base", "1000"), ("weight", "0")],
        said: "1.25 to 1.5 is best, more does not help",
    },
];

/// The comparison of a run of trials; empty for other tables. Seconds are shown with all columns only,
/// because they differ from run to run.
#[must_use]
pub fn trials(table: &Table, columns: Columns) -> Markup {
    match Trials::of(table) {
        Some(trials) => compared(&trials, columns == Columns::All),
        None => Markup::default(),
    }
}

fn compared(trials: &Trials, seconds: bool) -> Markup {
    html! {
        p { (about(trials)) }
        @for problem in &trials.conflicts {
            p.bad { strong { "Two settings have different verdicts on " (problem) ". This is an error of the program." } }
        }
        @if !trials.problems.is_empty() {
            (settings(trials, seconds))
            (held_out(trials))
            @for figure in &FIGURES { (drawn(trials, figure)) }
        }
    }
}

fn about(trials: &Trials) -> String {
    let left_out = [
        (trials.unsolved, "no setting has solved"),
        (trials.easy, "the first setting solves with less than 1/360 of the budget"),
        (trials.missing, "not every setting has tried yet"),
    ];
    let left_out: Vec<String> = left_out
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("; left out: {count} that {why}"))
        .collect();
    format!(
        "{} settings on {} problems{}. The speed-up of a setting is the geometric mean of the cost \
         of {} divided by its own; a problem that was not solved counts as the budget. The factor \
         after ×÷ is the standard error.",
        trials.settings.len(),
        trials.problems.len(),
        left_out.concat(),
        trials.settings[0].name,
    )
}

/// All settings, the fastest first.
fn settings(trials: &Trials, seconds: bool) -> Markup {
    let of = |setting, what: fn(&Cost) -> f64| trials.speed_up(setting, what, |_| true);
    let mut order: Vec<usize> = (0..trials.settings.len()).collect();
    let nodes = |setting: usize| of(setting, |cost| cost.nodes).map_or(0.0, |mean| mean.mean);
    order.sort_by(|a, b| nodes(*b).total_cmp(&nodes(*a)));
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        th { "setting" } th { "speed-up in nodes" }
                        @if seconds { th { "in seconds" } }
                        th { "solved" } th { "faster" } th { "nodes" }
                    }
                }
                tbody {
                    @for setting in order {
                        @let one = &trials.settings[setting];
                        tr {
                            td { (one.name) }
                            td { (shown(of(setting, |cost| cost.nodes))) }
                            @if seconds { td { (shown(of(setting, |cost| cost.seconds))) } }
                            td { (one.solved()) }
                            td { (faster(trials, setting)) }
                            td { (grouped(one.costs.iter().map(|cost| cost.nodes as u64).sum())) }
                        }
                    }
                }
            }
        }
    }
}

/// How many problems cost less than with the first setting.
fn faster(trials: &Trials, setting: usize) -> usize {
    let pairs = trials.settings[0].costs.iter().zip(&trials.settings[setting].costs);
    pairs.filter(|(base, own)| own.nodes < base.nodes).count()
}

fn shown(mean: Option<Mean>) -> String {
    mean.map_or(String::new(), |Mean { mean, error }| format!("{mean:.2} ×÷ {error:.2}"))
}

fn held_out(trials: &Trials) -> Markup {
    let halves = ["at even places", "at odd places"];
    html! {
        h3 { "Chosen on one half, tested on the other" }
        ul {
            @for (held, half) in trials.held_out().iter().zip(halves) {
                li {
                    "Best on the problems " (half) ": " b { (trials.settings[held.setting].name) }
                    ", " (shown(Some(held.chosen_on))) " there, " b { (shown(Some(held.tested_on))) }
                    " on the others."
                }
            }
        }
    }
}

/// A figure, if the run has at least two of its curves.
fn drawn(trials: &Trials, figure: &Figure) -> Markup {
    let fixed = [figure.fixed, &[("method", "pds"), ("adapt", "no")]].concat();
    let groups = trials.by(figure.varied, &fixed);
    let speed_up = |setting: usize| {
        trials.speed_up(setting, |cost| cost.nodes, |_| true).map_or(f64::NAN, |mean| mean.mean)
    };
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = groups
        .into_iter()
        .map(|(value, settings)| {
            let point = |(threads, at): (u32, usize)| (f64::from(threads), speed_up(at));
            (value, settings.into_iter().map(point).collect())
        })
        .collect();
    let number = |value: &str| value.parse().unwrap_or(f64::INFINITY);
    curves.sort_by(|a, b| number(&a.0).total_cmp(&number(&b.0)));
    if curves.len() < 2 {
        return Markup::default();
    }
    let series = curves.iter().map(|(value, points)| {
        Series::new(&format!("{}={value}", figure.varied), Shape::Bars, points.clone())
    });
    let chart = Chart {
        title: format!("Figure {}: {}", figure.number, figure.title),
        x: Axis::linear("pseudo-threads"),
        y: Axis::linear("speed-up in nodes"),
        series: series.collect(),
    };
    html! {
        figure {
            (PreEscaped(chart.svg()))
            figcaption {
                "Takano et al., figure " (figure.number) ": " (figure.said) ". Here: " (best(figure, &curves)) "."
            }
        }
    }
}

/// The best value on average, and the best single bar.
fn best(figure: &Figure, curves: &[(String, Vec<(f64, f64)>)]) -> String {
    let top = |all: Vec<(String, f64)>| {
        let best = all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(String::new(), |(name, mean)| format!("{name} ({mean:.2})"))
    };
    let average = |points: &[(f64, f64)]| {
        points.iter().map(|point| point.1.ln()).sum::<f64>() / points.len() as f64
    };
    let values = curves
        .iter()
        .map(|(value, points)| (format!("{}={value}", figure.varied), average(points).exp()));
    let single = curves.iter().flat_map(|(value, points)| {
        points.iter().map(move |(threads, mean)| {
            (format!("{}={value} with {threads} pseudo-threads", figure.varied), *mean)
        })
    });
    format!("on average {}; of all {}", top(values.collect()), top(single.collect()))
}
