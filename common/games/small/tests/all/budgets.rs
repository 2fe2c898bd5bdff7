//! Every kernel stops when asked to, says why, continues where it stopped, and starts anywhere.

use crate::graphs::graph;
use hasami_andor::{
    Control, Job, Kernel, Numbers, Options, Problem, Search, Stopped, SumRule, Table, Verdict,
    oracle,
};
use hasami_game::random::SplitMix;
use hasami_small::graph::{Graph, Node};
use hasami_small::synthetic::Synthetic;
use hasami_trials::{KERNELS, all_options, lie, made, settle, table_for};

/// A thread checks the budget every 4096 nodes.
fn slack(kernel: Kernel) -> u64 {
    match kernel {
        Kernel::Threads(count) => 4096 * count as u64 + 16,
        _ => 4,
    }
}

#[test]
fn every_kernel_stops_at_its_budget_and_goes_on_to_the_same_verdict() {
    let mut stops = 0;
    for seed in 0..4 {
        let game: Synthetic = made(&format!("depth=10 branching=3 width=400 seed={seed}"));
        let truth = oracle::solve(&game, 10_000).unwrap();
        for kernel in KERNELS {
            for options in all_options() {
                let table = table_for(&game, 1 << 14, &options);
                let mut search =
                    Search::new(kernel, &game, &table, options, Job::settle(game.root()));
                let mut budget = 70;
                let control = Control::with_budget(budget);
                let outcome = loop {
                    let outcome = search.run(&control);
                    let spent = outcome.counts.nodes;
                    assert!(spent <= budget + slack(kernel), "{spent} of {budget} {kernel:?}");
                    if outcome.stopped != Stopped::Budget {
                        break outcome;
                    }
                    stops += 1;
                    assert!(spent + 4 >= budget, "{spent} of {budget} {kernel:?}");
                    assert!(!outcome.numbers.settled());
                    // Without more budget it makes no progress.
                    let again = search.run(&control);
                    assert_eq!(again.stopped, Stopped::Budget);
                    assert!(again.counts.nodes <= spent + 1, "{kernel:?}");
                    control.extend(130);
                    budget += 130;
                };
                assert_eq!(outcome.stopped, Stopped::Settled);
                assert_eq!(outcome.numbers.verdict(), Some(truth.root), "{kernel:?} {options:?}");
                // A further run still has the result.
                let again = search.run(&control);
                assert_eq!((again.stopped, again.numbers), (Stopped::Settled, outcome.numbers));
            }
        }
    }
    assert!(stops > 500, "{stops}");
}

#[test]
fn a_large_budget_is_spent_and_not_much_more() {
    let game: Synthetic = made("depth=60 branching=4");
    for kernel in KERNELS {
        let table = Table::with_entries(1 << 16, false);
        let control = Control::with_budget(100_000);
        let job = Job::settle(game.root());
        let mut search = Search::new(kernel, &game, &table, Options::default(), job);
        let outcome = search.run(&control);
        assert_eq!(outcome.stopped, Stopped::Budget, "{kernel:?}");
        for nodes in [outcome.counts.nodes, control.nodes()] {
            assert!((99_990..=100_000 + slack(kernel)).contains(&nodes), "{nodes} {kernel:?}");
        }
        assert_eq!(outcome.numbers.verdict(), None);
        assert!(!control.root().settled() && control.root().proof > 0, "progress is reported");
    }
}

#[test]
fn a_cancelled_search_says_so_and_goes_on_when_resumed() {
    let game: Synthetic = made("depth=10 branching=3 width=400 seed=1");
    let truth = oracle::solve(&game, 10_000).unwrap();
    for kernel in KERNELS {
        let table = Table::with_entries(1 << 14, false);
        let control = Control::unlimited();
        let job = Job::settle(game.root());
        let mut search = Search::new(kernel, &game, &table, Options::default(), job);
        control.cancel();
        for _ in 0..3 {
            let outcome = search.run(&control);
            assert_eq!(outcome.stopped, Stopped::Cancelled, "{kernel:?}");
            assert!(outcome.counts.nodes <= 4, "{kernel:?} {outcome:?}");
        }
        control.resume();
        let outcome = search.run(&control);
        assert_eq!(outcome.stopped, Stopped::Settled, "{kernel:?}");
        assert_eq!(outcome.numbers.verdict(), Some(truth.root), "{kernel:?}");
    }
}

#[test]
fn a_search_can_be_cancelled_while_it_runs() {
    let game: Synthetic = made("depth=60 branching=4");
    for kernel in KERNELS {
        let table = Table::with_entries(1 << 16, false);
        // The budget only makes a failure end.
        let control = Control::with_budget(200_000_000);
        let job = Job::settle(game.root());
        let mut search = Search::new(kernel, &game, &table, Options::default(), job);
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                while control.nodes() < 5_000 {
                    std::thread::yield_now();
                }
                control.cancel();
            });
            search.run(&control)
        });
        assert_eq!(outcome.stopped, Stopped::Cancelled, "{kernel:?}");
    }
}

#[test]
fn a_finite_target_is_reached_or_the_state_is_settled() {
    let (mut targets, mut settled) = (0, 0);
    for seed in 0..150 {
        let graph = graph(seed, 20..220);
        let truth = oracle::solve(&graph, 1000).unwrap();
        let mut random = SplitMix::new(seed);
        for kernel in KERNELS {
            for options in all_options() {
                let mut draw =
                    || [2, 3, 5, 9, Job::<Node>::UNBOUNDED.proof][random.below(5) as usize];
                let target = Numbers { proof: draw(), disproof: draw() };
                let table = table_for(&graph, 1000, &options);
                let job = Job { state: graph.root(), target };
                let mut search = Search::new(kernel, &graph, &table, options, job);
                let outcome = search.run(&Control::unlimited());
                let numbers = outcome.numbers;
                let what = format!("{kernel:?} {options:?} seed {seed}: {outcome:?} of {target:?}");
                match outcome.stopped {
                    Stopped::Settled => {
                        assert_eq!(numbers.verdict(), Some(truth.root), "{what}");
                        settled += 1;
                    }
                    Stopped::Target => {
                        assert_eq!(numbers.verdict(), None, "{what}");
                        let reached =
                            numbers.proof >= target.proof || numbers.disproof >= target.disproof;
                        assert!(reached, "{what}");
                        targets += 1;
                    }
                    Stopped::Budget | Stopped::Cancelled => panic!("{what}"),
                }
                assert_eq!(lie::<Graph>(&table, &truth), None, "{what}");
            }
        }
    }
    assert!(targets > 500 && settled > 500, "{targets} {settled}");
}

#[test]
fn a_target_of_one_is_reached_at_once_by_anything_open() {
    let game: Synthetic = made("depth=60 branching=4");
    for kernel in KERNELS {
        let table = Table::with_entries(1 << 12, false);
        let job = Job { state: game.root(), target: Numbers::UNKNOWN };
        let mut search = Search::new(kernel, &game, &table, Options::default(), job);
        let outcome = search.run(&Control::unlimited());
        assert_eq!(outcome.stopped, Stopped::Target);
        assert!(outcome.counts.nodes < 100, "{kernel:?} {outcome:?}");
    }
}

#[test]
fn a_search_can_start_at_any_state() {
    let mut verdicts = [0, 0];
    for seed in 0..150 {
        let graph = graph(seed, 20..220);
        let truth = oracle::solve(&graph, 1000).unwrap();
        let mut random = SplitMix::new(seed);
        for kernel in KERNELS {
            for options in all_options() {
                // The second start finds the table of the first.
                let table = table_for(&graph, 1000, &options);
                for _ in 0..2 {
                    let node = Node(random.below(graph.size() as u32));
                    let expected = truth.verdicts[&graph.key(&node)];
                    let outcome = settle(&graph, &table, kernel, options, node);
                    let what = format!("{kernel:?} {options:?} seed {seed} at {node:?}");
                    assert_eq!(outcome.numbers.verdict(), Some(expected), "{what}");
                    assert_eq!(lie::<Graph>(&table, &truth), None, "{what}");
                    verdicts[usize::from(expected == Verdict::Proven)] += 1;
                }
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 1000), "{verdicts:?}");
}

#[test]
fn a_parked_search_is_taken_up_by_another_on_the_same_table() {
    for kernel in KERNELS {
        for (sum, seed) in [(SumRule::Sum, 3), (SumRule::Weak, 4)] {
            let game: Synthetic = made(&format!("depth=10 branching=4 seed={seed}"));
            let options = Options { sum, ..Options::default() };
            let whole = Table::with_entries(1 << 20, false);
            let full = settle(&game, &whole, kernel, options, game.root());
            let table = Table::with_entries(1 << 20, false);
            let control = Control::with_budget(full.counts.nodes / 2);
            let job = || Job::settle(game.root());
            let mut first = Search::new(kernel, &game, &table, options, job());
            let half = first.run(&control);
            assert_eq!(half.stopped, Stopped::Budget, "{kernel:?}");
            first.park();
            // Parking updates the numbers; there is no budget for more.
            let now = first.run(&control).numbers;
            drop(first);
            let parked = table.lookup(game.key(&game.root())).expect("the root is parked");
            assert!(!parked.numbers.settled());
            if !matches!(kernel, Kernel::Threads(_)) {
                assert_eq!(parked.numbers, now, "{kernel:?}");
            }
            let rest = settle(&game, &table, kernel, options, game.root());
            assert_eq!(rest.numbers, full.numbers);
            let (total, once) = (half.counts.nodes + rest.counts.nodes, full.counts.nodes);
            assert!(once > 1000, "large enough to tell: {once}");
            assert!(total <= once * 2, "{total} nodes instead of {once}: {kernel:?} {sum:?}");
        }
    }
}

#[test]
fn a_parked_search_can_itself_go_on() {
    for seed in 0..60 {
        let graph = graph(seed, 20..220);
        let truth = oracle::solve(&graph, 1000).unwrap();
        for kernel in KERNELS {
            for options in all_options() {
                let table = table_for(&graph, 1000, &options);
                let control = Control::with_budget(7);
                let job = Job::settle(graph.root());
                let mut search = Search::new(kernel, &graph, &table, options, job);
                let outcome = loop {
                    let outcome = search.run(&control);
                    if outcome.stopped != Stopped::Budget {
                        break outcome;
                    }
                    search.park();
                    assert_eq!(lie::<Graph>(&table, &truth), None);
                    control.extend(11);
                };
                assert_eq!(outcome.numbers.verdict(), Some(truth.root), "{kernel:?} {options:?}");
            }
        }
    }
}
