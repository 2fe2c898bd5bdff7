//! The partitioners on simulated workers: the same code that the coordinator runs, real kernels on
//! a synthetic tree, a clock that is only counted.

use hasami_coordinator::simulation::{Calibration, Point, baseline, csv, svg, sweep};
use hasami_games::synthetic::Synthetic;
use hasami_games::{Game, Params};
use hasami_sweep::Partitioner;

use super::{Figure, Figures};
use crate::failure::Failure;
use crate::output::grouped;

/// Compares the partitioners and writes `simulation.csv` and `simulation.svg`. Speed-ups are over
/// one simulated worker of `aohpas`, which is plain df-pn with the table that all workers have: a
/// larger table would make the one worker slower on a tree without structure, and flatter the rest.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let (spelled, most) = match quick {
        true => ("depth=10 branching=4 bias=0.5 seed=1", 16),
        false => ("depth=12 branching=4 bias=0.5 seed=1", 1024),
    };
    let params = Params::parse(Synthetic::params(), spelled).map_err(|error| failed(&error))?;
    let game = Synthetic::from_params(&params).map_err(|error| failed(&error))?;
    let calibration = Calibration::default();
    let truth = baseline(&game, &calibration)
        .ok_or_else(|| Failure::Failed("plain df-pn finds no verdict".to_string()))?;
    let mut points: Vec<Point> = Vec::new();
    for (_, kind) in Partitioner::NAMES {
        for workers in [1, 4, 16, 64, 256, 1024] {
            // Every further worker of `dovetail` repeats the whole search.
            if workers > most || (kind == Partitioner::Dovetail && workers > 16) {
                continue;
            }
            let found = sweep(kind, &game, &[workers], &calibration, &truth);
            points.extend(found.map_err(|error| failed(&error))?);
            let (Some(alone), Some(point)) = (points.first(), points.last()) else { continue };
            let speedup = alone.seconds / point.seconds;
            figures.push(Figure {
                what: format!("{kind}, {workers} simulated workers"),
                values: format!(
                    "{} nodes, {:.2} of plain df-pn",
                    grouped(point.nodes),
                    point.nodes as f64 / alone.nodes as f64
                ),
                ratio: speedup,
                goal: match (kind, workers) {
                    (Partitioner::Frontier, 16) => Some((">= 13.6", speedup >= 13.6)),
                    (Partitioner::Frontier, 1024) => Some((">= 512", speedup >= 512.0)),
                    _ => None,
                },
            });
        }
    }
    for (file, text) in [("simulation.csv", csv(&points)), ("simulation.svg", svg(&points))] {
        std::fs::write(file, text).map_err(|error| failed(&format!("{file}: {error}")))?;
        eprintln!("written: {file}");
    }
    Ok(())
}
