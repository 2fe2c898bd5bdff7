//! The search behind exact values: does the side to move win, or lose, within n plies? It asks for
//! n = 1, 2, 3, … until one answer is yes; results for smaller n are stored and used for larger
//! ones.
//!
//! Depth first, with a table of bounds for each position. The stack is explicit, because games can
//! be longer than the stack of a thread is deep.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::{Exact, Outcome};

/// A game without repetition, as the exact search sees it. Positions are from the view of the side
/// to move.
pub trait Race {
    /// A position; symmetric positions are equal.
    type Pos: Copy + Eq + Hash;

    /// The outcome if the game is over: the side to move has lost, or it is a draw.
    fn ended(&self, pos: Self::Pos) -> Option<Outcome>;

    /// Appends the positions after every move of an open position, each with whether the same side
    /// moves again.
    fn push_moves(&self, pos: Self::Pos, after: &mut Vec<(Self::Pos, bool)>);

    /// Lower bounds on the plies of a win and of a loss of the side to move.
    fn fewest(&self, pos: Self::Pos) -> (u16, u16);
}

/// The claim that a frame tests for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Wins,
    Loses,
}

/// An answer. A no that does not depend on the limit of plies holds for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No { for_ever: bool },
}

/// Bounds on one claim about one position.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The claim holds within this many plies.
    yes: u16,
    /// The claim does not hold within this many; `FOR_EVER` for any number.
    no: u16,
}

const FOR_EVER: u16 = u16::MAX;
const NOTHING: Bounds = Bounds { yes: FOR_EVER, no: 0 };

struct Frame<P> {
    pos: P,
    claim: Claim,
    plies: u16,
    /// Start of its moves on the shared stack; they extend to the top.
    from: usize,
    /// Whether every no so far holds for ever.
    for_ever: bool,
}

/// A search that keeps its results between questions.
pub struct ExactSearch<R: Race> {
    race: R,
    table: HashMap<R::Pos, [Bounds; 2], BuildHasherDefault<Spread>>,
    frames: Vec<Frame<R::Pos>>,
    /// Moves still to be tried, frame by frame.
    moves: Vec<(R::Pos, bool)>,
    nodes: u64,
}

/// A search may borrow its game.
impl<R: Race> Race for &R {
    type Pos = R::Pos;

    fn ended(&self, pos: R::Pos) -> Option<Outcome> {
        (**self).ended(pos)
    }

    fn push_moves(&self, pos: R::Pos, after: &mut Vec<(R::Pos, bool)>) {
        (**self).push_moves(pos, after);
    }

    fn fewest(&self, pos: R::Pos) -> (u16, u16) {
        (**self).fewest(pos)
    }
}

impl<R: Race> ExactSearch<R> {
    /// A search without results.
    pub fn new(race: R) -> Self {
        let table = HashMap::default();
        Self { race, table, frames: Vec::new(), moves: Vec::new(), nodes: 0 }
    }

    /// Number of positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact value of a position, or `None` after more than `budget` positions.
    pub fn solve(&mut self, root: R::Pos, budget: u64) -> Option<Exact> {
        match self.race.ended(root) {
            Some(Outcome::Draw) => return Some(Exact::DRAW),
            Some(_) => return Some(Exact::loss(0)),
            None => {}
        }
        let mut open = [true; 2];
        for plies in 1..FOR_EVER {
            let claim = if plies % 2 == 1 { Claim::Wins } else { Claim::Loses };
            if !open[claim as usize] {
                continue;
            }
            match self.ask(root, claim, plies, budget)? {
                Answer::Yes if claim == Claim::Wins => return Some(Exact::win(plies.into())),
                Answer::Yes => return Some(Exact::loss(plies.into())),
                Answer::No { for_ever } => open[claim as usize] = !for_ever,
            }
            if open == [false; 2] {
                return Some(Exact::DRAW);
            }
        }
        None
    }

    /// Whether the side to move wins within this many plies, or `None` after more than `budget`
    /// positions.
    pub fn wins_within(&mut self, root: R::Pos, plies: u16, budget: u64) -> Option<bool> {
        if self.race.ended(root).is_some() {
            return Some(false);
        }
        Some(self.ask(root, Claim::Wins, plies, budget)? == Answer::Yes)
    }

    /// Whether the side to move loses within this many plies, or `None` after more than `budget`
    /// positions.
    pub fn loses_within(&mut self, root: R::Pos, plies: u16, budget: u64) -> Option<bool> {
        match self.race.ended(root) {
            Some(outcome) => Some(outcome == Outcome::Loss),
            None => Some(self.ask(root, Claim::Loses, plies, budget)? == Answer::Yes),
        }
    }

    fn ask(&mut self, root: R::Pos, claim: Claim, plies: u16, budget: u64) -> Option<Answer> {
        self.frames.clear();
        self.moves.clear();
        let mut found = self.enter(root, claim, plies);
        loop {
            if self.nodes > budget {
                return None;
            }
            // `found` is the answer that the top frame was waiting for, or nothing if it is new.
            let Some(frame) = self.frames.last_mut() else {
                return found;
            };
            let (from, claim) = (frame.from, frame.claim);
            let done = match (found, claim) {
                (Some(Answer::Yes), Claim::Wins) => Some(Answer::Yes),
                (Some(no @ Answer::No { .. }), Claim::Loses) => Some(no),
                (Some(Answer::No { for_ever }), Claim::Wins) => {
                    frame.for_ever &= for_ever;
                    None
                }
                _ => None,
            };
            let all_tried = || match claim {
                Claim::Wins => Answer::No { for_ever: frame.for_ever },
                Claim::Loses => Answer::Yes,
            };
            let done = done.or_else(|| (self.moves.len() == from).then(all_tried));
            if let Some(answer) = done {
                self.leave(answer);
                found = Some(answer);
                continue;
            }
            let plies = frame.plies;
            let (pos, on) = self.moves.pop().expect("a move that was not tried");
            let (claim, plies) = below(claim, plies, on);
            found = match self.quick(pos, claim, plies) {
                None => self.enter(pos, claim, plies),
                known => known,
            };
        }
    }

    /// Enters a position: returns the answer if no search is needed, otherwise pushes a frame.
    fn enter(&mut self, pos: R::Pos, claim: Claim, plies: u16) -> Option<Answer> {
        if let Some(answer) = self.quick(pos, claim, plies) {
            return Some(answer);
        }
        self.nodes += 1;
        let from = self.moves.len();
        let mut after = std::mem::take(&mut self.moves);
        self.race.push_moves(pos, &mut after);
        self.moves = after;
        // Check all moves for quick answers before searching any of them.
        let mut frame = Frame { pos, claim, plies, from, for_ever: true };
        let mut kept = from;
        for at in from..self.moves.len() {
            let (next, on) = self.moves[at];
            let (claim_below, plies_below) = below(claim, plies, on);
            match (self.quick(next, claim_below, plies_below), claim) {
                (Some(Answer::Yes), Claim::Wins) => {
                    return Some(self.seen(frame, Answer::Yes));
                }
                (Some(no @ Answer::No { .. }), Claim::Loses) => {
                    return Some(self.seen(frame, no));
                }
                (Some(Answer::No { for_ever }), Claim::Wins) => frame.for_ever &= for_ever,
                (Some(Answer::Yes), Claim::Loses) => {}
                (None, _) => {
                    self.moves[kept] = (next, on);
                    kept += 1;
                }
            }
        }
        self.moves.truncate(kept);
        // The last is tried first: the most promising one for the claim, or for its refutation.
        let race = &self.race;
        self.moves[from..].sort_by_cached_key(|&(next, on)| {
            let (win, loss) = race.fewest(next);
            let hard = i32::from(loss) - i32::from(win);
            // How far the side of the frame is behind after the move.
            let behind = if on { -hard } else { hard };
            std::cmp::Reverse(behind)
        });
        self.frames.push(frame);
        None
    }

    /// Stores an answer that was found while the frame was made.
    fn seen(&mut self, frame: Frame<R::Pos>, answer: Answer) -> Answer {
        self.frames.push(frame);
        self.leave(answer);
        answer
    }

    /// Pops the top frame and stores its answer.
    fn leave(&mut self, answer: Answer) {
        let frame = self.frames.pop().expect("the frame that is answered");
        self.moves.truncate(frame.from);
        let bounds = self.table.entry(frame.pos).or_insert([NOTHING; 2]);
        let known = &mut bounds[frame.claim as usize];
        match answer {
            Answer::Yes => known.yes = known.yes.min(frame.plies),
            Answer::No { for_ever: true } => known.no = FOR_EVER,
            Answer::No { for_ever: false } => known.no = known.no.max(frame.plies),
        }
    }

    /// The answer from the rules, the lower bounds or the table.
    fn quick(&self, pos: R::Pos, claim: Claim, plies: u16) -> Option<Answer> {
        if let Some(outcome) = self.race.ended(pos) {
            let yes = outcome == Outcome::Loss && claim == Claim::Loses;
            return Some(if yes { Answer::Yes } else { Answer::No { for_ever: true } });
        }
        let (win, loss) = self.race.fewest(pos);
        let fewest = match claim {
            Claim::Wins => win,
            Claim::Loses => loss,
        };
        if plies < fewest.max(1) {
            return Some(Answer::No { for_ever: fewest == FOR_EVER });
        }
        let known = self.table.get(&pos)?[claim as usize];
        if known.yes <= plies {
            return Some(Answer::Yes);
        }
        (known.no >= plies).then_some(Answer::No { for_ever: known.no == FOR_EVER })
    }
}

/// The claim about the side to move after a move, and the plies left.
fn below(claim: Claim, plies: u16, on: bool) -> (Claim, u16) {
    match (on, claim) {
        (true, _) => (claim, plies),
        (false, Claim::Wins) => (Claim::Loses, plies - 1),
        (false, Claim::Loses) => (Claim::Wins, plies - 1),
    }
}

/// A hash of packed positions. It needs to spread them, not to resist attacks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}
