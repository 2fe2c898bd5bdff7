//! The partitioners on simulated workers: the same code that the coordinator runs, real kernels on
//! a synthetic tree, a clock that is only counted.

use hasami_coordinator::simulation::{Calibration, csv, report, svg};
use hasami_games::synthetic::Synthetic;
use hasami_games::{Game, Params};
use hasami_sweep::Partitioner;

use super::{Figure, Figures};
use crate::failure::Failure;
use crate::output::grouped;

/// Compares all partitioners and writes `simulation.csv` and `simulation.svg`.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let (spelled, counts): (&str, &[usize]) = match quick {
        true => ("depth=10 branching=4 bias=0.5 seed=1", &[1, 4, 16]),
        false => ("depth=12 branching=4 bias=0.5 seed=1", &[1, 4, 16, 64, 256, 1024]),
    };
    let params = Params::parse(Synthetic::params(), spelled).map_err(|error| failed(&error))?;
    let game = Synthetic::from_params(&params).map_err(|error| failed(&error))?;
    let calibration = Calibration::default();
    let kinds: Vec<Partitioner> = Partitioner::NAMES.iter().map(|(_, kind)| *kind).collect();
    let told = |point: &hasami_coordinator::simulation::Point| {
        let (kind, workers) = (point.partitioner, point.workers);
        let speedup = point.speedup;
        figures.push(Figure {
            what: format!("{kind}, {workers} simulated workers"),
            values: format!(
                "{} nodes, {:.2} of the baseline",
                grouped(point.nodes),
                point.overhead
            ),
            ratio: speedup,
            goal: match (kind, workers) {
                (Partitioner::Frontier, 16) => Some((">= 13.6", speedup >= 13.6)),
                (Partitioner::Frontier, 1024) => Some((">= 512", speedup >= 512.0)),
                _ => None,
            },
        });
    };
    let compared = report(&game, &kinds, counts, &calibration, told)
        .map_err(|error| failed(&error))?
        .ok_or_else(|| Failure::Failed("plain df-pn finds no verdict".to_string()))?;
    for (file, text) in
        [("simulation.csv", csv(&compared.points)), ("simulation.svg", svg(&compared.points))]
    {
        std::fs::write(file, text).map_err(|error| failed(&format!("{file}: {error}")))?;
        eprintln!("written: {file}");
    }
    Ok(())
}
