//! Views against the sum rules, directly from their definition.

use std::collections::BTreeMap;

use super::*;
use proptest::prelude::*;

/// A child, as seen from the side to move: (one, all), marked, burden, group, weight.
type Given = ((u32, u32), bool, u32, u8, u16);

fn options(sum: SumRule, method: Method, seed: u64) -> Options {
    Options { sum, method, seed, ..Options::default() }
}

fn view(turn: Turn, children: &[Given], options: &Options) -> View {
    let parts = children.iter().map(|&((one, all), mark, burden, group, weight)| Part {
        numbers: join(turn, one, all),
        mark,
        burden,
        group,
        weight,
    });
    View::new(turn, parts, options)
}

/// The number on the side where all children are needed, directly from the sum rule.
fn all_by_rule(sum: SumRule, children: &[Given]) -> u64 {
    let open: Vec<&Given> = children.iter().filter(|given| given.0.1 > 0).collect();
    // The largest of each group, and every child without one; marked ones are a group too.
    let mut groups: BTreeMap<i64, u64> = BTreeMap::new();
    for (place, &&((_, all), mark, _, group, _)) in open.iter().enumerate() {
        let group = match (mark, group) {
            (true, _) => -1,
            (false, 0) => 1000 + place as i64,
            (false, group) => group.into(),
        };
        let largest = groups.entry(group).or_default();
        *largest = u64::from(all).max(*largest);
    }
    let weight: u64 = open.iter().map(|given| u64::from(given.4)).sum();
    weight
        + match sum {
            SumRule::Sum | SumRule::Hybrid => groups.values().sum(),
            SumRule::Weak => match groups.values().max() {
                Some(largest) => largest + groups.len() as u64 - 1,
                None => 0,
            },
        }
}

fn child() -> impl Strategy<Value = Given> {
    let numbers = prop_oneof![
        6 => (1..12u32, 1..12u32),
        2 => (1..100_000u32, 1..100_000u32),
        2 => Just((INFINITE, 0)),
    ];
    let burden = prop_oneof![3 => Just(0), 1 => 0..20u32];
    let group = prop_oneof![2 => Just(0), 1 => 1..4u8, 1 => Just(63)];
    let weight = prop_oneof![3 => Just(0), 1 => 1..30u16];
    (numbers, any::<bool>(), burden, group, weight)
}

fn children() -> impl Strategy<Value = Vec<Given>> {
    prop::collection::vec(child(), 1..8)
}

fn some_are_open() -> impl Strategy<Value = Vec<Given>> {
    children().prop_filter("an open child", |all| all.iter().any(|given| given.0.1 > 0))
}

fn rule() -> impl Strategy<Value = SumRule> {
    prop_oneof![Just(SumRule::Sum), Just(SumRule::Weak), Just(SumRule::Hybrid)]
}

/// Marks count only under the hybrid rule; under the others the search sets none.
fn marked_for(rule: SumRule, mut children: Vec<Given>) -> Vec<Given> {
    children.iter_mut().for_each(|given| given.1 &= rule == SumRule::Hybrid);
    children
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![Just(Turn::Or), Just(Turn::And)]
}

fn either() -> impl Strategy<Value = Method> {
    prop_oneof![Just(Method::Dfpn), Just(Method::Pds)]
}

#[test]
fn the_three_rules_on_an_example() {
    // Three open children, two of them marked, and a lost one.
    let children = [
        ((4, 10), true, 0, 0, 0),
        ((2, 3), false, 0, 0, 0),
        ((7, 6), true, 0, 0, 0),
        ((INFINITE, 0), false, 0, 0, 0),
    ];
    for (sum, all, offset) in [(SumRule::Weak, 10 + 2, 2), (SumRule::Hybrid, 10 + 3, 10)] {
        let view = view(Turn::Or, &children, &options(sum, Method::Dfpn, 0));
        assert_eq!((view.best, view.one, view.second), (1, 2, 4));
        assert_eq!((view.all, view.offset), (all, offset), "{sum:?}");
    }
    let plain = marked_for(SumRule::Sum, children.to_vec());
    let view = view(Turn::And, &plain, &options(SumRule::Sum, Method::Dfpn, 0));
    assert_eq!((view.all, view.offset), (19, 16));
    assert_eq!(view.open_numbers(Turn::And), Numbers { proof: 19, disproof: 2 });
}

proptest! {
    #[test]
    fn a_view_says_what_the_rules_say(
        rule in rule(), turn in turn(), children in children(), seed in 0..4u64,
    ) {
        let children = marked_for(rule, children);
        let view = view(turn, &children, &options(rule, Method::Dfpn, seed));
        let mut open: Vec<usize> =
            (0..children.len()).filter(|&i| children[i].0.1 > 0).collect();
        if open.is_empty() {
            prop_assert_eq!(view.verdict(turn), Some(turn.wish().opposite()));
            return Ok(());
        }
        prop_assert_eq!(view.verdict(turn), None);
        prop_assert_eq!(u64::from(view.all), all_by_rule(rule, &children));
        prop_assert_eq!(Some(view.one), open.iter().map(|&i| children[i].0.0).min());
        // The best has the smallest burdened number, then the smallest other number, then
        // comes first (or last, by the seed).
        let looks = |i: usize| children[i].0.0 + children[i].2;
        if seed % 2 == 1 {
            open.reverse();
        }
        open.sort_by_key(|&i| (looks(i), children[i].0.1));
        prop_assert_eq!(view.best, open[0]);
        prop_assert_eq!(view.second, open.get(1).map_or(INFINITE, |&i| looks(i)));
        let numbers = view.open_numbers(turn);
        prop_assert_eq!(split(turn, numbers), (view.one, view.all));
    }

    #[test]
    fn one_good_child_settles_and_is_the_best(
        rule in rule(), turn in turn(), children in children(), at in any::<prop::sample::Index>(),
    ) {
        let mut children = children;
        let at = at.index(children.len());
        children[at].0 = (0, INFINITE);
        let view = view(turn, &children, &options(rule, Method::Dfpn, 0));
        prop_assert_eq!(view.verdict(turn), Some(turn.wish()));
        prop_assert_eq!(view.best, at);
    }

    #[test]
    fn the_offset_is_what_the_best_child_may_not_use(
        rule in rule(), turn in turn(), children in some_are_open(), beyond in 1..1000u32,
    ) {
        let mut children = marked_for(rule, children);
        let view = view(turn, &children, &options(rule, Method::Dfpn, 0));
        let threshold = view.all + beyond;
        // The smallest number of the best child with which the node reaches the threshold.
        let enough = threshold - view.offset;
        children[view.best].0.1 = enough;
        prop_assert_eq!(all_by_rule(rule, &children), u64::from(threshold));
        children[view.best].0.1 = enough - 1;
        prop_assert!(all_by_rule(rule, &children) < u64::from(threshold) || enough == 1);
    }

    #[test]
    fn huge_numbers_stay_within_the_limit(
        rule in rule(), turn in turn(), ones in prop::collection::vec(1..=LIMIT, 1..6),
    ) {
        let children: Vec<Given> = ones.iter().map(|&one| ((one, LIMIT), false, LIMIT, 0, 0)).collect();
        let view = view(turn, &children, &options(rule, Method::Dfpn, 0));
        prop_assert_eq!(view.all, LIMIT);
        prop_assert!(view.one <= LIMIT && view.offset <= LIMIT && view.verdict(turn).is_none());
        let numbers = join(turn, children[view.best].0.0, LIMIT);
        let none = Numbers { proof: 0, disproof: 0 };
        let unbounded = Numbers { proof: INFINITE, disproof: INFINITE };
        let options = options(rule, Method::Dfpn, 0);
        let given = view.child_thresholds(turn, unbounded, (numbers, none), &options);
        let (one, all) = split(turn, given);
        prop_assert!(one > children[view.best].0.0 && all == INFINITE);
    }

    #[test]
    fn a_child_may_go_beyond_where_it_is_and_not_less_far_than_before(
        rule in rule(), turn in turn(), method in either(), children in some_are_open(),
        limits in (1..50_000u32, prop_oneof![1..50_000u32, Just(INFINITE)]),
        given in (0..300u32, 0..300u32),
    ) {
        let children = marked_for(rule, children);
        let options = options(rule, method, 0);
        let view = view(turn, &children, &options);
        let thresholds = join(turn, limits.0, limits.1);
        prop_assume!(!view.exceeds(turn, thresholds, method));
        let (now_one, now_all) = children[view.best].0;
        let numbers = join(turn, now_one, now_all);
        let before = join(turn, given.0, given.1);
        let next = view.child_thresholds(turn, thresholds, (numbers, before), &options);
        let (one, all) = split(turn, next);
        prop_assert!(one >= given.0 && all >= given.1, "{next:?} after {before:?}");
        match method {
            Method::Dfpn => prop_assert!(one > now_one && all > now_all, "{next:?}"),
            Method::Pds => prop_assert!(one > now_one || all > now_all, "{next:?}"),
        }
    }

    #[test]
    fn a_child_is_left_as_soon_as_its_node_must_be(
        rule in rule(), turn in turn(), children in some_are_open(),
        limits in (1..50_000u32, 1..50_000u32), epsilon in 0..300u32,
    ) {
        // Without burdens: they make a worse child the best on purpose.
        let mut children = marked_for(rule, children);
        children.iter_mut().for_each(|given| given.2 = 0);
        let options = Options { epsilon, ..options(rule, Method::Dfpn, 0) };
        let view = view(turn, &children, &options);
        let thresholds = join(turn, limits.0, limits.1);
        prop_assume!(!view.exceeds(turn, thresholds, Method::Dfpn));
        let numbers = join(turn, children[view.best].0.0, children[view.best].0.1);
        let none = Numbers { proof: 0, disproof: 0 };
        let next = view.child_thresholds(turn, thresholds, (numbers, none), &options);
        let (one, all) = split(turn, next);
        prop_assert!(one <= limits.0, "no further than the node itself");
        // 1+ε: it may get worse than the second by that share, and at least by one.
        let second = u64::from(view.second);
        let share = second + (second * u64::from(epsilon) / 256).max(1);
        let expected = share.min(u64::from(limits.0)).max(u64::from(view.one) + 1);
        prop_assert_eq!(u64::from(one), expected);
        // When it comes back with `all`, the node has reached its threshold.
        children[view.best].0.1 = all;
        prop_assert_eq!(all_by_rule(rule, &children), u64::from(limits.1));
    }

    #[test]
    fn splitting_and_joining_undo_each_other(turn in turn(), one: u32, all: u32) {
        prop_assert_eq!(split(turn, join(turn, one, all)), (one, all));
    }
}

#[test]
fn dfpn_leaves_at_one_threshold_and_pds_at_both() {
    let view = view(Turn::Or, &[((5, 9), false, 0, 0, 0)], &options(SumRule::Sum, Method::Dfpn, 0));
    let limits = |proof, disproof| Numbers { proof, disproof };
    for (thresholds, dfpn, pds) in [
        (limits(6, 10), false, false),
        (limits(5, 10), true, false),
        (limits(6, 9), true, false),
        (limits(5, 9), true, true),
    ] {
        assert_eq!(view.exceeds(Turn::Or, thresholds, Method::Dfpn), dfpn);
        assert_eq!(view.exceeds(Turn::Or, thresholds, Method::Pds), pds);
    }
}

#[test]
fn groups_count_once_and_hidden_moves_weigh_while_they_are_hidden() {
    // Two groups, of 10 and 6, a child alone, and a lost one whose hidden moves are open by now.
    let children = [
        ((4, 10), false, 0, 1, 0),
        ((2, 3), false, 0, 1, 2),
        ((7, 6), false, 0, 2, 0),
        ((9, 5), false, 0, 0, 1),
        ((INFINITE, 0), false, 0, 2, 40),
    ];
    for (sum, all, offset) in [
        (SumRule::Sum, 10 + 6 + 5 + 3, 6 + 5 + 3),
        (SumRule::Weak, 10 + 2 + 3, 2 + 3),
        (SumRule::Hybrid, 10 + 6 + 5 + 3, 6 + 5 + 3),
    ] {
        let view = view(Turn::And, &children, &options(sum, Method::Dfpn, 0));
        assert_eq!((view.best, view.all, view.offset), (1, all, offset), "{sum:?}");
    }
}
