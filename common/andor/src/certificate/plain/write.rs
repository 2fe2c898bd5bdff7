//! Writes a proof as a tree, depth first from the root.
//!
//! The proof has each state once up to symmetry, in whatever frame it was found. The tree follows the
//! moves from the root, so the states here are those that really come up. Where such a state is the
//! one of the proof, its moves are known; otherwise they are looked for again.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::certificate::tree::{Tag, put_yield};
use crate::certificate::{Dag, Header, NodeId, Sink};
use crate::problem::{Moves, Problem, all_moves};

/// Writes header and tree.
pub fn write<P: Problem>(
    problem: &P,
    dag: &Dag<P>,
    out: &mut Sink<'_>,
    header: &dyn Fn(Option<u32>) -> Header,
) {
    // The header has the length of the longest line, and comes first.
    let mut tree = Vec::new();
    let mut branch = Sink::new(&mut tree);
    let length = Trunk::new(problem, dag).write(&mut branch);
    branch.finish().expect("memory that takes all bytes");
    out.bytes(header(length).to_string().as_bytes());
    out.bytes(&tree);
}

/// A state whose moves are being written.
struct Frame<'a, P: Problem> {
    id: NodeId,
    state: P::State,
    /// Its moves, and where they lead.
    moves: Cow<'a, [(P::Move, NodeId)]>,
    /// How many of them have been written.
    written: usize,
    /// The count of the last of them.
    count: u32,
    /// The longest line so far.
    length: u32,
}

/// What has been written of a state.
#[derive(Clone, Copy)]
struct Note {
    /// How many references to it are still to come.
    references: u32,
    /// Its number, if it is kept.
    number: Option<u32>,
    /// The longest line from it.
    length: u32,
}

struct Trunk<'a, P: Problem> {
    problem: &'a P,
    dag: &'a Dag<P>,
    notes: Vec<Note>,
    /// How many numbers have been given to kept nodes.
    numbers: u32,
    /// The kept nodes that came up as other states than those of the proof, encoded.
    turned: HashMap<NodeId, Vec<u8>>,
    stack: Vec<Frame<'a, P>>,
    moves: Moves<P::Move>,
    /// Whether all moves and leaves have a length so far, and no line is infinite.
    lengths: bool,
    buffers: [Vec<u8>; 2],
}

impl<'a, P: Problem> Trunk<'a, P> {
    fn new(problem: &'a P, dag: &'a Dag<P>) -> Self {
        let note = |references| Note { references, number: None, length: 0 };
        Self {
            problem,
            dag,
            notes: dag.references().into_iter().map(note).collect(),
            numbers: 0,
            turned: HashMap::new(),
            stack: Vec::new(),
            moves: Moves::new(),
            lengths: problem.repetition().verdict() != Some(dag.verdict()),
            buffers: [Vec::new(), Vec::new()],
        }
    }

    /// Writes the tree; returns the longest line against a side that follows it, if every line ends
    /// and has a length.
    fn write(mut self, out: &mut Sink<'_>) -> Option<u32> {
        let problem = self.problem;
        let mut ended = self.node(problem.root(), Dag::<P>::ROOT, out);
        loop {
            let Some(frame) = self.stack.last_mut() else {
                return ended.filter(|_| self.lengths);
            };
            if let Some(length) = ended.take() {
                frame.length = frame.length.max(frame.count.saturating_add(length));
            }
            let Some(&(mv, child)) = frame.moves.get(frame.written) else {
                self.notes[frame.id as usize].length = frame.length;
                ended = Some(frame.length);
                self.stack.pop();
                continue;
            };
            frame.written += 1;
            let count = problem.length(&frame.state, mv);
            self.lengths &= count.is_some();
            frame.count = count.unwrap_or(0);
            let bytes = &mut self.buffers[0];
            bytes.clear();
            problem.put_move(&frame.state, mv, bytes);
            out.bytes(bytes);
            let next = problem.play(&frame.state, mv);
            ended = self.node(next, child, out);
        }
    }

    /// Writes the beginning of a node; returns its longest line if that is all of it.
    fn node(&mut self, mut state: P::State, id: NodeId, out: &mut Sink<'_>) -> Option<u32> {
        let (problem, dag) = (self.problem, self.dag);
        if P::DOMINATES {
            let (here, there) = (problem.key(&state).rank(), dag.key(id).rank());
            if here != there {
                put_yield(out);
                problem.put_rank(&state, there, out);
                state = problem.with_rank(&state, there).expect("a rank of the proof");
            }
        }
        if dag.is_leaf(id) {
            Tag::Leaf(problem.rule(&state)).put(out);
            let rest = problem.rest(&state);
            self.lengths &= rest.is_some();
            return Some(rest.unwrap_or(0));
        }
        let note = &mut self.notes[id as usize];
        note.references = note.references.saturating_sub(1);
        let needed = note.references > 0;
        if let Some(number) = note.number {
            let length = note.length;
            Tag::Same { back: (self.numbers - number).into(), last: !needed }.put(out);
            self.symmetry(id, &state, out);
            if !needed {
                self.turned.remove(&id);
            }
            return Some(length);
        }
        let stored = dag.is_stored(problem, id, &state, &mut self.buffers);
        if needed {
            note.number = Some(self.numbers);
            self.numbers += 1;
            if !stored {
                self.turned.insert(id, self.buffers[0].clone());
            }
        }
        let moves = match stored {
            true => Cow::Borrowed(dag.moves(id)),
            false => Cow::Owned(self.moves_of(id, &state)),
        };
        if dag.one_is_enough(id) {
            Tag::One(needed).put(out);
        } else {
            Tag::All(needed).put(out);
            out.number(moves.len() as u64);
        }
        self.stack.push(Frame { id, state, moves, written: 0, count: 0, length: 0 });
        None
    }

    /// The moves of a state that is equal to one of the proof by symmetry only.
    fn moves_of(&mut self, id: NodeId, state: &P::State) -> Vec<(P::Move, NodeId)> {
        let (problem, dag) = (self.problem, self.dag);
        all_moves(problem, state, &mut self.moves);
        let mut moves = self.moves.iter().map(|mv| (mv, dag.find(problem.key_after(state, mv))));
        if dag.one_is_enough(id) {
            let chosen = dag.moves(id)[0].1;
            let found = moves.find(|&(_, child)| child == Some(chosen));
            let (mv, _) = found.expect("the choice among the moves");
            return vec![(mv, chosen)];
        }
        moves.map(|(mv, child)| (mv, child.expect("a state of the proof"))).collect()
    }

    /// Writes the symmetry that takes a kept node to a state.
    fn symmetry(&mut self, id: NodeId, state: &P::State, out: &mut Sink<'_>) {
        let problem = self.problem;
        let kept = match self.turned.get(&id) {
            Some(bytes) => Cow::Owned(problem.decode(bytes).expect("a state that was encoded")),
            None => self.dag.state(problem, id),
        };
        let bytes = &mut self.buffers[0];
        bytes.clear();
        problem.put_symmetry(&kept, state, bytes);
        out.bytes(bytes);
    }
}
