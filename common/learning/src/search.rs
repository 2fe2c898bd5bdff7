//! One search of one position, with its proof checked.

use hasami_andor::certificate::hold;
use hasami_andor::problem::all_moves;
use hasami_andor::{
    Control, Expansion, Job, Kernel, Moves, Numbers, Options, Problem, Search, Table, Verdict,
};
use hasami_game::Game as _;
use hasami_shogi::evaluation::FirstNumbers;
use hasami_shogi::{Move, Position, Shogi, sfen};
use hasami_spec::Params;

use crate::plan::Plan;
use crate::{Trouble, draw::Stop};

type Reason = <Shogi as Problem>::Reason;

/// What a search cost and found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    /// Positions visited.
    pub nodes: u64,
    /// Positions that the table did not know when they were visited.
    pub fresh: u64,
    /// Nodes of the proof that was found; 0 without a verdict.
    pub size: u64,
    /// Processor time of the search.
    pub seconds: f64,
}

/// A search that has ended.
pub(crate) struct Searched {
    pub problem: Shogi,
    pub table: Table<Reason>,
    pub verdict: Option<Verdict>,
    pub cost: Cost,
}

impl Searched {
    /// A move of the root after which it is known to be proven.
    pub(crate) fn winning_move(&self) -> Option<Move> {
        let Self { problem, table, .. } = self;
        let root = problem.root();
        let mut moves = Moves::new();
        all_moves(problem, &root, &mut moves);
        moves.iter().find(|&mv| {
            let child = problem.play(&root, mv);
            let known = table.look(problem, problem.key(&child)).settled();
            known.is_some_and(|entry| entry.numbers == Numbers::PROVEN)
                || problem.expand(&child, &mut Moves::new()) == Expansion::Settled(Verdict::Proven)
        })
    }
}

/// Searches a position, the attacker to move, and checks the proof that was found.
pub(crate) fn search(
    position: &Position,
    first: &FirstNumbers,
    budget: u64,
    stop: Stop<'_>,
) -> Result<Searched, Trouble> {
    let spelled = sfen::write(position);
    let params = Params::new(Shogi::params(), &[("position", spelled.as_str())]);
    let problem = params.ok().and_then(|params| {
        let problem = Shogi::from_params(&params).ok()?.with_first_numbers(first.clone());
        Some((problem.asked(&params), problem))
    });
    let wrong = || Trouble::Contradiction(format!("{spelled} cannot be asked about"));
    let (asked, problem) = problem.ok_or_else(wrong)?;
    let table = Table::with_mib(Plan::TABLE_MIB, false)?;
    let control = Control::with_budget(budget);
    let started = processor_time();
    let outcome =
        Search::new(Kernel::Dfpn, &problem, &table, Options::DEFAULT, Job::settle(problem.root()))
            .run(&control);
    let seconds = processor_time() - started;
    if stop() {
        return Err(Trouble::Stopped);
    }
    let verdict = outcome.numbers.verdict();
    let mut size = 0;
    if let Some(verdict) = verdict {
        let unlimited = Control::unlimited();
        let contradiction = |why: String| Trouble::Contradiction(format!("{spelled}: {why}"));
        let held = hold(&problem, &table, &unlimited, &asked, verdict)
            .map_err(|error| contradiction(error.to_string()))?;
        let checked = held
            .verify(&problem, &asked, &unlimited)
            .map_err(|error| contradiction(error.to_string()))?;
        size = checked.nodes;
    }
    let counts = outcome.counts;
    let cost = Cost { nodes: counts.nodes, fresh: counts.fresh, size, seconds };
    Ok(Searched { problem, table, verdict, cost })
}

/// Processor time of this thread: others on the machine do not count.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
