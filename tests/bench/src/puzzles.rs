//! Puzzles beside the goals: time for one, in median, on one core. Goals after the limits of Ogawa, Koizumi and
//! Otsuki, who allowed five seconds for each.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use hasami_answer::entry;
use hasami_database::{Build, build};
use hasami_puzzles::{Order, Plies};
use hasami_race::pyonpyon::NoMove;
use hasami_race::subject::Subject;

use crate::figures::{Failure, Figure, Figures};

/// A goal.
struct Case {
    game: &'static str,
    plies: u32,
    /// How many puzzles are made.
    count: usize,
    /// Seconds for one, and the same in words.
    goal: (f64, &'static str),
    /// Whether positions are drawn from the strong solution.
    solved: bool,
}

const fn case(
    game: &'static str,
    plies: u32,
    count: usize,
    goal: (f64, &'static str),
    solved: bool,
) -> Case {
    Case { game, plies, count, goal, solved }
}

const CASES: [Case; 6] = [
    case("quarto", 5, 200, (0.05, "<= 50 ms"), false),
    case("quarto", 7, 200, (0.05, "<= 50 ms"), false),
    case("quarto", 9, 40, (1.0, "<= 1 s"), false),
    case("mancala", 5, 100, (1.0, "<= 1 s"), false),
    case("pyonpyon", 15, 200, (0.005, "<= 5 ms"), false),
    case("pyonpyon", 41, 100, (1.0, "<= 1 s"), true),
];
/// A case is broken off after so many seconds.
const PATIENCE: f64 = 60.0;

/// Runs all cases; the ratio is to the goal. Without a database the strong solution is built first.
pub fn run(quick: bool, database: Option<&Path>, figures: &mut Figures) -> Result<(), Failure> {
    let place = std::env::temp_dir().join(format!("hasami-bench-{}", std::process::id()));
    let result = all(quick, database, &place, figures);
    // It is there only if it was built here.
    let _ = std::fs::remove_dir_all(&place);
    result
}

fn all(
    quick: bool,
    database: Option<&Path>,
    place: &Path,
    figures: &mut Figures,
) -> Result<(), Failure> {
    for case in CASES {
        let (count, patience) =
            if quick { (case.count / 10, PATIENCE / 10.0) } else { (case.count, PATIENCE) };
        let database = match (case.solved, database) {
            (false, _) => None,
            (true, Some(file)) => Some(file.to_owned()),
            (true, None) => Some(solved(place, figures)?),
        };
        let timed = Timed { plies: case.plies, count, patience, database };
        let times = timed.puzzles(case.game)?;
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
        let (goal, words) = case.goal;
        let from = if case.solved { ", from the strong solution" } else { "" };
        figures.push(Figure {
            what: format!("{}, {} plies, one winning move{from}", case.game, case.plies),
            values: value,
            ratio: seconds / goal,
            goal: Some((words, seconds <= goal)),
        });
    }
    Ok(())
}

/// Builds the strong solution; the seconds are a figure too.
fn solved(place: &Path, figures: &mut Figures) -> Result<PathBuf, Failure> {
    const GOAL: f64 = 300.0;
    std::fs::create_dir_all(place)
        .map_err(|error| Failure(format!("{}: {error}", place.display())))?;
    let file = place.join("pyonpyon.db");
    let subject = Subject::Pyonpyon { rows: 3, columns: 9, home: 3, no_move: NoMove::Pass };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let started = Instant::now();
    let how = Build { threads, stop: &AtomicBool::new(false), progress: &mut |_| {} };
    build(&*subject.plan(), &file, how)?;
    let seconds = started.elapsed().as_secs_f64();
    figures.push(Figure {
        what: "pyonpyon, strong solution of 3x9".to_string(),
        values: format!("{seconds:.0} s with {threads} threads"),
        ratio: seconds / GOAL,
        goal: Some(("<= 300 s", seconds <= GOAL)),
    });
    Ok(file)
}

struct Timed {
    plies: u32,
    count: usize,
    patience: f64,
    database: Option<PathBuf>,
}

impl Timed {
    /// The seconds for each puzzle, sorted.
    fn puzzles(&self, game: &str) -> Result<Vec<f64>, Failure> {
        let maker = entry(game).ok().and_then(|entry| entry.puzzles);
        let maker = maker.ok_or_else(|| Failure(format!("{game}: no game of puzzles")))?;
        let method = maker.method();
        let order = Order {
            plies: Plies { least: self.plies, most: self.plies },
            unique: maker.usual_unique(method),
            grade: None,
            rule_proof: false,
            method,
            seed: 1,
            nodes: 3_000_000,
        };
        let databases: Vec<PathBuf> = self.database.iter().cloned().collect();
        let mut generator = maker.generator(&[], order, &databases)?;
        let (started, mut last) = (Instant::now(), Instant::now());
        let mut times = Vec::new();
        while times.len() < self.count && started.elapsed().as_secs_f64() < self.patience {
            let made = generator.attempt();
            if let Some(error) = generator.trouble() {
                return Err(Failure::from(error));
            }
            if made.is_some() {
                times.push(last.elapsed().as_secs_f64());
                last = Instant::now();
            }
        }
        times.sort_by(f64::total_cmp);
        Ok(times)
    }
}
