//! The referee: a board of 40×40 and the rules of the game, nothing else.

use super::strategy::Strategy;

/// Rows and columns of the real board.
pub const SIZE: i32 = 40;

/// A cell of the real board.
pub type Place = (i32, i32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Black,
    White,
}

pub struct Board<'a> {
    cells: Vec<Option<Side>>,
    /// Every image of every shape.
    images: &'a [Vec<Place>],
    /// The corner of the window, and its rows and columns.
    pub corner: Place,
    pub window: Place,
}

impl<'a> Board<'a> {
    pub fn new(strategy: &'a Strategy) -> Self {
        let window = strategy.window;
        Self {
            cells: vec![None; (SIZE * SIZE) as usize],
            images: &strategy.images,
            corner: ((SIZE - window.0) / 2, (SIZE - window.1) / 2),
            window,
        }
    }

    pub fn get(&self, (row, column): Place) -> Option<Side> {
        self.cells[(row * SIZE + column) as usize]
    }

    pub fn has(&self, (row, column): Place) -> bool {
        (0..SIZE).contains(&row) && (0..SIZE).contains(&column)
    }

    pub fn place(&mut self, cell: Place, side: Side) {
        assert!(self.has(cell) && self.get(cell).is_none(), "{side:?} on {cell:?}");
        self.cells[(cell.0 * SIZE + cell.1) as usize] = Some(side);
    }

    pub fn empty(&self) -> impl Iterator<Item = Place> + '_ {
        (0..SIZE)
            .flat_map(|row| (0..SIZE).map(move |column| (row, column)))
            .filter(|&cell| self.get(cell).is_none())
    }

    pub fn stones(&self, side: Side) -> Vec<Place> {
        let all = (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)));
        all.filter(|&cell| self.get(cell) == Some(side)).collect()
    }

    /// For every placement through `cell` without the other side's stones: how many of its other
    /// cells are `side`'s, and how many cells it has.
    pub fn through(&self, cell: Place, side: Side) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.images.iter().flat_map(move |image| {
            image.iter().filter_map(move |anchor| {
                let mut own = 0;
                for part in image {
                    let at = (cell.0 + part.0 - anchor.0, cell.1 + part.1 - anchor.1);
                    if !self.has(at) {
                        return None;
                    }
                    match self.get(at) {
                        _ if at == cell => {}
                        None => {}
                        Some(found) if found == side => own += 1,
                        Some(_) => return None,
                    }
                }
                Some((own, image.len()))
            })
        })
    }

    /// Whether a stone of `side` on `cell`, present or not, completes a shape.
    pub fn completes(&self, cell: Place, side: Side) -> bool {
        self.through(cell, side).any(|(own, size)| own + 1 == size)
    }

    /// Row and column of a place within the window.
    pub fn in_window(&self, cell: Place) -> Option<Place> {
        let (row, column) = (cell.0 - self.corner.0, cell.1 - self.corner.1);
        let inside = (0..self.window.0).contains(&row) && (0..self.window.1).contains(&column);
        inside.then_some((row, column))
    }

    pub fn place_of(&self, (row, column): Place) -> Place {
        (self.corner.0 + row, self.corner.1 + column)
    }

    /// The part around the window as text.
    pub fn show(&self) -> String {
        let sign = |cell| match (self.get(cell), self.in_window(cell)) {
            (Some(Side::Black), _) => 'X',
            (Some(Side::White), _) => 'O',
            (None, Some(_)) => '.',
            (None, None) => ' ',
        };
        let line = |row| (0..SIZE).map(|column| sign((row, column))).collect::<String>();
        (0..SIZE).map(line).collect::<Vec<_>>().join("\n")
    }
}
