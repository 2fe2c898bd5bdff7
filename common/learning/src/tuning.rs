//! The curves that turn estimates into numbers, fitted to what searches cost: steps at random from
//! the best curves so far, kept if they make searches of positions to learn from cheaper.

use std::sync::Arc;

use hasami_shogi::evaluation::FirstNumbers;
use hasami_shogi::evaluation::tables::{Curve, Tables, Weight};
use hasami_shogi::sfen;

use crate::Trouble;
use crate::draw::Stop;
use crate::search::search;
use crate::shard::{Drawn, Kind};

/// Curves that are tried.
const TRIES: usize = 60;
/// Positions of each kind that are searched for it, at most. There are more no-mates in games.
const MATES: usize = 100;
const NO_MATES: usize = 400;
/// Nodes for each, as a multiple of what it took without an evaluation, and at least.
const TIMES: u64 = 8;
const LEAST: u64 = 20_000;
/// What counts of the nodes of mates beside those of no-mates: their sums vary more.
const WEIGHT_OF_MATES: f64 = 0.4;
/// What counts of the mean of the logarithms, so that a few hard positions do not decide alone.
const WEIGHT_OF_ALL: f64 = 0.5;

/// Where the steps begin: measured once on games of programs.
const PROOF: Curve = Curve { effort: 0.3, risk: 0.3, lift: 2.5 };
const DISPROOF: Curve = Curve { effort: 1.0, risk: 0.6, lift: -0.8 };
/// The longest step of an exponent, and of a lift.
const STEP: f64 = 0.15;
const LIFT_STEP: f64 = 0.75;

pub(crate) struct Tuned {
    pub tables: Tables,
    pub tried: usize,
}

/// The best curves for weights.
pub(crate) fn tune(
    weights: Vec<Weight>,
    drawn: &[&Drawn],
    most: u64,
    stop: Stop<'_>,
) -> Result<Tuned, Trouble> {
    let chosen: Vec<&Drawn> = [(Kind::Mate, MATES), (Kind::NoMate, NO_MATES)]
        .into_iter()
        .flat_map(|(kind, most)| {
            let own: Vec<&Drawn> = drawn.iter().copied().filter(|one| one.kind == kind).collect();
            let step = own.len().div_ceil(most).max(1);
            own.into_iter().step_by(step)
        })
        .collect();
    let mut rng = fastrand::Rng::with_seed(1);
    let mut best = [PROOF, DISPROOF];
    let made = |curves: [Curve; 2]| {
        let [proof, disproof] = curves;
        Tables::new(weights.clone(), proof, disproof).expect("a weight for each feature")
    };
    let mut least = score(&chosen, made(best), most, stop)?;
    for _ in 1..TRIES {
        let next = best.map(|curve| step(curve, &mut rng));
        let found = score(&chosen, made(next), most, stop)?;
        if found < least {
            (best, least) = (next, found);
        }
    }
    Ok(Tuned { tables: made(best), tried: TRIES })
}

/// A curve near another one: about half of its numbers are the same.
fn step(curve: Curve, rng: &mut fastrand::Rng) -> Curve {
    let mut near = |value: f64, step: f64, least: f64| {
        let far = (rng.f64() * 2.0 - 1.0) * step;
        // Rounded, so that the file shows what was used.
        if rng.bool() { value } else { ((value + far).clamp(least, 5.0) * 1000.0).round() / 1000.0 }
    };
    Curve {
        effort: near(curve.effort, STEP, 0.0),
        risk: near(curve.risk, STEP, 0.0),
        lift: near(curve.lift, LIFT_STEP, -4.0),
    }
}

/// What searches with these tables cost: lower is better.
fn score(chosen: &[&Drawn], tables: Tables, most: u64, stop: Stop<'_>) -> Result<f64, Trouble> {
    let first = FirstNumbers::Tables(Arc::new(tables));
    let (mut mates, mut no_mates, mut logs) = (1.0, 1.0, 0.0);
    for drawn in chosen {
        let position = sfen::read(&drawn.position)
            .map_err(|fault| Trouble::Contradiction(format!("{}: {fault}", drawn.position)))?;
        let budget = (drawn.nodes * TIMES).max(LEAST).min(most);
        let nodes = search(&position, &first, budget, stop)?.cost.nodes as f64;
        match drawn.kind {
            Kind::Mate => mates += nodes,
            Kind::NoMate => no_mates += nodes,
        }
        logs += nodes.ln();
    }
    let all = logs / chosen.len().max(1) as f64;
    Ok(no_mates.ln() + WEIGHT_OF_MATES * mates.ln() + WEIGHT_OF_ALL * all)
}
