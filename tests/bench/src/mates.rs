//! Mates in shogi, asked as a GUI asks: beside other USI engines in the same run, one question after
//! the other, each in a new process, with the same time and memory.

mod engine;

use std::path::{Path, PathBuf};

use engine::{Answer, Engine, Found, Goal};

use crate::cluster::program;
use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

/// The problems of the tests, for a run without files.
const OWN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../common/games/shogi/tests/data/mates.sfen");

/// What is asked, and of whom.
#[derive(Clone, Debug, clap::Args)]
pub struct MatesArgs {
    /// Problems for `mates`: an SFEN a line, then perhaps tabs with its plies and its name [default:
    /// those of the tests]
    #[arg(long, value_name = "FILE")]
    problems: Vec<PathBuf>,
    /// Another USI engine for `mates`; may be given again
    #[arg(long, value_name = "PROGRAM")]
    peer: Vec<PathBuf>,
    /// Seconds for each question of `mates`
    #[arg(long, default_value_t = 20, value_name = "N")]
    seconds: u64,
    /// Memory of each engine of `mates`, in MiB
    #[arg(long, default_value_t = 1024, value_name = "N")]
    mib: u64,
    /// Let this engine run once more with so many threads in `mates`
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
}

struct Problem {
    name: String,
    sfen: String,
    /// Plies of the shortest mate, if the file tells.
    plies: Option<usize>,
}

/// An engine of the comparison; the first one is ours.
struct Entrant {
    name: String,
    program: PathBuf,
    words: &'static [&'static str],
    threads: u32,
}

/// Asks every engine for the first and for the shortest mate of every problem; then for all problems
/// in one process.
pub fn run(args: &MatesArgs, quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let own = [PathBuf::from(OWN)];
    let files = if args.problems.is_empty() { &own[..] } else { &args.problems[..] };
    let mut problems = Vec::new();
    for file in files {
        read(file, &mut problems)?;
    }
    if quick {
        problems.truncate(problems.len().div_ceil(10));
    }
    let hasami = program()?;
    let ours =
        |name: String, threads| Entrant { name, program: hasami.clone(), words: &["usi"], threads };
    let mut entrants = vec![ours("hasami".to_string(), 1)];
    entrants
        .extend(args.threads.map(|threads| ours(format!("hasami, {threads} threads"), threads)));
    for peer in &args.peer {
        let name = peer.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        entrants.push(Entrant { name, program: peer.clone(), words: &[], threads: 1 });
    }
    for goal in [Goal::First, Goal::Shortest] {
        each_alone(args, goal, &problems, &entrants, figures)?;
    }
    all_in_one(args, &problems, &entrants, figures)
}

/// Every problem by every engine, each in a new process whose start is not counted.
fn each_alone(
    args: &MatesArgs,
    goal: Goal,
    problems: &[Problem],
    entrants: &[Entrant],
    figures: &mut Figures,
) -> Result<(), Failure> {
    let mut table: Vec<Vec<Answer>> = Vec::new();
    for problem in problems {
        let mut row = Vec::new();
        for entrant in entrants {
            let mut engine = start(args, goal, entrant)?;
            row.push(engine.ask(&problem.sfen, args.seconds)?);
        }
        figures.push(Figure {
            what: format!("{} {}", goal.word(), problem.name),
            values: row.iter().map(Answer::shown).collect::<Vec<_>>().join(" | "),
            ratio: row.get(1).map_or(1.0, |other| row[0].seconds / other.seconds),
            goal: None,
        });
        table.push(row);
    }
    let ours: Vec<&Answer> = table.iter().map(|row| &row[0]).collect();
    let wrong = problems.iter().zip(&ours).filter(|(problem, answer)| match answer.found {
        Found::NoMate => problem.plies.is_some(),
        Found::Mate(plies) => {
            let exact = goal == Goal::Shortest && answer.in_time;
            problem.plies.is_some_and(|known| plies < known || exact && plies > known)
        }
        Found::Nothing => false,
    });
    figures.push(Figure::never(
        "wrong answers",
        format!("of {}", problems.len()),
        wrong.count() as u64,
    ));
    // Of short ones the clock, the start and the certificate are most of the time.
    let long: Vec<&&Answer> = ours.iter().filter(|answer| answer.seconds >= 1.0).collect();
    let (nodes, seconds) = long.iter().fold((0, 0.0), |(nodes, seconds), answer| {
        (nodes + answer.nodes, seconds + answer.seconds)
    });
    let speed = nodes as f64 / f64::max(seconds, 1e-9) / 1e6;
    figures.push(Figure {
        what: format!("{}: million nodes a second", goal.word()),
        values: format!("{} answers that took a second or more", long.len()),
        ratio: speed,
        goal: (!long.is_empty()).then_some((">= 0.8", speed >= 0.8)),
    });
    for (at, entrant) in entrants.iter().enumerate() {
        let solved = |row: &Vec<Answer>, at: usize| row[at].solved();
        let count = table.iter().filter(|row| solved(row, at)).count();
        let both: Vec<&Vec<Answer>> =
            table.iter().filter(|row| solved(row, 0) && solved(row, at)).collect();
        // The clock of an engine has milliseconds.
        let ratio = |row: &Vec<Answer>| (row[0].seconds.max(1e-3) / row[at].seconds.max(1e-3)).ln();
        let mean =
            (both.iter().map(|row| ratio(row)).sum::<f64>() / both.len().max(1) as f64).exp();
        let most = args.seconds;
        figures.push(Figure {
            what: format!("{}: time beside {}", goal.word(), entrant.name),
            values: format!(
                "it has {count} of {} within {most} s; both {}",
                table.len(),
                both.len()
            ),
            ratio: mean,
            goal: (at > 0).then_some(("<= 1", mean <= 1.0)),
        });
    }
    Ok(())
}

/// All problems in one process, one after the other.
fn all_in_one(
    args: &MatesArgs,
    problems: &[Problem],
    entrants: &[Entrant],
    figures: &mut Figures,
) -> Result<(), Failure> {
    let mut ours = 0.0;
    for (at, entrant) in entrants.iter().enumerate() {
        let mut engine = start(args, Goal::First, entrant)?;
        let (mut seconds, mut solved) = (0.0, 0);
        for problem in problems {
            let answer = engine.ask(&problem.sfen, args.seconds)?;
            seconds += answer.seconds;
            solved += u64::from(answer.solved());
        }
        let speed = solved as f64 / seconds;
        if at == 0 {
            ours = speed;
        }
        figures.push(Figure {
            what: format!("problems a second, one process, {}", entrant.name),
            values: format!("{} solved, {seconds:.2} s, {speed:.1} a second", grouped(solved)),
            ratio: ours / speed,
            goal: None,
        });
    }
    Ok(())
}

fn start(args: &MatesArgs, goal: Goal, entrant: &Entrant) -> Result<Engine, Failure> {
    Engine::start(&entrant.program, entrant.words, goal, args.mib, entrant.threads)
}

fn read(file: &Path, problems: &mut Vec<Problem>) -> Result<(), Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure(format!("{}: {error}", file.display())))?;
    for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.starts_with('#')) {
        let columns: Vec<&str> = text.split('\t').collect();
        let [sfen, rest @ ..] = &columns[..] else { continue };
        if sfen.trim().is_empty() {
            continue;
        }
        let plies = rest.iter().find_map(|column| column.parse().ok());
        let name = match rest {
            [.., last] if last.parse::<usize>().is_err() => last.to_string(),
            _ => format!("line {}", line + 1),
        };
        problems.push(Problem { name, sfen: sfen.to_string(), plies });
    }
    Ok(())
}
