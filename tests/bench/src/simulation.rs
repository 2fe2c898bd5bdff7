//! The partitioners on simulated workers: the same code that the coordinator runs, real kernels on
//! the trees of real searches, a clock that is only counted.

use hasami_game::Game;
use hasami_polyomino::polyomino::Polyomino;
use hasami_simulation::{Baseline, Calibration, Forgetful, Point, baseline, csv, svg, sweep};
use hasami_spec::Partitioner;

use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

/// A search to be split, and by how many.
struct Tree {
    /// As on the command line.
    words: &'static str,
    partitioners: &'static [Partitioner],
    workers: &'static [usize],
}

const FRONTIER: &[Partitioner] = &[Partitioner::Frontier];
const ALL: &[Partitioner] = &[
    Partitioner::Frontier,
    Partitioner::Aohpas { and_helpers: true },
    Partitioner::Aohpas { and_helpers: false },
];

/// Three disproofs and two proofs; the large one takes one worker two simulated hours. A leader that
/// slaves draw away from the proof may take for ever, so `aohpas` is left out there.
const TREES: &[Tree] = &[
    Tree { words: "polyomino I SS stones=8", partitioners: ALL, workers: &[1, 2, 16, 64] },
    Tree { words: "polyomino U UU stones=10", partitioners: FRONTIER, workers: &[1, 2, 16, 64] },
    Tree {
        words: "polyomino UU SS stones=11 game=weak",
        partitioners: FRONTIER,
        workers: &[1, 2, 4, 16],
    },
    Tree { words: "polyomino Square SS stones=7", partitioners: FRONTIER, workers: &[2, 16, 64] },
    Tree { words: "polyomino UU ZZ stones=9", partitioners: FRONTIER, workers: &[16, 256, 1024] },
];
const QUICK: &[Tree] =
    &[Tree { words: "polyomino UU SS stones=8", partitioners: ALL, workers: &[1, 16] }];

/// Compares the partitioners and writes a table and a picture of each tree into the current
/// directory. Speed-ups are over plain df-pn on one core with a table that holds everything.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    for tree in if quick { QUICK } else { TREES } {
        let words = tree.words.split(' ').skip(1);
        let pairs = Polyomino::SPEC.read_words(words).map_err(Failure)?;
        let params = Polyomino::SPEC.read(&pairs)?;
        let points = Simulate { tree, figures }.points(&Polyomino::from_params(&params)?)?;
        let name = tree.words.replace(' ', "-").replace('=', "");
        for (kind, text) in [("csv", csv(&points)), ("svg", svg(&points))] {
            let file = format!("simulation-{name}.{kind}");
            std::fs::write(&file, text).map_err(|error| Failure(format!("{file}: {error}")))?;
            eprintln!("written: {file}");
        }
    }
    Ok(())
}

struct Simulate<'a> {
    tree: &'a Tree,
    figures: &'a mut Figures,
}

impl Simulate<'_> {
    fn points<G: Game>(&mut self, game: &G) -> Result<Vec<Point>, Failure> {
        let game = Forgetful(game);
        let calibration = Calibration { options: G::ADVICE, ..Calibration::default() };
        let alone = baseline(&game, &calibration)
            .ok_or_else(|| Failure("plain df-pn finds no verdict".to_string()))?;
        let mut points = Vec::new();
        for &kind in self.tree.partitioners {
            for &workers in self.tree.workers {
                // All tables together fit into the memory of one machine.
                let table_entries = ((1 << 27) / workers).min(1 << 20);
                let calibration = Calibration { table_entries, ..calibration };
                let found = sweep(kind, &game, &[workers], &calibration, &alone)?;
                found.iter().for_each(|point| self.tell(point, &alone));
                points.extend(found);
            }
        }
        Ok(points)
    }
}

impl Simulate<'_> {
    fn tell(&mut self, point: &Point, alone: &Baseline) {
        let goal = match (point.partitioner, point.workers) {
            (Partitioner::Frontier, 16) => Some((">= 13.6", point.speedup >= 13.6)),
            (Partitioner::Frontier, 1024) => Some((">= 512", point.speedup >= 512.0)),
            _ => None,
        };
        self.figures.push(Figure {
            what: format!("{}: {} × {}", self.tree.words, point.partitioner, point.workers),
            values: format!(
                "{} nodes, {:.2} of plain df-pn; searching {:.2}, idle {:.2}, talking {:.2}",
                grouped(point.nodes),
                point.nodes as f64 / alone.nodes as f64,
                point.search,
                point.idle,
                point.talk
            ),
            ratio: point.speedup,
            // A proof is found by luck as much as by work: no goal there.
            goal: goal.filter(|_| alone.verdict == hasami_andor::Verdict::Disproven),
        });
    }
}
