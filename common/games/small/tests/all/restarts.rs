//! One search, restarted at other states: nothing of the first search may mislead the next.

use hasami_andor::search::{Step, Walker};
use hasami_andor::{Job, Options, Repetition, Table, Verdict};
use hasami_small::graph::HandNode::{Or, Proven};
use hasami_small::graph::{Graph, Node};

#[test]
fn a_verdict_of_one_path_is_not_taken_for_that_of_another_start() {
    // 1 and 2 lead back to 0, which is proven through 3: all are proven.
    let nodes = [Or(&[1, 3]), Or(&[2]), Or(&[0]), Proven];
    let graph = Graph::from_edges(Repetition::Disproven, &nodes).unwrap();
    let table = Table::with_entries(64, false);
    let mut walker = Walker::new(&graph, &table, Options::default());
    for node in [0, 1] {
        walker.begin(Node(node), Job::<Node>::UNBOUNDED);
        assert_eq!(walker.run(|_| false), Step::Done);
        let answer = walker.answer().unwrap();
        assert_eq!(answer.numbers.verdict(), Some(Verdict::Proven), "node {node}");
    }
}
