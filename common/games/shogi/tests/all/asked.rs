//! Answers to questions, in two ways: straight recursion over the problem, and the kernel.

use hasami_andor::problem::all_moves;
use hasami_andor::{
    Control, Expansion, Job, Kernel, Moves, Options, Problem, Search, Table, Turn, Verdict,
};
use hasami_game::Game;
use hasami_shogi::{Bound, Position, Shogi, sfen};
use hasami_spec::Params;

/// The question about a position, Black or White as in the SFEN attacking.
pub fn asked(position: &Position, within: &str) -> Shogi {
    let given = [("position", sfen::write(position)), ("within", within.to_string())];
    let params = Params::new(Shogi::params(), &given).expect("parameters");
    Shogi::from_params(&params).expect("a question")
}

/// Settles a state with a limit of plies by the rules of the problem alone.
pub fn settle(problem: &Shogi, state: &Position) -> (Verdict, Bound) {
    let mut moves = Moves::new();
    if let Expansion::Settled(verdict) = all_moves(problem, state, &mut moves) {
        return (verdict, problem.reason(state, verdict, &[]));
    }
    let wish = problem.turn(state).wish();
    let mut basis = Vec::new();
    for mv in moves.iter() {
        let (verdict, bound) = settle(problem, &problem.play(state, mv));
        if verdict == wish {
            return (verdict, problem.reason(state, verdict, &[(mv, bound)]));
        }
        basis.push((mv, bound));
    }
    let verdict = wish.opposite();
    (verdict, problem.reason(state, verdict, &basis))
}

/// The verdict of a kernel, and the nodes it took; `None` after too many.
pub fn search(problem: &Shogi, budget: u64) -> (Option<Verdict>, u64) {
    let table = Table::with_entries(1 << 20, false);
    let job = Job::settle(problem.root());
    let options = Options::default();
    let mut search = Search::new(Kernel::Dfpn, problem, &table, options, job);
    let outcome = search.run(&Control::with_budget(budget));
    (outcome.numbers.verdict(), outcome.counts.nodes)
}

/// Whose choice the root is.
pub fn attacks(problem: &Shogi) -> bool {
    problem.turn(&problem.root()) == Turn::Or
}
