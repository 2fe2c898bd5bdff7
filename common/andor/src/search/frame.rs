//! One node of a depth-first search with its children, and the threshold arithmetic: which child
//! comes next and how far it may go.

use crate::numbers::{INFINITE, LIMIT, Numbers, Verdict};
use crate::problem::{Key, Problem, Turn};
use crate::search::options::{Method, Options, SumRule};
use crate::search::path::Dep;

/// A child as its parent's search knows it. Stored on the search's own stack, so that a full table
/// costs work but never progress.
pub(crate) struct Child<P: Problem> {
    pub key: Key,
    pub mv: P::Move,
    pub numbers: Numbers,
    /// The thresholds of its last search from here; the next ones are higher.
    pub given: Numbers,
    /// Nodes spent below it; 0 if it was never searched.
    pub work: u32,
    /// Smallest depth at which it was met.
    pub depth: u16,
    /// The ancestors that its verdict depends on.
    pub dep: Dep,
    /// How often it was searched from here.
    pub tries: u16,
    /// Its last search from here reached no new state: it went in circles.
    pub stalled: bool,
    /// Hides other moves until it is settled against the side to move.
    pub opens: bool,
    /// Shares descendants with another child: counted with "max".
    pub mark: bool,
    pub reason: P::Reason,
}

impl<P: Problem> Child<P> {
    #[inline]
    pub fn part(&self) -> Part {
        Part { numbers: self.numbers, mark: self.mark, burden: 0 }
    }
}

/// A node on the stack.
pub(crate) struct Frame<P: Problem> {
    pub state: P::State,
    pub key: Key,
    pub turn: Turn,
    /// Its children start here in the stack's children and end where the next frame's start.
    pub first: usize,
    pub thresholds: Numbers,
    /// The child being searched, relative to `first`.
    pub chosen: usize,
    /// Node count when it was entered.
    pub entered: u64,
    /// Work known before it was entered.
    pub work: u32,
    /// Smallest depth at which it was met before.
    pub depth: u16,
    /// Number of new states when its chosen child was entered.
    pub fresh: u64,
    /// Number of provisional verdicts when it was entered.
    pub provisional: usize,
    /// Hash of the path that ends here.
    pub path: u128,
    /// Whether other threads can see that this one is here.
    pub watched: bool,
}

/// Numbers as seen by the side to move: (one child is enough, all are needed).
#[inline]
pub(crate) fn split(turn: Turn, numbers: Numbers) -> (u32, u32) {
    match turn {
        Turn::Or => (numbers.proof, numbers.disproof),
        Turn::And => (numbers.disproof, numbers.proof),
    }
}

#[inline]
pub(crate) fn join(turn: Turn, one: u32, all: u32) -> Numbers {
    match turn {
        Turn::Or => Numbers { proof: one, disproof: all },
        Turn::And => Numbers { proof: all, disproof: one },
    }
}

/// The contribution of one child to a [`View`].
pub(crate) struct Part {
    pub numbers: Numbers,
    /// Counted with "max" under the hybrid rule.
    pub mark: bool,
    /// Makes the child look worse, because others are searching it.
    pub burden: u32,
}

/// The children combined.
pub(crate) struct View {
    /// The child to search next, or the one that wins.
    pub best: usize,
    /// Smallest number on the side where one child is enough.
    pub one: u32,
    /// The second smallest.
    pub second: u32,
    /// Combined number on the side where all are needed.
    pub all: u32,
    /// The part of the threshold for `all` that `best` may not use.
    pub offset: u32,
}

impl View {
    /// Combines the children under the sum rule of the options.
    #[inline]
    pub fn new(turn: Turn, parts: impl Iterator<Item = Part>, options: &Options) -> Self {
        let weak = options.sum == SumRule::Weak;
        let turn_round = options.seed & 1 == 1;
        let (mut best, mut best_one, mut second) = (usize::MAX, u32::MAX, INFINITE);
        let (mut best_all, mut best_marked) = (u32::MAX, false);
        let (mut sum, mut max, mut open) = (0u64, 0u32, 0u64);
        let mut one = INFINITE;
        for (i, part) in parts.enumerate() {
            let (child_one, child_all) = split(turn, part.numbers);
            if child_all == 0 {
                continue;
            }
            if child_one == 0 {
                return Self { best: i, one: 0, second: 0, all: INFINITE, offset: 0 };
            }
            open += 1;
            let marked = weak || part.mark;
            if marked {
                max = max.max(child_all);
            } else {
                sum += u64::from(child_all);
            }
            one = one.min(child_one);
            let looks = child_one.saturating_add(part.burden).min(LIMIT);
            let better = looks < best_one
                || looks == best_one
                    && (child_all < best_all || child_all == best_all && turn_round);
            if better {
                second = best_one.min(second);
                (best, best_one, best_all, best_marked) = (i, looks, child_all, marked);
            } else {
                second = second.min(looks);
            }
        }
        if open == 0 {
            return Self { best: 0, one: INFINITE, second: INFINITE, all: 0, offset: 0 };
        }
        let spare = if weak { open - 1 } else { 0 };
        let all = sum + u64::from(max) + spare;
        let offset = if best_marked { sum + spare } else { all - u64::from(best_all) };
        Self {
            best,
            one,
            second,
            all: all.min(u64::from(LIMIT)) as u32,
            offset: offset.min(u64::from(LIMIT)) as u32,
        }
    }

    /// The verdict, if the children settle it.
    pub fn verdict(&self, turn: Turn) -> Option<Verdict> {
        if self.one == 0 {
            Some(turn.wish())
        } else if self.all == 0 {
            Some(turn.wish().opposite())
        } else {
            None
        }
    }

    /// Whether the node has reached its thresholds.
    pub fn exceeds(&self, turn: Turn, thresholds: Numbers, method: Method) -> bool {
        let (one, all) = split(turn, thresholds);
        match method {
            Method::Dfpn => self.one >= one || self.all >= all,
            Method::Pds => self.one >= one && self.all >= all,
        }
    }

    /// The numbers of an unsettled node.
    pub fn open_numbers(&self, turn: Turn) -> Numbers {
        let numbers = join(turn, self.one, self.all);
        Numbers::open(numbers.proof, numbers.disproof)
    }

    /// The thresholds of the chosen child, given its numbers and last thresholds. Above its
    /// numbers, never below the last thresholds: every visit makes progress, whatever the table
    /// forgets.
    pub fn child_thresholds(
        &self,
        turn: Turn,
        thresholds: Numbers,
        (numbers, given): (Numbers, Numbers),
        options: &Options,
    ) -> Numbers {
        let (limit_one, limit_all) = split(turn, thresholds);
        let (child_one, child_all) = split(turn, numbers);
        let (given_one, given_all) = split(turn, given);
        let (one, all) = match options.method {
            Method::Dfpn => {
                let wide = u64::from(self.second) * u64::from(256 + options.epsilon) / 256;
                let next = u64::from(self.second) + 1;
                let one = wide.max(next).min(u64::from(limit_one)) as u32;
                let all = match limit_all {
                    INFINITE => INFINITE,
                    limit => limit.saturating_sub(self.offset),
                };
                (one.max(child_one + 1), all.max(child_all + 1))
            }
            Method::Pds => {
                let more_all =
                    limit_all > self.all && (child_all <= child_one || limit_one <= self.one);
                if more_all { (child_one, child_all + 1) } else { (child_one + 1, child_all) }
            }
        };
        join(turn, one.max(given_one), all.max(given_all))
    }
}

/// The child that decides for `verdict` (the first where all do), and the ancestors that the
/// verdict depends on. Of several winning children, the most independent one is taken.
pub(crate) fn decide(
    turn: Turn,
    children: impl Iterator<Item = (Numbers, Dep)>,
    verdict: Verdict,
) -> (usize, Dep) {
    let settled = Numbers::from(verdict);
    if verdict != turn.wish() {
        return (0, children.fold(Dep::FREE, |all, (_, dep)| all.and(dep)));
    }
    let winners = children.enumerate().filter(|(_, (numbers, _))| *numbers == settled);
    let most_free = winners.max_by_key(|&(i, (_, dep))| (dep.freedom(), std::cmp::Reverse(i)));
    most_free.map_or((0, Dep::FREE), |(i, (_, dep))| (i, dep))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A child, as seen from the side to move: (one, all), marked, burden.
    type Given = ((u32, u32), bool, u32);

    fn options(sum: SumRule, method: Method, seed: u64) -> Options {
        Options { sum, method, seed, ..Options::default() }
    }

    fn view(turn: Turn, children: &[Given], options: &Options) -> View {
        let parts = children.iter().map(|&((one, all), mark, burden)| Part {
            numbers: join(turn, one, all),
            mark,
            burden,
        });
        View::new(turn, parts, options)
    }

    /// The number on the side where all children are needed, directly from the sum rule.
    fn all_by_rule(sum: SumRule, children: &[Given]) -> u64 {
        let open: Vec<&Given> = children.iter().filter(|((_, all), _, _)| *all > 0).collect();
        let all = |given: &&&Given| u64::from(given.0.1);
        match sum {
            SumRule::Sum => open.iter().map(|given| all(&given)).sum(),
            SumRule::Weak => match open.iter().map(|given| all(&given)).max() {
                Some(largest) => largest + open.len() as u64 - 1,
                None => 0,
            },
            SumRule::Hybrid => {
                let largest = open.iter().filter(|given| given.1).map(|given| all(&given)).max();
                let rest = open.iter().filter(|given| !given.1).map(|given| all(&given));
                largest.unwrap_or(0) + rest.sum::<u64>()
            }
        }
    }

    fn child() -> impl Strategy<Value = Given> {
        let numbers = prop_oneof![
            6 => (1..12u32, 1..12u32),
            2 => (1..100_000u32, 1..100_000u32),
            2 => Just((INFINITE, 0)),
        ];
        (numbers, any::<bool>(), prop_oneof![3 => Just(0), 1 => 0..20u32])
    }

    fn children() -> impl Strategy<Value = Vec<Given>> {
        prop::collection::vec(child(), 1..8)
    }

    fn some_are_open() -> impl Strategy<Value = Vec<Given>> {
        children().prop_filter("an open child", |all| all.iter().any(|((_, all), _, _)| *all > 0))
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
        let children =
            [((4, 10), true, 0), ((2, 3), false, 0), ((7, 6), true, 0), ((INFINITE, 0), false, 0)];
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
            let children: Vec<Given> = ones.iter().map(|&one| ((one, LIMIT), false, LIMIT)).collect();
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
        let view = view(Turn::Or, &[((5, 9), false, 0)], &options(SumRule::Sum, Method::Dfpn, 0));
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
    fn the_child_that_decides_is_the_most_independent_and_then_the_first() {
        let yes = Numbers::PROVEN;
        let children = [
            (Numbers::UNKNOWN, Dep::FREE),
            (yes, Dep::on(1)),
            (yes, Dep::on(4)),
            (Numbers::DISPROVEN, Dep::FREE),
            (yes, Dep::on(4)),
        ];
        let proven =
            |all: &[(Numbers, Dep)]| decide(Turn::Or, all.iter().copied(), Verdict::Proven);
        assert_eq!(proven(&children), (2, Dep::on(4)));
        let mut freer = children;
        freer[4].1 = Dep::FREE;
        assert_eq!(proven(&freer), (4, Dep::FREE));
    }

    #[test]
    fn where_all_decide_the_verdict_depends_on_what_each_depends_on() {
        let children = [(Numbers::PROVEN, Dep::on(5)), (Numbers::PROVEN, Dep::on(2))];
        let (_, dep) = decide(Turn::And, children.into_iter(), Verdict::Proven);
        assert_eq!(dep, Dep::on(5).and(Dep::on(2)));
    }
}
