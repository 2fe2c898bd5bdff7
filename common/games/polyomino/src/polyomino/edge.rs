//! Placements that extend over the edge of a window on a larger board.

use crate::polyomino::grid::{Grid, bits};
use crate::polyomino::shape::extent;

/// A placement that extends over the edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overhang {
    /// Number of its cells outside.
    pub outside: u32,
    /// Its cells on the grid.
    pub inside: u128,
}

/// All such placements.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// Those with few cells outside first.
    overhangs: Vec<Overhang>,
    /// The same by the side of the grid they touch: the number of stones on a side answers most
    /// queries.
    sides: Vec<Side>,
}

/// Placements on one side of the grid with the same number of cells outside.
#[derive(Clone, Debug)]
struct Side {
    outside: u32,
    /// The cells of all of them on the grid.
    inside: u128,
    overhangs: Vec<Overhang>,
}

impl Edge {
    /// Adds the placements of a pattern that lie partly on the grid.
    pub fn add(&mut self, grid: &Grid, cells: &[(u8, u8)]) {
        let (tall, wide) = extent(cells);
        let (height, width) = (i32::from(grid.height), i32::from(grid.width));
        for down in 1 - i32::from(tall)..height {
            for right in 1 - i32::from(wide)..width {
                let (mut inside, mut outside) = (0u128, 0);
                for &(row, column) in cells {
                    let (row, column) = (i32::from(row) + down, i32::from(column) + right);
                    if (0..height).contains(&row) && (0..width).contains(&column) {
                        inside |= 1 << grid.cell((row as u8, column as u8));
                    } else {
                        outside += 1;
                    }
                }
                if inside != 0 && outside > 0 {
                    self.overhangs.push(Overhang { outside, inside });
                }
            }
        }
    }

    /// Sorts them, once all are added.
    pub fn finish(&mut self, grid: &Grid) {
        self.overhangs.sort_unstable();
        self.overhangs.dedup();
        let cells = |is: &dyn Fn((u8, u8)) -> bool| {
            bits(grid.all)
                .filter(|&cell| is(grid.place(cell)))
                .fold(0u128, |all, cell| all | 1 << cell)
        };
        let borders = [
            cells(&|(row, _)| row == 0),
            cells(&|(row, _)| row + 1 == grid.height),
            cells(&|(_, column)| column == 0),
            grid.all,
        ];
        let most = self.overhangs.last().map_or(0, |overhang| overhang.outside);
        for outside in 1..=most {
            let mut rest: Vec<Overhang> = self.overhangs.clone();
            rest.retain(|overhang| overhang.outside == outside);
            // Every overhang touches a border; the last side takes all that are left.
            for border in borders {
                let (here, others) =
                    rest.into_iter().partition(|overhang| overhang.inside & border != 0);
                rest = others;
                let overhangs: Vec<Overhang> = here;
                let inside = overhangs.iter().fold(0, |all, overhang| all | overhang.inside);
                self.sides.push(Side { outside, inside, overhangs });
            }
        }
    }

    /// Those with at most this many cells outside, in order.
    pub fn reaching_out(&self, most: u32) -> impl Iterator<Item = &Overhang> {
        self.overhangs.iter().take_while(move |overhang| overhang.outside <= most)
    }

    /// Whether any with at most `most` cells outside satisfies the predicate. The predicate must be
    /// false for those with fewer of the stones `own` than `least` gives for their number of cells
    /// outside.
    #[inline]
    pub fn any(
        &self,
        own: u128,
        most: u32,
        least: impl Fn(u32) -> u32,
        wanted: impl Fn(&Overhang) -> bool,
    ) -> bool {
        self.sides.iter().take_while(|side| side.outside <= most).any(|side| {
            (own & side.inside).count_ones() >= least(side.outside)
                && side.overhangs.iter().any(&wanted)
        })
    }
}
