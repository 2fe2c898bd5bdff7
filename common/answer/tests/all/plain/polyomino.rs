//! Polyomino achievement on a small board: the fewest stones with which Black wins.

use std::collections::{BTreeSet, HashMap};

/// No number of stones is enough.
pub const NEVER: u32 = u32::MAX;

pub struct Polyomino {
    cells: u32,
    placements: Vec<u32>,
    strong: bool,
    /// By Black's and White's cells: the side to move follows from their number.
    known: HashMap<(u32, u32), u32>,
}

impl Polyomino {
    /// The shapes are pictures: rows of `#` and `.` separated by `/`.
    pub fn new(shapes: &[&str], rows: i32, columns: i32, strong: bool) -> Self {
        let mut placements = BTreeSet::new();
        for shape in shapes {
            let rows_of = shape.split('/').enumerate();
            let mut cells: Vec<(i32, i32)> = rows_of
                .flat_map(|(row, line)| {
                    let filled = line.chars().enumerate().filter(|(_, sign)| *sign == '#');
                    filled.map(move |(column, _)| (row as i32, column as i32))
                })
                .collect();
            for image in 0..8 {
                for cell in &mut cells {
                    *cell = if image == 4 { (-cell.0, cell.1) } else { (cell.1, -cell.0) };
                }
                for (down, right) in
                    (-8..8).flat_map(|down| (-8..8).map(move |right| (down, right)))
                {
                    let moved = cells.iter().map(|&(row, column)| (row + down, column + right));
                    let inside = |(row, column): (i32, i32)| {
                        (0..rows).contains(&row) && (0..columns).contains(&column)
                    };
                    if moved.clone().all(inside) {
                        placements.insert(moved.map(|(r, c)| 1u32 << (r * columns + c)).sum());
                    }
                }
            }
        }
        let cells = (rows * columns) as u32;
        Self { cells, placements: placements.into_iter().collect(), strong, known: HashMap::new() }
    }

    fn complete(&self, stones: u32) -> bool {
        self.placements.iter().any(|placement| stones & placement == *placement)
    }

    /// The fewest stones that Black has at the end from this position; [`NEVER`] if White prevents
    /// a win.
    pub fn fewest(&mut self, black: u32, white: u32) -> u32 {
        if self.complete(black) {
            return black.count_ones();
        }
        let full = (black | white).count_ones() == self.cells;
        if full || self.strong && self.complete(white) {
            return NEVER;
        }
        if let Some(&known) = self.known.get(&(black, white)) {
            return known;
        }
        let blacks = black.count_ones() == white.count_ones();
        let empty =
            (0..self.cells).map(|cell| 1 << cell).filter(|cell| (black | white) & cell == 0);
        let fewest = if blacks {
            empty.map(|cell| self.fewest(black | cell, white)).min()
        } else {
            empty.map(|cell| self.fewest(black, white | cell)).max()
        };
        let fewest = fewest.expect("an empty cell");
        self.known.insert((black, white), fewest);
        fewest
    }
}
