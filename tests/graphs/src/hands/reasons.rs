//! The smallest hand that a proof needs, and the largest that a disproof allows, from those of the
//! states after the moves.

use super::{Arc, Claim, Hand, Hands, Holding, KINDS, Step, covers, unpack};
use hasami_andor::{Rank, Turn};

impl Hands {
    /// A hand that is enough for a proof.
    pub(super) fn enough(&self, state: &Holding, basis: &[(Step, Claim)]) -> Hand {
        let vertex = self.vertex(state);
        if let Some(enough) = vertex.leaf {
            return enough;
        }
        let mut hand = [0; KINDS];
        for &(Step(edge), Claim(below)) in basis {
            let arc = &vertex.edges[usize::from(edge)];
            let below = unpack(Rank(below));
            for kind in 0..KINDS {
                let (wanted, change) = (i16::from(below[kind]), i16::from(arc.change[kind]));
                let enough = match vertex.turn {
                    Turn::Or => i16::from(arc.need[kind]) + (wanted - change).max(0),
                    Turn::And if wanted == 0 => 0,
                    Turn::And => (wanted - change).max(0),
                };
                hand[kind] = hand[kind].max(enough as u8);
            }
        }
        if vertex.turn == Turn::And {
            // What the other side cannot play here it must not be able to play there.
            for arc in self.barred(state) {
                let more = |kind: &usize| state.hand[*kind] > arc.need[*kind];
                let kind = (0..KINDS).find(more).expect("a kind that bars it");
                hand[kind] = hand[kind].max(arc.need[kind] + 1);
            }
        }
        hand
    }

    /// A hand that is not enough.
    pub(super) fn too_few(&self, state: &Holding, basis: &[(Step, Claim)]) -> Hand {
        let vertex = self.vertex(state);
        let mut hand = self.most;
        if let Some(enough) = vertex.leaf {
            let fewer = |kind: &usize| state.hand[*kind] < enough[*kind];
            let kind = (0..KINDS).find(fewer).expect("a kind that is missing");
            hand[kind] = hand[kind].min(enough[kind] - 1);
            return hand;
        }
        for &(Step(edge), Claim(below)) in basis {
            let arc = &vertex.edges[usize::from(edge)];
            let below = unpack(Rank(below));
            for kind in 0..KINDS {
                let mut most = i16::from(self.most[kind]);
                let paid = if vertex.turn == Turn::Or { arc.need[kind] } else { 0 };
                if below[kind] < self.most[kind] {
                    let before = i16::from(below[kind]) - i16::from(arc.change[kind]);
                    most = most.min(before + i16::from(paid));
                }
                if vertex.turn == Turn::And {
                    most = most.min(arc.need[kind].into());
                }
                hand[kind] = hand[kind].min(most as u8);
            }
        }
        if vertex.turn == Turn::Or {
            for arc in self.barred(state) {
                let fewer = |kind: &usize| state.hand[*kind] < arc.need[*kind];
                let kind = (0..KINDS).find(fewer).expect("a kind that bars it");
                hand[kind] = hand[kind].min(arc.need[kind] - 1);
            }
        }
        debug_assert!(covers(hand, state.hand));
        hand
    }

    fn barred<'a>(&'a self, state: &'a Holding) -> impl Iterator<Item = &'a Arc> {
        self.vertex(state).edges.iter().filter(|arc| !self.is_legal(state, arc))
    }
}
