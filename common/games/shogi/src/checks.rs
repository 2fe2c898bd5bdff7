//! Checks: every legal move of the attacker that attacks the defender's king.

use crate::attack::Layers;
use crate::evasions::{Sink, dead};
use crate::kind::Kind;
use crate::lines::{diagonal, forward, line, straight};
use crate::moves::Move;
use crate::position::Position;
use crate::square::{FAR, Square, Squares, each};
use crate::steps::{origin, ring, step};

/// From which squares each kind checks the king, by [`Kind::number`].
struct Targets([Squares; 16]);

impl Targets {
    #[inline]
    fn new(position: &Position, king: Square, occupied: Squares) -> Self {
        // A line from the king is a line to the king, for a piece of the other side.
        let back = position.turn().other();
        let gold = step(back, Kind::Gold, king);
        let (slant, cross) = (diagonal(king, occupied), straight(king, occupied));
        let mut all = [0; 16];
        all[Kind::Pawn.number()] = step(back, Kind::Pawn, king);
        all[Kind::Lance.number()] = cross & forward(back.index(), king, occupied);
        all[Kind::Knight.number()] = step(back, Kind::Knight, king);
        all[Kind::Silver.number()] = step(back, Kind::Silver, king);
        all[Kind::Gold.number()] = gold;
        all[Kind::Bishop.number()] = slant;
        all[Kind::Rook.number()] = cross;
        for kind in [Kind::ProPawn, Kind::ProLance, Kind::ProKnight, Kind::ProSilver] {
            all[kind.number()] = gold;
        }
        all[Kind::Horse.number()] = slant | ring(king);
        all[Kind::Dragon.number()] = cross | ring(king);
        Self(all)
    }

    #[inline]
    fn of(&self, kind: Kind) -> Squares {
        self.0[kind.number()]
    }
}

impl Position {
    /// Passes on all legal moves of the side to move that check the other king: first those of
    /// pieces on the board, then drops. The other king must not be in check already.
    pub(crate) fn each_check(&self, sink: &mut impl Sink) -> bool {
        match self.king(self.turn().other()) {
            Some(king) => self.each_check_with(&Layers::new(self), king, sink),
            None => false,
        }
    }

    /// As [`Position::each_check`], with what the caller knows already.
    #[inline]
    pub(crate) fn each_check_with(
        &self,
        layers: &Layers,
        king: Square,
        sink: &mut impl Sink,
    ) -> bool {
        let us = self.turn();
        if let Some(own) = self.king(us)
            && let Some(check) = self.check_on(layers, own)
        {
            // Rare: list the evasions and keep those that check.
            return self.each_evasion(layers, own, check, &mut |mv| {
                self.play(mv).in_check(us.other()) && sink(mv)
            });
        }
        let targets = Targets::new(self, king, layers.occupied);
        self.board_checks(layers, king, &targets, sink) || self.drop_checks(layers, &targets, sink)
    }

    fn board_checks(
        &self,
        layers: &Layers,
        king: Square,
        targets: &Targets,
        sink: &mut impl Sink,
    ) -> bool {
        let us = self.turn();
        let own = layers.sides[us.index()];
        // Own pieces that open a line to the king when they leave it.
        let openers = layers.screens(us, king, layers.occupied) & own;
        let pinned = self
            .king(us)
            .map_or(0, |own_king| layers.screens(us.other(), own_king, layers.occupied) & own);
        let zone = FAR[us.index()][3];
        let mut moves = |kind: Kind, from: Square, reached: Squares| -> bool {
            let mut reached = reached & !own;
            let opened = if openers & from.bit() != 0 { !line(from, king) } else { 0 };
            if pinned & from.bit() != 0
                && let Some(own_king) = self.king(us)
            {
                reached &= line(from, own_king);
            }
            let plain = reached & (targets.of(kind) | opened);
            if !kind.promotes() {
                return each(plain).any(|to| sink(Move::board(from, to, false)));
            }
            let there = if zone & from.bit() != 0 { reached } else { reached & zone };
            let better = there & (targets.of(kind.promoted()) | opened);
            let plain = plain & !dead(us, kind);
            each(better | plain).any(|to| {
                (better & to.bit() != 0 && sink(Move::board(from, to, true)))
                    || (plain & to.bit() != 0 && sink(Move::board(from, to, false)))
            })
        };
        let steppers = [
            (layers.pawns, Kind::Pawn),
            (layers.knights, Kind::Knight),
            (layers.silvers, Kind::Silver),
            (layers.golds, Kind::Gold),
        ];
        for (set, kind) in steppers {
            for from in each(set & own & (origin(us, kind, king) | openers)) {
                // All that move like golds check like golds and do not promote.
                if moves(kind, from, step(us, kind, from)) {
                    return true;
                }
            }
        }
        for from in each(layers.lances & own) {
            if moves(Kind::Lance, from, forward(us.index(), from, layers.occupied)) {
                return true;
            }
        }
        for from in each(layers.bishops & own) {
            let promoted = layers.promoted & from.bit() != 0;
            let reached = diagonal(from, layers.occupied);
            let stopped = if promoted {
                moves(Kind::Horse, from, reached | ring(from))
            } else {
                moves(Kind::Bishop, from, reached)
            };
            if stopped {
                return true;
            }
        }
        for from in each(layers.rooks & own) {
            let promoted = layers.promoted & from.bit() != 0;
            let reached = straight(from, layers.occupied);
            let stopped = if promoted {
                moves(Kind::Dragon, from, reached | ring(from))
            } else {
                moves(Kind::Rook, from, reached)
            };
            if stopped {
                return true;
            }
        }
        match self.king(us) {
            // A king checks only by opening a line.
            Some(from) if openers & from.bit() != 0 => {
                let flights = self.flights(layers, from) & !line(from, king);
                each(flights).any(|to| sink(Move::board(from, to, false)))
            }
            _ => false,
        }
    }

    fn drop_checks(&self, layers: &Layers, targets: &Targets, sink: &mut impl Sink) -> bool {
        let hand = self.hand(self.turn());
        if hand.is_empty() {
            return false;
        }
        Kind::HELD.into_iter().filter(|&kind| hand.has(kind)).any(|kind| {
            let zone = targets.of(kind) & !layers.occupied;
            let squares = self.drop_squares(layers, kind, zone);
            each(squares).any(|to| {
                (kind != Kind::Pawn || !self.pawn_drop_mates(to)) && sink(Move::drop(kind, to))
            })
        })
    }

    /// Kinds of which a drop by the side to move would check, whether or not it has one in hand.
    pub(crate) fn checking_drops(&self, kinds: &mut dyn FnMut(Kind)) {
        let us = self.turn();
        let Some(king) = self.king(us.other()) else { return };
        let layers = Layers::new(self);
        let targets = Targets::new(self, king, layers.occupied);
        // In check himself, the side to move may drop only between: here every square counts.
        for kind in Kind::HELD {
            let zone = targets.of(kind) & !layers.occupied;
            let squares = self.drop_squares(&layers, kind, zone);
            let legal = |to| kind != Kind::Pawn || !self.pawn_drop_mates(to);
            if each(squares).any(legal) {
                kinds(kind);
            }
        }
    }

    /// Whether the side to move has a legal check.
    #[must_use]
    pub fn has_check(&self) -> bool {
        self.each_check(&mut |_| true)
    }

    /// All legal checks, appended to the list.
    pub fn checks(&self, list: &mut Vec<Move>) {
        self.each_check(&mut |mv| {
            list.push(mv);
            false
        });
    }
}
