//! Positions of games that were held out, searched with every evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use hasami_shogi::evaluation::linear::{Linear, Target};
use hasami_shogi::evaluation::{FirstNumbers, Tables};
use hasami_shogi::sfen;
use serde::{Deserialize, Serialize};

use crate::Trouble;
use crate::draw::Stop;
use crate::fitting::{self, LinearFit, tables_file};
use crate::plan::Plan;
use crate::search::{Cost, search};
use crate::shard::{self, Drawn, Kind};

/// What one evaluation cost on one kind of position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// Positions.
    pub count: u64,
    /// Positions that were not settled within ten times the budget for drawing.
    pub open: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Visited positions that the table did not know.
    pub fresh: u64,
    /// Nodes of the proofs.
    pub size: u64,
    /// Sum of the natural logarithms of the nodes.
    pub logs: f64,
    /// Processor time.
    pub seconds: f64,
}

impl Sums {
    /// Adds those of other positions.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.open += other.open;
        self.nodes += other.nodes;
        self.fresh += other.fresh;
        self.size += other.size;
        self.logs += other.logs;
        self.seconds += other.seconds;
    }
}

/// One position without an evaluation: the size of its proof and the nodes it took.
pub type Dot = (Kind, u64, u64);

/// What a slice came to: by kind and name of the evaluation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Sums by the kind of the positions, then by the name of the evaluation.
    pub sums: BTreeMap<String, BTreeMap<String, Sums>>,
    /// Each position without an evaluation.
    pub dots: Vec<Dot>,
}

/// Tries all evaluations on the positions of a slice.
///
/// # Errors
/// See [`Trouble`].
pub fn run(plan: &Plan, slice: usize, stop: Stop<'_>) -> Result<Results, Trouble> {
    let file = plan.directory.join(format!("trial-{}-{slice:03}.json", plan.fingerprint()));
    if file.exists() {
        let bytes = std::fs::read(&file).map_err(Trouble::io(&file))?;
        return serde_json::from_slice(&bytes).map_err(|error| Trouble::bad(&file, error));
    }
    let evaluations = evaluations(plan)?;
    let mut results = Results::default();
    for drawn in chosen(plan)?.iter().skip(slice).step_by(plan.slices) {
        let position = sfen::read(&drawn.position)
            .map_err(|fault| Trouble::Contradiction(format!("{}: {fault}", drawn.position)))?;
        for Named { name, kinds, first } in &evaluations {
            if !kinds.contains(&drawn.kind) {
                continue;
            }
            let found = search(&position, first, plan.budget * Plan::TRIAL, stop)?;
            if found.verdict.is_some_and(|verdict| verdict != drawn.kind.verdict()) {
                let why = format!("{}: another verdict with {name}", drawn.position);
                return Err(Trouble::Contradiction(why));
            }
            let Cost { nodes, fresh, size, seconds } = found.cost;
            if matches!(first, FirstNumbers::Same) {
                results.dots.push((drawn.kind, size, fresh));
            }
            let open = u64::from(found.verdict.is_none());
            let logs = (nodes.max(1) as f64).ln();
            let sums = Sums { count: 1, open, nodes, fresh, size, logs, seconds };
            let of_kind = results.sums.entry(drawn.kind.word().to_string()).or_default();
            of_kind.entry(name.clone()).or_default().add(&sums);
        }
    }
    shard::save(&file, &serde_json::to_vec(&results).expect("plain data"))?;
    Ok(results)
}

/// What all slices came to.
///
/// # Errors
/// If one of them is missing or damaged.
pub fn all(plan: &Plan, stop: Stop<'_>) -> Result<Results, Trouble> {
    let mut all = Results::default();
    for slice in 0..plan.slices {
        let Results { sums, dots } = run(plan, slice, stop)?;
        for (kind, evaluations) in sums {
            let of_kind = all.sums.entry(kind).or_default();
            for (name, sums) in evaluations {
                of_kind.entry(name).or_default().add(&sums);
            }
        }
        all.dots.extend(dots);
    }
    Ok(all)
}

/// The positions of held-out games that are searched: as many of each kind, spread over all.
fn chosen(plan: &Plan) -> Result<Vec<Drawn>, Trouble> {
    let drawn = shard::drawn(plan)?;
    let mut chosen = Vec::new();
    for kind in Kind::ALL {
        let own: Vec<&Drawn> =
            drawn.iter().filter(|one| one.held_out && one.kind == kind).collect();
        let wanted = plan.tests.min(own.len());
        chosen.extend((0..wanted).map(|at| own[at * own.len() / wanted].clone()));
    }
    Ok(chosen)
}

/// An evaluation on trial.
struct Named {
    name: String,
    kinds: &'static [Kind],
    first: FirstNumbers,
}

/// None, rules of thumb, what the paper tried, and the tables.
fn evaluations(plan: &Plan) -> Result<Vec<Named>, Trouble> {
    const BOTH: &[Kind] = &Kind::ALL;
    let named = |name: &str, kinds: &'static [Kind], first: FirstNumbers| Named {
        name: name.to_string(),
        kinds,
        first,
    };
    let linear = |linear: Linear| FirstNumbers::Linear(Arc::new(linear));
    let fit = fitting::read(plan)?;
    let mut all =
        vec![named("none", BOTH, FirstNumbers::Same), named("thumb", BOTH, FirstNumbers::Thumb)];
    let found = |what: &str, target: &str, set: u8| {
        let own = |fit: &&LinearFit| fit.what == what && fit.target == target && fit.set == set;
        fit.linear.iter().find(own)
    };
    for set in 1..=4 {
        let mut both = [None, None];
        for target in [Target::Size, Target::LogSize] {
            let log = if target == Target::LogSize { " log" } else { "" };
            if let Some(found) = found("proof", target.word(), set) {
                let proof = Some((target, fitting::function(found)?));
                let first = linear(Linear::Sizes { proof: proof.clone(), disproof: None });
                all.push(named(&format!("proof ({set}){log}"), &[Kind::Mate], first));
                both[0] = both[0].take().or(proof);
            }
            if let Some(found) = found("disproof", target.word(), set) {
                let disproof = Some((target, fitting::function(found)?));
                let first = linear(Linear::Sizes { proof: None, disproof: disproof.clone() });
                all.push(named(&format!("disproof ({set}){log}"), &[Kind::NoMate], first));
                both[1] = both[1].take().or(disproof);
            }
        }
        let [proof, disproof] = both;
        all.push(named(&format!("both ({set})"), BOTH, linear(Linear::Sizes { proof, disproof })));
        if let Some(found) = found("value", "value", set) {
            let first = linear(Linear::Value(fitting::function(found)?));
            all.push(named(&format!("value ({set})"), BOTH, first));
        }
    }
    let file = tables_file(plan);
    let text = std::fs::read_to_string(&file).map_err(Trouble::io(&file))?;
    let tables = Tables::read(&text).map_err(|why| Trouble::bad(&file, why))?;
    all.push(named("learned", BOTH, FirstNumbers::Tables(Arc::new(tables))));
    Ok(all)
}
