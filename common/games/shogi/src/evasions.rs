//! Answers to a check: every legal move of a side whose king is attacked, and whether there is one.

use crate::attack::{Check, Layers};
use crate::kind::Kind;
use crate::moves::Move;
use crate::position::Position;
use crate::side::Side;
use crate::square::{FAR, Square, Squares, each, file_of, first};
use crate::steps::{ring, step};

/// What a generator hands its moves to; `true` stops it.
pub(crate) trait Sink: FnMut(Move) -> bool {}
impl<F: FnMut(Move) -> bool> Sink for F {}

/// Passes on the move of a piece with and without promotion, as far as the rules allow.
#[inline]
pub(crate) fn each_form(
    side: Side,
    kind: Kind,
    from: Square,
    to: Square,
    sink: &mut impl Sink,
) -> bool {
    if kind.promotes() && (from.bit() | to.bit()) & FAR[side.index()][3] != 0 {
        if sink(Move::board(from, to, true)) {
            return true;
        }
        if dead(side, kind) & to.bit() != 0 {
            return false;
        }
    }
    sink(Move::board(from, to, false))
}

/// Squares where an unpromoted piece of this kind could never move again.
#[inline]
pub(crate) fn dead(side: Side, kind: Kind) -> Squares {
    FAR[side.index()][usize::from(kind.dead_ranks())]
}

impl Position {
    /// The squares of `zone`, which must be empty, where the side to move may drop this kind by
    /// all rules but that of pawn-drop mate.
    #[inline]
    pub(crate) fn drop_squares(&self, layers: &Layers, kind: Kind, zone: Squares) -> Squares {
        let us = self.turn();
        let mut squares = zone & !dead(us, kind);
        if kind == Kind::Pawn && squares != 0 {
            for pawn in each(layers.pawns & layers.sides[us.index()]) {
                squares &= !file_of(pawn);
            }
        }
        squares
    }

    /// Whether dropping a pawn here is mate, which the rules forbid (打ち歩詰め). The pawn must be
    /// droppable otherwise.
    #[must_use]
    pub(crate) fn pawn_drop_mates(&self, to: Square) -> bool {
        let us = self.turn();
        let gives_check =
            self.king(us.other()).is_some_and(|king| step(us, Kind::Pawn, to) & king.bit() != 0);
        gives_check && !self.play(Move::drop(Kind::Pawn, to)).can_answer()
    }

    /// Where the king of the side to move can go.
    #[inline]
    pub(crate) fn flights(&self, layers: &Layers, king: Square) -> Squares {
        let us = self.turn();
        let zone = ring(king) & !layers.sides[us.index()];
        // The king does not shield the squares behind it.
        zone & !layers.danger(us.other(), zone, layers.occupied & !king.bit())
    }

    /// Pieces of the side to move that may end a check: all but the king and pinned ones. A pinned
    /// piece never can: the line of its pin and that of the check meet in the king only.
    #[inline]
    fn helpers(&self, layers: &Layers, king: Square) -> Squares {
        let us = self.turn();
        let pinned = layers.screens(us.other(), king, layers.occupied);
        layers.sides[us.index()] & !pinned & !king.bit()
    }

    /// Passes on all legal moves of the side to move, whose king on `king` is in `check`: captures
    /// of the checker, moves of the king, interpositions by pieces, by drops.
    pub(crate) fn each_evasion(
        &self,
        layers: &Layers,
        king: Square,
        check: Check,
        sink: &mut impl Sink,
    ) -> bool {
        let us = self.turn();
        let helpers = if check.capture != 0 { self.helpers(layers, king) } else { 0 };
        let moves_to = |to: Square, sink: &mut _| {
            let pieces = layers.attackers(us, to, layers.occupied) & helpers;
            each(pieces).any(|from| each_form(us, self.kind_on(from), from, to, sink))
        };
        if first(check.capture).is_some_and(|checker| moves_to(checker, sink)) {
            return true;
        }
        if each(self.flights(layers, king)).any(|to| sink(Move::board(king, to, false))) {
            return true;
        }
        if check.between == 0 {
            return false;
        }
        each(check.between).any(|to| moves_to(to, sink))
            || self.each_drop(layers, check.between, sink)
    }

    /// Passes on all legal drops on the squares of `zone`, which must be empty.
    pub(crate) fn each_drop(&self, layers: &Layers, zone: Squares, sink: &mut impl Sink) -> bool {
        let hand = self.hand(self.turn());
        for kind in Kind::HELD {
            if !hand.has(kind) {
                continue;
            }
            for to in each(self.drop_squares(layers, kind, zone)) {
                if kind == Kind::Pawn && self.pawn_drop_mates(to) {
                    continue;
                }
                if sink(Move::drop(kind, to)) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the side to move, which is in check, has a legal move.
    #[must_use]
    pub fn can_answer(&self) -> bool {
        let layers = Layers::new(self);
        let Some(king) = self.king(self.turn()) else { return true };
        if self.flights(&layers, king) != 0 {
            return true;
        }
        match self.check_on(&layers, king) {
            // The flight squares are known to be none; the rest is cheap to list.
            Some(check) if check.capture != 0 => self.can_block(&layers, king, check),
            Some(_) => false,
            None => true,
        }
    }

    /// Whether a piece other than the king can end the check of a single checker.
    #[inline]
    fn can_block(&self, layers: &Layers, king: Square, check: Check) -> bool {
        let us = self.turn();
        let helpers = self.helpers(layers, king);
        let reaches = |to: Square| layers.attackers(us, to, layers.occupied) & helpers != 0;
        each(check.capture | check.between).any(reaches)
            || check.between != 0 && self.each_drop(layers, check.between, &mut |_| true)
    }
}
