//! Hand-made graphs with cycles: the graph history interaction problem (Palay 1983; Campbell 1985;
//! Kishimoto & Müller 2004). Expected verdicts are derived beside each graph, and every entry left
//! in the table is compared with the oracle.

use hasami_andor::{Kernel, Options, Problem, Repetition, SumRule, Verdict, oracle};
use hasami_game::random::SplitMix;
use hasami_small::graph::HandNode::{And, Disproven, Or, Proven};
use hasami_small::graph::{Graph, HandNode};
use hasami_trials::{KERNELS, all_options, lie, settle, table_for};

const YES: Verdict = Verdict::Proven;
const NO: Verdict = Verdict::Disproven;

/// One search of the root: the right verdict, and no wrong entry in the table.
fn check(graph: &Graph, truth: &oracle::Answer, kernel: Kernel, options: Options) {
    let table = table_for(graph, 64, &options);
    let outcome = settle(graph, &table, kernel, options, graph.root());
    let described = || {
        let nodes = (0..graph.size() as u32).map(hasami_small::graph::Node);
        let shown: Vec<String> = nodes.map(|node| graph.show(&node)).collect();
        format!("{kernel:?} {options:?} {:?} {}", graph.repetition(), shown.join("; "))
    };
    assert_eq!(outcome.numbers.verdict(), Some(truth.root), "{}", described());
    assert_eq!(lie::<Graph>(&table, truth), None, "{}", described());
}

/// Every kernel with all options, plain and with hidden moves, under both repetition rules. The
/// arguments are the verdicts of the nodes in order if repetition disproves, and if it proves.
fn check_hand(nodes: &[HandNode], disproves: &[Verdict], proves: &[Verdict]) {
    for (repetition, expected) in [(Repetition::Disproven, disproves), (Repetition::Proven, proves)]
    {
        let plain = Graph::from_edges(repetition, nodes).unwrap();
        for graph in [plain.clone(), plain.chained()] {
            let truth = oracle::solve(&graph, 100).unwrap();
            for (node, verdict) in expected.iter().enumerate() {
                let key = graph.key(&hasami_small::graph::Node(node as u32));
                assert_eq!(truth.verdicts.get(&key), Some(verdict), "node {node} {repetition:?}");
            }
            for kernel in KERNELS {
                for options in all_options() {
                    for seed in [0, 1] {
                        check(&graph, &truth, kernel, Options { seed, ..options });
                    }
                }
            }
        }
    }
}

#[test]
fn a_node_that_leads_only_to_itself_is_what_repetition_says() {
    check_hand(&[Or(&[0])], &[NO], &[YES]);
    check_hand(&[And(&[0])], &[NO], &[YES]);
    // With an exit, only the side that repetition hurts needs it.
    check_hand(&[Or(&[0, 1]), Proven], &[YES, YES], &[YES, YES]);
    check_hand(&[And(&[0, 1]), Proven], &[NO, YES], &[YES, YES]);
    check_hand(&[Or(&[0, 1]), Disproven], &[NO, NO], &[YES, NO]);
    check_hand(&[And(&[0, 1]), Disproven], &[NO, NO], &[NO, NO]);
}

#[test]
fn two_nodes_that_lead_to_each_other() {
    check_hand(&[Or(&[1]), And(&[0])], &[NO, NO], &[YES, YES]);
    check_hand(&[Or(&[1]), And(&[0, 2]), Proven], &[NO, NO], &[YES, YES]);
    check_hand(&[Or(&[1, 2]), And(&[0, 2]), Proven], &[YES, YES], &[YES, YES]);
    check_hand(&[Or(&[1, 2]), And(&[0, 2]), Disproven], &[NO, NO], &[NO, NO]);
}

#[test]
fn a_node_disproven_on_one_path_is_proven_on_another() {
    // On the path 0 1 2, node 2 can only repeat 1; but 1 is proven through 3, so 2 is proven.
    check_hand(
        &[And(&[1, 2]), Or(&[2, 3]), And(&[1]), Proven],
        &[YES, YES, YES, YES],
        &[YES, YES, YES, YES],
    );
    // The same with the sides swapped.
    check_hand(
        &[Or(&[1, 2]), And(&[2, 3]), Or(&[1]), Disproven],
        &[NO, NO, NO, NO],
        &[NO, NO, NO, NO],
    );
}

#[test]
fn two_ways_into_one_loop() {
    // After Kishimoto & Müller's figure: 0 goes to 1 or 2; 1 goes to a loss or into the loop 4 5 at
    // 4, 2 enters it at 5 (behind 3). From 5 there is an exit that only counts on one of the paths.
    check_hand(
        &[
            Or(&[1, 2]),
            And(&[4, 6]),
            And(&[3]),
            Or(&[5]),
            Or(&[5]),
            And(&[4, 7]),
            Disproven,
            Proven,
        ],
        &[NO, NO, NO, NO, NO, NO, NO, YES],
        &[YES, NO, YES, YES, YES, YES, NO, YES],
    );
    check_hand(
        &[
            Or(&[1, 2]),
            And(&[4, 3]),
            And(&[5]),
            Or(&[5]),
            Or(&[5, 7]),
            And(&[4]),
            Disproven,
            Proven,
        ],
        &[YES, YES, YES, YES, YES, YES],
        &[YES, YES, YES, YES, YES, YES],
    );
}

#[test]
fn a_loop_closed_at_its_head_settles_all_of_it() {
    // 1 2 3 form a cycle below the root; the AND side never leaves. The root has another way.
    check_hand(
        &[Or(&[1, 4]), And(&[2]), Or(&[3]), And(&[1, 5]), And(&[1, 5]), Proven],
        &[NO, NO, NO, NO, NO, YES],
        &[YES, YES, YES, YES, YES, YES],
    );
    check_hand(
        &[And(&[1, 4]), And(&[2]), Or(&[3]), And(&[1, 5]), Or(&[1, 5]), Proven],
        &[NO, NO, NO, NO, YES, YES],
        &[YES, YES, YES, YES, YES, YES],
    );
}

#[test]
fn loops_within_loops() {
    // The inner loop 2 3 leads back to the outer 1, the outer to the root; the exit is at the
    // deepest node, for the AND side only.
    check_hand(
        &[Or(&[1]), And(&[0, 2]), Or(&[1, 3]), And(&[2, 1, 4]), Proven],
        &[NO, NO, NO, NO, YES],
        &[YES, YES, YES, YES, YES],
    );
    // An exit for the OR side deep inside is found, and saves 3, 2 and 1 but not what only the AND
    // side chooses.
    check_hand(
        &[Or(&[1]), And(&[2, 5]), Or(&[1, 3]), And(&[2, 4]), Or(&[3, 2, 6]), Or(&[0, 4]), Proven],
        &[NO, NO, NO, NO, YES, YES, YES],
        &[YES, YES, YES, YES, YES, YES, YES],
    );
    // Two loops that share a node: a disproof of 3 rests on 1 and on 2 at once.
    check_hand(
        &[And(&[1, 3]), Or(&[2]), Or(&[3, 4]), Or(&[1, 2]), Proven],
        &[YES, YES, YES, YES, YES],
        &[YES, YES, YES, YES, YES],
    );
}

#[test]
fn a_verdict_held_for_two_ancestors_survives_neither_of_them_too_long() {
    // On the way down 4 only repeats 1 and 2, and 3 with it; but 2 is left proven through 6, and
    // then everything is proven that looked lost.
    check_hand(
        &[And(&[1, 5]), And(&[2, 5]), Or(&[3, 6]), And(&[4]), Or(&[1, 2]), Or(&[4, 3]), Proven],
        &[YES, YES, YES, YES, YES, YES, YES],
        &[YES, YES, YES, YES, YES, YES, YES],
    );
}

#[test]
fn long_loops_are_told_apart_past_the_sixty_third_ancestor() {
    // A line of 200 nodes with loops back to many depths, and an exit at the end for either side.
    for (exit, seed) in [(Proven, 1), (Disproven, 2), (Proven, 3), (Disproven, 4)] {
        let mut random = SplitMix::new(seed);
        let edges: Vec<[u32; 2]> = (0..200)
            .map(|node| {
                let back = random.below(node + 1);
                [back, node + 1]
            })
            .collect();
        let mut nodes: Vec<HandNode> = (0..200)
            .map(|node: usize| match random.below(8) {
                0 => And(&edges[node]),
                1 => Or(&edges[node][..1]),
                2 | 3 => And(&edges[node][1..]),
                _ => Or(&edges[node]),
            })
            .collect();
        // The line itself stays intact.
        nodes.iter_mut().enumerate().for_each(|(node, made)| {
            if matches!(made, Or([_])) {
                *made = Or(&edges[node]);
            }
        });
        nodes.push(exit);
        for repetition in [Repetition::Disproven, Repetition::Proven] {
            let graph = Graph::from_edges(repetition, &nodes).unwrap();
            let truth = oracle::solve(&graph, 1000).unwrap();
            for kernel in KERNELS.into_iter().filter(|&kernel| kernel != Kernel::Pn) {
                for options in all_options() {
                    check(&graph, &truth, kernel, options);
                }
            }
        }
    }
}

#[test]
fn every_graph_of_three_nodes_with_at_most_two_moves_is_settled_rightly() {
    // Three open nodes, a proven and a disproven one; all combinations of turns and of ordered
    // moves.
    let mut lists: Vec<Vec<u32>> = (0..5).map(|child| vec![child]).collect();
    for first in 0..5 {
        lists.extend((0..5).filter(|&second| second != first).map(|second| vec![first, second]));
    }
    let made: Vec<HandNode> = lists.iter().flat_map(|list| [Or(list), And(list)]).collect();
    let kernels = [Kernel::Dfpn, Kernel::Pds, Kernel::Pn, KERNELS[4]];
    let mut options = all_options();
    options.retain(|options| options.sum != SumRule::Hybrid);
    let mut turn = 0;
    let mut graphs = 0;
    for first in &made {
        for second in &made {
            for third in &made {
                let nodes = [*first, *second, *third, Proven, Disproven];
                for repetition in [Repetition::Disproven, Repetition::Proven] {
                    let graph = Graph::from_edges(repetition, &nodes).unwrap();
                    let truth = oracle::solve(&graph, 10).unwrap();
                    // The options rotate; the two usual kernels see every graph.
                    turn += 1;
                    let options = options[turn % options.len()];
                    check(&graph, &truth, kernels[turn % 2], options);
                    check(&graph, &truth, kernels[turn / 2 % 4], options);
                    graphs += 1;
                }
            }
        }
    }
    assert_eq!(graphs, 2 * 50 * 50 * 50);
}
