//! Games from a spelling, and every way to search them. Shared by the tests of
//! kernels and games.

#![allow(clippy::missing_panics_doc, clippy::unwrap_used, reason = "a test may panic")]

pub mod certified;

use hasami_andor::kernel::multipath::{Amount, Schedule};
use hasami_andor::{
    Control, Job, Kernel, Options, Outcome, Problem, Search, Stopped, SumRule, Table, Verdict,
    oracle,
};
use hasami_game::Game;
use hasami_spec::Params;

/// The game that `spelling` describes.
pub fn made<G: Game>(spelling: &str) -> G {
    let params = Params::parse(G::params(), spelling).expect("a valid spelling");
    G::from_params(&params).expect("valid parameters")
}

/// Every kernel; those with parameters more than once.
pub const KERNELS: [Kernel; 7] = [
    Kernel::Pn,
    Kernel::Pds,
    Kernel::Dfpn,
    Kernel::Multipath(Schedule {
        threads: 3,
        optimized: true,
        amount: Amount::ProofAndDisproof,
        base: 1000,
        weight: 0.0,
        leader: 1.25,
        adapt: false,
    }),
    Kernel::Multipath(Schedule {
        threads: 4,
        optimized: false,
        amount: Amount::Proof,
        base: 2,
        weight: 0.05,
        leader: 1.0,
        adapt: false,
    }),
    Kernel::Multipath(Schedule {
        threads: 5,
        optimized: true,
        amount: Amount::Constant,
        base: 10,
        weight: 0.0,
        leader: 1.5,
        adapt: true,
    }),
    Kernel::Threads(2),
];

/// Every sum rule, threshold controlling on and off.
pub fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for sum in [SumRule::Sum, SumRule::Weak, SumRule::Hybrid] {
        for tca in [true, false] {
            all.push(Options { sum, tca, ..Options::default() });
        }
    }
    all
}

/// A table that these options can work with.
pub fn table_for<P: Problem>(_: &P, entries: usize, options: &Options) -> Table<P::Reason> {
    Table::with_entries(entries, options.sum == SumRule::Hybrid)
}

/// Searches until there is a verdict.
pub fn settle<P: Problem>(
    problem: &P,
    table: &Table<P::Reason>,
    kernel: Kernel,
    options: Options,
    state: P::State,
) -> Outcome {
    let mut search = Search::new(kernel, problem, table, options, Job::settle(state));
    let outcome = search.run(&Control::unlimited());
    assert_eq!(outcome.stopped, Stopped::Settled, "{kernel:?} {options:?}");
    outcome
}

/// The first entry of the table that says otherwise than the oracle.
pub fn lie<P: Problem>(
    table: &Table<P::Reason>,
    truth: &oracle::Answer,
) -> Option<(hasami_andor::Key, Verdict, Option<Verdict>)> {
    let mut lie = None;
    table.for_each(|key, entry| {
        if let Some(verdict) = entry.numbers.verdict()
            && truth.verdicts.get(&key) != Some(&verdict)
        {
            lie = Some((key, verdict, truth.verdicts.get(&key).copied()));
        }
    });
    lie
}
