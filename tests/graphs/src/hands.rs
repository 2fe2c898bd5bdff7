//! Random graphs with hands: a state is a node and a number of pieces of each kind, OR's moves cost
//! and gain pieces, the other side's moves need that OR does not hold too many. More never hurts OR,
//! so states with one node form a family.

mod draw;
mod forge;
mod reasons;
mod trial;
mod truth;

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{
    Expansion, Key, Moves, Numbers, Problem, ProblemId, Rank, Reason, Repetition, Turn, Verdict,
};
use hasami_game::random::scramble;

pub use draw::draw;
pub use trial::try_hands;
pub use truth::Truth;

/// Kinds of pieces.
pub const KINDS: usize = 3;

/// A number of pieces of each kind.
pub type Hand = [u8; KINDS];

/// A graph with hands; the question is node 0 with the first hand.
#[derive(Clone, Debug)]
pub struct Hands {
    nodes: Vec<Vertex>,
    /// Most pieces of each kind.
    most: Hand,
    first: Hand,
    repetition: Repetition,
    /// Every move hides the next.
    chain: bool,
    /// How many groups the moves of a node form; 0 for none.
    groups: u8,
    seed: u64,
}

#[derive(Clone, Debug)]
struct Vertex {
    turn: Turn,
    /// Settled: proven for hands at least this.
    leaf: Option<Hand>,
    edges: Vec<Arc>,
}

#[derive(Clone, Debug)]
struct Arc {
    to: u32,
    /// A move of OR takes these pieces; one of the other side needs that OR has at most these.
    need: Hand,
    /// What OR gains or loses afterwards.
    change: [i8; KINDS],
}

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holding {
    /// The node.
    pub node: u32,
    /// OR's hand.
    pub hand: Hand,
}

/// A move: the index of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(u8);

/// The hand that a verdict is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claim(pub u32);

impl Reason for Claim {
    const WORDS: usize = 1;
    const RANKED: bool = true;
    fn store(self, words: &mut [u64]) {
        words[0] = self.0.into();
    }
    fn load(words: &[u64]) -> Self {
        Self(words[0] as u32)
    }
}

/// Whether `a` has at least as many pieces of each kind.
fn covers(a: Hand, b: Hand) -> bool {
    (0..KINDS).all(|kind| a[kind] >= b[kind])
}

fn pack(hand: Hand) -> Rank {
    Rank(hand.iter().rev().fold(0, |rank, &count| rank << 4 | u32::from(count)))
}

fn unpack(rank: Rank) -> Hand {
    std::array::from_fn(|kind| (rank.0 >> (4 * kind) & 15) as u8)
}

impl Hands {
    /// Number of nodes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// All hands.
    pub fn hands(&self) -> impl Iterator<Item = Hand> + '_ {
        let [a, b, c] = self.most;
        (0..=a).flat_map(move |x| (0..=b).flat_map(move |y| (0..=c).map(move |z| [x, y, z])))
    }

    /// The same graph, asked about another first hand.
    #[must_use]
    pub fn starting_with(&self, first: Hand) -> Self {
        Self { first, ..self.clone() }
    }

    /// The rank of a hand.
    #[must_use]
    pub fn rank(hand: Hand) -> Rank {
        pack(hand)
    }

    fn vertex(&self, state: &Holding) -> &Vertex {
        &self.nodes[state.node as usize]
    }

    fn is_legal(&self, state: &Holding, arc: &Arc) -> bool {
        match self.vertex(state).turn {
            Turn::Or => covers(state.hand, arc.need),
            Turn::And => covers(arc.need, state.hand),
        }
    }

    /// The legal edges.
    fn legal(&self, state: &Holding) -> impl Iterator<Item = (usize, &Arc)> {
        let edges = self.vertex(state).edges.iter().enumerate();
        edges.filter(|(_, arc)| self.is_legal(state, arc))
    }

    fn after(&self, state: &Holding, arc: &Arc) -> Hand {
        let paid = match self.vertex(state).turn {
            Turn::Or => arc.need,
            Turn::And => [0; KINDS],
        };
        std::array::from_fn(|kind| {
            let left = i16::from(state.hand[kind]) - i16::from(paid[kind]);
            (left + i16::from(arc.change[kind])).clamp(0, self.most[kind].into()) as u8
        })
    }

    fn settled(&self, state: &Holding) -> Option<Verdict> {
        let vertex = self.vertex(state);
        match vertex.leaf {
            Some(enough) if covers(state.hand, enough) => Some(Verdict::Proven),
            Some(_) => Some(Verdict::Disproven),
            None if self.legal(state).next().is_none() => Some(vertex.turn.wish().opposite()),
            None => None,
        }
    }

    /// Lists the legal moves from an edge on; in a chain only the first.
    fn list(&self, state: &Holding, from: usize, moves: &mut Moves<Step>) {
        let mut rest = self.legal(state).filter(|&(place, _)| place >= from).peekable();
        while let Some((place, _)) = rest.next() {
            let word = scramble(self.seed ^ scramble(u64::from(state.node) << 8 | place as u64));
            let first = match word & 3 {
                0 => Numbers::open(1 + (word >> 8 & 3) as u32, 1 + (word >> 10 & 3) as u32),
                _ => Numbers::UNKNOWN,
            };
            let group = (word >> 16) as u8 % (self.groups + 1);
            if self.chain && rest.peek().is_some() {
                match word >> 30 & 1 {
                    0 => moves.push_opening(Step(place as u8), first),
                    _ => moves.push_hiding(Step(place as u8), first, group, rest.count() * 8),
                }
                return;
            }
            moves.push_in_group(Step(place as u8), first, group);
        }
    }
}

impl Problem for Hands {
    type State = Holding;
    type Move = Step;
    type Reason = Claim;

    fn id(&self) -> ProblemId {
        ProblemId::new("hands", 1, &self.seed.to_string())
    }
    fn root(&self) -> Holding {
        Holding { node: 0, hand: self.first }
    }
    fn turn(&self, state: &Holding) -> Turn {
        self.vertex(state).turn
    }

    fn expand(&self, state: &Holding, moves: &mut Moves<Step>) -> Expansion {
        if let Some(verdict) = self.settled(state) {
            return Expansion::Settled(verdict);
        }
        self.list(state, 0, moves);
        Expansion::Open
    }

    fn open(&self, state: &Holding, mv: Step, _: Option<Claim>, moves: &mut Moves<Step>) {
        if self.chain {
            self.list(state, usize::from(mv.0) + 1, moves);
        }
    }

    fn play(&self, state: &Holding, mv: Step) -> Holding {
        let arc = &self.vertex(state).edges[usize::from(mv.0)];
        Holding { node: arc.to, hand: self.after(state, arc) }
    }

    fn key(&self, state: &Holding) -> Key {
        Key::ranked(state.node.into(), pack(state.hand))
    }

    fn encode(&self, state: &Holding, out: &mut Vec<u8>) {
        out.extend_from_slice(&state.node.to_le_bytes());
        out.extend_from_slice(&state.hand);
    }

    fn decode(&self, bytes: &[u8]) -> Result<Holding, BadState> {
        let bad = || BadState("hands: no such state".to_string());
        let (node, hand) = bytes.split_first_chunk::<4>().ok_or_else(bad)?;
        let hand = <[u8; KINDS]>::try_from(hand).map_err(|_| bad())?;
        let node = u32::from_le_bytes(*node);
        if (node as usize) < self.nodes.len() && covers(self.most, hand) {
            Ok(Holding { node, hand })
        } else {
            Err(bad())
        }
    }

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn reason(&self, state: &Holding, verdict: Verdict, basis: &[(Step, Claim)]) -> Claim {
        let hand = match verdict {
            Verdict::Proven => self.enough(state, basis),
            Verdict::Disproven => self.too_few(state, basis),
        };
        Claim(pack(hand).0)
    }

    fn at_least(&self, a: Rank, b: Rank) -> bool {
        covers(unpack(a), unpack(b))
    }
    fn reason_rank(&self, reason: Claim) -> Rank {
        Rank(reason.0)
    }
    fn rank_reason(&self, rank: Rank) -> Claim {
        Claim(rank.0)
    }
    fn with_rank(&self, state: &Holding, rank: Rank) -> Option<Holding> {
        let hand = unpack(rank);
        (pack(hand) == rank && covers(self.most, hand)).then_some(Holding { hand, ..*state })
    }

    fn length(&self, _: &Holding, _: Step) -> Option<u32> {
        Some(1)
    }
    fn put_move(&self, _: &Holding, mv: Step, out: &mut Vec<u8>) {
        out.push(mv.0);
    }

    fn take_move(&self, state: &Holding, from: &mut Source<'_>) -> Result<Step, Fault> {
        let edge = from.byte()?;
        if usize::from(edge) < self.vertex(state).edges.len() {
            Ok(Step(edge))
        } else {
            Err(format!("no edge {edge}"))
        }
    }

    fn show(&self, state: &Holding) -> String {
        format!("node {} with {:?}", state.node, state.hand)
    }
    fn show_move(&self, state: &Holding, mv: Step) -> String {
        format!("to {}", self.vertex(state).edges[usize::from(mv.0)].to)
    }
}
