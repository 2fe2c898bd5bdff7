//! Positions of games, searched for mates: those where the side to move would be mated if it passed
//! (a mate), and those where it cannot mate (no mate). From the games to learn from, also the moves
//! that the searches settled, with the sizes of their proofs.

use std::collections::{HashMap, HashSet};

use hasami_andor::{Expansion, Key, Moves, Problem, Table, Verdict};
use hasami_shogi::evaluation::{FirstNumbers, scene};
use hasami_shogi::{Position, Shogi, legality, sfen};

use crate::plan::Plan;
use crate::search::{Cost, Searched, search};
use crate::shard::{self, Drawn, Kind, Settled};
use crate::{Trouble, records};

/// Whether to stop.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Most moves of one position that are learned from: more of them look alike.
const MOST_MOVES: usize = 300;
/// Most states of one search that are looked at for moves.
const MOST_STATES: usize = 3000;
/// Deepest proof whose size is counted.
const DEEPEST: u32 = 400;

/// What a slice came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games.
    pub games: usize,
    /// Records that could not be read.
    pub broken: usize,
    /// Mates, in games to learn from and in those held out.
    pub mates: usize,
    /// No-mates.
    pub no_mates: usize,
    /// Positions that were not settled within the budget.
    pub open: usize,
    /// Moves to learn from.
    pub moves: usize,
    /// Nodes of all searches.
    pub nodes: u64,
}

/// Draws the positions of a slice, unless that was done before.
///
/// # Errors
/// See [`Trouble`].
pub fn draw(plan: &Plan, slice: usize, stop: Stop<'_>) -> Result<Summary, Trouble> {
    if let Some(summary) = shard::summary(plan, slice)? {
        return Ok(summary);
    }
    let mut summary = Summary::default();
    let (mut drawn, mut settled) = (Vec::new(), Vec::new());
    let mut rng = fastrand::Rng::with_seed(slice as u64);
    summary.broken = records::games(&plan.records, (slice, plan.slices), |number, game| {
        summary.games += 1;
        let held_out = plan.holds_out(number);
        let mut position = game.start;
        for (ply, &mv) in (1..).zip(&game.moves) {
            position = position.play(mv);
            // Another place in every game, so that all plies come up.
            if ply < plan.first_ply || (ply + number) % plan.every != 0 {
                continue;
            }
            for kind in Kind::ALL {
                let Some(position) = asked(position, kind) else { continue };
                let found = search(&position, &FirstNumbers::Same, plan.budget, stop)?;
                summary.nodes += found.cost.nodes;
                match found.verdict {
                    None => summary.open += 1,
                    Some(verdict) if verdict == kind.verdict() => {
                        summary.mates += usize::from(kind == Kind::Mate);
                        summary.no_mates += usize::from(kind == Kind::NoMate);
                        let Cost { nodes, fresh, size, .. } = found.cost;
                        let position = sfen::write(&position);
                        drawn.push(Drawn { held_out, kind, position, nodes, fresh, size });
                    }
                    Some(_) => {}
                }
                if !held_out && found.verdict.is_some() {
                    let mut moves = moves(&found);
                    rng.shuffle(&mut moves);
                    moves.truncate(MOST_MOVES);
                    settled.append(&mut moves);
                }
            }
        }
        Ok(())
    })?;
    summary.moves = settled.len();
    shard::write(plan, slice, &summary, &drawn, &settled)?;
    Ok(summary)
}

/// The position to search, the attacker to move: a threat is a mate after passing.
fn asked(position: Position, kind: Kind) -> Option<Position> {
    let mut position = position;
    if kind == Kind::Mate {
        // Passing out of check is no move.
        if position.in_check(position.turn()) {
            return None;
        }
        position.set_turn(position.turn().other());
    }
    (legality::check(&position, position.turn()).is_ok() && position.has_check())
        .then_some(position)
}

/// The moves whose positions a search has settled, each with its features.
fn moves(found: &Searched) -> Vec<Settled> {
    let Searched { problem, table, .. } = found;
    let mut sizes = Sizes { problem, table, known: HashMap::new() };
    let mut seen = HashSet::new();
    let mut stack = vec![problem.root()];
    let mut list = Vec::new();
    while let Some(state) = stack.pop() {
        if seen.len() >= MOST_STATES || !seen.insert(problem.key(&state)) {
            continue;
        }
        let mut moves = Moves::new();
        if problem.expand(&state, &mut moves) != Expansion::Open {
            continue;
        }
        for mv in moves.iter() {
            let child = problem.play(&state, mv);
            let Some(entry) = table.look(problem, problem.key(&child)).entry else { continue };
            // What the rules settle at a glance needs no estimate.
            if problem.evaluates_after(&state) && problem.evaluate(&child).settled() {
                continue;
            }
            if let Some(verdict) = entry.numbers.verdict() {
                let size = sizes.of(&child, verdict, 0);
                let features = scene::of(&state, mv, &child, problem.attacker());
                list.push(Settled { features, proven: verdict == Verdict::Proven, size });
            }
            stack.push(child);
        }
    }
    list
}

/// Sizes of the proofs and disproofs in a table.
struct Sizes<'a> {
    problem: &'a Shogi,
    table: &'a Table<<Shogi as Problem>::Reason>,
    known: HashMap<Key, u32>,
}

impl Sizes<'_> {
    /// The size for a state with this verdict, as far as the table knows it: the smallest that its
    /// moves offer where one is enough.
    fn of(&mut self, state: &Position, verdict: Verdict, depth: u32) -> u32 {
        let key = self.problem.key(state);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        // Also what a state counts that is met again below itself.
        self.known.insert(key, 1);
        let mut moves = Moves::new();
        if depth >= DEEPEST || self.problem.expand(state, &mut moves) != Expansion::Open {
            return 1;
        }
        let (mut all, mut least) = (1_u32, None::<u32>);
        for mv in moves.iter() {
            let child = self.problem.play(state, mv);
            let entry = self.table.look(self.problem, self.problem.key(&child)).entry;
            let known = entry.and_then(|entry| entry.numbers.verdict());
            if known.or_else(|| self.problem.evaluate(&child).verdict()) != Some(verdict) {
                continue;
            }
            let size = self.of(&child, verdict, depth + 1);
            all = all.saturating_add(size);
            least = Some(least.map_or(size, |least| least.min(size)));
        }
        let one_is_enough = self.problem.turn(state).wish() == verdict;
        let size = if one_is_enough { least.unwrap_or(0).saturating_add(1) } else { all };
        self.known.insert(key, size);
        size
    }
}
