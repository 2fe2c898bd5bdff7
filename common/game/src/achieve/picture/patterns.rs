//! The patterns with which Black wins: stones, and two cells either of which completes a placement.

use std::collections::HashMap;

use crate::achieve::read::{Link, Node, Tree};
use crate::achieve::rules::{Cells, Rules, bits};

/// Row and column in a pattern.
type Place = (u32, u32);

/// A pattern, in the least of its orientations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub height: u32,
    pub width: u32,
    pub stones: Vec<Place>,
    pub threats: Vec<Place>,
}

/// The patterns of a proof, those that it uses most often first.
pub fn patterns(rules: &Rules, tree: &Tree) -> Vec<Pattern> {
    let mut collected = Collected { rules, tree, met: Vec::new(), counts: HashMap::new() };
    collected.met = vec![false; tree.iter().count()];
    collected.node(tree.root, 0);
    let mut counts: Vec<(Vec<(Place, bool)>, u32)> = collected.counts.into_iter().collect();
    counts.sort_by(|(one, often), (other, seldom)| {
        seldom.cmp(often).then(one.len().cmp(&other.len())).then(one.cmp(other))
    });
    let pattern = |(places, _): (Vec<(Place, bool)>, u32)| {
        let of = |threat: bool| {
            places.iter().filter(|(_, is)| *is == threat).map(|&(place, _)| place).collect()
        };
        Pattern {
            height: places.iter().map(|(place, _)| place.0 + 1).max().unwrap_or(0),
            width: places.iter().map(|(place, _)| place.1 + 1).max().unwrap_or(0),
            stones: of(false),
            threats: of(true),
        }
    };
    counts.into_iter().map(pattern).collect()
}

struct Collected<'a> {
    rules: &'a Rules,
    tree: &'a Tree,
    met: Vec<bool>,
    /// How often each pattern occurs, by its places and whether they are threats.
    counts: HashMap<Vec<(Place, bool)>, u32>,
}

impl Collected<'_> {
    /// A node is met first where it is written, and there in the frame of the root.
    fn node(&mut self, at: Link, black: Cells) {
        if std::mem::replace(&mut self.met[at.node], true) {
            return;
        }
        match self.tree.node(at.node) {
            Node::One(cell, below) => {
                self.node(*below, black | cell.map_or(0, |cell| 1 << cell));
            }
            Node::All(answers, closing) => {
                if closing.threats.count_ones() >= 2 {
                    let places = self.places(black, closing.threats);
                    *self.counts.entry(places).or_default() += 1;
                }
                answers.iter().for_each(|(_, below)| self.node(*below, black));
            }
            Node::Leaf { .. } => {}
        }
    }

    /// Two threats and the stones they need, few of them, in the least orientation.
    fn places(&self, black: Cells, threats: Cells) -> Vec<(Place, bool)> {
        let whole = |cell: u8| {
            let all = self.rules.through(cell).iter().copied();
            all.filter(move |placement| placement & !black == 1 << cell)
        };
        let mut cells = bits(threats);
        let (one, other) = (cells.next().unwrap_or(0), cells.next().unwrap_or(0));
        let both = whole(one).flat_map(|first| whole(other).map(move |second| first | second));
        let all = both.min_by_key(|all| all.count_ones()).unwrap_or(0);
        let pair: Cells = 1 << one | 1 << other;
        let places = |kind: u8| {
            let turned: Vec<((i32, i32), bool)> = bits(all)
                .map(|cell| {
                    let (mut row, mut column) = (cell / self.rules.width, cell % self.rules.width);
                    if kind & 4 != 0 {
                        (row, column) = (column, row);
                    }
                    let (row, column) = (i32::from(row), i32::from(column));
                    let mirrored = |at: i32, mirror: bool| if mirror { -at } else { at };
                    let place = (mirrored(row, kind & 2 != 0), mirrored(column, kind & 1 != 0));
                    (place, pair >> cell & 1 == 1)
                })
                .collect();
            let top = turned.iter().map(|(place, _)| place.0).min().unwrap_or(0);
            let left = turned.iter().map(|(place, _)| place.1).min().unwrap_or(0);
            let at = |((row, column), is): ((i32, i32), bool)| {
                (((row - top) as u32, (column - left) as u32), is)
            };
            let mut places: Vec<(Place, bool)> = turned.into_iter().map(at).collect();
            places.sort_unstable();
            places
        };
        (0..8).map(places).min().unwrap_or_default()
    }
}
