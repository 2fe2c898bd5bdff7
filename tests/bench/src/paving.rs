//! Paving winners beside CaDiCaL, a SAT solver, on the same questions: the seed's four open pairs
//! on the smallest boards they win on, and Snaky on 6×6, all with any two cells as a pair.

use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, SumRule, Table, Verdict};
use hasami_polyomino::paving_winner::{Pairs, PavingWinner};
use hasami_polyomino::polyomino::shape::parse_set;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Clause, Lit};
use rustsat_cadical::CaDiCaL;

use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

const QUESTIONS: [(&str, u8); 5] =
    [("I,L", 5), ("I,UU", 6), ("I,SS", 6), ("I,ZZ", 6), ("Snaky", 6)];

/// Each question by both in turn, several times; each side's best time counts, from the shapes to
/// the verdict.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let rounds = if quick { 1 } else { 7 };
    let mut logs = 0.0;
    for (shapes, size) in QUESTIONS {
        let (mut ours, mut theirs, mut nodes) = (f64::INFINITY, f64::INFINITY, 0);
        for _ in 0..rounds {
            let started = Instant::now();
            let (verdict, visited) = by_search(&question(shapes, size));
            ours = ours.min(started.elapsed().as_secs_f64());
            let started = Instant::now();
            let second = by_sat(&question(shapes, size))?;
            theirs = theirs.min(started.elapsed().as_secs_f64());
            if verdict != second {
                let message = format!("{shapes} {size}x{size}: {verdict:?}, CaDiCaL {second:?}");
                return Err(Failure(message));
            }
            nodes = visited;
        }
        logs += (ours / theirs).ln();
        figures.push(Figure {
            what: format!("{shapes} {size}x{size}, {} nodes", grouped(nodes)),
            values: format!("{:.1} ms, CaDiCaL {:.1} ms", ours * 1e3, theirs * 1e3),
            ratio: ours / theirs,
            goal: None,
        });
    }
    let mean = (logs / QUESTIONS.len() as f64).exp();
    figures.push(Figure {
        what: "time, geometric mean".to_string(),
        values: "dfpn with the weak sum to CaDiCaL".to_string(),
        ratio: mean,
        goal: Some(("<= 1", mean <= 1.0)),
    });
    Ok(())
}

fn question(shapes: &str, size: u8) -> PavingWinner {
    let shapes = parse_set(shapes).expect("names of shapes");
    PavingWinner::new(&shapes, size, size, Pairs::Any)
}

fn by_search(game: &PavingWinner) -> (Option<Verdict>, u64) {
    let table = Table::with_entries(1 << 16, false);
    let options = Options { sum: SumRule::Weak, ..Options::default() };
    let job = Job::settle(game.root());
    let outcome = Search::new(Kernel::Dfpn, game, &table, options, job).run(&Control::unlimited());
    (outcome.numbers.verdict(), outcome.counts.nodes)
}

fn by_sat(game: &PavingWinner) -> Result<Option<Verdict>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(format!("CaDiCaL: {error}"));
    let mut solver = CaDiCaL::default();
    for literals in game.clauses().clauses {
        let clause = literals.into_iter().map(Lit::from_ipasir).collect::<Result<Clause, _>>();
        solver.add_clause(clause.map_err(|e| failed(&e))?).map_err(|e| failed(&e))?;
    }
    Ok(match solver.solve().map_err(|e| failed(&e))? {
        SolverResult::Sat => Some(Verdict::Disproven),
        SolverResult::Unsat => Some(Verdict::Proven),
        SolverResult::Interrupted => None,
    })
}
