//! An analyst that values every reachable position once. If few pieces can move these are few, and
//! every further question is a table lookup.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use hasami_andor::Turn;

use super::analyst::{Analyst, Exhausted};
use super::order::Plies;
use super::racing::Racing;
use hasami_game::race::{Exact, Outcome, Race, Spread};
use hasami_game::random::SplitMix;

/// A position whose moves are being tried.
struct Frame<P> {
    pos: P,
    /// Start of its moves in the shared list; they extend to the end.
    from: usize,
    /// The best value so far, if any.
    best: Option<Exact>,
}

/// State of a position.
#[derive(Clone, Copy)]
enum Found {
    /// It is on the current line.
    Open,
    /// Its value.
    Value(Exact),
}

type Known<P> = HashMap<P, Found, BuildHasherDefault<Spread>>;

/// Values of all positions reachable from those asked about.
struct Graph<R: Race> {
    rules: R,
    known: Known<R::Pos>,
    /// The positions in order of discovery.
    met: Vec<R::Pos>,
}

impl<R: Race> Graph<R> {
    /// The value of a position; `None` if more than `left` positions follow. Counts `left` down.
    fn value(&mut self, root: R::Pos, left: &mut u64) -> Option<Exact> {
        let mut frames: Vec<Frame<R::Pos>> = Vec::new();
        let mut moves = Vec::new();
        let mut found = self.enter(root, &mut frames, &mut moves, left)?;
        loop {
            let Some(frame) = frames.last_mut() else { return found };
            if let Some(value) = found {
                let (_, on) = moves.pop().expect("the move that was valued");
                let value = if on { value } else { value.after_a_ply() };
                let better = frame.best.is_none_or(|best| value.merit() > best.merit());
                frame.best = if better { Some(value) } else { frame.best };
            }
            // The current move stays on the list until its value is known.
            found = if moves.len() > frame.from {
                self.enter(moves[moves.len() - 1].0, &mut frames, &mut moves, left)?
            } else {
                let value = frame.best.unwrap_or(Exact::DRAW);
                self.known.insert(frame.pos, Found::Value(value));
                frames.pop();
                Some(value)
            };
        }
    }

    /// Enters a position: returns its value if known, otherwise pushes a frame.
    fn enter(
        &mut self,
        pos: R::Pos,
        frames: &mut Vec<Frame<R::Pos>>,
        moves: &mut Vec<(R::Pos, bool)>,
        left: &mut u64,
    ) -> Option<Option<Exact>> {
        match self.known.get(&pos) {
            Some(Found::Value(value)) => return Some(Some(*value)),
            // A position repeats only if neither player can move any more: a draw.
            Some(Found::Open) => return Some(Some(Exact::DRAW)),
            None => {}
        }
        let ended = match self.rules.ended(pos) {
            Some(Outcome::Loss) => Some(Exact::loss(0)),
            Some(_) => Some(Exact::DRAW),
            None => None,
        };
        if ended.is_some() {
            return Some(ended);
        }
        *left = left.checked_sub(1)?;
        self.known.insert(pos, Found::Open);
        self.met.push(pos);
        let from = moves.len();
        self.rules.push_moves(pos, moves);
        frames.push(Frame { pos, from, best: None });
        Some(None)
    }
}

impl<R: Race> Graph<R> {
    fn looked_up(&self, pos: R::Pos) -> Option<Exact> {
        match self.known.get(&pos) {
            Some(Found::Value(value)) => Some(*value),
            _ => self.rules.ended(pos).map(|outcome| match outcome {
                Outcome::Loss => Exact::loss(0),
                _ => Exact::DRAW,
            }),
        }
    }

    /// Whether a position is won in the wanted number of plies, by one of several moves.
    fn is_wanted(&self, pos: R::Pos, wanted: Plies, moves: &mut Vec<(R::Pos, bool)>) -> bool {
        let Some(Exact { outcome: Outcome::Win, plies: Some(plies) }) = self.looked_up(pos) else {
            return false;
        };
        if !(wanted.least..=wanted.most).contains(&plies) {
            return false;
        }
        moves.clear();
        self.rules.push_moves(pos, moves);
        let wins = |&(after, on): &(R::Pos, bool)| {
            let good = if on { Outcome::Win } else { Outcome::Loss };
            self.looked_up(after).is_some_and(|value| value.outcome == good)
        };
        moves.len() > 1 && moves.iter().filter(|mv| wins(mv)).count() == 1
    }
}

/// The analyst. It starts over with every question.
pub struct WholeGame<G: Racing> {
    graphs: Vec<Graph<G::Rules>>,
    left: u64,
}

impl<G: Racing> Default for WholeGame<G> {
    fn default() -> Self {
        Self { graphs: Vec::new(), left: 0 }
    }
}

impl<G: Racing> Analyst<G> for WholeGame<G> {
    fn begin(&mut self, nodes: u64) {
        self.graphs.clear();
        self.left = nodes;
    }

    fn shortest(
        &mut self,
        game: &G,
        state: &G::State,
        most: u32,
    ) -> Result<Option<u32>, Exhausted> {
        let known = self.graphs.iter().position(|graph| game.has_rules(&graph.rules));
        let at = known.unwrap_or_else(|| {
            self.graphs.push(Graph {
                rules: game.rules(),
                known: Known::default(),
                met: Vec::new(),
            });
            self.graphs.len() - 1
        });
        let graph = &mut self.graphs[at];
        let pos = G::seen(&graph.rules, state);
        let Some(exact) = graph.value(pos, &mut self.left) else {
            // Positions on the abandoned line have no values.
            self.graphs.clear();
            self.left = 0;
            return Err(Exhausted);
        };
        let asks = game.turn(state) == Turn::Or;
        let wanted = if asks { Outcome::Win } else { Outcome::Loss };
        Ok(exact.plies.filter(|&plies| exact.outcome == wanted && plies <= most))
    }

    fn gleaned(&mut self, wanted: Plies, most: usize, random: &mut SplitMix) -> Vec<G::State> {
        let Some(graph) = self.graphs.first() else { return Vec::new() };
        let mut moves = Vec::new();
        let good = |pos: &&_| graph.is_wanted(**pos, wanted, &mut moves);
        let mut found: Vec<_> = graph.met.iter().filter(good).copied().collect();
        let count = most.min(found.len());
        for at in 0..count {
            let other = at as u32 + random.below((found.len() - at) as u32);
            found.swap(at, other as usize);
        }
        found[..count].iter().map(|&pos| G::state_of(&graph.rules, pos)).collect()
    }
}
