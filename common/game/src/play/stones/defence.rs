//! White plays by a disproof, as in the proof of its theorem.
//!
//! The strategy sees a board of its own. Where it passes, White plays anywhere and the strategy does
//! not see that stone. An idle stone of Black's is seen on another cell: from then on the two cells are
//! exchanged.

use super::{Follows, Place, Side, Stones, Trouble};
use crate::achieve::{Cells, Family, Link, Node, Rules, StoneGame, Tree, bits};

/// Where the game is in the tree, and what the strategy sees.
#[derive(Clone, Debug)]
pub(super) struct Defence {
    plan: Plan,
    black: Cells,
    white: Cells,
    /// The cell of the strategy's board for each real cell.
    seen: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Plan {
    /// Follow the tree, at this node.
    Tree(Link),
    /// Answer in the partner cell of a paving.
    Paving,
    /// Take the heaviest cell.
    Weigh,
    /// Answer each stone in its set.
    Sets(Vec<Cells>),
    /// Complete a placement on this cell of the strategy's board.
    Complete(u8),
}

impl Defence {
    pub fn new(rules: &Rules, tree: &Tree) -> Self {
        let seen = (0..rules.all.count_ones() as u8).collect();
        let mut defence = Self { plan: Plan::Weigh, black: 0, white: 0, seen };
        defence.go(rules, tree, tree.root);
        defence
    }

    /// The lines of the paving that the tree consists of.
    pub fn paving<'t>(&self, tree: &'t Tree) -> Option<&'t str> {
        match tree.node(tree.root.node) {
            Node::Leaf { paving, .. } => paving.as_deref(),
            _ => None,
        }
    }

    /// Goes to a node.
    fn go(&mut self, rules: &Rules, tree: &Tree, at: Link) {
        self.plan = match tree.node(at.node) {
            Node::Leaf { paving: Some(_), .. } => Plan::Paving,
            Node::Leaf { rule: 2, .. } => {
                Plan::Sets(Family::new(rules, self.black, self.white).sets().to_vec())
            }
            Node::Leaf { cell: Some(cell), .. } => {
                Plan::Complete(rules.turned_cell(*cell, at.symmetry))
            }
            Node::Leaf { .. } => Plan::Weigh,
            Node::One(..) | Node::All(..) => Plan::Tree(at),
        };
    }

    fn real(&self, cell: u8) -> u8 {
        let real = self.seen.iter().position(|&seen| seen == cell);
        real.map_or(cell, |real| real as u8)
    }
}

impl<G: StoneGame> Stones<'_, G> {
    /// The cell that White plays; `None` on a full board.
    pub(super) fn defend(&mut self, mut defence: Defence) -> Result<Option<Place>, Trouble> {
        if let Some(&place) = self.completing(Side::White).first() {
            return Ok(Some(place));
        }
        let last = self.pending.take();
        if let (Plan::Paving, Some(lines)) = (&defence.plan, self.paving()) {
            let partner = last.and_then(|place| self.game.partner(lines, place));
            let can = |&place: &Place| {
                self.board.at(place).is_none() && (self.field.infinite || self.board.inside(place))
            };
            return Ok(partner.filter(can).or_else(|| self.heaviest()));
        }
        let cell = match last.and_then(|place| self.number(place)) {
            Some(cell) => self.learn(&mut defence, cell)?,
            None => None,
        };
        let real = cell.map(|cell| self.place(defence.real(cell)));
        let place = real.filter(|&place| self.board.at(place).is_none());
        self.follows = Follows::Defence(defence);
        Ok(place.or_else(|| self.heaviest()))
    }

    /// Shows Black's stone to the strategy; returns the strategy's answer.
    fn learn(&self, defence: &mut Defence, real: u8) -> Result<Option<u8>, Trouble> {
        let mut cell = defence.seen[usize::from(real)];
        if let Plan::Tree(at) = defence.plan {
            let Node::All(answers, _) = self.tree.node(at.node) else {
                return self.wrong("it has no answers here");
            };
            let turned =
                |cell: Option<u8>| cell.map(|cell| self.rules.turned_cell(cell, at.symmetry));
            let moves: Cells = answers
                .iter()
                .filter_map(|(cell, _)| turned(*cell))
                .fold(0, |all, cell| all | 1 << cell);
            if moves >> cell & 1 == 0 {
                cell = self.exchanged(defence, real, moves)?;
            }
            let found = answers.iter().find(|(one, _)| turned(*one) == Some(cell));
            let below = found.map(|&(_, below)| self.linked(at, below));
            let mut family = Family::new(&self.rules, defence.black, defence.white);
            let late = bits(family.white_threats()).find(|&threat| threat != cell);
            defence.black |= 1 << cell;
            match (below, late) {
                (Some(below), _) => defence.go(&self.rules, &self.tree, below),
                (None, Some(threat)) => defence.plan = Plan::Complete(threat),
                (None, None) => {
                    family = Family::new(&self.rules, defence.black, defence.white);
                    if !family.is_less_than_one() {
                        return self.wrong(&format!("it says nothing of {}", self.name(real)));
                    }
                    defence.plan = Plan::Weigh;
                }
            }
        } else {
            defence.black |= 1 << cell;
        }
        self.reply(defence, cell)
    }

    /// The strategy's answer after Black's stone on a cell of its board.
    fn reply(&self, defence: &mut Defence, cell: u8) -> Result<Option<u8>, Trouble> {
        let reply = match &defence.plan {
            Plan::Complete(cell) => Some(*cell),
            Plan::Weigh | Plan::Paving => {
                Family::new(&self.rules, defence.black, defence.white).heaviest()
            }
            Plan::Sets(sets) => {
                let set = sets.iter().find(|set| *set >> cell & 1 == 1).copied().unwrap_or(0);
                bits(set & !(defence.black | defence.white)).next()
            }
            Plan::Tree(at) => {
                let at = *at;
                let Node::One(cell, below) = *self.tree.node(at.node) else {
                    return self.wrong("it names no move here");
                };
                let cell = cell.map(|cell| self.rules.turned_cell(cell, at.symmetry));
                defence.white |= cell.map_or(0, |cell| 1 << cell);
                defence.go(&self.rules, &self.tree, self.linked(at, below));
                return Ok(cell);
            }
        };
        defence.white |= reply.map_or(0, |cell| 1 << cell);
        Ok(reply)
    }

    /// A stone of Black's that has no answer of its own: the cell that the strategy sees it on. Another
    /// one if the stone is idle.
    fn exchanged(&self, defence: &mut Defence, real: u8, moves: Cells) -> Result<u8, Trouble> {
        let cell = defence.seen[usize::from(real)];
        let mut family = Family::new(&self.rules, defence.black, defence.white);
        let bad = family.lost(1 << cell) | moves;
        if bad >> cell & 1 == 1 {
            return Ok(cell);
        }
        let empty = self.rules.all & !(defence.black | defence.white);
        let other = bits(moves).next().or_else(|| bits(family.lost(empty & !(1 << cell))).next());
        let Some(other) = other else {
            return self.wrong(&format!("it says nothing of {}", self.name(real)));
        };
        let twin = defence.real(other);
        defence.seen.swap(usize::from(real), usize::from(twin));
        Ok(other)
    }
}
