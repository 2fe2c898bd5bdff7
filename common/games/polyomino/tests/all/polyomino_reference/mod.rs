//! Polyomino achievement from the rules alone: own placements, own minimax over sets of stones, no
//! zones and no bounds. It shares only the spelling of shapes with the game.

use std::collections::{BTreeSet, HashMap};

use hasami_andor::Turn;
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::{Position, shape::Shape};

/// A board of at most 32 cells, all placements of the shapes, and the known positions.
pub struct Reference {
    pub cells: u32,
    pub placements: Vec<u32>,
    strong: bool,
    /// How many stones Black may use.
    stones: u32,
    /// The cells that Black may play on.
    may: u32,
    known: HashMap<(u32, u32, bool), bool>,
    /// Most positions to visit.
    budget: usize,
}

/// All images of a shape, each a set of (row, column) that touches row 0 and column 0.
pub fn images(shape: &Shape) -> BTreeSet<Vec<(i32, i32)>> {
    let mut cells: Vec<(i32, i32)> =
        shape.cells().iter().map(|&(row, column)| (i32::from(row), i32::from(column))).collect();
    let mut images = BTreeSet::new();
    for turn in 0..8 {
        // A quarter turn each time, and a mirror after four of them.
        for cell in &mut cells {
            *cell = (cell.1, -cell.0);
            if turn == 4 {
                cell.1 = -cell.1;
            }
        }
        let top = cells.iter().map(|cell| cell.0).min().unwrap();
        let left = cells.iter().map(|cell| cell.1).min().unwrap();
        let mut image: Vec<_> = cells.iter().map(|cell| (cell.0 - top, cell.1 - left)).collect();
        image.sort_unstable();
        images.insert(image);
    }
    images
}

impl Reference {
    pub fn new(shapes: &[Shape], (rows, columns): (u8, u8), strong: bool, stones: u32) -> Self {
        let (rows, columns) = (i32::from(rows), i32::from(columns));
        let mut placements = BTreeSet::new();
        for image in shapes.iter().flat_map(images) {
            for down in 0..rows {
                for right in 0..columns {
                    let moved = image.iter().map(|cell| (cell.0 + down, cell.1 + right));
                    if moved.clone().all(|(row, column)| row < rows && column < columns) {
                        let bit = |(row, column)| 1u32 << (row * columns + column);
                        placements.insert(moved.map(bit).sum());
                    }
                }
            }
        }
        Self {
            cells: (rows * columns) as u32,
            placements: placements.into_iter().collect(),
            strong,
            stones,
            may: u32::MAX,
            known: HashMap::new(),
            budget: usize::MAX,
        }
    }

    /// The same rules, but Black may play on these cells only.
    pub fn within(&self, may: u32) -> Self {
        let placements = self.placements.clone();
        Self { may, placements, known: HashMap::new(), ..*self }
    }

    /// Gives up on questions that take more positions than this.
    pub fn with_budget(mut self, positions: usize) -> Self {
        self.budget = positions;
        self
    }

    pub fn completes(&self, stones: u32) -> bool {
        self.placements.iter().any(|placement| placement & !stones == 0)
    }

    /// Whether Black completes a shape with the stones left, and (strong) before White.
    /// `None` if the budget is used up.
    pub fn black_wins(&mut self, black: u32, white: u32, turn: Turn) -> Option<bool> {
        if self.completes(black) {
            return Some(true);
        }
        if self.strong && self.completes(white) || black.count_ones() >= self.stones {
            return Some(false);
        }
        let key = (black, white, turn == Turn::Or);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.known.len() >= self.budget {
            return None;
        }
        let wins = match turn {
            Turn::Or => self.black_moves(black, white),
            Turn::And => self.white_moves(black, white),
        }?;
        self.known.insert(key, wins);
        Some(wins)
    }

    fn black_moves(&mut self, black: u32, white: u32) -> Option<bool> {
        // Winning cells first: it saves much and changes nothing.
        let mut empty = self.empty(black, white);
        empty.retain(|cell| self.may & cell != 0);
        if empty.iter().any(|cell| self.completes(black | cell)) {
            return Some(true);
        }
        for cell in empty {
            if self.black_wins(black | cell, white, Turn::And)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn white_moves(&mut self, black: u32, white: u32) -> Option<bool> {
        let empty = self.empty(black, white);
        if self.strong && empty.iter().any(|cell| self.completes(white | cell)) {
            return Some(false);
        }
        // Cells that Black wins on: with two White is late, with one White must play there.
        let wins = |cell: &u32| self.may & cell != 0 && self.completes(black | cell);
        let threats: Vec<u32> = empty.iter().copied().filter(wins).collect();
        match threats[..] {
            [] => {}
            [cell] => return self.black_wins(black, white | cell, Turn::Or),
            // With no stone left Black would have been refused before.
            _ => return Some(true),
        }
        for &cell in &empty {
            if !self.black_wins(black, white | cell, Turn::Or)? {
                return Some(false);
            }
        }
        Some(!empty.is_empty())
    }

    fn empty(&self, black: u32, white: u32) -> Vec<u32> {
        (0..self.cells).map(|cell| 1 << cell).filter(|bit| (black | white) & bit == 0).collect()
    }

    /// The same for a position of the game.
    pub fn value(&mut self, state: &Position) -> Option<bool> {
        self.black_wins(state.black as u32, state.white as u32, state.turn)
    }
}

/// One to three shapes, most of three or four cells.
pub fn random_shapes(random: &mut SplitMix, largest: u32) -> Vec<Shape> {
    (0..1 + random.below(3))
        .map(|_| {
            let size = match random.below(12) {
                0 => 2,
                1..4 => 3,
                4..10 => 4,
                _ => 5,
            };
            let all = Shape::all_of_size(size.min(largest) as usize);
            all[random.below(all.len() as u32) as usize].clone()
        })
        .collect()
}

/// A set of shapes as the game spells it.
pub fn pictures(shapes: &[Shape]) -> String {
    shapes.iter().map(Shape::picture).collect::<Vec<_>>().join(",")
}

/// Runs one job for each number below `count`, on two threads; returns the sums of their results.
pub fn on_two_cores<const N: usize>(count: u64, job: impl Fn(u64) -> [u64; N] + Sync) -> [u64; N] {
    let sum = |one: [u64; N], other: [u64; N]| std::array::from_fn(|at| one[at] + other[at]);
    let lane = |lane: u64| {
        let results = (lane..count).step_by(2).map(&job);
        results.fold([0; N], sum)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| lane(1));
        let (one, other) = (lane(0), other.join().unwrap());
        sum(one, other)
    })
}
