//! Mate, and mate in one.

use crate::attack::Layers;
use crate::lines::{DIAGONAL, STRAIGHT};
use crate::moves::{Move, Origin};
use crate::position::Position;
use crate::square::{Square, Squares};
use crate::steps::{attacks, ring};

/// A look one move ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probe {
    /// There is no legal check.
    NoCheck,
    /// This check mates, the first that does.
    Mate(Move),
    /// There are checks, and none of them mates.
    Checks,
}

/// What the checks of one position have in common, to see quickly which of them mate.
pub(crate) struct Hunt<'a> {
    position: &'a Position,
    layers: &'a Layers,
    /// The squares that a piece of the attacker must still take away from the king.
    flights: Squares,
    /// All pieces but the defender's king, which does not shield squares behind it.
    blocked: Squares,
}

impl<'a> Hunt<'a> {
    /// The side to move hunts the king of the other side.
    pub(crate) fn new(position: &'a Position, layers: &'a Layers, king: Square) -> Self {
        let us = position.turn();
        let blocked = layers.occupied & !king.bit();
        let zone = ring(king) & !layers.sides[us.other().index()];
        Self { position, layers, flights: zone & !layers.danger(us, zone, blocked), blocked }
    }

    /// Whether a legal check mates.
    #[inline]
    pub(crate) fn mates(&self, mv: Move) -> bool {
        !self.escapes(mv) && !self.position.play(mv).can_answer()
    }

    /// Whether some flight square surely stays open: the piece does not attack it from its new
    /// square, and uncovers no line. Moving away or into a line opens more squares, never less.
    #[inline]
    fn escapes(&self, mv: Move) -> bool {
        let (us, to) = (self.position.turn(), mv.to());
        match mv.origin() {
            Origin::Hand(kind) => {
                self.flights & !attacks(us, kind, to, self.blocked | to.bit()) != 0
            }
            Origin::Board(from) => {
                let kind = self.position.kind_on(from);
                let kind = if mv.promotes() { kind.promoted() } else { kind };
                let blocked = (self.blocked & !from.bit()) | to.bit();
                let open = self.flights & !attacks(us, kind, to, blocked);
                open != 0 && !self.uncovers(from)
            }
        }
    }

    /// Whether a sliding piece of the attacker may see further when a square becomes empty.
    #[inline]
    fn uncovers(&self, from: Square) -> bool {
        let Layers { bishops, rooks, lances, sides, .. } = self.layers;
        let at = from.number();
        let own = sides[self.position.turn().index()] & !from.bit();
        let sliders = (DIAGONAL[at] & bishops) | (STRAIGHT[at] & (rooks | lances));
        sliders & own != 0
            && self.layers.attackers(self.position.turn(), from, self.layers.occupied) & sliders
                != 0
    }
}

impl Position {
    /// Whether the side to move is mated: in check, without a legal move.
    #[must_use]
    pub fn is_mated(&self) -> bool {
        self.in_check(self.turn()) && !self.can_answer()
    }

    /// A legal check after which the defender is mated; always the same one.
    #[must_use]
    pub fn mate_in_one(&self) -> Option<Move> {
        match self.probe() {
            Probe::Mate(mv) => Some(mv),
            Probe::NoCheck | Probe::Checks => None,
        }
    }

    /// What the checks of the side to move lead to at once.
    pub(crate) fn probe(&self) -> Probe {
        let Some(king) = self.king(self.turn().other()) else { return Probe::NoCheck };
        self.probe_with(&Layers::new(self), king, &mut |_| ())
    }

    /// The same for known layers and the other side's king. Passes on the checks until one mates.
    pub(crate) fn probe_with(
        &self,
        layers: &Layers,
        king: Square,
        each: &mut impl FnMut(Move),
    ) -> Probe {
        // Most positions have few checks, and many have none.
        let mut hunt = None;
        let mut found = Probe::NoCheck;
        self.each_check_with(layers, king, &mut |mv| {
            let hunt = hunt.get_or_insert_with(|| Hunt::new(self, layers, king));
            each(mv);
            let mates = hunt.mates(mv);
            found = if mates { Probe::Mate(mv) } else { Probe::Checks };
            mates
        });
        found
    }

    /// The squares where a piece dropped by the side to move would end a check at a distance; none
    /// if it is not in check, or by two pieces.
    pub(crate) fn interpositions(&self) -> (Layers, Squares) {
        let layers = Layers::new(self);
        let king = self.king(self.turn());
        let check = king.and_then(|king| self.check_on(&layers, king));
        (layers, check.map_or(0, |check| check.between))
    }
}
