//! The question as an AND/OR problem: the attacker chooses among checks, the defender among all
//! legal moves.

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::{self as andor, BadState};
use hasami_andor::{Expansion, Key, Moves, Numbers, Problem, ProblemId, Repetition, Turn, Verdict};

use hasami_spec::Evaluation;

use crate::attack::Layers;
use crate::bound::Bound;
use crate::chains::{Drops, hidden_plain, hides_plain};
use crate::evaluation::scene::{Scene, Survey};
use crate::evaluation::{FirstNumbers, Rater};
use crate::hand::{Hand, Rank};
use crate::mate::{Hunt, Probe};
use crate::moves::{Move, Origin};
use crate::position::Position;
use crate::side::Side;
use crate::{bytes, drawing, hands, japanese, legality};

/// Whether the attacker mates from a position, giving check with every move.
#[derive(Clone, Debug)]
pub struct Shogi {
    pub(crate) root: Position,
    pub(crate) attacker: Side,
    /// All pieces of the game but kings, wherever they are.
    pub(crate) set: Hand,
    pub(crate) id: ProblemId,
    pub(crate) first: FirstNumbers,
}

/// How the rules settle a state, by the numbers of docs/certificates.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settled {
    /// The defender is in check and has no legal move.
    Mated = 1,
    /// The attacker has no check; or the defender, not in check, has no move.
    NoMove = 2,
    /// Too few plies are left.
    Limit = 3,
    /// A check mates at once.
    MateInOne = 4,
}

impl Settled {
    fn verdict(self) -> Verdict {
        match self {
            Self::Mated | Self::MateInOne => Verdict::Proven,
            Self::NoMove | Self::Limit => Verdict::Disproven,
        }
    }
}

impl Shogi {
    /// The side that wants to mate.
    #[must_use]
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// The question about a position that [`legality::check`] accepts; its plies left are the limit.
    pub(crate) fn about(root: Position, attacker: Side, id: ProblemId) -> Self {
        let set = crate::kind::Kind::HELD
            .iter()
            .fold(Hand::EMPTY, |set, &kind| set.with(kind, legality::count(&root, kind)));
        let first = FirstNumbers::shipped(Evaluation::Learned);
        Self { root, attacker, set, id, first }
    }

    /// The same question, searched with other first numbers.
    #[must_use]
    pub fn with_first_numbers(self, first: FirstNumbers) -> Self {
        Self { first, ..self }
    }

    /// The rank of a state: the low 32 bits of its key.
    #[must_use]
    pub fn rank(&self, state: &Position) -> Rank {
        state.rank(self.attacker)
    }

    /// Whether a state is the root: there the rules do not look a move ahead, so that an answer
    /// always has a first move.
    fn is_root(&self, state: &Position) -> bool {
        state.family() == self.root.family() && self.rank(state) == self.rank(&self.root)
    }

    /// How the rules settle a state; the rules come before the limit.
    fn settled(&self, state: &Position) -> Option<Settled> {
        if state.turn() != self.attacker {
            let mut any = false;
            if state.in_check(state.turn()) {
                if !state.can_answer() {
                    return Some(Settled::Mated);
                }
            } else {
                state.each_legal(&mut |_| {
                    any = true;
                    true
                });
                if !any {
                    return Some(Settled::NoMove);
                }
            }
            return (state.left() < 2).then_some(Settled::Limit);
        }
        self.settled_by(state, state.probe())
    }

    /// How the rules settle a state with the attacker to move, given what his checks lead to.
    fn settled_by(&self, state: &Position, probe: Probe) -> Option<Settled> {
        match probe {
            Probe::NoCheck => Some(Settled::NoMove),
            _ if state.left() == 0 => Some(Settled::Limit),
            _ if self.is_root(state) => None,
            Probe::Mate(_) => Some(Settled::MateInOne),
            Probe::Checks => (state.left() < 3).then_some(Settled::Limit),
        }
    }

    /// Lists the checks. `quiet` if it is known that none of them mates.
    fn list_checks(&self, state: &Position, quiet: bool, moves: &mut Moves<Move>) -> Expansion {
        let no_mate = Expansion::Settled(Verdict::Disproven);
        if state.left() == 0 {
            return no_mate;
        }
        let (us, root) = (state.turn(), self.is_root(state));
        let layers = Layers::new(state);
        let Some(king) = state.king(us.other()) else { return no_mate };
        let hunt = (!root && !quiet).then(|| Hunt::new(state, &layers, king));
        let rater = Rater::new(self, state, &layers, king);
        let mut held: Option<Move> = None;
        let mates = state.each_check_with(&layers, king, &mut |mv| {
            if hunt.as_ref().is_some_and(|hunt| hunt.mates(mv)) {
                return true;
            }
            // A promotion comes right before the same move without it.
            if let Some(last) = held.take() {
                let hides = match mv.origin() {
                    Origin::Board(from) if mv == last.unpromoted() => {
                        hides_plain(us, state.kind_on(from), mv.to())
                    }
                    _ => false,
                };
                let first = rater.numbers(last);
                if hides {
                    moves.push_opening(last, first);
                    return false;
                }
                moves.push_rated(last, first);
            }
            if mv.promotes() {
                held = Some(mv);
            } else {
                moves.push_rated(mv, rater.numbers(mv));
            }
            false
        });
        if mates {
            moves.clear();
            return Expansion::Settled(Verdict::Proven);
        }
        if let Some(last) = held {
            moves.push_rated(last, rater.numbers(last));
        }
        if moves.is_empty() || (!root && state.left() < 3) {
            moves.clear();
            return no_mate;
        }
        Expansion::Open
    }

    fn list_replies(&self, state: &Position, moves: &mut Moves<Move>) -> Expansion {
        let layers = Layers::new(state);
        let checked = state.king(state.turn()).and_then(|king| state.check_on(&layers, king));
        let few = state.left() < 2;
        let Some(king) = state.king(state.turn()) else {
            return Expansion::Settled(Verdict::Disproven);
        };
        let rater = Rater::new(self, state, &layers, king);
        let mut any = false;
        state.each_legal(&mut |mv| {
            any = true;
            if checked.is_none() || !mv.is_drop() {
                moves.push_rated(mv, rater.numbers(mv));
            }
            // Drops come last: the chains list them again.
            few || (checked.is_some() && mv.is_drop())
        });
        if !any {
            let mated = checked.is_some();
            let verdict = if mated { Verdict::Proven } else { Verdict::Disproven };
            return Expansion::Settled(verdict);
        }
        if few {
            moves.clear();
            return Expansion::Settled(Verdict::Disproven);
        }
        if checked.is_some_and(|check| check.between != 0) {
            for (mv, hides) in Drops::new(state).heads() {
                push(moves, mv, rater.numbers(mv), hides);
            }
        }
        Expansion::Open
    }
}

fn push(moves: &mut Moves<Move>, mv: Move, first: Numbers, hides: bool) {
    if hides {
        moves.push_opening(mv, first);
    } else {
        moves.push_rated(mv, first);
    }
}

impl Problem for Shogi {
    type State = Position;
    type Move = Move;
    type Reason = Bound;

    const EVALUATES: bool = true;

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Position {
        self.root
    }

    fn turn(&self, state: &Position) -> Turn {
        if state.turn() == self.attacker { Turn::Or } else { Turn::And }
    }

    fn expand(&self, state: &Position, moves: &mut Moves<Move>) -> Expansion {
        if state.turn() == self.attacker {
            self.list_checks(state, false, moves)
        } else {
            self.list_replies(state, moves)
        }
    }

    fn expand_evaluated(&self, state: &Position, moves: &mut Moves<Move>) -> Expansion {
        if state.turn() == self.attacker {
            self.list_checks(state, true, moves)
        } else {
            self.list_replies(state, moves)
        }
    }

    fn open(&self, state: &Position, mv: Move, _: Option<Bound>, moves: &mut Moves<Move>) {
        let layers = Layers::new(state);
        let Some(king) = state.king(self.attacker.other()) else { return };
        let rater = Rater::new(self, state, &layers, king);
        if state.turn() == self.attacker {
            if let Some(plain) = hidden_plain(state, mv) {
                moves.push_rated(plain, rater.numbers(plain));
            }
        } else if mv.is_drop()
            && let Some((next, hides)) = Drops::new(state).next(mv)
        {
            push(moves, next, rater.numbers(next), hides);
        }
    }

    fn play(&self, state: &Position, mv: Move) -> Position {
        state.play(mv)
    }

    /// The family above, the rank in the low 32 bits.
    fn key(&self, state: &Position) -> Key {
        Key(state.family() | u128::from(self.rank(state).bits()))
    }

    fn key_after(&self, state: &Position, mv: Move) -> Key {
        let (family, rank) = state.after(mv, self.attacker);
        Key(family | u128::from(rank.bits()))
    }

    fn encode(&self, state: &Position, out: &mut Vec<u8>) {
        bytes::encode(state, self.attacker, out);
    }

    fn decode(&self, bytes: &[u8]) -> Result<Position, BadState> {
        let state = bytes::decode(bytes, self).map_err(|why| BadState(format!("shogi: {why}")))?;
        let in_check = state.in_check(state.turn());
        if state.turn() != self.attacker && !in_check && !self.is_root(&state) {
            return Err(BadState("shogi: the defender to move is not in check".to_string()));
        }
        Ok(state)
    }

    /// After a check there is nothing to probe: mate in one was looked for a ply before.
    fn evaluates_after(&self, state: &Position) -> bool {
        state.turn() != self.attacker || state.left() < 3 || self.first.looks_at_positions()
    }

    /// Leaf probes: no check, mate in one, too few plies. Else the evaluation of the position.
    fn evaluate(&self, state: &Position) -> Numbers {
        if state.turn() != self.attacker && state.left() >= 2 {
            // Mate in one was looked for a ply before.
            return self.first.position(state, self.attacker);
        }
        match self.settled(state) {
            Some(found) => found.verdict().into(),
            None => self.first.position(state, self.attacker),
        }
    }

    /// A reply says more than the position after it: what moved, and what it took.
    fn evaluate_after(&self, before: &Position, mv: Move, state: &Position) -> Numbers {
        let FirstNumbers::Tables(tables) = &self.first else { return self.evaluate(state) };
        if before.turn() == self.attacker {
            return self.evaluate(state);
        }
        let Some(king) = state.king(before.turn()) else { return self.evaluate(state) };
        let layers = Layers::new(state);
        let mut survey = Survey::new(&layers, self.attacker, king);
        let probe = state.probe_with(&layers, king, &mut |mv| survey.add(mv));
        match self.settled_by(state, probe) {
            Some(found) => found.verdict().into(),
            None => {
                let scene = Scene::of_reply(state, &layers, self.attacker, king, &survey);
                tables.numbers(&scene.reply(before, mv, &survey))
            }
        }
    }

    /// A position that comes back under checks is lost for the attacker.
    fn repetition(&self) -> Repetition {
        Repetition::Disproven
    }

    fn reason(&self, state: &Position, verdict: Verdict, basis: &[(Move, Bound)]) -> Bound {
        hands::bound(state, self.attacker, verdict, basis)
    }

    fn at_least(&self, a: andor::Rank, b: andor::Rank) -> bool {
        Rank::from_bits(a.0).dominates(Rank::from_bits(b.0))
    }

    fn reason_rank(&self, Bound(rank): Bound) -> andor::Rank {
        andor::Rank(rank.bits())
    }

    fn rank_reason(&self, rank: andor::Rank) -> Bound {
        Bound(Rank::from_bits(rank.0))
    }

    fn with_rank(&self, state: &Position, rank: andor::Rank) -> Option<Position> {
        state.with_rank(self.attacker, Rank::from_bits(rank.0))
    }

    fn length(&self, _: &Position, _: Move) -> Option<u32> {
        Some(1)
    }

    /// Only mates have a length.
    fn rest(&self, state: &Position) -> Option<u32> {
        match self.settled(state)? {
            Settled::Mated => Some(0),
            Settled::MateInOne => Some(1),
            Settled::NoMove | Settled::Limit => None,
        }
    }

    fn put_move(&self, _: &Position, mv: Move, out: &mut Vec<u8>) {
        bytes::put_move(mv, out);
    }

    fn take_move(&self, state: &Position, from: &mut Source<'_>) -> Result<Move, Fault> {
        let mv = bytes::take_move(from.byte()?, from.byte()?)?;
        bytes::movable(state, mv)?;
        Ok(mv)
    }

    fn rule(&self, state: &Position) -> u8 {
        self.settled(state).map_or(0, |found| found as u8)
    }

    fn show(&self, state: &Position) -> String {
        drawing::board(state, self.attacker)
    }

    fn show_move(&self, state: &Position, mv: Move) -> String {
        format!("{mv} {}", japanese::spell(state, mv, None))
    }
}
