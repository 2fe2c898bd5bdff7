//! Black does not win: every stone of Black's that may harm has an answer.

use hasami_andor::Turn;
use hasami_andor::certificate::{Dag, NodeId};

use super::{Bodies, Body, Key, Link};
use crate::achieve::StoneGame;
use crate::achieve::claim::Closing;
use crate::achieve::family::Family;
use crate::achieve::rules::{Cells, Rules, bits};

pub(super) struct Defence<'a, G: StoneGame> {
    game: &'a G,
    rules: &'a Rules,
    dag: &'a Dag<G>,
    /// The stones of the states seen so far: to make a state of the search takes long.
    stones: Vec<Option<[Cells; 2]>>,
}

impl<'a, G: StoneGame> Defence<'a, G> {
    pub(super) fn new(game: &'a G, rules: &'a Rules, dag: &'a Dag<G>) -> Self {
        Self { game, rules, dag, stones: vec![None; dag.size()] }
    }

    /// Black's and White's stones in a state of the proof.
    fn stones(&mut self, id: NodeId) -> [Cells; 2] {
        let (game, dag) = (self.game, self.dag);
        let made = || game.black_and_white(&dag.state(game, id));
        *self.stones[id as usize].get_or_insert_with(made)
    }

    /// What follows a move that leads to these stones.
    fn link(&mut self, [black, white]: [Cells; 2], child: NodeId) -> Link {
        let stored = self.stones(child);
        let fits = |&symmetry: &u8| {
            stored.map(|cells| self.rules.turned(cells, symmetry)) == [black, white]
        };
        let symmetry = (0..self.rules.symmetries()).find(fits).expect("a symmetric state");
        Link::State((child, 0), symmetry)
    }
}

impl<G: StoneGame> Bodies for Defence<'_, G> {
    fn root(&mut self) -> Key {
        (Dag::<G>::ROOT, 0)
    }

    fn body(&mut self, (id, _): Key) -> Body {
        if let Some(lines) = self.game.paving().filter(|_| id == Dag::<G>::ROOT) {
            return Body::Paving(lines);
        }
        if self.rules.infinite {
            return Body::NO_PROOF;
        }
        let [black, white] = self.stones(id);
        // One move is enough for White.
        let turn = if self.dag.one_is_enough(id) { Turn::And } else { Turn::Or };
        if let Some(leaf) = leaf(self.rules, black, white, turn) {
            return leaf;
        }
        if self.dag.is_leaf(id) {
            let found = match turn {
                Turn::Or => black_moves(self.rules, black, white),
                Turn::And => white_moves(self.rules, black, white),
            };
            return found.unwrap_or(Body::NO_PROOF);
        }
        let moves = self.dag.moves(id);
        if turn == Turn::And {
            let (mv, child) = moves[0];
            let cell = self.game.cell(mv);
            let stone = cell.map_or(0, |cell| 1 << cell);
            return Body::One(cell, self.link([black, white | stone], child));
        }
        let mut list = Vec::new();
        for cell in bits(Family::new(self.rules, black, white).harmful()) {
            let known = moves.iter().find(|(mv, _)| self.game.cell(*mv) == Some(cell));
            let link = match known {
                Some(&(_, child)) => self.link([black | 1 << cell, white], child),
                None => {
                    let body = white_moves(self.rules, black | 1 << cell, white);
                    Link::Inline(Box::new(body.unwrap_or(Body::NO_PROOF)))
                }
            };
            list.push((Some(cell), link));
        }
        Body::All(list, Closing::default())
    }
}

/// A leaf, if one of the rules settles the position.
fn leaf(rules: &Rules, black: Cells, white: Cells, turn: Turn) -> Option<Body> {
    let mut family = Family::new(rules, black, white);
    if family.is_complete() {
        return None;
    }
    match turn {
        Turn::Or if family.is_less_than_half() => Some(Body::Leaf(1, None)),
        Turn::Or if family.is_disjoint() => Some(Body::Leaf(2, None)),
        Turn::Or => None,
        Turn::And if family.is_less_than_one() => Some(Body::Leaf(1, None)),
        Turn::And => {
            let cell = bits(family.white_threats()).next()?;
            Some(Body::Leaf(3, Some(cell)))
        }
    }
}

/// Black to move with the last stones: every stone has an answer after which nothing is left.
fn black_moves(rules: &Rules, black: Cells, white: Cells) -> Option<Body> {
    let mut list = Vec::new();
    for cell in bits(Family::new(rules, black, white).harmful()) {
        let body = white_moves(rules, black | 1 << cell, white)?;
        list.push((Some(cell), Link::Inline(Box::new(body))));
    }
    Some(Body::All(list, Closing::default()))
}

/// White to move with Black's last stones: one stone, or none, after which the rules settle it.
fn white_moves(rules: &Rules, black: Cells, white: Cells) -> Option<Body> {
    if let Some(leaf) = leaf(rules, black, white, Turn::And) {
        return Some(leaf);
    }
    let after = |cell: Option<u8>| {
        let white = white | cell.map_or(0, |cell| 1 << cell);
        let body = leaf(rules, black, white, Turn::Or)?;
        Some(Body::One(cell, Link::Inline(Box::new(body))))
    };
    if let Some(found) = after(None) {
        return Some(found);
    }
    let empty = rules.all & !(black | white);
    bits(empty).find_map(|cell| after(Some(cell)))
}
