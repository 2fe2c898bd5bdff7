//! Black plays by a proof, as in the proof of its theorem.

use super::{Follows, Place, Side, Stones, Trouble};
use crate::achieve::{Cells, Link, Node, StoneGame, Tree, bits};

/// The node that the game is at, and the stones that it believes White to have.
#[derive(Clone, Debug)]
pub(super) struct Attack {
    pub at: Link,
    white: Cells,
}

impl Attack {
    pub fn new(tree: &Tree) -> Self {
        Self { at: tree.root, white: 0 }
    }
}

impl<G: StoneGame> Stones<'_, G> {
    /// The cell that Black plays.
    pub(super) fn attack(&mut self, mut attack: Attack) -> Result<Place, Trouble> {
        if let Some(&place) = self.completing(Side::Black).first() {
            return Ok(place);
        }
        if let Some(place) = self.pending.take() {
            self.follow(&mut attack, place)?;
        }
        let Node::One(Some(cell), below) = *self.tree.node(attack.at.node) else {
            return self.wrong("it names no move here");
        };
        let place = self.place(self.rules.turned_cell(cell, attack.at.symmetry));
        if self.board.at(place).is_some() {
            return self.wrong("the move that it names is on a stone");
        }
        attack.at = self.linked(attack.at, below);
        self.follows = Follows::Attack(attack);
        Ok(place)
    }

    /// The node below in the frame of the board.
    pub(super) fn linked(&self, at: Link, below: Link) -> Link {
        Link { node: below.node, symmetry: self.rules.composed(at.symmetry, below.symmetry) }
    }

    /// Goes to the answer to White's stone: as that stone, as one played elsewhere, or as another one
    /// whose answer also holds for it.
    fn follow(&self, attack: &mut Attack, place: Place) -> Result<(), Trouble> {
        let Node::All(answers, closing) = self.tree.node(attack.at.node) else {
            return self.wrong("it has no answers here");
        };
        let at = attack.at;
        let turned = |cell: u8| self.rules.turned_cell(cell, at.symmetry);
        let cell = self.number(place);
        let threats = self.rules.turned(closing.threats, at.symmetry);
        if let Some(threat) = bits(threats).find(|&threat| Some(threat) != cell) {
            // Black would have completed a line there.
            return self.wrong(&format!("nothing is completed on {}", self.name(threat)));
        }
        let exact = |reply: Option<u8>| reply.is_some() && reply.map(turned) == cell;
        let missing = cell.is_some_and(|cell| attack.white >> cell & 1 == 1);
        let holds = |reply: Option<u8>, below: Link| {
            let claim = self.tree.claim(below.node);
            let zone = self.rules.turned(claim.zone, self.linked(at, below).symmetry);
            let outside = cell.is_none_or(|cell| zone >> cell & 1 == 0);
            let wide = reply.is_none() || self.rules.weak || claim.slack > closing.slack.into();
            missing || outside && wide
        };
        let found = answers.iter().find(|(reply, _)| exact(*reply));
        let found = found.or_else(|| answers.iter().find(|(reply, below)| holds(*reply, *below)));
        let Some(&(reply, below)) = found else {
            let name = self.board.name(place);
            return self.wrong(&format!(
                "it has no answer to {name}, as a stone, as one played elsewhere or as another"
            ));
        };
        attack.white |= reply.map_or(0, |reply| 1 << turned(reply));
        attack.at = self.linked(at, below);
        Ok(())
    }

    pub(super) fn name(&self, cell: u8) -> String {
        self.board.name(self.place(cell))
    }
}
