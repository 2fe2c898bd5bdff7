//! One random graph with hands, by every setup, against the truth: the root, and every hand that any
//! verdict of the table claims.

use std::collections::HashMap;
use std::path::Path;

use super::forge::forge;
use super::{Claim, Hands, Holding, Truth, draw};
use crate::{Tally, certify, settle, setups};
use hasami_andor::{Key, Outcome, Problem, Rank, Repetition, SumRule, Table, Verdict, oracle};
use hasami_game::random::SplitMix;

/// Like [`crate::try_graph`], for a graph with hands.
///
/// # Errors
/// If the graph cannot be tried at all: more hurts, or the two oracles differ.
pub fn try_hands(
    seed: u64,
    certificates: Option<(&Path, u32)>,
    mut tell: impl FnMut(String),
) -> Result<Tally, String> {
    let mut random = SplitMix::new(seed);
    // One in 32 is long enough for paths of more than 64 states.
    let largest = match random.below(32) {
        0 => 200,
        size => [4, 8, 20, 40][size as usize % 4],
    };
    let game = draw(&mut random, largest);
    let about = |what: String| format!("trial {seed}: {what}");
    let truth = Truth::of(&game);
    if let Some(hurt) = truth.hurt(&game) {
        return Err(about(format!("more hurts: {hurt:?}")));
    }
    let root = truth.verdict(&game.root());
    let reached = oracle::solve(&game, 1 << 20).map_err(|error| about(error.to_string()))?;
    if reached.root != root {
        return Err(about("two oracles, two verdicts".to_string()));
    }
    let mut tally = Tally {
        graphs: 1,
        cyclic: u64::from(game.repetition() != Repetition::Impossible),
        proven: u64::from(root == Verdict::Proven),
        ..Tally::default()
    };
    for setup in setups(&mut random) {
        let entries = reached.verdicts.len() * setup.table / 100;
        let table = Table::with_entries(entries, setup.options.sum == SumRule::Hybrid);
        let about = |what: String| about(format!("{what} with {setup:?}"));
        let Some(outcome) = settle(&game, &table, &setup, &mut random) else {
            match setup.table {
                100 => tally.given_up += 1,
                _ => tally.given_up_small += 1,
            }
            continue;
        };
        tally.searches += 1;
        if let Some(fault) = fault(&game, &outcome, &table, &truth) {
            tally.wrong += 1;
            tell(about(fault));
            continue;
        }
        if let Some((directory, one_in)) = certificates
            && random.below(one_in) == 0
        {
            tally.certificates += 1;
            if let Err(refusal) = certify(&game, &table, root, directory) {
                tally.refused += 1;
                tell(about(refusal));
                continue;
            }
            if let Err(fault) = forge(&game, &truth, &directory.join(crate::FILE), &mut random) {
                tally.wrong += 1;
                tell(about(fault));
            }
        }
    }
    Ok(tally)
}

/// Where a search contradicts the truth: at the root, or in any hand that a verdict claims.
fn fault(game: &Hands, outcome: &Outcome, table: &Table<Claim>, truth: &Truth) -> Option<String> {
    let root = truth.verdict(&game.root());
    if outcome.numbers.verdict() != Some(root) {
        return Some(format!("{outcome:?}, the oracle says {root:?}"));
    }
    let family = |node| Key::ranked(u128::from(node), Rank(0)).family();
    let nodes: HashMap<u128, u32> =
        (0..game.size() as u32).map(|node| (family(node), node)).collect();
    let mut wrong = None;
    table.for_each(|key, entry| {
        let Some(verdict) = entry.numbers.verdict() else { return };
        let node = nodes[&key.family()];
        let claimed = game.reason_rank(entry.reason);
        let mut covered = false;
        for hand in game.hands() {
            let rank = Hands::rank(hand);
            let holds = match verdict {
                Verdict::Proven => game.at_least(rank, claimed),
                Verdict::Disproven => game.at_least(claimed, rank),
            };
            covered |= holds && rank == key.rank();
            if holds && truth.verdict(&Holding { node, hand }) != verdict {
                wrong = Some(format!("{verdict:?} is claimed of node {node} with {hand:?}"));
            }
        }
        if !covered {
            wrong = Some(format!("a verdict of {key:?} that does not cover it"));
        }
    });
    wrong
}
