//! The search behind exact values: does the side to move win, or lose, within n plies? For n = 1, 2, 3, …
//! until one answer is yes; what was found for smaller n is kept and used for larger ones.
//!
//! Depth first, with a table of bounds for each position; the stack is our own, because games can
//! be longer than the stack of a thread is deep.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::{Exact, Outcome};

/// A game without repetition, as the exact search sees it. Positions are seen by the side to move.
pub trait Race {
    /// A position; equal for positions that symmetry makes equal.
    type Pos: Copy + Eq + Hash;

    /// The outcome if the game is over: the side to move has lost, or it is a draw.
    fn ended(&self, pos: Self::Pos) -> Option<Outcome>;

    /// Appends the positions after every move of an open position, and whether the same side goes
    /// on.
    fn push_moves(&self, pos: Self::Pos, after: &mut Vec<(Self::Pos, bool)>);

    /// Plies that a win and a loss of the side to move take at least.
    fn fewest(&self, pos: Self::Pos) -> (u16, u16);
}

/// What a frame of the search wants to know about the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Wins,
    Loses,
}

/// An answer. A no that no limit of plies has played a part in holds for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No { for_ever: bool },
}

/// What is known of one claim about one position.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// It holds within so many plies.
    yes: u16,
    /// It does not hold within so many; `FOR_EVER` for any number.
    no: u16,
}

const FOR_EVER: u16 = u16::MAX;
const NOTHING: Bounds = Bounds { yes: FOR_EVER, no: 0 };

struct Frame<P> {
    pos: P,
    claim: Claim,
    plies: u16,
    /// Where its moves begin on the common stack; they end where that ends.
    from: usize,
    /// Every no so far holds for ever.
    for_ever: bool,
}

/// A search that keeps what it has found between questions.
pub struct ExactSearch<R: Race> {
    race: R,
    table: HashMap<R::Pos, [Bounds; 2], BuildHasherDefault<Spread>>,
    frames: Vec<Frame<R::Pos>>,
    /// Moves that are still to be tried, frame by frame.
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
    /// A search that knows nothing yet.
    pub fn new(race: R) -> Self {
        let table = HashMap::default();
        Self { race, table, frames: Vec::new(), moves: Vec::new(), nodes: 0 }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact value of a position, or `None` once more than `budget` positions were looked at.
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

    /// Whether the side to move wins within so many plies, or `None` once more than `budget`
    /// positions were looked at.
    pub fn wins_within(&mut self, root: R::Pos, plies: u16, budget: u64) -> Option<bool> {
        if self.race.ended(root).is_some() {
            return Some(false);
        }
        Some(self.ask(root, Claim::Wins, plies, budget)? == Answer::Yes)
    }

    /// Whether the side to move loses within so many plies, or `None` once more than `budget`
    /// positions were looked at.
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
            // `found` is what the frame on top was waiting for, or nothing if it has just begun.
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

    /// Begins with a position: gives the answer if it can be seen at once, else there is a frame.
    fn enter(&mut self, pos: R::Pos, claim: Claim, plies: u16) -> Option<Answer> {
        if let Some(answer) = self.quick(pos, claim, plies) {
            return Some(answer);
        }
        self.nodes += 1;
        let from = self.moves.len();
        let mut after = std::mem::take(&mut self.moves);
        self.race.push_moves(pos, &mut after);
        self.moves = after;
        // What can be seen at once of the moves is seen before any of them is searched.
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
        // The last is tried first: what looks best for the claim, or for its refutation.
        let race = &self.race;
        self.moves[from..].sort_by_cached_key(|&(next, on)| {
            let (win, loss) = race.fewest(next);
            let hard = i32::from(loss) - i32::from(win);
            // How far behind the side of the frame is after the move.
            let behind = if on { -hard } else { hard };
            std::cmp::Reverse(behind)
        });
        self.frames.push(frame);
        None
    }

    /// An answer that was seen while a frame was made.
    fn seen(&mut self, frame: Frame<R::Pos>, answer: Answer) -> Answer {
        self.frames.push(frame);
        self.leave(answer);
        answer
    }

    /// Ends the frame on top and remembers its answer.
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

    /// What the rules, the fewest plies possible or the table say.
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

/// What is claimed of the side to move after a move, and the plies left.
fn below(claim: Claim, plies: u16, on: bool) -> (Claim, u16) {
    match (on, claim) {
        (true, _) => (claim, plies),
        (false, Claim::Wins) => (Claim::Loses, plies - 1),
        (false, Claim::Loses) => (Claim::Wins, plies - 1),
    }
}

/// A hash of packed positions: they need spreading, not secrecy.
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
