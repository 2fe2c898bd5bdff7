//! Winners on the infinite board: nodes beside those of an earlier program on the same pairs with
//! the same number of stones, and nodes a second.

use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Problem, Search, Table, Verdict};
use hasami_game::Game;
use hasami_polyomino::polyomino::Polyomino;
use hasami_spec::Params;

use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

/// A pair, Black's stones, and the nodes of a df-pn search with zones and a hash map as table.
const PAIRS: [(&str, u32, u64); 14] = [
    ("Square,W", 5, 222),
    ("Square,R", 5, 187),
    ("Square,U", 6, 2_207),
    ("Z,U", 5, 1_914),
    ("W,U", 6, 26_477),
    ("Z,I", 7, 685_293),
    ("W,UU", 7, 811_697),
    ("W,ZZ", 7, 1_227_463),
    ("R,U", 6, 3_790),
    ("R,I", 6, 27_023),
    ("R,ZZ", 6, 31_476),
    ("T,I", 8, 491_028),
    ("U,I", 7, 660_174),
    ("R,UU", 7, 35_860),
];

/// Each pair once; then a long search for the speed.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let mut logs = 0.0;
    for (shapes, stones, theirs) in PAIRS {
        let (verdict, nodes, seconds) = search(shapes, stones, u64::MAX)?;
        if verdict != Some(Verdict::Proven) {
            return Err(Failure(format!("{shapes} with {stones} stones: {verdict:?}")));
        }
        let ratio = nodes as f64 / theirs as f64;
        logs += ratio.ln();
        figures.push(Figure {
            what: format!("{shapes}, {stones} stones, {seconds:.2} s"),
            values: format!("{} nodes, before {}", grouped(nodes), grouped(theirs)),
            ratio,
            goal: Some(("<= 1", ratio <= 1.0)),
        });
    }
    figures.push(Figure {
        what: "nodes, geometric mean".to_string(),
        values: "14 pairs".to_string(),
        ratio: (logs / PAIRS.len() as f64).exp(),
        goal: None,
    });
    let budget = if quick { 200_000 } else { 2_000_000 };
    let (_, nodes, seconds) = search("UU,ZZ", 10, budget)?;
    let speed = nodes as f64 / seconds / 1e6;
    figures.push(Figure {
        what: "million nodes a second, UU,ZZ, 11x11".to_string(),
        values: format!("{} nodes, {seconds:.2} s", grouped(nodes)),
        ratio: speed,
        goal: Some((">= 1.5", speed >= 1.5)),
    });
    Ok(())
}

fn search(shapes: &str, stones: u32, budget: u64) -> Result<(Option<Verdict>, u64, f64), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(error.to_string());
    let spelled = format!("shapes={shapes} stones={stones}");
    let params = Params::parse(Polyomino::params(), &spelled).map_err(|e| failed(&e))?;
    let game = Polyomino::from_params(&params).map_err(|e| failed(&e))?;
    let table = Table::with_mib(256, false).map_err(|e| failed(&e))?;
    let started = Instant::now();
    let job = Job::settle(game.root());
    let outcome = Search::new(Kernel::Dfpn, &game, &table, Polyomino::ADVICE, job)
        .run(&Control::with_budget(budget));
    Ok((outcome.numbers.verdict(), outcome.counts.nodes, started.elapsed().as_secs_f64()))
}
