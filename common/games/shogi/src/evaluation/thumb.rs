//! First numbers of the positions after a move, from who covers the square it goes to (df-pn+).

use hasami_andor::Numbers;

use crate::attack::Layers;
use crate::kind::Kind;
use crate::moves::{Move, Origin};
use crate::position::Position;

/// How many pieces of the side to move and of the other one attack a square.
fn cover(position: &Position, layers: &Layers, mv: Move) -> (u32, u32) {
    let us = position.turn();
    let counts = layers.cover(mv.to());
    // A dropped piece stands there too; one that moves there attacks the square already.
    (counts[us.index()] + u32::from(mv.is_drop()), counts[us.other().index()])
}

/// After a check: a checker that is covered better than attacked is hard to refute.
pub(crate) fn check(position: &Position, layers: &Layers, mv: Move) -> Numbers {
    let (attackers, defenders) = cover(position, layers, mv);
    let proof = 1 + u32::from(defenders >= 2);
    let taken = position.piece_on(mv.to()).map(|piece| piece.kind.base());
    if attackers > defenders || matches!(taken, Some(Kind::Gold | Kind::Silver)) {
        Numbers::open(proof, 2)
    } else {
        Numbers::open(proof + 1, 1)
    }
}

/// After a reply: captures and well covered pieces are hard to get past.
pub(crate) fn reply(position: &Position, layers: &Layers, mv: Move) -> Numbers {
    if position.occupied() & mv.to().bit() != 0 {
        return Numbers::open(2, 1);
    }
    if let Origin::Board(from) = mv.origin()
        && position.kind_on(from) == Kind::King
    {
        return Numbers::open(1, 1);
    }
    let (defenders, attackers) = cover(position, layers, mv);
    if attackers < defenders { Numbers::open(2, 1) } else { Numbers::open(1, 2) }
}
