//! Proof hands and disproof hands: how few pieces in hand are enough for a proof, and how many do
//! not help against a disproof. Plies left are treated as one more kind of piece.
//!
//! The pieces off the board are fixed by the board. So a larger hand of the attacker is a smaller
//! hand of the defender, and both are good for the attacker: neither side ever has to drop. The one
//! rule that forbids moves by what follows, pawn-drop mate, does not look at hands: a pawn checks
//! from next to the king, and no drop answers that.

use hasami_andor::Verdict;

use crate::bound::Bound;
use crate::hand::{Hand, Rank};
use crate::kind::Kind;
use crate::moves::{Move, Origin};
use crate::position::Position;
use crate::side::Side;
use crate::square::BOARD;

/// A move with the bound of the position after it.
pub(crate) type Basis = [(Move, Bound)];

/// The kind that a move takes from the board.
fn taken(position: &Position, mv: Move) -> Option<Kind> {
    let there = position.piece_on(mv.to())?;
    (!mv.is_drop()).then_some(there.kind.base())
}

/// One ply more; no limit stays no limit.
fn longer(left: u16) -> u16 {
    (left + 1).min(Rank::ENDLESS)
}

/// The bound of a verdict that follows from the positions after some moves (none if the rules give
/// the verdict).
pub(crate) fn bound(position: &Position, attacker: Side, verdict: Verdict, basis: &Basis) -> Bound {
    let attacks = position.turn() == attacker;
    Bound(match (verdict, attacks) {
        (Verdict::Proven, true) => match basis.first() {
            Some(&(mv, below)) => check_proof(position, mv, below.0),
            None => mate_in_one_proof(position, attacker),
        },
        (Verdict::Proven, false) => replies_proof(position, attacker, basis),
        (Verdict::Disproven, true) => checks_disproof(position, attacker, basis),
        (Verdict::Disproven, false) => match basis.first() {
            Some(&(mv, below)) => reply_disproof(position, mv, below.0),
            None => unanswered(position, attacker),
        },
    })
}

/// A check that mates, with what is enough after it: a dropped piece is needed, a captured one is
/// not.
fn check_proof(position: &Position, mv: Move, below: Rank) -> Rank {
    let hand = match mv.origin() {
        Origin::Hand(kind) => below.hand.plus(kind),
        Origin::Board(_) => taken(position, mv).map_or(below.hand, |kind| below.hand.less(kind)),
    };
    Rank { hand, left: longer(below.left) }
}

/// The rules found a mate in one.
fn mate_in_one_proof(position: &Position, attacker: Side) -> Rank {
    match position.mate_in_one() {
        Some(mv) => check_proof(position, mv, replies_proof(&position.play(mv), attacker, &[])),
        None => position.rank(attacker),
    }
}

/// All replies fail, or there is none. With fewer pieces in the attacker's hand the defender might
/// hold a kind that he lacks now, and interpose it: the attacker must keep all of those.
fn replies_proof(position: &Position, attacker: Side, basis: &Basis) -> Rank {
    let own = position.rank(attacker);
    let mut needed = Rank { hand: Hand::EMPTY, left: 0 };
    for &(_, Bound(below)) in basis {
        needed.hand = needed.hand.max(below.hand);
        needed.left = needed.left.max(longer(below.left));
    }
    let (layers, between) = position.interpositions();
    // Not in check, at a root where the defender moves: he may drop anywhere.
    let zone = if position.in_check(position.turn()) { between } else { BOARD & !layers.occupied };
    if zone != 0 {
        let defending = position.hand(attacker.other());
        for kind in Kind::HELD {
            let lacks = own.hand.has(kind) && !defending.has(kind);
            if lacks && position.drop_squares(&layers, kind, zone) != 0 {
                needed.hand = needed.hand.with(kind, own.hand.count(kind));
            }
        }
    }
    needed
}

/// No check mates. More of a kind that the attacker holds gives no new check; a kind that he lacks
/// might.
fn checks_disproof(position: &Position, attacker: Side, basis: &Basis) -> Rank {
    let own = position.rank(attacker);
    let all = position.off_board();
    if !basis.is_empty() {
        let below = basis.iter().map(|&(mv, Bound(below))| (mv, below));
        return checks_fail(position, attacker, own, below);
    }
    if own.left == 0 {
        return Rank { hand: all, left: 0 };
    }
    // The rules settle it: there is no check, or too few plies are left and none mates at once.
    let mut checks = Vec::new();
    position.checks(&mut checks);
    let below = checks.into_iter().map(|mv| (mv, unanswered(&position.play(mv), attacker)));
    checks_fail(position, attacker, own, below)
}

fn checks_fail(
    position: &Position,
    attacker: Side,
    own: Rank,
    checks: impl Iterator<Item = (Move, Rank)>,
) -> Rank {
    let mut bound = Rank { hand: position.off_board(), left: Rank::ENDLESS };
    for (mv, below) in checks {
        let hand = match mv.origin() {
            Origin::Hand(kind) => below.hand.plus(kind),
            Origin::Board(_) => {
                taken(position, mv).map_or(below.hand, |kind| below.hand.less(kind))
            }
        };
        bound.hand = bound.hand.min(hand);
        bound.left = bound.left.min(longer(below.left));
    }
    if own.hand != bound.hand && position.king(attacker.other()).is_some() {
        position.checking_drops(&mut |kind| {
            if !own.hand.has(kind) {
                bound.hand = bound.hand.with(kind, 0);
            }
        });
    }
    bound
}

/// A reply that holds, with the disproof after it. A drop needs a piece in the defender's hand.
fn reply_disproof(position: &Position, mv: Move, below: Rank) -> Rank {
    let all = position.off_board();
    let most = match mv.origin() {
        Origin::Hand(kind) => all.less(kind),
        Origin::Board(_) => all,
    };
    Rank { hand: below.hand.min(most), left: longer(below.left) }
}

/// The defender is not mated and too few plies are left for another check: any reply will do.
fn unanswered(position: &Position, attacker: Side) -> Rank {
    let own = position.rank(attacker);
    let all = position.off_board();
    let mut found: Option<Hand> = None;
    position.each_legal(&mut |mv| {
        found = Some(match mv.origin() {
            Origin::Hand(kind) => all.less(kind),
            Origin::Board(_) => all,
        });
        // A move on the board needs no piece in hand; they come first.
        true
    });
    // Without a move, and not mated, the position holds as it is.
    found.map_or(own, |hand| Rank { hand, left: 1 })
}
