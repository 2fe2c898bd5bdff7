//! Independent parts: the regions between immortal stones. Each is cut out with the walls around
//! it, so that equal parts of different boards are equal boards.

use super::board::{Board, Cell, Point};

/// A part of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part with its walls; everything else is outside.
    pub board: Board,
    /// For each point of it, the point of the whole board.
    pub points: Vec<Option<Point>>,
}

/// Splits a board into its parts. Stones connected to immortal ones become immortal.
#[must_use]
pub fn parts(board: &Board) -> Vec<Part> {
    let board = with_walls_grown(board);
    let mut seen = vec![false; board.cells().len()];
    let mut found = Vec::new();
    for start in 0..board.cells().len() {
        if board.at(start).is_open() && !seen[start] {
            let points = board.joined(start, Cell::is_open);
            for &point in &points {
                seen[point] = true;
            }
            found.push(cut(&board, &points));
        }
    }
    found
}

/// A chain with an immortal stone is immortal.
fn with_walls_grown(board: &Board) -> Board {
    let mut grown = board.clone();
    let mut next: Vec<Point> =
        (0..board.cells().len()).filter(|&at| matches!(board.at(at), Cell::Wall(_))).collect();
    while let Some(point) = next.pop() {
        let Cell::Wall(colour) = grown.at(point) else { continue };
        for near in board.neighbours(point) {
            if grown.at(near) == Cell::Stone(colour) {
                grown.set(near, Cell::Wall(colour));
                next.push(near);
            }
        }
    }
    grown
}

fn cut(board: &Board, points: &[Point]) -> Part {
    let columns = board.columns();
    let bounds = |coordinate: fn(Point, usize) -> usize| {
        let all = points.iter().map(|&point| coordinate(point, columns));
        all.clone().min().zip(all.max()).expect("a part has a point")
    };
    let (top, bottom) = bounds(|point, columns| point / columns);
    let (left, right) = bounds(|point, columns| point % columns);
    // One line of walls on each side, whether the board has them or ends there.
    let (rows, width) = (bottom - top + 3, right - left + 3);
    let mut cut = Board::new(width, vec![Cell::Outside; rows * width]);
    let mut origins = vec![None; rows * width];
    let mut put = |point: Point| {
        let (row, column) = (point / columns + 1 - top, point % columns + 1 - left);
        cut.set(row * width + column, board.at(point));
        origins[row * width + column] = Some(point);
    };
    for &point in points {
        put(point);
        board.neighbours(point).filter(|&near| !board.at(near).is_open()).for_each(&mut put);
    }
    Part { board: cut, points: origins }
}

impl Board {
    /// The same board in one of its eight orientations: bit 0 mirrors columns, bit 1 rows, bit 2
    /// swaps rows and columns.
    #[must_use]
    pub fn turned(&self, turn: u8) -> Self {
        let (rows, columns) = (self.rows(), self.columns());
        let (height, width) = if turn & 4 == 0 { (rows, columns) } else { (columns, rows) };
        let mut cells = Vec::with_capacity(rows * columns);
        for row in 0..height {
            for column in 0..width {
                let (mut r, mut c) = if turn & 4 == 0 { (row, column) } else { (column, row) };
                if turn & 1 != 0 {
                    c = columns - 1 - c;
                }
                if turn & 2 != 0 {
                    r = rows - 1 - r;
                }
                cells.push(self.at(r * columns + c));
            }
        }
        Self::new(width, cells)
    }

    /// A normal form for all orientations and both colourings, and whether the colours were
    /// swapped.
    #[must_use]
    pub fn normal(&self) -> (Self, bool) {
        let turns = (0..8).map(|turn| self.turned(turn)).min().expect("eight turns");
        let reversed = self.reversed();
        let other = (0..8).map(|turn| reversed.turned(turn)).min().expect("eight turns");
        if other < turns { (other, true) } else { (turns, false) }
    }
}
