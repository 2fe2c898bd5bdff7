//! Writes a proof as a tree, depth first from the root.
//!
//! The proof has each state once up to symmetry, in whatever frame it was found. The tree follows the
//! moves from the root, so the states here are those that really come up, and moves are looked for
//! again in them.

use std::collections::HashMap;

use crate::certificate::tree::{KeptNodes, Tag};
use crate::certificate::{Dag, Header, NodeId, Sink};
use crate::problem::{Expansion, Moves, Problem, all_moves};

/// Writes header and tree.
pub fn write<P: Problem>(
    problem: &P,
    dag: &Dag<P>,
    out: &mut Sink<'_>,
    header: &dyn Fn(Option<u32>) -> Header,
) {
    out.bytes(header(longest_line(problem, dag)).to_string().as_bytes());
    let mut writer = Trunk {
        problem,
        dag,
        references: references(dag),
        kept: KeptNodes::default(),
        numbers: HashMap::new(),
        stack: Vec::new(),
        moves: Moves::new(),
        bytes: Vec::new(),
    };
    writer.node(problem.root(), out);
    while let Some(frame) = writer.stack.last_mut() {
        match frame.rest.pop() {
            None => drop(writer.stack.pop()),
            Some(mv) => {
                writer.bytes.clear();
                problem.put_move(&frame.state, mv, &mut writer.bytes);
                out.bytes(&writer.bytes);
                let next = problem.play(&frame.state, mv);
                writer.node(next, out);
            }
        }
    }
}

/// A state whose moves are being written.
struct Frame<P: Problem> {
    state: P::State,
    /// The moves still to be written, the next one last.
    rest: Vec<P::Move>,
}

struct Trunk<'a, P: Problem> {
    problem: &'a P,
    dag: &'a Dag<P>,
    /// How many references to each node are still to come.
    references: Vec<u32>,
    /// The kept nodes, encoded as they came up.
    kept: KeptNodes<Vec<u8>>,
    numbers: HashMap<NodeId, u64>,
    stack: Vec<Frame<P>>,
    moves: Moves<P::Move>,
    bytes: Vec<u8>,
}

impl<P: Problem> Trunk<'_, P> {
    /// Writes the beginning of a node.
    fn node(&mut self, state: P::State, out: &mut Sink<'_>) {
        let problem = self.problem;
        if all_moves(problem, &state, &mut self.moves) != Expansion::Open {
            return Tag::Leaf(problem.rule(&state)).put(out);
        }
        let key = problem.key(&state);
        let id = self.dag.find(key).expect("a state of the proof");
        if let Some(&number) = self.numbers.get(&id) {
            return self.refer(id, number, &state, out);
        }
        let left = &mut self.references[id as usize];
        let kept = *left > 1;
        *left = left.saturating_sub(1);
        if kept {
            let mut bytes = Vec::new();
            problem.encode(&state, &mut bytes);
            self.numbers.insert(id, self.kept.add(bytes));
        }
        let rest = if self.dag.one_is_enough(id) {
            let chosen = self.dag.moves(id)[0].1;
            let leads =
                |mv: &P::Move| self.dag.find(problem.key_after(&state, *mv)) == Some(chosen);
            Tag::One(kept).put(out);
            vec![self.moves.iter().find(leads).expect("the choice among the moves")]
        } else {
            Tag::All(kept).put(out);
            out.number(self.moves.len() as u64);
            let mut all: Vec<P::Move> = self.moves.iter().collect();
            all.reverse();
            all
        };
        self.stack.push(Frame { state, rest });
    }

    fn refer(&mut self, id: NodeId, number: u64, state: &P::State, out: &mut Sink<'_>) {
        let left = &mut self.references[id as usize];
        *left = left.saturating_sub(1);
        let last = *left == 0;
        let back = self.kept.back(number);
        Tag::Same { back, last }.put(out);
        let (_, kept) = self.kept.find(back).expect("a kept node");
        let kept = self.problem.decode(kept).expect("a state that was encoded");
        self.bytes.clear();
        self.problem.put_symmetry(&kept, state, &mut self.bytes);
        out.bytes(&self.bytes);
        if last {
            self.kept.forget(number);
        }
    }
}

/// How often each state is needed.
fn references<P: Problem>(dag: &Dag<P>) -> Vec<u32> {
    let mut references = vec![0; dag.size()];
    references[Dag::<P>::ROOT as usize] = 1;
    for &id in dag.order() {
        dag.moves(id).iter().for_each(|&(_, child)| references[child as usize] += 1);
    }
    references
}

/// The longest line against a side that follows the proof, if every line ends and has a length.
fn longest_line<P: Problem>(problem: &P, dag: &Dag<P>) -> Option<u32> {
    if problem.repetition().verdict() == Some(dag.verdict()) {
        return None;
    }
    let mut lengths = vec![0u32; dag.size()];
    for &id in dag.order() {
        let state = dag.state(problem, id);
        let mut longest = if dag.is_leaf(id) { problem.rest(&state)? } else { 0 };
        for &(mv, child) in dag.moves(id) {
            let whole = problem.length(&state, mv)?.saturating_add(lengths[child as usize]);
            longest = longest.max(whole);
        }
        lengths[id as usize] = longest;
    }
    Some(lengths[Dag::<P>::ROOT as usize])
}
