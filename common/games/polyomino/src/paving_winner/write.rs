//! Writes a proof as the tree of docs/certificates.md, depth first from the empty board.
//!
//! A state of the search is a set of demands up to symmetry, with all forced pairs laid. The tree lays
//! every pair, so the states here are those that really come up, and each is looked up in the proof by
//! its demands.

use std::collections::HashMap;

use hasami_andor::certificate::tree::{KeptNodes, Tag};
use hasami_andor::certificate::{Dag, Header, NodeId, Sink};
use hasami_andor::{Problem, Verdict};

use super::check::{NO_BETTER, PAVED, STUCK};
use super::forced::{Forced, forced};
use super::laid::{Laid, Pair, pairs_within, put_placement, symmetries, turned, turned_pair};
use super::{Choice, FREE, Paving, PavingWinner};

/// Writes header and tree.
pub fn write(
    game: &PavingWinner,
    dag: &Dag<PavingWinner>,
    out: &mut Sink<'_>,
    header: &dyn Fn(Option<u32>) -> Header,
) {
    let mut trunk = Trunk {
        game,
        dag,
        references: dag.references(),
        kept: KeptNodes::default(),
        numbers: HashMap::new(),
    };
    if dag.verdict() == Verdict::Disproven {
        out.bytes(header(None).to_string().as_bytes());
        return trunk.paving(out);
    }
    // The header has the length of the longest line, and comes first.
    let mut tree = Vec::new();
    let mut branch = Sink::new(&mut tree);
    let length = trunk.node(Laid::none(), &mut branch);
    branch.finish().expect("memory that takes all bytes");
    out.bytes(header(Some(length)).to_string().as_bytes());
    out.bytes(&tree);
}

struct Trunk<'a> {
    game: &'a PavingWinner,
    dag: &'a Dag<PavingWinner>,
    /// How many references to each state are still to come.
    references: Vec<u32>,
    /// The demands of the kept nodes, as they came up.
    kept: KeptNodes<Vec<u128>>,
    /// Number and longest line of the kept nodes.
    numbers: HashMap<NodeId, (u64, u32)>,
}

/// A placement that Black chooses, and White's answers.
struct Chosen {
    placement: u128,
    pairs: Vec<Pair>,
    /// For each pair, the one that does better, if it has no node of its own.
    better: Vec<Option<usize>>,
}

impl Trunk<'_> {
    /// Writes a node with Black to move; returns its longest line. It calls itself once for each pair
    /// on the board, at most.
    fn node(&mut self, mut laid: Laid, out: &mut Sink<'_>) -> u32 {
        let Forced { steps, stuck } = forced(&self.game.board, &mut laid);
        for &(placement, pair) in &steps {
            Tag::One(false).put(out);
            put(placement, out);
            Tag::All(false).put(out);
            out.number(1);
            out.bytes(&[pair.0, pair.1]);
        }
        let rest = match stuck {
            Some(placement) => {
                Tag::Leaf(STUCK).put(out);
                put(placement, out);
                1
            }
            None => self.choice(&laid, out),
        };
        steps.len() as u32 + rest
    }

    /// Writes a node where no pair is forced.
    fn choice(&mut self, laid: &Laid, out: &mut Sink<'_>) -> u32 {
        let state = self.game.state(laid);
        let id = self.dag.find(self.game.key(&state)).expect("a state of the proof");
        let left = &mut self.references[id as usize];
        *left = left.saturating_sub(1);
        let needed = *left > 0;
        if let Some(&(number, length)) = self.numbers.get(&id) {
            let back = self.kept.back(number);
            Tag::Same { back, last: !needed }.put(out);
            let (_, kept) = self.kept.find(back).expect("a kept node");
            out.byte(self.symmetry(kept, &state));
            if !needed {
                self.kept.forget(number);
            }
            return length;
        }
        let number = needed.then(|| self.kept.add(state.demands.sets().to_vec()));
        let Chosen { placement, pairs, better } = self.chosen(id, laid, &state);
        Tag::One(needed).put(out);
        put(placement, out);
        Tag::All(false).put(out);
        out.number(pairs.len() as u64);
        let mut longest = 0;
        for (&(a, b), better) in pairs.iter().zip(better) {
            out.bytes(&[a, b]);
            match better {
                Some(at) => {
                    Tag::Leaf(NO_BETTER).put(out);
                    out.number(at as u64);
                }
                None => longest = longest.max(self.node(laid.and((a, b)), out)),
            }
        }
        if let Some(number) = number {
            self.numbers.insert(id, (number, longest + 1));
        }
        longest + 1
    }

    /// Black's choice in a state of the proof, as it came up.
    fn chosen(&self, id: NodeId, laid: &Laid, state: &Paving) -> Chosen {
        let (board, answers) = (&self.game.board, self.dag.moves(id)[0].1);
        let recorded = self.dag.state(self.game, answers);
        let symmetry = self.symmetry(recorded.demands.sets(), state);
        let demand = turned(board, symmetry, recorded.chosen);
        let found = laid.open(board).find(|&(_, other)| other == demand);
        let (placement, _) = found.expect("a placement with this demand");
        let own: Vec<Pair> = self.pairs(answers, symmetry);
        let pairs = pairs_within(board, demand);
        let demands = state.demands.sets();
        let better = |&pair: &Pair| {
            let beats =
                |other: &Pair| own.contains(other) && laid.no_better(board, demands, pair, *other);
            let at = || pairs.iter().position(beats).expect("a pair that does better");
            (!own.contains(&pair)).then(at)
        };
        let better = pairs.iter().map(better).collect();
        Chosen { placement, pairs, better }
    }

    /// White's answers in a state of the proof, turned.
    fn pairs(&self, id: NodeId, symmetry: u8) -> Vec<Pair> {
        let pairs = self.dag.moves(id).iter().filter_map(|&(mv, _)| match mv {
            Choice::Pair(a, b) => Some(turned_pair(&self.game.board, symmetry, (a, b))),
            Choice::Placement(_) => None,
        });
        pairs.collect()
    }

    /// The symmetry that takes demands to those of a state with the same key.
    fn symmetry(&self, demands: &[u128], state: &Paving) -> u8 {
        let board = &self.game.board;
        let fits = |symmetry: &u8| {
            let mut turned: Vec<u128> =
                demands.iter().map(|&set| turned(board, *symmetry, set)).collect();
            turned.sort_unstable();
            turned == state.demands.sets()
        };
        (0..symmetries(board)).find(fits).expect("a symmetry between states of one key")
    }

    /// Writes White's pairs, those of one line of play.
    fn paving(&mut self, out: &mut Sink<'_>) {
        let game = self.game;
        let mut state = game.root();
        while !state.demands.met() {
            let id = self.dag.find(game.key(&state)).expect("a state of the proof");
            let answers = self.dag.moves(id)[0].1;
            let recorded = self.dag.state(game, answers);
            let symmetry = self.symmetry(recorded.demands.sets(), &state);
            let pairs = self.pairs(answers, symmetry);
            state.lay(&game.board, *pairs.first().expect("an answer"));
        }
        let mates = state.mates.iter().enumerate().filter(|(_, mate)| **mate != FREE);
        let pairs: Vec<Pair> = mates.map(|(a, &b)| (a as u8, b)).filter(|(a, b)| a < b).collect();
        Tag::Leaf(PAVED).put(out);
        out.number(pairs.len() as u64);
        pairs.iter().for_each(|&(a, b)| out.bytes(&[a, b]));
    }
}

fn put(placement: u128, out: &mut Sink<'_>) {
    let mut bytes = Vec::new();
    put_placement(placement, &mut bytes);
    out.bytes(&bytes);
}
