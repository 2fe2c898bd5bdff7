//! Families of positions: corridors, sockets, and rooms with one door.

use std::collections::BTreeSet;

use super::board::{Board, Cell, Colour};

/// A passage between Black walls with White at its mouth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corridor {
    /// Black has the far end: `O...X`.
    Blocked,
    /// White has both ends: `O...O`.
    Open,
    /// This many dead White stones at the far end: `O..ooX`.
    Gold(usize),
    /// This many Black stones at the far end, which are captured when White gets there: `O...xx`
    /// with White all around them.
    Socket(usize),
}

/// A corridor of this many empty points, at least one.
#[must_use]
pub fn corridor(kind: Corridor, length: usize) -> Board {
    let (black, white) = (Cell::Wall(Colour::Black), Cell::Wall(Colour::White));
    let mut row = vec![white];
    row.extend(vec![Cell::Empty; length.max(1)]);
    let passage = row.len();
    let (stone, stones, end) = match kind {
        Corridor::Blocked => (Cell::Empty, 0, black),
        Corridor::Open => (Cell::Empty, 0, white),
        Corridor::Gold(stones) => (Cell::Stone(Colour::White), stones, black),
        Corridor::Socket(stones) => (Cell::Stone(Colour::Black), stones, white),
    };
    row.extend(vec![stone; stones]);
    row.push(end);
    let columns = row.len();
    let mut side = vec![black; columns];
    if let Corridor::Socket(_) = kind {
        side[passage..].fill(white);
    }
    Board::new(columns, [side.clone(), row, side].concat())
}

/// All rooms of up to this many points with Black walls and one White door, up to rotation and
/// reflection, in ascending size. A door opens to one point of the room: a White stone in an inner
/// corner would be two doors.
#[must_use]
pub fn rooms(most: usize) -> Vec<Board> {
    let mut all = Vec::new();
    let mut shapes = BTreeSet::from([vec![(0i32, 0i32)]]);
    for points in 1..=most {
        for shape in &shapes {
            let doors: BTreeSet<Board> = walls_of(shape)
                .into_iter()
                .filter(|&door| near(door).iter().filter(|cell| shape.contains(cell)).count() == 1)
                .map(|door| upright(&room(shape, door)))
                .collect();
            all.extend(doors);
        }
        if points < most {
            shapes = grown(&shapes);
        }
    }
    all
}

fn room(shape: &[(i32, i32)], door: (i32, i32)) -> Board {
    let rows = shape.iter().map(|cell| cell.0).max().unwrap_or(0) + 3;
    let columns = shape.iter().map(|cell| cell.1).max().unwrap_or(0) + 3;
    let mut cells = vec![Cell::Outside; (rows * columns) as usize];
    let mut put = |(row, column): (i32, i32), cell| {
        cells[((row + 1) * columns + column + 1) as usize] = cell;
    };
    for &cell in shape {
        put(cell, Cell::Empty);
    }
    for wall in walls_of(shape) {
        put(wall, Cell::Wall(if wall == door { Colour::White } else { Colour::Black }));
    }
    Board::new(columns as usize, cells)
}

fn near((row, column): (i32, i32)) -> [(i32, i32); 4] {
    [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
}

/// The points adjacent to a shape.
fn walls_of(shape: &[(i32, i32)]) -> BTreeSet<(i32, i32)> {
    shape.iter().flat_map(|&cell| near(cell)).filter(|cell| !shape.contains(cell)).collect()
}

/// Every shape with one more point, in one orientation each.
fn grown(shapes: &BTreeSet<Vec<(i32, i32)>>) -> BTreeSet<Vec<(i32, i32)>> {
    let mut all = BTreeSet::new();
    for shape in shapes {
        for wall in walls_of(shape) {
            let mut larger = shape.clone();
            larger.push(wall);
            all.insert(settled(&larger));
        }
    }
    all
}

/// A shape in the least of its eight orientations, in the corner.
fn settled(shape: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let turns = (0..8).map(|turn| {
        let turned = shape.iter().map(|&(row, column)| {
            let (row, column) = if turn & 4 == 0 { (row, column) } else { (column, row) };
            let row = if turn & 1 == 0 { row } else { -row };
            (row, if turn & 2 == 0 { column } else { -column })
        });
        let mut turned: Vec<(i32, i32)> = turned.collect();
        let top = turned.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = turned.iter().map(|cell| cell.1).min().unwrap_or(0);
        turned.iter_mut().for_each(|cell| *cell = (cell.0 - top, cell.1 - left));
        turned.sort_unstable();
        turned
    });
    turns.min().unwrap_or_default()
}

/// A board in a canonical one of its eight orientations.
fn upright(board: &Board) -> Board {
    (0..8).map(|turn| board.turned(turn)).min().unwrap_or_else(|| board.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corridors_look_like_their_pictures() {
        for (kind, length, picture) in [
            (Corridor::Blocked, 3, "XXXXX\nO...X\nXXXXX"),
            (Corridor::Open, 2, "XXXX\nO..O\nXXXX"),
            (Corridor::Gold(2), 1, "XXXXX\nO.ooX\nXXXXX"),
            (Corridor::Socket(2), 2, "XXXOOO\nO..xxO\nXXXOOO"),
        ] {
            assert_eq!(corridor(kind, length).to_string(), picture);
        }
    }

    /// Points adjacent to each free polyomino, up to the symmetry of the polyomino.
    #[test]
    fn rooms_are_counted_up_to_symmetry() {
        let counts: Vec<usize> = (1..=5).map(|most| rooms(most).len()).collect();
        // By hand: 1; end and side; 3 + 3; 3 + 8 + 4 + 3 + 1. The census in the data has 95 up to 5 points.
        assert_eq!(counts, [1, 3, 9, 28, 95]);
        // All shapes: 1, 1, 2, 5, 12, 35, 108 free polyominoes.
        let mut shapes = BTreeSet::from([vec![(0, 0)]]);
        let sizes: Vec<usize> = (1..=7)
            .map(|_| {
                let count = shapes.len();
                shapes = grown(&shapes);
                count
            })
            .collect();
        assert_eq!(sizes, [1, 1, 2, 5, 12, 35, 108]);
    }
}
