//! A few periods of a paving, as text.

use super::lattice::Vector;
use super::pattern::{Paving, minus, plus};

/// Signs for pairs that are not adjacent, one for each pair up to the period.
const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// This many rows and columns of the infinite pattern as text. Dominoes are `<>` and `^` above `v`;
/// other pairs are a letter for both cells; `.` is a cell in no pair.
#[must_use]
pub fn rows(paving: &Paving, rows: u32, columns: u32) -> Vec<String> {
    let pairs = paving.pairs();
    let adjacent = paving.is_adjacent();
    let sign = |cell: Vector| match paving.at(cell) {
        None => '.',
        Some(step) if adjacent => domino(step),
        Some(step) => {
            let lattice = paving.lattice();
            let is_it = |&(first, way): &(Vector, Vector)| {
                (lattice.holds(minus(cell, first)) && way == step)
                    || lattice.holds(minus(cell, plus(first, way)))
            };
            let at = pairs.iter().position(is_it).unwrap_or(0);
            char::from(LETTERS[at % LETTERS.len()])
        }
    };
    (0..rows as i32)
        .map(|row| (0..columns as i32).map(|column| sign((row, column))).collect())
        .collect()
}

/// One torus of the pattern: the picture that [`Paving::parse`] reads, if all pairs are dominoes.
#[must_use]
pub fn torus(paving: &Paving) -> String {
    let (height, width, _) = paving.lattice().torus().sides();
    rows(paving, height as u32, width as u32).join("/")
}

/// Rows and columns that show the pattern: two periods or more, but no more than fit a terminal.
#[must_use]
pub fn window(paving: &Paving) -> (u32, u32) {
    let (rows, columns, _) = paving.lattice().torus().sides();
    let fit = |side: i32, least: i32, most: i32| {
        let periods = (least + side - 1) / side;
        (side * periods.max(2)).min(most.max(side)).min(64) as u32
    };
    (fit(rows, 6, 16), fit(columns, 12, 32))
}

fn domino(step: Vector) -> char {
    match step {
        (0, 1) => '<',
        (0, -1) => '>',
        (1, 0) => '^',
        _ => 'v',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_torus_is_read_back() {
        for picture in ["^/v", "<>/><", "vv/></^^", "<>./^.^/v.v"] {
            assert_eq!(torus(&Paving::parse(picture).unwrap()), picture);
        }
        assert_eq!(torus(&Paving::parse("<>/><").unwrap().primitive()), "<>/><");
    }

    #[test]
    fn pairs_that_are_no_dominoes_are_letters() {
        let paving =
            Paving::new("2x2".parse().unwrap(), [((0, 0), (1, 1)), ((0, 1), (1, -1))]).unwrap();
        assert_eq!(rows(&paving, 2, 4), ["abab", "baba"]);
    }

    #[test]
    fn windows_show_two_periods_and_end() {
        assert_eq!(window(&Paving::parse("^/v").unwrap()), (6, 12));
        assert_eq!(window(&Paving::parse("v^<>/>v^</<>v^/^<>v").unwrap()), (8, 12));
    }
}
