//! Writes a proof or disproof as a tree, depth first from the root.
//!
//! The search's proof has each state once up to symmetry, in some frame. Its states become *bodies*,
//! written in their own frames; the tree turns them into the frames that really come up.

mod attack;
mod defence;
mod endings;
mod guards;

use std::collections::HashMap;

use hasami_andor::Verdict;
use hasami_andor::certificate::tree::{KeptNodes, Tag};
use hasami_andor::certificate::{Dag, Header, Sink};

use super::StoneGame;
use super::claim::Closing;
use super::rules::{Rules, bits};

/// A state of the search's proof, and the slack of the claim about it.
type Key = (hasami_andor::certificate::NodeId, u8);

/// A node, in the frame of the state that it belongs to.
#[derive(Clone, Debug)]
enum Body {
    /// Settled by this rule, with a cell for rule 3.
    Leaf(u8, Option<u8>),
    /// Held by the paving of these lines.
    Paving(String),
    One(Option<u8>, Link),
    All(Vec<(Option<u8>, Link)>, Closing),
}

/// What follows a move.
#[derive(Clone, Debug)]
enum Link {
    /// A node that is written here and nowhere else.
    Inline(Box<Body>),
    /// A state of the search's proof; the symmetry takes its frame to the frame here.
    State(Key, u8),
}

impl Body {
    /// A leaf that no checker accepts. It is written where the search's verdict cannot be shown, which
    /// means that the search is wrong; writers have no other way to say so.
    const NO_PROOF: Self = Self::Leaf(0, None);

    fn links(&self) -> Vec<&Link> {
        match self {
            Self::Leaf(..) | Self::Paving(_) => Vec::new(),
            Self::One(_, link) => vec![link],
            Self::All(list, _) => list.iter().map(|(_, link)| link).collect(),
        }
    }

    /// Appends the states that it refers to.
    fn states(&self, out: &mut Vec<Key>) {
        for link in self.links() {
            match link {
                Link::Inline(body) => body.states(out),
                Link::State(key, _) => out.push(*key),
            }
        }
    }
}

/// Makes the body of a state.
trait Bodies {
    fn root(&mut self) -> Key;
    fn body(&mut self, key: Key) -> Body;
}

/// Writes header and tree.
pub fn write<G: StoneGame>(
    game: &G,
    dag: &Dag<G>,
    out: &mut Sink<'_>,
    header: &dyn Fn(Option<u32>) -> Header,
) {
    let rules = Rules::new(&game.field());
    match dag.verdict() {
        Verdict::Proven => {
            let mut attack = attack::Attack::new(game, &rules, dag);
            out.bytes(header(attack.stones()).to_string().as_bytes());
            Trunk::new(&rules, &mut attack, Verdict::Proven).write(out);
        }
        Verdict::Disproven => {
            out.bytes(header(None).to_string().as_bytes());
            let mut defence = defence::Defence::new(game, &rules, dag);
            Trunk::new(&rules, &mut defence, Verdict::Disproven).write(out);
        }
    }
}

/// A state on its way into the tree.
struct Entry {
    body: Body,
    /// How many references to it are still to come.
    references: u32,
    /// Its number, and the symmetry that takes its frame to the one it was written in.
    written: Option<(u64, u8)>,
}

struct Trunk<'a> {
    rules: &'a Rules,
    verdict: Verdict,
    root: Key,
    entries: HashMap<Key, Entry>,
    kept: KeptNodes<()>,
}

impl<'a> Trunk<'a> {
    /// Collects the states that the root needs, and how often.
    fn new(rules: &'a Rules, bodies: &mut dyn Bodies, verdict: Verdict) -> Self {
        let root = bodies.root();
        let mut entries = HashMap::<Key, Entry>::new();
        let mut todo = vec![root];
        let mut below = Vec::new();
        while let Some(key) = todo.pop() {
            if let Some(entry) = entries.get_mut(&key) {
                entry.references += 1;
                continue;
            }
            let body = bodies.body(key);
            below.clear();
            body.states(&mut below);
            todo.extend(&below);
            entries.insert(key, Entry { body, references: 1, written: None });
        }
        Self { rules, verdict, root, entries, kept: KeptNodes::default() }
    }

    fn write(mut self, out: &mut Sink<'_>) {
        self.state(self.root, 0, out);
    }

    /// Writes a state, turned. Every second node has one more stone of Black's, so the recursion ends
    /// soon.
    fn state(&mut self, key: Key, symmetry: u8, out: &mut Sink<'_>) {
        let entry = self.entries.get_mut(&key).expect("a state that was collected");
        entry.references -= 1;
        let references = entry.references;
        if let Some((number, frame)) = entry.written {
            let last = references == 0;
            Tag::Same { back: self.kept.back(number), last }.put(out);
            return out.byte(self.rules.composed(symmetry, self.rules.inverse(frame)));
        }
        let body = std::mem::replace(&mut entry.body, Body::NO_PROOF);
        let can = matches!(body, Body::One(..) | Body::All(..));
        let kept = can && references > 0;
        if kept {
            entry.written = Some((self.kept.add(()), symmetry));
        }
        self.body(&body, symmetry, kept, out);
        if !can {
            // It is written again where it comes up again.
            self.entries.get_mut(&key).expect("the state just seen").body = body;
        }
    }

    fn body(&mut self, body: &Body, symmetry: u8, kept: bool, out: &mut Sink<'_>) {
        let rules = self.rules;
        let turned = |cell: u8| rules.turned_cell(cell, symmetry);
        match body {
            Body::Leaf(rule, cell) => {
                Tag::Leaf(*rule).put(out);
                cell.iter().for_each(|&cell| out.byte(turned(cell)));
            }
            Body::Paving(lines) => {
                Tag::Leaf(4).put(out);
                out.number(lines.len() as u64);
                out.bytes(lines.as_bytes());
            }
            Body::One(cell, link) => {
                Tag::One(kept).put(out);
                let cell = cell.map(turned);
                match self.verdict {
                    Verdict::Proven => out.byte(cell.expect("a cell of Black's")),
                    Verdict::Disproven => out.byte(cell.map_or(0, |cell| cell + 1)),
                }
                self.link(link, symmetry, out);
            }
            Body::All(list, closing) => {
                Tag::All(kept).put(out);
                out.number(list.len() as u64);
                let mut list: Vec<(Option<u8>, &Link)> =
                    list.iter().map(|(cell, link)| (cell.map(turned), link)).collect();
                if self.verdict == Verdict::Disproven {
                    list.sort_unstable_by_key(|(cell, _)| *cell);
                }
                for (cell, link) in list {
                    match self.verdict {
                        Verdict::Proven => out.byte(cell.map_or(0, |cell| cell + 1)),
                        Verdict::Disproven => out.byte(cell.expect("a cell of Black's")),
                    }
                    self.link(link, symmetry, out);
                }
                if self.verdict == Verdict::Proven {
                    if !rules.weak {
                        out.number(closing.slack);
                    }
                    for cells in [closing.threats, closing.guards] {
                        let cells = rules.turned(cells, symmetry);
                        out.number(cells.count_ones().into());
                        bits(cells).for_each(|cell| out.byte(cell));
                    }
                }
            }
        }
    }

    fn link(&mut self, link: &Link, symmetry: u8, out: &mut Sink<'_>) {
        match link {
            Link::Inline(body) => self.body(body, symmetry, false, out),
            Link::State(key, to_here) => {
                self.state(*key, self.rules.composed(symmetry, *to_here), out);
            }
        }
    }
}
