//! Weights from samples: the linear functions of the paper, and the tables.

use std::path::PathBuf;

use hasami_fit::tables::Quality;
use hasami_fit::{Fitted, LeastSquares, Sample, Trainer};
use hasami_shogi::evaluation::features::{Features, Set};
use hasami_shogi::evaluation::linear::{Function, Target};
use hasami_shogi::evaluation::scene::FEATURES;
use hasami_shogi::evaluation::tables::{PARTS, Tables, Weight};
use hasami_shogi::sfen;
use serde::{Deserialize, Serialize};

use crate::draw::Stop;
use crate::plan::Plan;
use crate::shard::{self, Drawn, Kind, Settled};
use crate::{Trouble, records, tuning};

/// Passes over the samples.
const PASSES: u64 = 4;
/// One sample in so many is not learned from, to measure how well the weights fit.
const ASIDE: usize = 10;

/// How well one linear function fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearFit {
    /// `proof`, `disproof` or `value`.
    pub what: String,
    /// `size` or `log`; of a value `value`.
    pub target: String,
    /// The set of features, 1 to 4.
    pub set: u8,
    /// Its number of weights, without the constant.
    pub weights: usize,
    /// Positions that it was fitted to.
    pub count: u64,
    /// Coefficient of determination.
    pub r_squared: f64,
    /// Its text: the set, the constant, the weights.
    pub function: String,
}

/// How well the tables fit moves that they were not fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TablesFit {
    /// Moves that they were fitted to.
    pub count: u64,
    /// Explained variance of the logarithm of the size of proofs.
    pub proofs: f64,
    /// The same of disproofs.
    pub disproofs: f64,
    /// Mean cost of a verdict in bits, given its estimated chance.
    pub bits: f64,
    /// Curves that were tried.
    pub tried: usize,
}

/// What fitting came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// BLAKE3 sum of the records; of a directory, of the sums of its files.
    pub records: String,
    /// Games, and records that could not be read.
    pub games: [usize; 2],
    /// Positions to learn from, by kind, and those held out.
    pub positions: [[usize; 2]; 2],
    /// Positions that stayed open.
    pub open: usize,
    /// The linear functions.
    pub linear: Vec<LinearFit>,
    /// The tables.
    pub tables: TablesFit,
    /// BLAKE3 sum of the file of the tables.
    pub digest: String,
}

pub(crate) fn fit_file(plan: &Plan) -> PathBuf {
    plan.directory.join(format!("fit-{}.json", plan.fingerprint()))
}

/// The file of the tables.
#[must_use]
pub fn tables_file(plan: &Plan) -> PathBuf {
    plan.directory.join("learned.txt")
}

/// Fits all weights, and writes them to the directory.
///
/// # Errors
/// See [`Trouble`].
pub fn fit(plan: &Plan, stop: Stop<'_>) -> Result<Fit, Trouble> {
    let file = fit_file(plan);
    if file.exists() && tables_file(plan).exists() {
        return read(plan);
    }
    let drawn = shard::drawn(plan)?;
    let learned: Vec<&Drawn> = drawn.iter().filter(|drawn| !drawn.held_out).collect();
    let linear = linear(&learned)?;
    let settled = shard::settled(plan)?;
    let (tables, tables_fit) = tables(&settled, &learned, plan.budget, stop)?;
    for set in Set::ALL {
        for (name, text) in paper_texts(&linear, set) {
            shard::save(&plan.directory.join(name), text.as_bytes())?;
        }
    }
    let text = tables.write();
    shard::save(&tables_file(plan), text.as_bytes())?;
    let (mut games, mut open) = ([0, 0], 0);
    for slice in 0..plan.slices {
        let summary = shard::summary(plan, slice)?.unwrap_or_default();
        games = [games[0] + summary.games, games[1] + summary.broken];
        open += summary.open;
    }
    let count = |kind: Kind, held_out: bool| {
        drawn.iter().filter(|one| one.kind == kind && one.held_out == held_out).count()
    };
    let fit = Fit {
        records: records::digest(&plan.records)?,
        games,
        positions: Kind::ALL.map(|kind| [count(kind, false), count(kind, true)]),
        open,
        linear,
        tables: tables_fit,
        digest: blake3::hash(text.as_bytes()).to_string(),
    };
    let json = serde_json::to_vec_pretty(&fit).expect("plain data");
    shard::save(&file, &json)?;
    Ok(fit)
}

/// What [`fit`] wrote.
///
/// # Errors
/// If it was not run, or its file is damaged.
pub fn read(plan: &Plan) -> Result<Fit, Trouble> {
    let file = fit_file(plan);
    let bytes = std::fs::read(&file).map_err(Trouble::io(&file))?;
    serde_json::from_slice(&bytes).map_err(|error| Trouble::bad(&file, error))
}

/// A linear function that was fitted.
///
/// # Errors
/// If the text is damaged.
pub(crate) fn function(fit: &LinearFit) -> Result<Function, Trouble> {
    Function::read(&fit.function).map_err(Trouble::TooLittle)
}

/// The texts of method 1 and of method 2 for a set, as the program ships them.
fn paper_texts(linear: &[LinearFit], set: Set) -> [(String, String); 2] {
    let found = |what: &str, target: &str| {
        let own =
            |fit: &&LinearFit| fit.what == what && fit.target == target && fit.set == set as u8;
        linear.iter().find(own).map(|fit| fit.function.clone()).unwrap_or_default()
    };
    let size = format!(
        "proof:size:{};disproof:size:{}\n",
        found("proof", "size"),
        found("disproof", "size")
    );
    let value = format!("value:{}\n", found("value", "value"));
    [(format!("paper-{}.txt", set as u8), size), (format!("value-{}.txt", set as u8), value)]
}

fn linear(drawn: &[&Drawn]) -> Result<Vec<LinearFit>, Trouble> {
    let featured: Vec<(&Drawn, Features)> = drawn
        .iter()
        .filter_map(|drawn| {
            let position = sfen::read(&drawn.position).ok()?;
            Some((*drawn, Features::of(&position, position.turn())?))
        })
        .collect();
    let of = |kind: Kind| featured.iter().filter(move |(drawn, _)| drawn.kind == kind);
    // As many of each kind for the value of an expansion.
    let fewest = Kind::ALL.map(|kind| of(kind).count()).into_iter().min().unwrap_or(0);
    if fewest == 0 {
        return Err(Trouble::TooLittle(
            "no mates, or no no-mates, among the games: expected more games, or a smaller every"
                .to_string(),
        ));
    }
    let mut fits = Vec::new();
    for set in Set::ALL {
        let mut add =
            |what: &str, target: &str, samples: &mut dyn Iterator<Item = (&Features, f64)>| {
                let mut sums = LeastSquares::new(set.weights());
                for (features, wanted) in samples {
                    sums.add(wanted, |row| features.values(set, |at, value| row[at] = value));
                }
                let Fitted { weights, r_squared, count } = sums.solve().expect("there are samples");
                fits.push(LinearFit {
                    what: what.to_string(),
                    target: target.to_string(),
                    set: set as u8,
                    weights: set.weights(),
                    count,
                    r_squared,
                    function: Function { set, weights }.write(),
                });
            };
        for (what, kind) in [("proof", Kind::Mate), ("disproof", Kind::NoMate)] {
            for target in [Target::Size, Target::LogSize] {
                let wanted = |size: u64| match target {
                    Target::Size => size as f64,
                    Target::LogSize => (size as f64).ln(),
                };
                let mut samples =
                    of(kind).map(|(drawn, features)| (features, wanted(drawn.size.max(1))));
                add(what, target.word(), &mut samples);
            }
        }
        let value = |sign: f64| {
            move |(drawn, features): &'_ (&Drawn, Features)| {
                (*features, sign / drawn.size.max(1) as f64)
            }
        };
        let spread = |kind: Kind| of(kind).step_by((of(kind).count() / fewest).max(1)).take(fewest);
        let both: Vec<(Features, f64)> = spread(Kind::Mate)
            .map(value(1.0))
            .chain(spread(Kind::NoMate).map(value(-1.0)))
            .collect();
        add("value", "value", &mut both.iter().map(|(features, wanted)| (features, *wanted)));
    }
    Ok(fits)
}

fn tables(
    settled: &[Settled],
    drawn: &[&Drawn],
    most: u64,
    stop: Stop<'_>,
) -> Result<(Tables, TablesFit), Trouble> {
    let at = |at: usize| {
        let Settled { features, proven, size } = &settled[at];
        Sample { features, proven: *proven, work: (*size as f32).log2() }
    };
    let aside = |at: &usize| at % ASIDE == ASIDE - 1;
    let learned: Vec<usize> = (0..settled.len()).filter(|one| !aside(one)).collect();
    if learned.is_empty() {
        return Err(Trouble::TooLittle("no moves were settled: expected more games".to_string()));
    }
    let mut trainer = Trainer::new(FEATURES);
    for pass in 0..PASSES {
        if stop() {
            return Err(Trouble::Stopped);
        }
        trainer.pass(learned.len(), |one| at(learned[one]), pass);
    }
    let quality: Quality = trainer.quality((0..settled.len()).filter(aside).map(at));
    let parts = |weight: f32| {
        (weight * PARTS as f32).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
    };
    let weights: Vec<Weight> = trainer.weights().iter().map(|weight| weight.map(parts)).collect();
    let tuned = tuning::tune(weights, drawn, most, stop)?;
    let fit = TablesFit {
        count: learned.len() as u64,
        proofs: quality.proofs,
        disproofs: quality.disproofs,
        bits: quality.bits,
        tried: tuned.tried,
    };
    Ok((tuned.tables, fit))
}
