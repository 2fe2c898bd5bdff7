//! Board, placements and symmetries of an achievement game, as sets of cells.

use crate::play::Field;

/// A set of cells of the board or window; cell n is bit n.
pub type Cells = u128;

/// The cells of a set, from the lowest.
pub fn bits(mut cells: Cells) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then_some(cells.trailing_zeros() as u8)?;
        cells &= cells - 1;
        Some(cell)
    })
}

/// A placement that extends over the edge of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hanging {
    /// Its cells in the window.
    pub inside: Cells,
    /// Number of all its cells.
    pub size: u32,
}

/// The rules of a question.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Rows of the board or window.
    pub height: u8,
    /// Columns of it.
    pub width: u8,
    /// Every cell of it.
    pub all: Cells,
    /// Whether it is a window on the infinite board.
    pub infinite: bool,
    /// Whether White only blocks.
    pub weak: bool,
    /// How many stones Black may use.
    pub stones: Option<u32>,
    /// The placements on the board or window, each once.
    pub placements: Vec<Cells>,
    /// The numbers of cells of the shapes, each once, the smallest first.
    pub sizes: Vec<u32>,
    /// The placements through each cell.
    through: Vec<Vec<Cells>>,
    /// Those over the edge through each cell.
    hanging: Vec<Vec<Hanging>>,
    /// The image of each cell under each symmetry; only four unless the board is a square.
    images: Vec<Vec<u8>>,
    /// The symmetry that does the same as one after another: `composed[second][first]`.
    composed: Vec<Vec<u8>>,
}

impl Rules {
    /// The rules of a game.
    #[must_use]
    pub fn new(field: &Field) -> Self {
        let (height, width) = (i32::from(field.height), i32::from(field.width));
        let cells = (height * width) as u32;
        let mut rules = Self {
            height: field.height,
            width: field.width,
            all: Cells::MAX.checked_shr(128 - cells).unwrap_or(0),
            infinite: field.infinite,
            weak: field.weak,
            stones: field.stones,
            placements: Vec::new(),
            sizes: field.targets.iter().map(|target| target.len() as u32).collect(),
            through: vec![Vec::new(); cells as usize],
            hanging: vec![Vec::new(); cells as usize],
            images: Vec::new(),
            composed: Vec::new(),
        };
        rules.sizes.sort_unstable();
        rules.sizes.dedup();
        let mut hanging = Vec::new();
        for target in &field.targets {
            let tall = target.iter().map(|cell| i32::from(cell.0) + 1).max().unwrap_or(1);
            let wide = target.iter().map(|cell| i32::from(cell.1) + 1).max().unwrap_or(1);
            for down in 1 - tall..height {
                for right in 1 - wide..width {
                    let mut inside: Cells = 0;
                    for &(row, column) in target {
                        let (row, column) = (i32::from(row) + down, i32::from(column) + right);
                        if (0..height).contains(&row) && (0..width).contains(&column) {
                            inside |= 1 << (row * width + column);
                        }
                    }
                    let size = target.len() as u32;
                    if inside.count_ones() == size {
                        rules.placements.push(inside);
                    } else if inside != 0 && field.infinite {
                        hanging.push(Hanging { inside, size });
                    }
                }
            }
        }
        rules.placements.sort_unstable();
        rules.placements.dedup();
        hanging.sort_unstable();
        hanging.dedup();
        for &placement in &rules.placements {
            bits(placement).for_each(|cell| rules.through[usize::from(cell)].push(placement));
        }
        for &one in &hanging {
            bits(one.inside).for_each(|cell| rules.hanging[usize::from(cell)].push(one));
        }
        let kinds = if height == width { 8 } else { 4 };
        rules.images = (0..kinds)
            .map(|kind| (0..cells as u8).map(|cell| rules.image(cell, kind)).collect())
            .collect();
        rules.composed = (0..kinds)
            .map(|second| (0..kinds).map(|first| compose(second, first)).collect())
            .collect();
        rules
    }

    /// With bit 0 the columns are mirrored, with bit 1 the rows, then with bit 2 they are exchanged.
    fn image(&self, cell: u8, kind: u8) -> u8 {
        let (mut row, mut column) = (cell / self.width, cell % self.width);
        if kind & 1 != 0 {
            column = self.width - 1 - column;
        }
        if kind & 2 != 0 {
            row = self.height - 1 - row;
        }
        if kind & 4 != 0 {
            (row, column) = (column, row);
        }
        row * self.width + column
    }

    /// The number of symmetries.
    #[must_use]
    pub fn symmetries(&self) -> u8 {
        self.images.len() as u8
    }

    /// The image of a cell. The symmetry must be one of the board.
    #[must_use]
    pub fn turned_cell(&self, cell: u8, symmetry: u8) -> u8 {
        self.images[usize::from(symmetry)][usize::from(cell)]
    }

    /// The image of a set of cells. The symmetry must be one of the board.
    #[must_use]
    pub fn turned(&self, cells: Cells, symmetry: u8) -> Cells {
        if symmetry == 0 {
            return cells;
        }
        let images = &self.images[usize::from(symmetry)];
        bits(cells).fold(0, |turned, cell| turned | 1 << images[usize::from(cell)])
    }

    /// The symmetry that does the same as `first` and then `second`.
    #[must_use]
    pub fn composed(&self, second: u8, first: u8) -> u8 {
        self.composed[usize::from(second)][usize::from(first)]
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self, symmetry: u8) -> u8 {
        let undoes = |&other: &u8| self.composed(other, symmetry) == 0;
        (0..self.symmetries()).find(undoes).unwrap_or(0)
    }

    /// The placements through a cell.
    #[must_use]
    pub fn through(&self, cell: u8) -> &[Cells] {
        &self.through[usize::from(cell)]
    }

    /// The placements over the edge of the window through a cell of it.
    #[must_use]
    pub fn hanging(&self, cell: u8) -> &[Hanging] {
        &self.hanging[usize::from(cell)]
    }

    /// Whether Black has completed a placement.
    #[must_use]
    pub fn complete(&self, black: Cells) -> bool {
        let lowest = |cell: u8| 1 << cell;
        bits(black).any(|cell| {
            let whole = |&&placement: &&Cells| placement & !black == 0;
            let first = |&&placement: &&Cells| placement & (lowest(cell) - 1) == 0;
            self.through(cell).iter().filter(first).any(|placement| whole(&placement))
        })
    }

    /// Whether a stone on `cell` completes a placement of `own`.
    #[must_use]
    pub fn completes(&self, own: Cells, cell: u8) -> bool {
        self.through(cell).iter().any(|placement| placement & !own == 1 << cell)
    }

    /// The cells that complete a placement of `own` without stones of `other`.
    #[must_use]
    pub fn threats(&self, own: Cells, other: Cells) -> Cells {
        let mut threats = 0;
        for &placement in &self.placements {
            let missing = placement & !own;
            if placement & other == 0 && missing.is_power_of_two() {
                threats |= missing;
            }
        }
        threats
    }

    /// How many stones Black has left.
    #[must_use]
    pub fn left(&self, black: Cells) -> u32 {
        self.stones.map_or(u32::MAX, |stones| stones.saturating_sub(black.count_ones()))
    }

    /// The board as text: `X` is Black, `O` is White.
    #[must_use]
    pub fn show(&self, black: Cells, white: Cells) -> String {
        let sign = |cell: u8| match 1 << cell {
            bit if black & bit != 0 => 'X',
            bit if white & bit != 0 => 'O',
            _ => '.',
        };
        let row = |row: u8| (0..self.width).map(|c| sign(row * self.width + c)).collect();
        (0..self.height).map(row).collect::<Vec<String>>().join("\n")
    }
}

/// The symmetry `first` and then `second`, on a square.
fn compose(second: u8, first: u8) -> u8 {
    // If the first one exchanges rows and columns, the mirrors of the second act on the other ones.
    let (columns, rows) = (second & 1, second >> 1 & 1);
    let mirrors = if first & 4 == 0 { columns | rows << 1 } else { rows | columns << 1 };
    (first ^ mirrors) ^ second & 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(height: u8, width: u8, infinite: bool) -> Field {
        Field {
            height,
            width,
            infinite,
            weak: false,
            stones: None,
            targets: vec![vec![(0, 0), (0, 1)], vec![(0, 0), (1, 0)]],
            sides: ["Black", "White"],
            about: "",
        }
    }

    #[test]
    fn dominoes_on_a_board_and_over_the_edge_of_a_window() {
        let board = Rules::new(&field(2, 3, false));
        assert_eq!(board.placements.len(), 7);
        assert!((0..6).all(|cell| board.hanging(cell).is_empty()));
        let window = Rules::new(&field(2, 3, true));
        assert_eq!(window.placements, board.placements);
        // A corner cell has two neighbours outside; both placements look the same from inside.
        assert_eq!(window.hanging(0), [Hanging { inside: 1, size: 2 }]);
        assert!(board.complete(0b11) && !board.complete(0b101));
    }

    #[test]
    fn symmetries_compose_and_can_be_undone() {
        for (height, width) in [(4, 4), (3, 5)] {
            let rules = Rules::new(&field(height, width, false));
            for second in 0..rules.symmetries() {
                for first in 0..rules.symmetries() {
                    for cell in 0..height * width {
                        let stepwise = rules.turned_cell(rules.turned_cell(cell, first), second);
                        let at_once = rules.turned_cell(cell, rules.composed(second, first));
                        assert_eq!(at_once, stepwise, "{second} after {first}");
                    }
                }
                let back = rules.inverse(second);
                assert_eq!(rules.composed(second, back), 0);
                assert_eq!(rules.turned(rules.turned(0b1011, second), back), 0b1011);
            }
        }
    }
}
