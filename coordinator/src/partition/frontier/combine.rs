//! How the numbers of children combine, exactly as the workers' kernel combines them.

use hasami_andor::numbers::{INFINITE, LIMIT, Numbers};
use hasami_andor::{SumRule, Turn};

use crate::partition::Settings;

/// Numbers seen from the side to move: (the smallest is enough, all are needed).
pub(super) fn split(turn: Turn, numbers: Numbers) -> (u32, u32) {
    match turn {
        Turn::Or => (numbers.proof, numbers.disproof),
        Turn::And => (numbers.disproof, numbers.proof),
    }
}

pub(super) fn join(turn: Turn, one: u32, all: u32) -> Numbers {
    match turn {
        Turn::Or => Numbers { proof: one, disproof: all },
        Turn::And => Numbers { proof: all, disproof: one },
    }
}

/// The numbers of a node with these children, settled where they settle it.
pub(super) fn combine(
    turn: Turn,
    children: impl Iterator<Item = Numbers>,
    rule: SumRule,
) -> Numbers {
    let (mut one, mut sum, mut max, mut open) = (INFINITE, 0u64, 0u32, 0u64);
    for numbers in children {
        let (child_one, child_all) = split(turn, numbers);
        if child_one == 0 {
            return join(turn, 0, INFINITE);
        }
        if child_all == 0 {
            continue;
        }
        open += 1;
        one = one.min(child_one);
        sum += u64::from(child_all);
        max = max.max(child_all);
    }
    if open == 0 {
        return join(turn, INFINITE, 0);
    }
    let all = match rule {
        SumRule::Sum | SumRule::Hybrid => sum,
        SumRule::Weak => u64::from(max) + open - 1,
    };
    join(turn, one.clamp(1, LIMIT), all.min(u64::from(LIMIT)) as u32)
}

/// How far one child may go before its parent reaches `limits`, or another child is better by
/// more than 1+ε: `second` is the smallest number among the others, `parent` the parent's.
pub(super) fn child_limits(
    turn: Turn,
    limits: Numbers,
    (parent, child): (Numbers, Numbers),
    second: u32,
    settings: &Settings,
) -> Numbers {
    let (limit_one, limit_all) = split(turn, limits);
    let (child_one, child_all) = split(turn, child);
    let (_, parent_all) = split(turn, parent);
    let wide = u64::from(second) * u64::from(256 + settings.epsilon) / 256;
    let one = wide.max(u64::from(second) + 1).min(u64::from(limit_one)) as u32;
    let all = match (limit_all, settings.sum) {
        (INFINITE, _) => INFINITE,
        // The contribution of the other children does not change.
        (limit, SumRule::Sum | SumRule::Hybrid) => {
            limit.saturating_sub(parent_all.saturating_sub(child_all))
        }
        (limit, SumRule::Weak) => limit,
    };
    join(turn, one.max(child_one.saturating_add(1)), all.max(child_all.saturating_add(1)))
}
