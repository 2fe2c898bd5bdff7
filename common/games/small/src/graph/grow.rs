//! Grows a random graph, edge by edge. Every node is reachable, none is expanded twice, and the
//! frontier never becomes empty before all nodes exist.

use hasami_andor::{Turn, Verdict};

use super::Vertex;
use super::config::{GraphConfig, Shape, Turns};
use hasami_game::random::{Chance, SplitMix};

/// How often a known node is tried before the edge is given up.
const ATTEMPTS: u32 = 6;

struct Grower<'a> {
    config: &'a GraphConfig,
    random: SplitMix,
    nodes: Vec<Vertex>,
    edges: Vec<u32>,
    /// Nodes without edges yet.
    frontier: Vec<u32>,
    /// For dags: edges only go to a higher rank. Ranks skip, so paths of different lengths join.
    ranks: Vec<u32>,
    /// For cyclic graphs: the node that a node was created for.
    origins: Vec<u32>,
}

/// The nodes and edges of the graph that `config` describes.
pub(super) fn grow(config: &GraphConfig) -> (Vec<Vertex>, Vec<u32>) {
    let size = config.nodes as usize;
    let mut grower = Grower {
        config,
        random: SplitMix::new(config.seed),
        nodes: Vec::with_capacity(size),
        edges: Vec::with_capacity(size),
        frontier: Vec::new(),
        ranks: Vec::new(),
        origins: Vec::new(),
    };
    let sharing = Chance::new(config.sharing);
    let leaves = Chance::new(config.leaves);
    let bias = Chance::new(config.bias);
    // Some graphs are broad, some are deep.
    let deep = Chance::new([0.0, 0.5, 0.95][grower.random.below(3) as usize]);

    grower.add(None);
    while let Some(node) = grower.take(deep) {
        let start = grower.edges.len();
        // The last node of the frontier must have a new child while nodes are wanted.
        let must = grower.frontier.is_empty() && grower.wants_nodes();
        let leaf = grower.random.happens(leaves);
        if must || !(leaf || node == 0 && !grower.wants_nodes()) {
            if must {
                grower.add(Some(node));
            }
            let moves = 1 + grower.random.below(config.branching.into());
            for _ in u32::from(must)..moves {
                if config.shape != Shape::Tree && grower.random.happens(sharing) {
                    grower.share(node);
                } else if grower.wants_nodes() {
                    grower.add(Some(node));
                }
            }
        }
        let own = &mut grower.edges[start..];
        // Otherwise a forced child would always come first.
        let place = grower.random.below(own.len().max(1) as u32) as usize;
        if must {
            own.swap(0, place);
        }
        let verdict =
            if grower.random.happens(bias) { Verdict::Proven } else { Verdict::Disproven };
        let vertex = &mut grower.nodes[node as usize];
        vertex.start = start as u32;
        vertex.count = own.len() as u16;
        vertex.settled = own.is_empty().then_some(verdict);
    }
    (grower.nodes, grower.edges)
}

impl Grower<'_> {
    fn wants_nodes(&self) -> bool {
        self.nodes.len() < self.config.nodes as usize
    }

    /// The node that gets its edges next.
    fn take(&mut self, deep: Chance) -> Option<u32> {
        if self.frontier.len() < 2 || self.random.happens(deep) {
            return self.frontier.pop();
        }
        let place = self.random.below(self.frontier.len() as u32);
        Some(self.frontier.swap_remove(place as usize))
    }

    /// Adds a new node and the edge to it.
    fn add(&mut self, parent: Option<u32>) {
        let node = self.nodes.len() as u32;
        let turn = match (self.config.turns, parent) {
            (Turns::Random, _) if self.random.word() >> 63 == 0 => Turn::And,
            (Turns::Random, _) | (Turns::Alternate, None) => Turn::Or,
            (Turns::Alternate, Some(parent)) => match self.nodes[parent as usize].turn {
                Turn::Or => Turn::And,
                Turn::And => Turn::Or,
            },
        };
        self.nodes.push(Vertex { start: 0, count: 0, turn, settled: None });
        self.frontier.push(node);
        if self.config.shape == Shape::Dag {
            let above = parent.map_or(0, |parent| self.ranks[parent as usize]);
            let rank = above + 1 + self.random.below(3);
            self.ranks.push(rank);
        }
        if self.config.shape == Shape::Cyclic {
            self.origins.push(parent.unwrap_or(0));
        }
        if parent.is_some() {
            self.edges.push(node);
        }
    }

    /// Adds an edge to a known node, if one is found that the shape and the turns allow.
    fn share(&mut self, node: u32) {
        for _ in 0..ATTEMPTS {
            let target = self.candidate(node);
            let turns = self.config.turns == Turns::Random
                || self.nodes[target as usize].turn != self.nodes[node as usize].turn;
            let shape = self.config.shape == Shape::Cyclic
                || self.ranks[target as usize] > self.ranks[node as usize];
            if turns && shape {
                self.edges.push(target);
                return;
            }
        }
    }

    /// Prefers near nodes: they make short cycles and early joins.
    fn candidate(&mut self, node: u32) -> u32 {
        let known = self.nodes.len() as u32;
        match self.random.below(8) {
            0 if self.config.shape == Shape::Cyclic => node,
            1 if self.config.shape == Shape::Cyclic => self.origins[node as usize],
            2 | 3 => known - 1 - self.random.below(known.min(8)),
            _ => self.random.below(known),
        }
    }
}
