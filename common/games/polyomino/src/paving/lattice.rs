//! Periods: sublattices of the grid, each written in the one way of its Hermite normal form.
//!
//! `PxQ+S` means: Q columns on everything repeats, and P rows down it repeats S columns to the
//! right. A torus is a period without shift. Every way to be periodic in two directions is one of
//! these.

use std::fmt;
use std::str::FromStr;

use crate::polyomino::shape::turned;

/// Rows down and columns to the right: a cell, or the way from one cell to another.
pub type Vector = (i32, i32);

/// No period has more cells; drawings and searches of larger ones serve nobody.
pub const MAX_AREA: usize = 4096;

/// The translations (`rows` down, `shift` right) and (0 down, `columns` right), and their sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lattice {
    rows: i32,
    columns: i32,
    shift: i32,
}

/// Why there is no such period.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "period \"{found}\": {what}; expected ROWSxCOLUMNS or ROWSxCOLUMNS+SHIFT, like 2x4 or 1x4+1"
)]
pub struct LatticeError {
    found: String,
    what: String,
}

impl Lattice {
    /// A period of so many rows and columns with a shift smaller than the columns.
    ///
    /// # Errors
    /// When a side is 0, the shift is too large, or there are more than [`MAX_AREA`] cells.
    pub fn new(rows: u32, columns: u32, shift: u32) -> Result<Self, LatticeError> {
        let refuse = |what: String| LatticeError { found: spelled(rows, columns, shift), what };
        if rows == 0 || columns == 0 {
            return Err(refuse("no cells".to_string()));
        }
        if u64::from(rows) * u64::from(columns) > MAX_AREA as u64 {
            return Err(refuse(format!("more than {MAX_AREA} cells")));
        }
        if shift >= columns {
            return Err(refuse(format!("shift {shift} is not below the {columns} columns")));
        }
        Ok(Self { rows: rows as i32, columns: columns as i32, shift: shift as i32 })
    }

    /// How many cells there are up to the translations.
    #[must_use]
    pub fn area(&self) -> usize {
        (self.rows * self.columns) as usize
    }

    /// Rows, columns and shift.
    #[must_use]
    pub fn sides(&self) -> (i32, i32, i32) {
        (self.rows, self.columns, self.shift)
    }

    /// Number of the cell up to the translations, below [`Self::area`].
    #[must_use]
    pub fn class(&self, (row, column): Vector) -> usize {
        let times = row.div_euclid(self.rows);
        let row = row - times * self.rows;
        let column = (column - times * self.shift).rem_euclid(self.columns);
        (row * self.columns + column) as usize
    }

    /// The cell of this number that lies in the first rows and columns.
    #[must_use]
    pub fn cell(&self, class: usize) -> Vector {
        let class = class as i32;
        (class / self.columns, class % self.columns)
    }

    /// All cells of the first rows and columns, by number.
    pub fn cells(&self) -> impl Iterator<Item = Vector> + use<> {
        let lattice = *self;
        (0..self.area()).map(move |class| lattice.cell(class))
    }

    /// Whether this translation is one of the period.
    #[must_use]
    pub fn holds(&self, vector: Vector) -> bool {
        self.class(vector) == 0
    }

    /// Two translations that give all others.
    #[must_use]
    pub fn generators(&self) -> [Vector; 2] {
        [(0, self.columns), (self.rows, self.shift)]
    }

    /// The period of all sums of these translations; `None` if they lie on one line.
    #[must_use]
    pub fn spanned(vectors: impl IntoIterator<Item = Vector>) -> Option<Self> {
        let (mut down, mut columns): (Vector, i32) = ((0, 0), 0);
        for vector in vectors {
            // Euclid's algorithm on the rows; what is left has no rows.
            let mut other = vector;
            while other.0 != 0 {
                let times = down.0.div_euclid(other.0);
                (down, other) = (other, (down.0 - times * other.0, down.1 - times * other.1));
            }
            columns = gcd(columns, other.1);
        }
        if down.0 == 0 || columns == 0 {
            return None;
        }
        let shift = (down.1 * down.0.signum()).rem_euclid(columns);
        Some(Self { rows: down.0.abs(), columns, shift })
    }

    /// The period turned or mirrored, by the number of the symmetry below 8.
    #[must_use]
    pub fn turned(&self, turn: u8) -> Self {
        Self::spanned(self.generators().map(|vector| turned(vector, turn)))
            .expect("a turned lattice has two directions")
    }

    /// The smallest torus with this period: rows and columns without shift.
    #[must_use]
    pub fn torus(&self) -> Self {
        let times = self.columns / gcd(self.columns, self.shift);
        Self { rows: self.rows * times, columns: self.columns, shift: 0 }
    }

    /// Whether it has no shift.
    #[must_use]
    pub fn is_torus(&self) -> bool {
        self.shift == 0
    }

    /// All periods of so many cells up to turning and mirroring: tori first, then by their sides,
    /// the nearest to a square first.
    #[must_use]
    pub fn of_area(area: usize) -> Vec<Self> {
        let area = area as i32;
        let mut all = Vec::new();
        for rows in (1..=area).filter(|rows| area % rows == 0) {
            let columns = area / rows;
            all.extend((0..columns).map(|shift| Self { rows, columns, shift }));
        }
        all.retain(|lattice| {
            (1..8).all(|turn| lattice.place_in_order() <= lattice.turned(turn).place_in_order())
        });
        all.sort_unstable_by_key(Self::place_in_order);
        all
    }

    fn place_in_order(&self) -> (bool, i32, i32, i32) {
        (self.shift != 0, self.rows.max(self.columns), self.rows, self.shift)
    }
}

/// `2x4`, or `1x4+1` where there is a shift.
impl fmt::Display for Lattice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self.rows as u32, self.columns as u32, self.shift as u32))
    }
}

impl FromStr for Lattice {
    type Err = LatticeError;

    fn from_str(text: &str) -> Result<Self, LatticeError> {
        let number = |word: &str, name: &str| {
            let digits = !word.is_empty() && word.chars().all(|sign| sign.is_ascii_digit());
            word.parse::<u32>().ok().filter(|_| digits).ok_or_else(|| LatticeError {
                found: text.to_string(),
                what: format!("\"{word}\" is no number of {name}"),
            })
        };
        let Some((rows, rest)) = text.split_once('x') else {
            let what = "no x between rows and columns".to_string();
            return Err(LatticeError { found: text.to_string(), what });
        };
        let (columns, shift) = rest.split_once('+').unwrap_or((rest, "0"));
        Self::new(
            number(rows, "rows")?,
            number(columns, "columns")?,
            number(shift, "columns to shift")?,
        )
    }
}

fn spelled(rows: u32, columns: u32, shift: u32) -> String {
    match shift {
        0 => format!("{rows}x{columns}"),
        _ => format!("{rows}x{columns}+{shift}"),
    }
}

fn gcd(a: i32, b: i32) -> i32 {
    match b {
        0 => a.abs(),
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn lattice(text: &str) -> Lattice {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn classes_are_the_cells_up_to_the_translations() {
        for text in ["1x1", "2x3", "1x4+1", "3x6+4", "5x2+1"] {
            let lattice = lattice(text);
            for cell in lattice.cells() {
                assert_eq!(lattice.cell(lattice.class(cell)), cell);
                for (down, right) in lattice.generators() {
                    let moved = (cell.0 - 3 * down, cell.1 - 3 * right);
                    assert_eq!(lattice.class(moved), lattice.class(cell), "{text} {cell:?}");
                }
            }
            let all: BTreeSet<usize> = lattice.cells().map(|cell| lattice.class(cell)).collect();
            assert_eq!(all.len(), lattice.area(), "{text}");
        }
    }

    #[test]
    fn every_sublattice_has_one_spelling() {
        // OEIS A000203: the sublattices of index n are as many as the sum of the divisors of n.
        for (area, count) in [(1, 1), (2, 3), (3, 4), (4, 7), (6, 12), (12, 28)] {
            let all: BTreeSet<Lattice> = Lattice::of_area(area)
                .into_iter()
                .flat_map(|lattice| (0..8).map(move |turn| lattice.turned(turn)))
                .collect();
            assert_eq!(all.len(), count, "area {area}");
            assert!(all.iter().all(|lattice| lattice.area() == area));
        }
    }

    #[test]
    fn a_period_is_spanned_by_its_translations_in_any_form() {
        assert_eq!(Lattice::spanned([(1, 1), (1, -1)]), Some(lattice("1x2+1")));
        assert_eq!(Lattice::spanned([(4, 0), (0, 4), (-1, -1)]), Some(lattice("1x4+1")));
        assert_eq!(Lattice::spanned([(-2, 3), (0, -5), (0, 0)]), Some(lattice("2x5+2")));
        assert_eq!(Lattice::spanned([(2, 2), (1, 1)]), None);
    }

    #[test]
    fn the_torus_of_a_shifted_period_is_part_of_it() {
        assert_eq!(lattice("1x4+1").torus(), lattice("4x4"));
        assert_eq!(lattice("2x4+2").torus(), lattice("4x4"));
        assert_eq!(lattice("2x3").torus(), lattice("2x3"));
    }

    #[test]
    fn tori_come_before_shifted_periods_and_squares_before_strips() {
        let names: Vec<_> = Lattice::of_area(4).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["2x2", "1x4", "2x2+1", "1x4+1"]);
    }

    #[test]
    fn wrong_periods_say_what_is_wrong() {
        let wrong = |text: &str| text.parse::<Lattice>().unwrap_err().to_string();
        assert!(wrong("4").contains("no x between"), "{}", wrong("4"));
        assert!(wrong("0x3").contains("no cells"));
        assert!(wrong("2xq").contains("\"q\" is no number of columns"));
        assert!(wrong("2x4+4").contains("shift 4 is not below the 4 columns"));
        assert!(wrong("2x4+-1").contains("\"-1\" is no number of columns to shift"));
        assert!(wrong("2x+4").contains("expected ROWSxCOLUMNS"));
        assert!(wrong("100x100").contains("more than 4096 cells"));
        assert!(wrong("99999999999x1").contains("no number of rows"));
    }
}
