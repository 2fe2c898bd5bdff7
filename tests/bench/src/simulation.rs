//! The partitioners on simulated workers: the same code that the coordinator runs, real kernels on
//! the trees of real searches, a clock that is only counted.

use std::path::Path;

use hasami_andor::Verdict;
use hasami_game::Game;
use hasami_polyomino::paving_winner::PavingWinner;
use hasami_polyomino::polyomino::Polyomino;
use hasami_race::mancala::Mancala;
use hasami_simulation::{
    Baseline, Calibration, Faults, Forgetful, Point, baseline, csv, measure, svg,
};
use hasami_small::graph::Graph;
use hasami_small::mnk::Mnk;
use hasami_small::quarto::Quarto;
use hasami_small::synthetic::Synthetic;
use hasami_spec::Partitioner;

use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

/// A search to be split, and by how many.
pub struct Tree<'a> {
    /// As on the command line.
    pub words: &'a str,
    pub partitioners: &'a [Partitioner],
    pub workers: &'a [usize],
    /// Runs that differ in the order in which messages arrive: a proof is found by luck as much as
    /// by work.
    pub runs: u64,
}

const FRONTIER: &[Partitioner] = &[Partitioner::Frontier];
const ALL: &[Partitioner] = &[
    Partitioner::Frontier,
    Partitioner::Aohpas { and_helpers: true },
    Partitioner::Aohpas { and_helpers: false },
    Partitioner::Dovetail,
];

/// Messages are up to this much late, so that runs differ.
const JITTER: f64 = 0.001;

/// A simulated search beside plain df-pn.
pub struct Measured {
    pub alone: Baseline,
    pub points: Vec<Point>,
}

impl Tree<'_> {
    /// Simulates every partitioner with every number of workers, `runs` times each.
    pub fn measure(&self, mut told: impl FnMut(&Point, &Baseline)) -> Result<Measured, Failure> {
        let name = self.words.split(' ').next().unwrap_or_default();
        let told = &mut told;
        match name {
            "polyomino" => self.of::<Polyomino>(told),
            "paving" => self.of::<PavingWinner>(told),
            "mnk" => self.of::<Mnk>(told),
            "quarto" => self.of::<Quarto>(told),
            "mancala" => self.of::<Mancala>(told),
            "graph" => self.of::<Graph>(told),
            "synthetic" => self.of::<Synthetic>(told),
            other => Err(Failure(format!("{other}: no game that is simulated"))),
        }
    }

    fn of<G: Game>(&self, told: &mut dyn FnMut(&Point, &Baseline)) -> Result<Measured, Failure> {
        let pairs = G::SPEC.read_words(self.words.split(' ').skip(1)).map_err(Failure)?;
        let game = G::from_params(&G::SPEC.read(&pairs)?)?;
        let game = Forgetful(&game);
        let calibration = Calibration { options: G::ADVICE, ..Calibration::default() };
        let alone = baseline(&game, &calibration)
            .ok_or_else(|| Failure("plain df-pn finds no verdict".to_string()))?;
        let mut points = Vec::new();
        for &kind in self.partitioners {
            for &workers in self.workers {
                for run in 0..self.runs {
                    // All tables together fit into the memory of one machine.
                    let table_entries = ((1 << 25) / workers).min(1 << 20);
                    let calibration = Calibration { table_entries, ..calibration };
                    let faults = &mut Faults::new(run, 0.0, 0.0, JITTER);
                    let point = measure(kind, &game, workers, &calibration, &alone, faults)?;
                    told(&point, &alone);
                    points.push(point);
                }
            }
        }
        Ok(Measured { alone, points })
    }
}

const fn tree(words: &'static str, workers: &'static [usize], runs: u64) -> Tree<'static> {
    Tree { words, partitioners: FRONTIER, workers, runs }
}

/// Wins of several games, then losses; the largest loss takes one worker two simulated hours.
const TREES: &[Tree<'_>] = &[
    tree("polyomino U UU stones=10", &[1, 16, 64], 3),
    tree("polyomino UU SS stones=11 game=weak", &[1, 16, 64], 3),
    tree("polyomino I SS stones=8", &[2, 16, 64], 1),
    tree("polyomino Square SS stones=7", &[2, 16, 64], 1),
    tree("polyomino UU ZZ stones=9", &[16, 256, 1024], 1),
];
const QUICK: &[Tree<'_>] =
    &[Tree { words: "polyomino UU SS stones=8", partitioners: ALL, workers: &[1, 16], runs: 1 }];

/// Compares the partitioners and writes a table and a picture of each tree into the current
/// directory. Speed-ups are over plain df-pn on one core with a table that holds everything.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let mut means = Means::default();
    for tree in if quick { QUICK } else { TREES } {
        let measured = tree.measure(|point, alone| tell(tree.words, point, alone, figures))?;
        measured.points.iter().for_each(|point| means.add(point, &measured.alone));
        write_files(tree.words, &measured.points, Path::new("."))?;
    }
    means.tell(figures);
    Ok(())
}

/// A table and a picture.
fn write_files(words: &str, points: &[Point], place: &Path) -> Result<(), Failure> {
    let name = words.replace(' ', "-").replace('=', "");
    for (kind, text) in [("csv", csv(points)), ("svg", svg(points))] {
        let file = place.join(format!("simulation-{name}.{kind}"));
        let shown = file.display();
        std::fs::write(&file, text).map_err(|error| Failure(format!("{shown}: {error}")))?;
        eprintln!("written: {shown}");
    }
    Ok(())
}

/// One line for a run.
pub fn tell(words: &str, point: &Point, alone: &Baseline, figures: &mut Figures) {
    figures.push(Figure {
        what: format!("{words}: {} × {}", point.partitioner, point.workers),
        values: format!(
            "{} of {} nodes {}, {:.2}; searching {:.2}, idle {:.2}, talking {:.2}",
            alone.verdict.word(),
            grouped(alone.nodes),
            grouped(point.nodes),
            point.overhead,
            point.search,
            point.idle,
            point.talk
        ),
        ratio: point.speedup,
        goal: None,
    });
}

/// Logarithms of the speed-ups and of the nodes over those of df-pn, by what was measured.
#[derive(Default)]
pub struct Means {
    of: Vec<(Group, Vec<[f64; 2]>)>,
}

type Group = (Partitioner, Verdict, usize);

impl Means {
    pub fn add(&mut self, point: &Point, alone: &Baseline) {
        let group = (point.partitioner, alone.verdict, point.workers);
        let logs = [point.speedup.ln(), point.overhead.ln()];
        match self.of.iter_mut().find(|(known, _)| *known == group) {
            Some((_, all)) => all.push(logs),
            None => self.of.push((group, vec![logs])),
        }
    }

    /// Geometric means, beside the goals where there are some.
    pub fn tell(&self, figures: &mut Figures) {
        for ((kind, verdict, workers), logs) in &self.of {
            let mean =
                |i: usize| (logs.iter().map(|l| l[i]).sum::<f64>() / logs.len() as f64).exp();
            let speedup = mean(0);
            let goal = match (kind, verdict, workers) {
                (Partitioner::Frontier, Verdict::Proven, 16) => Some((">= 4", speedup >= 4.0)),
                (Partitioner::Frontier, Verdict::Proven, 64) => Some((">= 8", speedup >= 8.0)),
                (Partitioner::Frontier, Verdict::Disproven, 16) => Some((">= 15", speedup >= 15.0)),
                (Partitioner::Frontier, Verdict::Disproven, 1024) => {
                    Some((">= 512", speedup >= 512.0))
                }
                _ => None,
            };
            figures.push(Figure {
                what: format!("geometric mean, {}: {kind} × {workers}", verdict.word()),
                values: format!("{} runs; nodes {:.2} of plain df-pn", logs.len(), mean(1)),
                ratio: speedup,
                goal,
            });
        }
    }
}
