//! The frontier with workers that follow a script.

use hasami_andor::{Child, Key, PathNode, Turn};

use super::*;
use crate::partition::hostile::Hostile;

/// The first worker becomes the runner.
const RUNNER: UnitNo = UnitNo(1);

/// The next unit that is no search for want of a leaf.
fn lease(frontier: &mut Frontier) -> Option<Task> {
    let task = frontier.next()?;
    if task.search.seed == 0 {
        return Some(task);
    }
    frontier.lost(task.unit);
    None
}

fn begin() -> Frontier {
    Frontier::new(Settings { speed: 1000.0, ..Settings::default() })
}

/// With a runner, so that the next worker gets a lease.
fn frontier() -> Frontier {
    let mut frontier = begin();
    assert_eq!(lease(&mut frontier).unwrap().search.role, Role::Leader);
    frontier
}

fn passing(states: &[u8]) -> SearchProgress {
    let node = |&name: &u8| PathNode {
        state: vec![name],
        key: Key::mixed(name.into()),
        turn: Turn::And,
        numbers: Numbers::UNKNOWN,
        open: 1,
    };
    let path = [0].iter().chain(states).map(node).collect();
    SearchProgress { nodes: 1, numbers: Numbers::UNKNOWN, path }
}

fn numbers(proof: u32, disproof: u32) -> Numbers {
    Numbers { proof, disproof }
}

fn child(name: u8, turn: Turn, numbers: Numbers) -> Child {
    Child { state: vec![name], key: Key::mixed(name.into()), turn, numbers, work: 10 }
}

fn open(turn: Turn, numbers: Numbers, children: Vec<Child>) -> SearchReport {
    let (stopped, store_hits) = (Stopped::Budget, 0);
    SearchReport { numbers, turn, nodes: 100, seconds: 0.1, stopped, children, store_hits }
}

fn done(turn: Turn, verdict: Verdict) -> SearchReport {
    SearchReport { stopped: Stopped::Settled, ..open(turn, verdict.into(), Vec::new()) }
}

/// The root, an OR node, split into `count` AND nodes named from 1, all (1, 1).
fn split_root(count: u8) -> Frontier {
    let mut frontier = frontier();
    let root = lease(&mut frontier).unwrap();
    assert_eq!(
        (root.search.state.len(), root.search.target, root.search.children),
        (0, Numbers::UNBOUNDED, true)
    );
    assert_eq!(lease(&mut frontier), None, "there is one leaf and it is taken");
    let children = (1..=count).map(|name| child(name, Turn::And, Numbers::UNKNOWN)).collect();
    let said =
        frontier.finished(root.unit, &open(Turn::Or, numbers(1, u32::from(count)), children));
    assert_eq!(said, []);
    frontier
}

#[test]
fn a_worker_alone_searches_from_the_root_without_end() {
    let mut frontier = begin();
    let task = lease(&mut frontier).unwrap();
    assert_eq!((task.search.state.as_slice(), task.search.target), (&[][..], Numbers::UNBOUNDED));
    assert_eq!((task.search.nodes, task.search.children, task.search.share), (None, false, true));
    let said = frontier.finished(task.unit, &done(Turn::Or, Verdict::Proven));
    assert_eq!(said, [Directive::Settled(Verdict::Proven)]);
    assert_eq!(lease(&mut frontier), None);
}

#[test]
fn a_runner_that_is_lost_is_replaced_first_and_its_late_verdict_ignored() {
    let mut frontier = begin();
    let runner = lease(&mut frontier).unwrap();
    assert!(lease(&mut frontier).unwrap().search.nodes.is_some(), "one runner is enough");
    frontier.lost(runner.unit);
    let again = lease(&mut frontier).unwrap();
    assert_eq!((again.search.role, again.search.nodes), (Role::Leader, None));
    assert_ne!(again.unit, runner.unit);
    assert_eq!(frontier.finished(runner.unit, &done(Turn::Or, Verdict::Proven)), []);
    assert_eq!(lease(&mut frontier), None, "the runner and the lease are out");
}

#[test]
fn the_verdict_of_the_runner_calls_the_others_off() {
    let mut frontier = begin();
    let runner = lease(&mut frontier).unwrap();
    let lease = lease(&mut frontier).unwrap();
    let said = frontier.finished(runner.unit, &done(Turn::Or, Verdict::Disproven));
    assert_eq!(said, [Directive::Settled(Verdict::Disproven), Directive::Cancel(lease.unit)]);
}

#[test]
fn the_root_settled_by_the_others_calls_the_runner_off() {
    let mut frontier = begin();
    let runner = lease(&mut frontier).unwrap();
    let lease = lease(&mut frontier).unwrap();
    let said = frontier.finished(lease.unit, &done(Turn::Or, Verdict::Proven));
    assert_eq!(said, [Directive::Settled(Verdict::Proven), Directive::Cancel(runner.unit)]);
}

#[test]
fn the_leaf_that_the_runner_is_below_comes_last_but_it_comes() {
    let mut frontier = split_root(3);
    frontier.progress(RUNNER, &passing(&[1, 77]));
    let states: Vec<_> = (0..3).map(|_| lease(&mut frontier).unwrap().search.state).collect();
    assert_eq!(states[2], [1], "{states:?}");
    // Once the runner has moved on, the leaf looks like any other.
    let mut frontier = split_root(3);
    frontier.progress(RUNNER, &passing(&[1]));
    frontier.progress(RUNNER, &passing(&[2]));
    let states: Vec<_> = (0..3).map(|_| lease(&mut frontier).unwrap().search.state).collect();
    assert_eq!(states[2], [2], "{states:?}");
    // The same holds if the runner is lost.
    let mut frontier = split_root(2);
    frontier.progress(RUNNER, &passing(&[1]));
    frontier.lost(RUNNER);
    assert_eq!(lease(&mut frontier).unwrap().search.role, Role::Leader);
    assert_eq!(lease(&mut frontier).unwrap().search.state, [1]);
}

#[test]
fn workers_part_over_the_children_and_no_leaf_is_given_twice() {
    let mut frontier = split_root(3);
    let mut states: Vec<_> = (0..3).map(|_| lease(&mut frontier).unwrap().search.state).collect();
    states.sort();
    assert_eq!(states, [vec![1], vec![2], vec![3]]);
    assert_eq!(lease(&mut frontier), None);
}

#[test]
fn a_claim_is_confirmed_by_a_worker_and_the_others_are_called_off() {
    let mut frontier = split_root(2);
    let (first, second) = (lease(&mut frontier).unwrap(), lease(&mut frontier).unwrap());
    let said = frontier.finished(first.unit, &done(Turn::And, Verdict::Proven));
    assert_eq!(said, [], "a claim is no verdict");
    assert!(!frontier.root().settled());
    let confirm = lease(&mut frontier).unwrap();
    assert_eq!((confirm.search.state.len(), confirm.search.target), (0, Numbers::UNBOUNDED));
    assert_eq!(lease(&mut frontier), None);
    let said = frontier.finished(confirm.unit, &done(Turn::Or, Verdict::Proven));
    let called_off = [second.unit, RUNNER].map(Directive::Cancel);
    assert_eq!(said, [&[Directive::Settled(Verdict::Proven)], &called_off[..]].concat());
    // The cancelled unit reports late: its nodes count, its verdict does not.
    let before = frontier.nodes();
    assert_eq!(frontier.finished(second.unit, &done(Turn::And, Verdict::Disproven)), []);
    assert_eq!(frontier.nodes(), before + 100);
    assert_eq!(frontier.root(), Numbers::PROVEN);
}

#[test]
fn a_hidden_move_that_turns_up_while_confirming_is_searched() {
    let mut frontier = split_root(1);
    let only = lease(&mut frontier).unwrap();
    frontier.finished(only.unit, &done(Turn::And, Verdict::Disproven));
    let confirm = lease(&mut frontier).unwrap();
    let children =
        vec![child(1, Turn::And, Numbers::DISPROVEN), child(2, Turn::And, Numbers::UNKNOWN)];
    let report = open(Turn::Or, Numbers::UNKNOWN, children);
    assert_eq!(frontier.finished(confirm.unit, &report), []);
    let hidden = lease(&mut frontier).unwrap();
    assert_eq!(hidden.search.state, [2]);
    frontier.finished(hidden.unit, &done(Turn::And, Verdict::Disproven));
    let confirm = lease(&mut frontier).unwrap();
    let said = frontier.finished(confirm.unit, &done(Turn::Or, Verdict::Disproven));
    assert_eq!(said, [Directive::Settled(Verdict::Disproven), Directive::Cancel(RUNNER)]);
}

#[test]
fn a_state_reached_in_two_ways_is_one_leaf() {
    let mut frontier = split_root(2);
    let shared = || child(9, Turn::Or, Numbers::UNKNOWN);
    for _ in 0..2 {
        let task = lease(&mut frontier).unwrap();
        let own = child(task.search.state[0] + 10, Turn::Or, Numbers::UNKNOWN);
        let large = open(Turn::And, numbers(2, 1), vec![shared(), own]);
        frontier.finished(task.unit, &SearchReport { nodes: 1_000_000, ..large });
    }
    let tasks: Vec<Task> = std::iter::from_fn(|| lease(&mut frontier)).collect();
    assert_eq!(tasks.len(), 3, "9, and one of each parent's own");
    // It settles both parents, and through them the root.
    let unit = tasks.iter().find(|task| task.search.state == [9]).unwrap().unit;
    let said = frontier.finished(unit, &done(Turn::Or, Verdict::Disproven));
    assert_eq!(said, [], "claims call nobody off");
    let parents = [lease(&mut frontier).unwrap(), lease(&mut frontier).unwrap()];
    assert!(
        parents
            .iter()
            .all(|task| task.search.state.len() == 1 && task.search.target == Numbers::UNBOUNDED)
    );
    assert_eq!(lease(&mut frontier), None);
    for task in parents {
        let said = frontier.finished(task.unit, &done(Turn::And, Verdict::Disproven));
        assert_eq!(said.len(), 1, "its other child is called off: {said:?}");
    }
    assert!(lease(&mut frontier).unwrap().search.state.is_empty());
}

#[test]
fn lost_work_is_given_again_and_its_late_report_ignored() {
    let mut frontier = split_root(1);
    let task = lease(&mut frontier).unwrap();
    assert_eq!(lease(&mut frontier), None);
    frontier.lost(task.unit);
    let again = lease(&mut frontier).unwrap();
    assert_eq!(again.search.state, task.search.state);
    assert_ne!(again.unit, task.unit);
    assert_eq!(frontier.finished(task.unit, &done(Turn::And, Verdict::Proven)), []);
    assert_eq!(lease(&mut frontier), None, "the second lease is still out");
}

#[test]
fn a_lost_confirmation_is_asked_for_again() {
    let mut frontier = split_root(1);
    let only = lease(&mut frontier).unwrap();
    frontier.finished(only.unit, &done(Turn::And, Verdict::Proven));
    let confirm = lease(&mut frontier).unwrap();
    frontier.lost(confirm.unit);
    assert_eq!(lease(&mut frontier).unwrap().search.state, confirm.search.state);
}

#[test]
fn a_small_subtree_is_given_as_a_whole_unless_somebody_is_in_it() {
    let small = |children| SearchReport { nodes: 5, ..open(Turn::And, numbers(2, 1), children) };
    let below = || (11..=13).map(|name| child(name, Turn::Or, Numbers::UNKNOWN)).collect();
    let mut frontier = split_root(1);
    let only = lease(&mut frontier).unwrap();
    frontier.finished(only.unit, &small(below()));
    let again = lease(&mut frontier).unwrap();
    assert_eq!(again.search.state, [1]);
    assert_eq!(lease(&mut frontier), None, "its children are given with it");
    frontier.finished(again.unit, &small(below()));
    frontier.progress(RUNNER, &passing(&[1, 12]));
    let states: Vec<_> =
        std::iter::from_fn(|| lease(&mut frontier)).map(|task| task.search.state).collect();
    assert_eq!(states, [[11], [13], [12]]);
    // A subtree that cost much is leased in parts.
    let mut frontier = split_root(1);
    let only = lease(&mut frontier).unwrap();
    frontier.finished(only.unit, &SearchReport { nodes: 1_000_000, ..small(below()) });
    assert_ne!(lease(&mut frontier).unwrap().search.state, [1]);
}

#[test]
fn the_runner_hears_where_the_others_are() {
    let mut frontier = split_root(2);
    assert_eq!(frontier.moved(), Some(RUNNER));
    assert_eq!((frontier.moved(), frontier.others()), (None, OtherWorkers::default()));
    let first = lease(&mut frontier).unwrap();
    let children =
        vec![child(11, Turn::Or, Numbers::UNKNOWN), child(12, Turn::Or, Numbers::UNKNOWN)];
    let large = SearchReport { nodes: 1_000_000, ..open(Turn::And, numbers(2, 1), children) };
    frontier.finished(first.unit, &large);
    let mut states: Vec<_> =
        (0..2).map(|_| lease(&mut frontier).unwrap().search.state[0]).collect();
    states.sort_unstable();
    assert_eq!(frontier.moved(), Some(RUNNER));
    let OtherWorkers { mut keys, depth } = frontier.others();
    // Includes the ancestors; the root has no key.
    let mut expected = [1, 2, 11].map(Key::mixed);
    keys.sort_unstable();
    expected.sort_unstable();
    assert_eq!((states, keys, depth), (vec![2, 11], expected.to_vec(), 2));
    frontier.lost(RUNNER);
    assert_eq!(frontier.moved(), None, "nobody to tell");
}

#[test]
fn whatever_is_reported_the_graph_has_no_cycle_and_links_both_ways() {
    let mut largest = 0;
    for seed in 0..40 {
        let mut frontier = begin();
        let mut hostile = Hostile::new(seed, false);
        for _ in 0..1000 {
            hostile.call(&mut frontier);
        }
        largest = largest.max(frontier.tree.check());
    }
    assert!(largest > 100, "the graphs have at most {largest} nodes");
}

#[test]
fn a_state_with_a_million_children_or_a_huge_one_is_not_split() {
    let many = |count: u32| {
        let child = |n: u32| Child {
            state: n.to_le_bytes().to_vec(),
            key: Key::mixed(n.into()),
            ..child(1, Turn::And, Numbers::UNKNOWN)
        };
        (0..count).map(child).collect::<Vec<_>>()
    };
    let huge = Child { state: vec![0; 100_000], ..child(1, Turn::And, Numbers::UNKNOWN) };
    for (children, nodes) in [(many(1_000_000), 1), (vec![huge], 1), (many(300), 301)] {
        let mut frontier = frontier();
        let root = lease(&mut frontier).unwrap();
        frontier.finished(root.unit, &open(Turn::Or, Numbers::UNKNOWN, children));
        assert_eq!(frontier.tree.len(), nodes);
        assert!(lease(&mut frontier).is_some(), "the search goes on");
    }
}

#[test]
fn a_child_that_is_its_own_ancestor_becomes_another_node() {
    let mut frontier = split_root(1);
    let only = lease(&mut frontier).unwrap();
    let again = vec![child(1, Turn::And, Numbers::UNKNOWN), child(2, Turn::Or, Numbers::UNKNOWN)];
    let large = SearchReport { nodes: 1_000_000, ..open(Turn::And, numbers(2, 1), again) };
    frontier.finished(only.unit, &large);
    frontier.tree.check();
    assert_eq!(frontier.tree.len(), 4);
}

#[test]
fn where_no_leaf_is_free_a_worker_searches_in_another_order_for_a_while() {
    let mut frontier = frontier();
    let root = frontier.next().unwrap();
    let first = frontier.next().unwrap();
    let SearchTask { state, role, share, seed, nodes, .. } = first.search;
    assert_eq!((state.len(), role, share, seed), (0, Role::Leader, true, 1));
    assert!(nodes.is_some_and(|nodes| nodes <= 1000), "a lease at most: {nodes:?}");
    let second = frontier.next().unwrap();
    assert_eq!(second.search.seed, 2);
    assert_eq!(frontier.finished(first.unit, &open(Turn::Or, numbers(3, 4), Vec::new())), []);
    assert_eq!(frontier.next().unwrap().search.seed, 1, "the number is free again");
    // Its numbers are no numbers of the graph; its verdict settles the root.
    assert_eq!(frontier.root(), Numbers::UNKNOWN);
    let said = frontier.finished(second.unit, &done(Turn::Or, Verdict::Proven));
    assert_eq!(said[0], Directive::Settled(Verdict::Proven));
    assert_eq!(said.len(), 4, "the runner, the lease and the other one are called off: {said:?}");
    assert!(said.contains(&Directive::Cancel(root.unit)));
}

#[test]
fn most_of_a_thousand_workers_wait_at_the_start() {
    let mut frontier = begin();
    let given = (0..1024).filter_map(|_| frontier.next()).count();
    assert_eq!(given, MOST_SEEDS + 2, "and the runner, and the root");
}
