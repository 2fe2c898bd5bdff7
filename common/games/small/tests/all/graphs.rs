//! Small random graphs, any shape and rule, one per seed.

use std::ops::Range;

use hasami_andor::Repetition;
use hasami_game::random::SplitMix;
use hasami_small::graph::{Graph, GraphConfig, Shape, Turns};

/// A random graph of any shape, with either repetition rule and a size in this range.
pub fn graph(seed: u64, nodes: Range<u32>) -> Graph {
    let mut random = SplitMix::new(seed);
    let mut pick = |from: u32| random.below(from);
    Graph::new(GraphConfig {
        nodes: nodes.start + pick(nodes.end - nodes.start),
        shape: [Shape::Tree, Shape::Dag, Shape::Cyclic, Shape::Cyclic][pick(4) as usize],
        branching: 2 + pick(3) as u16,
        sharing: [0.1, 0.3, 0.6][pick(3) as usize],
        leaves: [0.1, 0.3][pick(2) as usize],
        bias: [0.2, 0.5, 0.8][pick(3) as usize],
        repetition: [Repetition::Disproven, Repetition::Proven][pick(2) as usize],
        turns: [Turns::Alternate, Turns::Random][pick(2) as usize],
        chain: pick(4) == 0,
        evaluate: pick(3) == 0,
        seed,
    })
    .unwrap()
}
