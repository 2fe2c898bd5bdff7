//! Several strategies for White. All of them complete a shape if they can, and usually stop Black
//! from doing so.

use std::collections::BTreeSet;

use hasami_game::random::SplitMix;

use super::board::{Board, Place, Side};

#[derive(Clone, Copy, Debug)]
pub enum White {
    /// Anywhere, usually near stones.
    Random,
    /// Builds its own shapes, far from Black.
    Builder,
    /// Takes cells that Black needs, outside the zone if possible.
    Blocker,
    /// Builds from just outside the window.
    Edge,
}

impl White {
    pub const ALL: [Self; 4] = [Self::Random, Self::Builder, Self::Blocker, Self::Edge];

    pub fn choose(self, board: &Board, zone: &BTreeSet<Place>, random: &mut SplitMix) -> Place {
        let mut near = around(board, 2);
        if let Some(&cell) = near.iter().find(|&&cell| board.completes(cell, Side::White)) {
            return cell;
        }
        let threats: Vec<Place> =
            near.iter().copied().filter(|&cell| board.completes(cell, Side::Black)).collect();
        if !threats.is_empty() && random.below(20) > 0 {
            return one_of(&threats, random);
        }
        match self {
            Self::Random => {}
            Self::Builder => {
                if board.stones(Side::White).len() < 2 || random.below(8) == 0 {
                    near.extend(around(board, 3));
                    near.push(anywhere(board, random));
                }
                near.retain(|cell| !zone.contains(cell) || random.below(10) == 0);
                return best(board, near, &[Side::White], random);
            }
            Self::Blocker => {
                let keep_out = random.below(10) > 0;
                near.retain(|cell| !keep_out || !zone.contains(cell));
                return best(board, near, &[Side::Black, Side::White], random);
            }
            Self::Edge => {
                let reach = 1 + random.below(2) as i32;
                let own = board.stones(Side::White);
                let mut cells: Vec<Place> =
                    board.empty().filter(|&cell| at_edge(board, cell, reach)).collect();
                if own.len() > 1 {
                    cells.extend(near);
                    cells.retain(|cell| !zone.contains(cell) || random.below(6) == 0);
                }
                return best(board, cells, &[Side::White], random);
            }
        }
        match random.below(10) {
            0 => anywhere(board, random),
            1..3 if !zone.is_empty() => {
                let cells: Vec<Place> =
                    zone.iter().copied().filter(|&cell| board.get(cell).is_none()).collect();
                if cells.is_empty() { anywhere(board, random) } else { one_of(&cells, random) }
            }
            _ => one_of(&near, random),
        }
    }
}

/// Empty cells close to stones, or to the middle if there are none.
fn around(board: &Board, distance: i32) -> Vec<Place> {
    let stones = [board.stones(Side::Black), board.stones(Side::White)].concat();
    let close = |cell: Place, stone: &Place| {
        (cell.0 - stone.0).abs() <= distance && (cell.1 - stone.1).abs() <= distance
    };
    board.empty().filter(|&cell| stones.iter().any(|stone| close(cell, stone))).collect()
}

/// Outside the window, at most `reach` cells away from it.
fn at_edge(board: &Board, cell: Place, reach: i32) -> bool {
    let (row, column) = (cell.0 - board.corner.0, cell.1 - board.corner.1);
    board.in_window(cell).is_none()
        && (-reach..board.window.0 + reach).contains(&row)
        && (-reach..board.window.1 + reach).contains(&column)
}

fn anywhere(board: &Board, random: &mut SplitMix) -> Place {
    let empty: Vec<Place> = board.empty().collect();
    one_of(&empty, random)
}

fn one_of(cells: &[Place], random: &mut SplitMix) -> Place {
    cells[random.below(cells.len() as u32) as usize]
}

/// The best cell for these sides, by the placements through it, with some randomness.
fn best(board: &Board, cells: Vec<Place>, sides: &[Side], random: &mut SplitMix) -> Place {
    let weight = |cell: Place| -> u64 {
        let of = |&side: &Side| board.through(cell, side).map(|(own, _)| 1 << (3 * own));
        sides.iter().flat_map(of).sum()
    };
    let rated = cells.into_iter().map(|cell| (cell, weight(cell)));
    let rated = rated.map(|(cell, weight)| (cell, weight * u64::from(10 + random.below(8))));
    match rated.max_by_key(|&(_, weight)| weight) {
        Some((cell, _)) => cell,
        None => anywhere(board, random),
    }
}
