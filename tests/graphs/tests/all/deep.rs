//! Paths of more than a thousand states: depths, dependences and the stack hold.

use hasami_andor::{
    Control, Job, Kernel, Options, Problem, Repetition, Search, Stopped, SumRule, Table, Verdict,
    oracle,
};
use hasami_game::random::SplitMix;
use hasami_small::graph::{Graph, HandNode};

/// A corridor of `length` nodes that leads to a proof at its end. The side for which `back` is given
/// can also return to a random node behind it.
fn corridor(length: u32, back: Verdict, repetition: Repetition, random: &mut SplitMix) -> Graph {
    let edges: Vec<Vec<u32>> = (0..length)
        .map(|node| match (node % 2 == 0, back) {
            (true, Verdict::Proven) | (false, Verdict::Disproven) if node > 0 => {
                vec![random.below(node), node + 1]
            }
            _ => vec![node + 1],
        })
        .collect();
    let mut nodes: Vec<HandNode> = Vec::new();
    for (node, edges) in edges.iter().enumerate() {
        nodes.push(if node % 2 == 0 { HandNode::Or(edges) } else { HandNode::And(edges) });
    }
    nodes.push(HandNode::Proven);
    Graph::from_edges(repetition, &nodes).unwrap()
}

#[test]
fn corridors_of_many_nodes_are_settled_as_the_oracle_says() {
    let mut deepest = 0;
    for (seed, length) in [(1, 80), (2, 500), (3, 1500)] {
        for back in [Verdict::Proven, Verdict::Disproven] {
            for repetition in [Repetition::Disproven, Repetition::Proven] {
                let random = &mut SplitMix::new(seed);
                let graph = corridor(length, back, repetition, random);
                let truth = oracle::solve(&graph, 1 << 20).unwrap();
                for (kernel, sum) in [
                    (Kernel::Dfpn, SumRule::Sum),
                    (Kernel::Dfpn, SumRule::Hybrid),
                    (Kernel::Pds, SumRule::Weak),
                ] {
                    let table = Table::with_entries(1 << 15, sum == SumRule::Hybrid);
                    let options = Options { sum, ..Options::default() };
                    let control = Control::with_budget(3_000_000);
                    let job = Job::settle(graph.root());
                    let outcome = Search::new(kernel, &graph, &table, options, job).run(&control);
                    let what = format!("{length} {back:?} {repetition:?} {kernel:?} {sum:?}");
                    assert_eq!(outcome.stopped, Stopped::Settled, "{what}");
                    assert_eq!(outcome.numbers.verdict(), Some(truth.root), "{what}");
                    table.for_each(|key, entry| {
                        let verdict = entry.numbers.verdict();
                        assert!(verdict.is_none_or(|verdict| verdict == truth.verdicts[&key]));
                    });
                    deepest = deepest.max(outcome.counts.deepest);
                }
            }
        }
    }
    assert!(deepest > 1400, "{deepest}");
}
