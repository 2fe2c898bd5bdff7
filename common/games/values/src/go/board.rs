//! Points and stones, and the effect of moves: captures and the suicide rule.

use std::ops::Neg;

/// The longest side of a board, walls included.
pub const MAX_SIDE: usize = 80;

/// A player. Black is Left, and what Black gets is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Left.
    Black,
    /// Right.
    White,
}

impl Colour {
    /// Black, then White.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The other colour.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// 1 for Black, -1 for White: the sign of what the colour gets.
    #[must_use]
    pub fn sign(self) -> i64 {
        match self {
            Self::Black => 1,
            Self::White => -1,
        }
    }

    /// `Black` or `White`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Black => "Black",
            Self::White => "White",
        }
    }
}

/// The contents of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// Not a point of the board.
    Outside,
    /// No stone.
    Empty,
    /// A stone that can be captured.
    Stone(Colour),
    /// An immortal stone.
    Wall(Colour),
}

impl Cell {
    /// The colour of its stone, immortal or not.
    #[must_use]
    pub fn colour(self) -> Option<Colour> {
        match self {
            Self::Stone(colour) | Self::Wall(colour) => Some(colour),
            Self::Outside | Self::Empty => None,
        }
    }

    /// Whether it can change: an empty point or a stone that can be captured.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Empty | Self::Stone(_))
    }
}

/// Swaps the colours.
impl Neg for Cell {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Self::Stone(colour) => Self::Stone(colour.other()),
            Self::Wall(colour) => Self::Wall(colour.other()),
            same => same,
        }
    }
}

/// A point by its index in the board, row by row.
pub type Point = usize;

/// Whether stones may be placed without a liberty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Never.
    #[default]
    Forbidden,
    /// Two stones or more; a single stone would only repeat the position.
    Allowed,
}

/// Stones on points.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    columns: usize,
    cells: Vec<Cell>,
}

/// A board after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The board.
    pub board: Board,
    /// Prisoners taken by Black, minus those taken by White.
    pub prisoners: i64,
    /// Points from which stones were removed.
    pub taken: Vec<Point>,
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The point is not empty.
    NotEmpty,
    /// The stone would have no liberty.
    Suicide,
}

impl Board {
    /// A board of these points, row by row.
    ///
    /// # Panics
    /// If the points do not make whole rows.
    #[must_use]
    pub fn new(columns: usize, cells: Vec<Cell>) -> Self {
        assert!(columns > 0 && cells.len().is_multiple_of(columns), "whole rows");
        Self { columns, cells }
    }

    /// Length of a row.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// All points, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The contents of a point.
    #[must_use]
    pub fn at(&self, point: Point) -> Cell {
        self.cells[point]
    }

    /// Changes the contents of a point.
    pub fn set(&mut self, point: Point, cell: Cell) {
        self.cells[point] = cell;
    }

    /// The points of the board next to a point.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let (columns, all) = (self.columns, self.cells.len());
        let column = point % columns;
        [
            (point >= columns).then(|| point.wrapping_sub(columns)),
            (column > 0).then(|| point.wrapping_sub(1)),
            (column + 1 < columns).then_some(point + 1),
            (point + columns < all).then_some(point + columns),
        ]
        .into_iter()
        .flatten()
    }

    /// The empty points.
    pub fn empty(&self) -> impl Iterator<Item = Point> {
        (0..self.cells.len()).filter(|&point| self.cells[point] == Cell::Empty)
    }

    /// All points connected to this one through points that satisfy `within`.
    #[must_use]
    pub fn joined(&self, from: Point, within: impl Fn(Cell) -> bool) -> Vec<Point> {
        let mut found = vec![from];
        let mut seen = vec![false; self.cells.len()];
        seen[from] = true;
        let mut next = 0;
        while next < found.len() {
            for point in self.neighbours(found[next]) {
                if !seen[point] && within(self.cells[point]) {
                    seen[point] = true;
                    found.push(point);
                }
            }
            next += 1;
        }
        found
    }

    /// The stones connected to the stone on this point.
    #[must_use]
    pub fn chain(&self, point: Point) -> Vec<Point> {
        let colour = self.cells[point].colour();
        self.joined(point, |cell| cell.colour() == colour && colour.is_some())
    }

    /// Whether a chain is safe now: it has a liberty, or an immortal stone.
    #[must_use]
    pub fn stands(&self, chain: &[Point]) -> bool {
        chain.iter().any(|&point| {
            matches!(self.cells[point], Cell::Wall(_))
                || self.neighbours(point).any(|next| self.cells[next] == Cell::Empty)
        })
    }

    /// Places a stone of this colour and removes chains without a liberty.
    ///
    /// # Errors
    /// If the rules forbid it.
    pub fn play(&self, colour: Colour, point: Point, suicide: Suicide) -> Result<Played, Illegal> {
        if self.cells[point] != Cell::Empty {
            return Err(Illegal::NotEmpty);
        }
        let mut board = self.clone();
        board.cells[point] = Cell::Stone(colour);
        let mut taken = Vec::new();
        for next in self.neighbours(point) {
            if board.cells[next] == Cell::Stone(colour.other()) {
                let chain = board.chain(next);
                if !board.stands(&chain) {
                    board.take(&chain);
                    taken.extend(chain);
                }
            }
        }
        let mut prisoners = colour.sign() * taken.len() as i64;
        if taken.is_empty() {
            let chain = board.chain(point);
            if !board.stands(&chain) {
                if suicide == Suicide::Forbidden || chain.len() == 1 {
                    return Err(Illegal::Suicide);
                }
                board.take(&chain);
                prisoners = -colour.sign() * chain.len() as i64;
                taken = chain;
            }
        }
        Ok(Played { board, prisoners, taken })
    }

    fn take(&mut self, chain: &[Point]) {
        for &point in chain {
            self.cells[point] = Cell::Empty;
        }
    }

    /// The board with the colours swapped.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { columns: self.columns, cells: self.cells.iter().map(|&cell| -cell).collect() }
    }

    /// A stone without a liberty, if there is one: no legal play leaves such a board.
    #[must_use]
    pub fn choked(&self) -> Option<Point> {
        (0..self.cells.len()).find(|&point| {
            matches!(self.cells[point], Cell::Stone(_)) && !self.stands(&self.chain(point))
        })
    }
}
