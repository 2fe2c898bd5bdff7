//! Puzzles beside the goals: time for one, in median, on one core. Goals after the limits of Ogawa, Koizumi and
//! Otsuki, who allowed five seconds for each.

use std::time::Instant;

use hasami_games::Params;
use hasami_games::puzzle::{Generator, Order, Plies, Puzzle, PuzzleVisitor, visit_puzzle};

use super::{Figure, Figures};
use crate::failure::Failure;

/// Game, plies, how many puzzles, seconds for one that are the goal, and the goal in words.
const CASES: [(&str, u32, usize, f64, &str); 6] = [
    ("quarto", 5, 200, 0.05, "<= 50 ms"),
    ("quarto", 7, 200, 0.05, "<= 50 ms"),
    ("quarto", 9, 40, 1.0, "<= 1 s"),
    ("mancala", 5, 100, 1.0, "<= 1 s"),
    ("pyonpyon", 15, 200, 0.005, "<= 5 ms"),
    ("pyonpyon", 41, 10, 1.0, "<= 1 s"),
];
/// A case is broken off after so many seconds.
const PATIENCE: f64 = 60.0;

/// Runs all cases; the ratio is to the goal.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    for (game, plies, count, goal, words) in CASES {
        let (count, patience) =
            if quick { (count / 10, PATIENCE / 10.0) } else { (count, PATIENCE) };
        let times = visit_puzzle(game, &[], Timed { plies, count, patience })??;
        let found = times.len();
        let total: f64 = times.iter().sum();
        let median = times.get(found / 2).copied();
        let value = match median {
            Some(median) => format!(
                "median {:.2} ms, mean {:.2} ms, {found} puzzles",
                median * 1e3,
                total * 1e3 / found as f64
            ),
            None => format!("none in {patience:.0} s"),
        };
        // Puzzles that come several at a time would make the median too good: the mean counts too.
        let mean = if found == 0 { f64::INFINITY } else { total / found as f64 };
        let seconds = median.unwrap_or(f64::INFINITY).max(if found == 0 { 0.0 } else { mean });
        figures.push(Figure {
            what: format!("{game}, {plies} plies, with one winning move"),
            values: value,
            ratio: seconds / goal,
            goal: Some((words, seconds <= goal)),
        });
    }
    Ok(())
}

struct Timed {
    plies: u32,
    count: usize,
    patience: f64,
}

impl PuzzleVisitor for Timed {
    type Output = Result<Vec<f64>, Failure>;

    /// The seconds for each puzzle, sorted.
    fn visit<G: Puzzle>(self, params: &Params) -> Self::Output {
        let order = Order {
            plies: Plies { least: self.plies, most: self.plies },
            unique: G::usual_unique(G::METHOD),
            grade: None,
            rule_proof: false,
            method: G::METHOD,
            seed: 1,
            nodes: 3_000_000,
        };
        let wrong = |error| Failure::Usage(format!("{}: {error}", G::NAME));
        let mut generator = Generator::<G>::new(params, order).map_err(wrong)?;
        let (started, mut last) = (Instant::now(), Instant::now());
        let mut times = Vec::new();
        while times.len() < self.count && started.elapsed().as_secs_f64() < self.patience {
            if generator.attempt().is_some() {
                times.push(last.elapsed().as_secs_f64());
                last = Instant::now();
            }
        }
        times.sort_by(f64::total_cmp);
        Ok(times)
    }
}
