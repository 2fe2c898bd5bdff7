//! Which placements are worth choosing, and which pairs are worth laying in answer.

use std::cmp::Reverse;

use super::board::{Board, MAX_CELLS, bits};
use super::demands::{Demands, Members};
use crate::paving::Pairs;

/// The pairs within `set` that White must try; every other pair is no better than one of these.
///
/// Write D(x) for the demands that contain cell x. Let p = {a, b} and q = {c, d} be two possible
/// pairs with
///
/// 1. D(a) ∩ D(b) ⊆ D(c) ∩ D(d): q meets whatever p meets;
/// 2. D(c) \ D(d) ⊆ D(a) and D(d) \ D(c) ⊆ D(b).
///
/// Then every paving that meets all demands and contains p can be changed into one that contains q:
/// replace p by q, and pairs {c, e} and {d, f}, if present, by {a, e} and {b, f}. A demand that {c,
/// e} meets and q does not contains c and not d, so it contains a, so {a, e} meets it; likewise for
/// d. (If c = a, the first half of 2 is vacuous; if the paving already contains {c, d}, dropping p
/// suffices.) With adjacent pairs {a, e} may not be a pair: then {c, e} must meet nothing that q
/// does not.
///
/// So a pair is left out if another one that is not left out does at least as well.
pub fn answers(board: &Board, members: Option<&Members>, set: u128, pairs: &mut Vec<(u8, u8)>) {
    pairs.clear();
    pairs.extend(board.pairs_in(set));
    if let Some(members) = members {
        leave_out(pairs, |better, worse| beats(board, members, better, worse));
    }
}

/// Leaves out elements that others beat. Each of them is beaten by one that stays: certificates name
/// it, and have no chains.
fn leave_out<T: Copy + Ord>(all: &mut Vec<T>, beats: impl Fn(T, T) -> bool) {
    let mut left_out: Vec<T> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        if all.iter().any(|&other| other != all[at] && beats(other, all[at])) {
            left_out.push(all.remove(at));
        } else {
            at += 1;
        }
    }
    for worse in left_out.into_iter().rev() {
        if !all.iter().any(|&other| beats(other, worse)) {
            all.push(worse);
        }
    }
    all.sort_unstable();
}

/// Whether the first pair does at least as well as the second: see [`answers`].
fn beats(board: &Board, members: &Members, (c, d): (u8, u8), (a, b): (u8, u8)) -> bool {
    let meets = members.of(c) & members.of(d);
    if members.of(a) & members.of(b) & !meets != 0 {
        return false;
    }
    let replaces = |new: u8, old: u8, mate: u8| match board.pairs {
        _ if new == old => true,
        Pairs::Any => members.of(old) & !members.of(mate) & !members.of(new) == 0,
        Pairs::Adjacent => board.neighbours(old).filter(|&e| ![a, b, c, d].contains(&e)).all(|e| {
            let lost = members.of(old) & members.of(e) & !meets;
            lost == 0 || board.may_pair(new, e) && lost & !members.of(new) == 0
        }),
    };
    // A cell in both pairs stands for itself.
    let straight = c != b && d != a && replaces(a, c, d) && replaces(b, d, c);
    straight || c != a && d != b && replaces(b, c, d) && replaces(a, d, c)
}

/// The placements that Black chooses between, by their demands: all of them, or the one that stands
/// for all.
///
/// Whether the demands can be met does not depend on which is considered first: all choices of one
/// state have the same verdict, and any one of them may stand for all. Proofs are small if White
/// has few answers, and if the cells are in many other demands, small ones above all: then every
/// answer leaves less room for the others.
pub fn choices(board: &Board, demands: &Demands, every: bool, mut push: impl FnMut(u16)) {
    let sets = demands.sets();
    if every {
        (0..sets.len()).for_each(|at| push(at as u16));
        return;
    }
    let mut wanted = [0u32; MAX_CELLS];
    for &set in sets {
        // A demand with one cell less counts twice: it has about half as many ways left.
        let weight = 1 << 16 >> set.count_ones();
        bits(set).for_each(|cell| wanted[usize::from(cell)] += weight);
    }
    let rank = |set: u128| {
        let busy: u32 = bits(set).map(|cell| wanted[usize::from(cell)]).sum();
        (board.pair_count(set), Reverse(busy))
    };
    if let Some((at, _)) = sets.iter().enumerate().min_by_key(|&(_, &set)| rank(set)) {
        push(at as u16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_beaten_by_something_that_stays() {
        let left = |beats: fn(u8, u8) -> bool| {
            let mut all = vec![0, 1, 2, 3];
            leave_out(&mut all, beats);
            all
        };
        assert_eq!(left(|_, _| false), [0, 1, 2, 3]);
        assert_eq!(left(|better, worse| better > worse), [3]);
        // Equals beat each other; one of them stays.
        assert_eq!(left(|_, _| true), [3]);
        // Each beats only the one before, or only the one after: nobody beats all.
        assert_eq!(left(|better, worse| better == worse + 1), [1, 3]);
        assert_eq!(left(|better, worse| better + 1 == worse), [0, 2]);
    }
}
