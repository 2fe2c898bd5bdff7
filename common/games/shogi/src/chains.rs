//! Moves that wait for others. A promotion hides the same move without it, where only pawn-drop mate
//! can make that better. Interposed pieces that differ only in kind come one after the other,
//! cheapest first; so do all that nothing protects.

use crate::kind::Kind;
use crate::moves::{Move, Origin};
use crate::position::Position;
use crate::side::Side;
use crate::square::{Square, Squares, each};
use crate::steps::attacks;

/// Whether the plain move of a promoting one can be as good only where a pawn must not be dropped
/// for mate: the promoted piece attacks all that the plain one does.
pub(crate) fn hides_plain(side: Side, kind: Kind, to: Square) -> bool {
    match kind {
        Kind::Pawn | Kind::Bishop | Kind::Rook => true,
        // On the second rank a lance attacks a single square.
        Kind::Lance => side.rank(to.rank()) == 1,
        _ => false,
    }
}

/// The plain form of a check that promotes, if the promotion hides it and it is a check too.
pub(crate) fn hidden_plain(position: &Position, mv: Move) -> Option<Move> {
    let us = position.turn();
    let Origin::Board(from) = mv.origin() else { return None };
    let kind = position.kind_on(from);
    let waits = mv.promotes()
        && hides_plain(us, kind, mv.to())
        && crate::evasions::dead(us, kind) & mv.to().bit() == 0;
    let plain = mv.unpromoted();
    (waits && position.play(plain).in_check(us.other())).then_some(plain)
}

/// At most seven squares with seven kinds.
const MOST: usize = 49;

/// All drops that answer a check at a distance, in the order in which they are tried, each with the
/// number of its chain. Drops that check in their turn are chains of their own.
pub(crate) struct Drops {
    list: [(Move, u8); MOST],
    count: usize,
}

impl Drops {
    pub(crate) fn new(position: &Position) -> Self {
        let mut drops =
            Self { list: [(Move::drop(Kind::Pawn, Square::at(0, 0)), 0); MOST], count: 0 };
        let (layers, between) = position.interpositions();
        let us = position.turn();
        let hand = position.hand(us);
        let (Some(king), false) = (position.king(us), between == 0 || hand.is_empty()) else {
            return drops;
        };
        let mut legal: [Squares; 8] = [0; 8];
        for kind in Kind::HELD.into_iter().filter(|&kind| hand.has(kind)) {
            let mut squares = position.drop_squares(&layers, kind, between);
            if kind == Kind::Pawn {
                for to in each(squares).filter(|&to| position.pawn_drop_mates(to)) {
                    squares &= !to.bit();
                }
            }
            legal[kind.number()] = squares;
        }
        let mut squares = [king; 7];
        let mut count = 0;
        for (place, to) in squares.iter_mut().zip(each(between)) {
            *place = to;
            count += 1;
        }
        let squares = &mut squares[..count];
        // Nearest to the king first.
        if squares.first().is_some_and(|&nearest| nearest < king) {
            squares.reverse();
        }
        let target = position.king(us.other());
        let mut chain = 0;
        for &to in squares.iter() {
            let guarded = layers.attacked(us, to, layers.occupied);
            chain += u8::from(guarded);
            for kind in Kind::HELD {
                if legal[kind.number()] & to.bit() == 0 {
                    continue;
                }
                let reached = attacks(us, kind, to, layers.occupied | to.bit());
                let checks = target.is_some_and(|target| reached & target.bit() != 0);
                let number = match (checks, guarded) {
                    (true, _) => 100 + drops.count as u8,
                    (false, true) => chain,
                    (false, false) => 0,
                };
                drops.list[drops.count] = (Move::drop(kind, to), number);
                drops.count += 1;
            }
        }
        drops
    }

    /// The first move of each chain, with whether it hides another.
    pub(crate) fn heads(&self) -> impl Iterator<Item = (Move, bool)> + '_ {
        let list = &self.list[..self.count];
        let first = move |at: usize| !list[..at].iter().any(|before| before.1 == list[at].1);
        (0..list.len()).filter(move |&at| first(at)).map(move |at| (list[at].0, self.hides(at)))
    }

    fn hides(&self, at: usize) -> bool {
        self.list[at + 1..self.count].iter().any(|after| after.1 == self.list[at].1)
    }

    /// The move that waits for this one, with whether another waits for it.
    pub(crate) fn next(&self, mv: Move) -> Option<(Move, bool)> {
        let at = self.list[..self.count].iter().position(|&(found, _)| found == mv)?;
        let chain = self.list[at].1;
        let next = (at + 1..self.count).find(|&next| self.list[next].1 == chain)?;
        Some((self.list[next].0, self.hides(next)))
    }
}
