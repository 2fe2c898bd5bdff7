//! First numbers of new positions (df-pn+): none, rules of thumb, a linear function of the position
//! as in the paper of Kaneko et al., or tables over moves that were learned.

pub mod features;
pub mod linear;
pub mod scene;
mod shipped;
pub mod tables;
pub mod thumb;

use std::sync::Arc;

use hasami_andor::Numbers;

use crate::attack::Layers;
use crate::moves::Move;
use crate::position::Position;
use crate::problem::Shogi;
use crate::side::Side;
use crate::square::Square;
use scene::Scene;

pub use linear::Linear;
pub use tables::Tables;

/// Where the first numbers of a new position come from. They change how long a search takes, never
/// what it finds.
#[derive(Clone, Debug)]
pub enum FirstNumbers {
    /// Every new position counts (1, 1).
    Same,
    /// Who covers the square that a move goes to.
    Thumb,
    /// A linear function of the position.
    Linear(Arc<Linear>),
    /// Tables over moves.
    Tables(Arc<Tables>),
}

impl FirstNumbers {
    /// Whether positions are evaluated themselves, not the moves that lead to them.
    pub(crate) fn looks_at_positions(&self) -> bool {
        matches!(self, Self::Linear(_))
    }

    /// The first numbers of a position that the rules leave open.
    pub(crate) fn position(&self, state: &Position, attacker: Side) -> Numbers {
        match self {
            Self::Linear(linear) => linear.numbers(state, attacker),
            Self::Same | Self::Thumb | Self::Tables(_) => Numbers::UNKNOWN,
        }
    }
}

/// Rates the moves of one position.
pub(crate) enum Rater<'a> {
    /// All alike.
    Same,
    /// By rules of thumb.
    Thumb(&'a Position, &'a Layers, bool),
    /// By tables.
    Tables(&'a Tables, Scene<'a>),
}

impl<'a> Rater<'a> {
    /// For the moves of `state`; `king` is the defender's.
    pub(crate) fn new(
        problem: &'a Shogi,
        state: &'a Position,
        layers: &'a Layers,
        king: Square,
    ) -> Self {
        let attacker = problem.attacker;
        match &problem.first {
            FirstNumbers::Same | FirstNumbers::Linear(_) => Self::Same,
            FirstNumbers::Thumb => Self::Thumb(state, layers, state.turn() == attacker),
            FirstNumbers::Tables(_) if state.turn() != attacker => Self::Same,
            FirstNumbers::Tables(tables) => {
                Self::Tables(tables, Scene::of_checks(state, layers, attacker, king))
            }
        }
    }

    /// The first numbers after a move.
    #[inline]
    pub(crate) fn numbers(&self, mv: Move) -> Numbers {
        match self {
            Self::Same => Numbers::UNKNOWN,
            Self::Thumb(state, layers, true) => thumb::check(state, layers, mv),
            Self::Thumb(state, layers, false) => thumb::reply(state, layers, mv),
            Self::Tables(tables, scene) => tables.numbers(&scene.check(mv)),
        }
    }
}
