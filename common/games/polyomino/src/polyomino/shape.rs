//! Polyominoes: shapes of edge-connected cells, up to rotation and reflection.

use std::collections::BTreeSet;
use std::fmt;

use hasami_spec::suggest::{hint, nearest};

/// Most cells of a shape; games on larger ones would not fit any searchable board.
pub const MAX_CELLS: usize = 15;

/// Row and column, from the top left corner of the bounding box.
pub type Cell = (u8, u8);

/// A polyomino up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// The least of its orientations.
    cells: Vec<Cell>,
}

/// Names and pictures. Twelve losers (named as in Yakuwa et al.), the winners (named as by Harary,
/// the five-cell ones by letter), and Snaky. A shape may have two names; the first is printed.
const NAMES: &[(&str, &str)] = &[
    ("Square", "##/##"),
    ("Z", "##./.#./.##"),
    ("W", "#../##./.##"),
    ("R", ".##/##./.#."),
    ("X", ".#./###/.#."),
    ("T", "###/.#./.#."),
    ("L", "#../#../###"),
    ("U", "#.#/###"),
    ("I", "#####"),
    ("UU", "####/#..#"),
    ("SS", "#.../####/...#"),
    ("ZZ", "###../..###"),
    ("Elam", "#"),
    ("Domino", "##"),
    ("Tic", "###"),
    ("El", "##/#."),
    ("Elly", "#../###"),
    ("Knobby", ".#./###"),
    ("Tippy", "##./.##"),
    ("Skinny", "####"),
    ("L5", "#.../####"),
    ("Y5", ".#../####"),
    ("N5", "###./..##"),
    ("Snaky", "####./...##"),
    ("Fatty", "##/##"),
];

/// Why a text is not a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// Not a known name.
    #[error("unknown shape \"{name}\"; expected one of {}, or a picture like ##/##{}", known().collect::<Vec<_>>().join(", "), hint(nearest(name, known())))]
    Unknown {
        /// The text.
        name: String,
    },
    /// Not a picture.
    #[error("picture \"{picture}\": {what}")]
    Picture {
        /// The text.
        picture: String,
        /// What is wrong with it.
        what: String,
    },
}

/// The names of all shapes that have one.
pub fn known() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// The twelve minimal losers, in the order of Yakuwa et al.
#[must_use]
pub fn losers() -> Vec<Shape> {
    NAMES[..12].iter().filter_map(|(_, picture)| Shape::from_picture(picture).ok()).collect()
}

impl Shape {
    /// The shape with this name (in any letter case) or this picture: rows from the top, `#` is a
    /// cell, `/` separates rows.
    ///
    /// # Errors
    /// If it is neither.
    pub fn parse(text: &str) -> Result<Self, ShapeError> {
        if let Some((_, picture)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
            return Self::from_picture(picture);
        }
        if text.chars().all(|sign| "#./".contains(sign)) && !text.is_empty() {
            Self::from_picture(text)
        } else {
            Err(ShapeError::Unknown { name: text.to_string() })
        }
    }

    /// The shape of this picture: rows from the top, `#` is a cell, `/` separates rows.
    ///
    /// # Errors
    /// If it has no cell, too many, or cells apart.
    pub fn from_picture(picture: &str) -> Result<Self, ShapeError> {
        let mut cells = Vec::new();
        for (row, line) in picture.split('/').enumerate() {
            for (column, sign) in line.chars().enumerate() {
                if sign == '#' {
                    cells.push((row as i32, column as i32));
                }
            }
        }
        Self::from_cells(&cells)
            .map_err(|what| ShapeError::Picture { picture: picture.to_string(), what })
    }

    /// The shape of these cells (row, column), at any position.
    ///
    /// # Errors
    /// If there are none or too many, or they are not connected.
    pub fn from_cells(cells: &[(i32, i32)]) -> Result<Self, String> {
        let set: BTreeSet<(i32, i32)> = cells.iter().copied().collect();
        let Some(&first) = set.first() else {
            return Err("no cell; expected at least one #".to_string());
        };
        if set.len() > MAX_CELLS {
            return Err(format!("{} cells; expected at most {MAX_CELLS}", set.len()));
        }
        let mut reached = BTreeSet::from([first]);
        let mut queue = vec![first];
        while let Some(cell) = queue.pop() {
            queue.extend(neighbours(cell).filter(|n| set.contains(n) && reached.insert(*n)));
        }
        if reached.len() < set.len() {
            return Err("cells apart; expected every cell to touch another by an edge".to_string());
        }
        let cells: Vec<(i32, i32)> = set.into_iter().collect();
        let least = (0..8).map(|turn| normal(cells.iter().map(|&cell| turned(cell, turn)))).min();
        Ok(Self { cells: least.expect("eight orientations") })
    }

    /// Number of cells.
    #[must_use]
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// The cells of its least orientation.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// All its distinct orientations, each sorted and moved to the corner.
    #[must_use]
    pub fn orientations(&self) -> Vec<Vec<Cell>> {
        let all: BTreeSet<Vec<Cell>> = (0..8)
            .map(|turn| normal(self.cells.iter().map(|&(r, c)| turned((r.into(), c.into()), turn))))
            .collect();
        all.into_iter().collect()
    }

    /// Whether an orientation of `other` lies within this shape.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        let own: BTreeSet<Cell> = self.cells.iter().copied().collect();
        let (height, width) = extent(&self.cells);
        other.orientations().iter().any(|cells| {
            let (tall, wide) = extent(cells);
            (0..=height.saturating_sub(tall)).any(|down| {
                (0..=width.saturating_sub(wide)).any(|right| {
                    cells.iter().all(|&(row, column)| own.contains(&(row + down, column + right)))
                })
            })
        })
    }

    /// Rows from the top, separated by `/`.
    #[must_use]
    pub fn picture(&self) -> String {
        let (height, width) = extent(&self.cells);
        let sign = |cell| if self.cells.contains(&cell) { '#' } else { '.' };
        let rows: Vec<String> =
            (0..height).map(|row| (0..width).map(|column| sign((row, column))).collect()).collect();
        rows.join("/")
    }

    /// All free polyominoes of this many cells, in order.
    #[must_use]
    pub fn all_of_size(size: usize) -> Vec<Self> {
        let mut all = BTreeSet::from([Self { cells: vec![(0, 0)] }]);
        for _ in 1..size {
            all = all.iter().flat_map(Self::grown).collect();
        }
        if size == 0 { Vec::new() } else { all.into_iter().collect() }
    }

    fn grown(&self) -> Vec<Self> {
        let cells: Vec<(i32, i32)> =
            self.cells.iter().map(|&(r, c)| (r.into(), c.into())).collect();
        let added = cells.iter().flat_map(|&cell| neighbours(cell)).filter(|n| !cells.contains(n));
        added
            .filter_map(|cell| {
                let grown: Vec<_> = cells.iter().copied().chain([cell]).collect();
                Self::from_cells(&grown).ok()
            })
            .collect()
    }
}

/// The name, or the picture if there is none.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES
            .iter()
            .find(|(_, picture)| Self::from_picture(picture).is_ok_and(|named| named == *self));
        match name {
            Some((name, _)) => f.write_str(name),
            None => f.write_str(&self.picture()),
        }
    }
}

/// Parses a list of shapes separated by `,`, in any order. Duplicates and shapes that contain
/// another are dropped: completing the larger completes the smaller.
///
/// # Errors
/// If a word is not a shape, or the list is empty.
pub fn parse_set(text: &str) -> Result<Vec<Shape>, ShapeError> {
    let shapes = text.split(',').map(Shape::parse).collect::<Result<Vec<_>, _>>()?;
    Ok(smallest_of(shapes))
}

/// These shapes without duplicates and without those that contain another.
fn smallest_of(mut shapes: Vec<Shape>) -> Vec<Shape> {
    let all = shapes.clone();
    let mut at = 0;
    shapes.retain(|shape| {
        at += 1;
        let earlier = &all[..at - 1];
        !earlier.contains(shape) && !all.iter().any(|other| other != shape && shape.contains(other))
    });
    shapes
}

/// These shapes as a set in canonical order: named shapes as listed, then the others.
#[must_use]
pub fn canonical_set(shapes: &[Shape]) -> Vec<Shape> {
    let mut set = smallest_of(shapes.to_vec());
    set.sort_by_cached_key(|shape| {
        let name = shape.to_string();
        (known().position(|one| one == name).unwrap_or(NAMES.len()), shape.clone())
    });
    set
}

/// These shapes as a set in an order that needs no names: by number of cells, then by cells.
#[must_use]
pub fn plain_set(shapes: &[Shape]) -> Vec<Shape> {
    let mut set = smallest_of(shapes.to_vec());
    set.sort_by_cached_key(|shape| (shape.size(), shape.clone()));
    set
}

/// The canonical spelling of a set, as [`parse_set`] reads it.
#[must_use]
pub fn spell_set(shapes: &[Shape]) -> String {
    shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn neighbours((row, column): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)].into_iter()
}

/// Bit 0 mirrors the columns, bit 1 the rows, bit 2 then swaps them.
pub(crate) fn turned((mut row, mut column): (i32, i32), turn: u8) -> (i32, i32) {
    if turn & 1 != 0 {
        column = -column;
    }
    if turn & 2 != 0 {
        row = -row;
    }
    if turn & 4 != 0 {
        (row, column) = (column, row);
    }
    (row, column)
}

/// Sorted and moved to the corner.
fn normal(cells: impl Iterator<Item = (i32, i32)> + Clone) -> Vec<Cell> {
    let top = cells.clone().map(|(row, _)| row).min().unwrap_or(0);
    let left = cells.clone().map(|(_, column)| column).min().unwrap_or(0);
    let mut moved: Vec<Cell> =
        cells.map(|(row, column)| ((row - top) as u8, (column - left) as u8)).collect();
    moved.sort_unstable();
    moved
}

/// Rows and columns of the bounding box of cells at the corner.
pub(crate) fn extent(cells: &[Cell]) -> (u8, u8) {
    let height = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
    let width = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
    (height, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::parse(text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn free_polyominoes_are_counted_right() {
        // OEIS A000105.
        let counts: Vec<usize> = (0..8).map(|size| Shape::all_of_size(size).len()).collect();
        assert_eq!(counts, [0, 1, 1, 2, 5, 12, 35, 108]);
    }

    #[test]
    fn every_name_is_a_shape_of_its_own_and_prints_itself() {
        let mut seen = BTreeSet::new();
        for name in known().filter(|name| *name != "Fatty") {
            assert_eq!(shape(name).to_string(), name);
            assert!(seen.insert(shape(name)), "{name}");
        }
        assert_eq!(shape("fatty").to_string(), "Square");
    }

    #[test]
    fn pictures_mean_the_same_however_they_lie() {
        assert_eq!(shape("#./##/.#"), shape("Tippy"));
        assert_eq!(shape("../.#/.#"), shape("##"));
        assert_eq!(shape("##/##/##/##").to_string(), shape("####/####").to_string());
        assert_eq!(shape(&shape("##/##/##").to_string()), shape("###/###"));
    }

    #[test]
    fn orientations_are_counted() {
        for (name, count) in [("X", 1), ("I", 2), ("Z", 4), ("W", 4), ("R", 8), ("Snaky", 8)] {
            assert_eq!(shape(name).orientations().len(), count, "{name}");
        }
    }

    #[test]
    fn containment_knows_turned_parts() {
        assert!(shape("Snaky").contains(&shape("Skinny")));
        assert!(shape("SS").contains(&shape("L5")));
        assert!(!shape("SS").contains(&shape("Z")));
        assert!(!shape("Tic").contains(&shape("El")));
        assert!(shape("UU").contains(&shape("Elly")));
        assert!(!shape("UU").contains(&shape("U")));
    }

    #[test]
    fn sets_drop_what_is_said_by_others() {
        let set = |text| spell_set(&parse_set(text).unwrap());
        assert_eq!(set("W,Square"), "W,Square");
        assert_eq!(set("Snaky,Skinny,Snaky"), "Skinny");
        assert_eq!(set("Square,fatty"), "Square");
    }

    #[test]
    fn a_set_has_one_order() {
        let set = |text: &str| {
            let shapes: Vec<Shape> = text.split(',').map(shape).collect();
            spell_set(&canonical_set(&shapes))
        };
        // The order of the paper: the names of its pairs stay unchanged.
        assert_eq!(spell_set(&canonical_set(&losers())), spell_set(&losers()));
        assert_eq!(set("I,L"), "L,I");
        assert_eq!(set("Snaky,Square,##/##,Tic"), "Square,Tic");
        assert_eq!(set("##/##/##,#######,Snaky"), set("Snaky,#######,###/###"));
    }

    #[test]
    fn wrong_shapes_say_what_is_wrong() {
        let wrong = |text| Shape::parse(text).unwrap_err().to_string();
        assert!(wrong("Sqare").ends_with("did you mean \"Square\"?"), "{}", wrong("Sqare"));
        assert!(wrong("#.#").contains("cells apart"));
        assert!(wrong("..").contains("no cell"));
        assert!(wrong("").contains("unknown shape \"\""));
        assert!(wrong(&"#".repeat(16)).contains("16 cells; expected at most 15"));
    }
}
