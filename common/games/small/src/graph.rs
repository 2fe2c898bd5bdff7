//! Explicit random AND/OR graphs from a seed: small, difficult and quick to make, so that kernels
//! can be compared with the oracle on millions of them. [`config`] describes a graph, `grow` makes
//! it.

pub mod config;
mod grow;
mod hand;

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Numbers, Problem, ProblemId, Repetition, Turn, Verdict};

pub use config::{GraphConfig, Shape, Turns};
pub use hand::{GraphError, HandNode};

use hasami_game::random::scramble;
use hasami_game::{BuildError, Game, Resources};
use hasami_spec::{ParamError, Params, Spec};

/// Increase it when the same parameters give another graph.
const VERSION: u32 = 1;

/// A graph in memory; the question is node 0.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Vertex>,
    /// The children of all nodes; those of one node are adjacent.
    edges: Vec<u32>,
    repetition: Repetition,
    chain: bool,
    evaluate: bool,
    seed: u64,
    /// The canonical spelling that the id is made from.
    source: Made,
}

#[derive(Clone, Debug)]
enum Made {
    Config(GraphConfig),
    Hand(String),
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// Index of its first child in the edges.
    start: u32,
    count: u16,
    turn: Turn,
    settled: Option<Verdict>,
}

/// A node, by its index in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub u32);

/// A move: the index of an edge of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge(pub u16);

impl Graph {
    /// The graph that this configuration describes. It is deterministic.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn new(config: GraphConfig) -> Result<Self, ParamError> {
        config.check()?;
        let (nodes, edges) = grow::grow(&config);
        Ok(Self {
            nodes,
            edges,
            repetition: match config.shape {
                Shape::Tree | Shape::Dag => Repetition::Impossible,
                Shape::Cyclic => config.repetition,
            },
            chain: config.chain,
            evaluate: config.evaluate,
            seed: config.seed,
            source: Made::Config(config),
        })
    }

    /// The number of nodes; all are reachable from node 0.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The children of a node in move order; none if it is settled.
    #[must_use]
    pub fn children(&self, node: Node) -> &[u32] {
        let vertex = self.vertex(node);
        let start = vertex.start as usize;
        &self.edges[start..start + usize::from(vertex.count)]
    }

    /// The verdict of a node that the rules settle.
    #[must_use]
    pub fn settled(&self, node: Node) -> Option<Verdict> {
        self.vertex(node).settled
    }

    fn vertex(&self, node: Node) -> &Vertex {
        &self.nodes[node.0 as usize]
    }

    /// Adds one move of a chain: all but the last hide the next.
    fn push_link(&self, node: Node, edge: u16, moves: &mut Moves<Edge>) {
        if edge + 1 < self.vertex(node).count {
            moves.push_opening(Edge(edge), Numbers::UNKNOWN);
        } else {
            moves.push(Edge(edge));
        }
    }
}

impl Game for Graph {
    const SPEC: Spec = Spec::game(
        "graph",
        "a random AND/OR graph, node by node: is its root proven?",
        "graph nodes=1000 shape=cyclic sharing=0.4 seed=1",
        config::PARAMS,
    )
    .checks(|params| GraphConfig::from_params(params)?.check());

    const RULES: u32 = 1;

    /// How moves are shown and rated does not change the graph.
    fn stated(&self, params: &Params) -> Vec<(String, String)> {
        let matters = params.iter().filter(|(key, _)| !["chain", "evaluate"].contains(key));
        matters.map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        Ok(Self::new(GraphConfig::from_params(params)?)?)
    }
}

impl Problem for Graph {
    type State = Node;
    type Move = Edge;
    type Reason = ();

    const EVALUATES: bool = true;

    fn id(&self) -> ProblemId {
        match &self.source {
            Made::Config(config) => ProblemId::new(Self::NAME, VERSION, &config.to_string()),
            Made::Hand(spelling) => ProblemId::new("graph by hand", VERSION, spelling),
        }
    }

    fn root(&self) -> Node {
        Node(0)
    }

    fn turn(&self, state: &Node) -> Turn {
        self.vertex(*state).turn
    }

    fn expand(&self, state: &Node, moves: &mut Moves<Edge>) -> Expansion {
        let vertex = self.vertex(*state);
        if let Some(verdict) = vertex.settled {
            return Expansion::Settled(verdict);
        }
        if self.chain {
            self.push_link(*state, 0, moves);
        } else {
            (0..vertex.count).for_each(|edge| moves.push(Edge(edge)));
        }
        Expansion::Open
    }

    fn play(&self, state: &Node, mv: Edge) -> Node {
        Node(self.children(*state)[usize::from(mv.0)])
    }

    fn key(&self, state: &Node) -> Key {
        Key::mixed(state.0.into())
    }

    fn encode(&self, state: &Node, out: &mut Vec<u8>) {
        out.extend_from_slice(&state.0.to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Result<Node, BadState> {
        let node = <[u8; 4]>::try_from(bytes).map(u32::from_le_bytes).map_err(|_| {
            BadState(format!("graph: found {} bytes; expected the 4 of a node", bytes.len()))
        })?;
        if (node as usize) < self.nodes.len() {
            Ok(Node(node))
        } else {
            Err(BadState(format!(
                "graph: found node {node}; expected one below {}",
                self.nodes.len()
            )))
        }
    }

    fn evaluate(&self, state: &Node) -> Numbers {
        if !self.evaluate {
            return Numbers::UNKNOWN;
        }
        let word = scramble(self.seed ^ scramble(state.0.into()));
        match self.vertex(*state).settled {
            // Sometimes the true verdict, like a game that recognises some of its endings.
            Some(verdict) if word >> 62 == 0 => verdict.into(),
            _ => Numbers::open(1 + (word & 7) as u32, 1 + (word >> 3 & 7) as u32),
        }
    }

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn open(&self, state: &Node, mv: Edge, _: Option<()>, moves: &mut Moves<Edge>) {
        let next = mv.0 + 1;
        if self.chain && next < self.vertex(*state).count {
            self.push_link(*state, next, moves);
        }
    }

    fn put_move(&self, _: &Node, mv: Edge, out: &mut Vec<u8>) {
        hasami_varint::write(out, mv.0.into());
    }

    fn take_move(&self, state: &Node, from: &mut Source<'_>) -> Result<Edge, Fault> {
        let edge = from.number()?;
        match u16::try_from(edge) {
            Ok(edge) if edge < self.vertex(*state).count => Ok(Edge(edge)),
            _ => Err(format!("edge {edge} of {}", self.vertex(*state).count)),
        }
    }

    fn show(&self, state: &Node) -> String {
        let vertex = self.vertex(*state);
        match (vertex.settled, vertex.turn) {
            (Some(verdict), _) => format!("node {}: {}", state.0, verdict.word()),
            (None, Turn::Or) => format!("node {}: one of {:?}", state.0, self.children(*state)),
            (None, Turn::And) => format!("node {}: all of {:?}", state.0, self.children(*state)),
        }
    }

    fn show_move(&self, state: &Node, mv: Edge) -> String {
        format!("to {}", self.play(state, mv).0)
    }
}
