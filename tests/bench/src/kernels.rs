//! Speed of the kernels on problems whose expansion costs next to nothing.

use std::time::Instant;

use hasami_andor::certificate::{self, Asked};
use hasami_andor::{
    Control, Expansion, Job, Kernel, Moves, Options, Outcome, Problem, Search, SumRule, Table,
};
use hasami_game::Game;
use hasami_small::synthetic::Synthetic;
use hasami_spec::Params;

use crate::figures::{Failure, Figure, Figures};
use crate::words::{grouped, mib};

/// A synthetic problem from its canonical spelling.
fn synthetic(parameters: &str) -> Synthetic {
    let params = Params::parse(Synthetic::params(), parameters).expect("parameters of synthetic");
    Synthetic::from_params(&params).expect("values of synthetic")
}

fn search(
    problem: &Synthetic,
    kernel: Kernel,
    options: Options,
    table: &Table<()>,
    budget: u64,
) -> (Outcome, f64) {
    let control = Control::with_budget(budget);
    let job = Job::settle(problem.root());
    let mut search = Search::new(kernel, problem, table, options, job);
    let started = Instant::now();
    let outcome = search.run(&control);
    (outcome, started.elapsed().as_secs_f64())
}

/// A table whose pages the system has given us already.
fn table(mib: usize, links: bool) -> Table<()> {
    let table = Table::with_mib(mib, links).expect("memory for a table");
    table.touch();
    table
}

/// Nodes a second of `dfpn`, beside visiting nodes of the same tree without any search.
pub fn overhead(quick: bool, figures: &mut Figures) {
    let budget = if quick { 2_000_000 } else { 20_000_000 };
    for parameters in ["depth=40 branching=2 seed=1", "depth=40 branching=3 seed=1"] {
        let problem = synthetic(parameters);
        let bare = bare_visits(&problem, budget);
        for mib in [16, 1024] {
            let table = table(mib, false);
            let (outcome, seconds) =
                search(&problem, Kernel::Dfpn, Options::default(), &table, budget);
            let speed = outcome.counts.nodes as f64 / seconds;
            figures.push(Figure {
                what: format!("dfpn, {parameters}, table {mib} MiB"),
                values: format!("{:.2} M nodes/s, bare visits {:.2} M/s", speed / 1e6, bare / 1e6),
                ratio: speed / bare,
                goal: Some(("3 M nodes/s", speed >= 3e6)),
            });
        }
    }
}

/// Visits of nodes with their children's keys, depth first, and nothing else.
fn bare_visits(problem: &Synthetic, budget: u64) -> f64 {
    let started = Instant::now();
    let mut moves = Moves::new();
    let mut stack = vec![problem.root()];
    let (mut visited, mut sum) = (0u64, 0u128);
    while let Some(state) = stack.pop() {
        visited += 1;
        if visited >= budget {
            break;
        }
        moves.clear();
        if problem.expand(&state, &mut moves) == Expansion::Open {
            for mv in moves.iter() {
                let child = problem.play(&state, mv);
                sum ^= problem.key(&child).0;
                stack.push(child);
            }
        }
    }
    std::hint::black_box(sum);
    visited as f64 / started.elapsed().as_secs_f64()
}

/// Two threads beside one, on graphs that take at least ten million nodes; and, for what the
/// machine itself allows, two searches that have nothing to do with each other beside one.
pub fn threads(quick: bool, figures: &mut Figures) {
    let problems = [
        "depth=18 branching=4 width=3000000 bias=0.4 seed=7",
        "depth=22 branching=3 bias=0.35 seed=5",
        "depth=40 branching=3 width=4000000 leaves=0.02 bias=0.5 seed=3",
    ];
    let problems = if quick { &problems[..1] } else { &problems[..] };
    for &parameters in problems {
        let problem = synthetic(parameters);
        let run = |count| {
            let table = table(2048, false);
            search(&problem, Kernel::Threads(count), Options::default(), &table, 40_000_000)
        };
        let (one, one_seconds) = run(1);
        let apart = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| run(1));
            scope.spawn(|| run(1));
        });
        let limit = 2.0 * one_seconds / apart.elapsed().as_secs_f64();
        let (two, two_seconds) = run(2);
        let speedup = one_seconds / two_seconds;
        let extra = two.counts.nodes as f64 / one.counts.nodes as f64;
        figures.push(Figure {
            what: format!("time, {parameters}"),
            values: format!("{one_seconds:.2} s, two {two_seconds:.2} s, {:?}", two.stopped),
            ratio: speedup,
            goal: Some((">= 1.7", speedup >= 1.7)),
        });
        figures.push(Figure {
            what: "  two searches apart, what the machine allows".to_string(),
            values: format!("{:.2} of it", speedup / limit),
            ratio: limit,
            goal: None,
        });
        figures.push(Figure {
            what: "  nodes".to_string(),
            values: format!("{}, two {}", grouped(one.counts.nodes), grouped(two.counts.nodes)),
            ratio: extra,
            goal: Some(("<= 1.15", extra <= 1.15)),
        });
    }
}

/// Nodes of the sum rules as lines of play meet more and more: trees in which below a growing
/// share of the nodes everything runs into a few states.
pub fn sharing(quick: bool, figures: &mut Figures) {
    let seeds = if quick { 4 } else { 12 };
    let limit = 10_000_000;
    for knots in ["0", "0.02", "0.05", "0.1", "0.2", "0.4"] {
        let mut nodes = [0f64; 3];
        for seed in 0..seeds {
            let parameters =
                format!("depth=16 branching=3 knots={knots} knot=3 bias=0.35 seed={seed}");
            let problem = synthetic(&parameters);
            for (total, sum) in nodes.iter_mut().zip([SumRule::Sum, SumRule::Weak, SumRule::Hybrid])
            {
                let table = table(64, sum == SumRule::Hybrid);
                let options = Options { sum, ..Options::default() };
                let (outcome, _) = search(&problem, Kernel::Dfpn, options, &table, limit);
                *total += (outcome.counts.nodes as f64).ln() / f64::from(seeds);
            }
        }
        let [sum, weak, hybrid] = nodes.map(f64::exp);
        let heavy = matches!(knots, "0.1" | "0.2" | "0.4");
        for (name, value) in [("weak", weak), ("hybrid", hybrid)] {
            figures.push(Figure {
                what: format!("{name} to sum, knots {knots}"),
                values: format!("{value:.0} nodes, sum {sum:.0} (geometric means)"),
                ratio: value / sum,
                goal: heavy.then_some(("<= 1/3", value / sum <= 1.0 / 3.0)),
            });
        }
    }
}

/// Checking beside solving, on the largest graph.
pub fn verify(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let parameters = if quick {
        "depth=16 branching=3 bias=0.35 seed=5"
    } else {
        "depth=18 branching=4 width=3000000 bias=0.4 seed=7"
    };
    let problem = synthetic(parameters);
    let table = table(2048, false);
    let (outcome, solving) =
        search(&problem, Kernel::Dfpn, Options::default(), &table, 200_000_000);
    let Some(verdict) = outcome.numbers.verdict() else {
        return Err(Failure(format!("{parameters} took too many nodes")));
    };
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("bench.cert");
    let lines = vec![("parameters".to_string(), parameters.to_string())];
    let asked = Asked { game: "synthetic".to_string(), rules: 1, lines, except: None };
    let started = Instant::now();
    let control = Control::unlimited();
    let bytes = certificate::extract(&problem, &table, &control, &asked, verdict, &file)?;
    let extracting = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let records = certificate::verify(&file, &problem, &asked)?.nodes;
    let checking = started.elapsed().as_secs_f64();
    figures.push(Figure {
        what: format!("verify to solve, {} nodes", grouped(outcome.counts.nodes)),
        values: format!("{checking:.3} s, solved in {solving:.2} s"),
        ratio: checking / solving,
        goal: Some(("<= 0.05", checking / solving <= 0.05)),
    });
    figures.push(Figure {
        what: format!("extract to solve, {} records", grouped(records)),
        values: format!("{extracting:.3} s, {}", mib(bytes)),
        ratio: extracting / solving,
        goal: None,
    });
    Ok(())
}
