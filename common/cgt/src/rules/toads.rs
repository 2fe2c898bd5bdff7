//! Toads and frogs: Left's toads go right and Right's frogs go left, one place or over one animal
//! of the other kind; who cannot move loses (Berlekamp, Conway and Guy, *Winning Ways*, 1982).

use std::fmt;

use super::Rules;
use super::grid::{Grid, GridError};

/// The rules of toads and frogs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Toads;

/// A strip: toads `T`, frogs `F`, and `.` for empty places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strip(Grid);

impl Strip {
    /// Parses a strip; rows, separated by `/` or line ends, are independent strips.
    pub fn parse(text: &str) -> Result<Self, GridError> {
        Grid::parse(text, "TF.").map(Self)
    }
}

impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Toads {
    /// `ahead` returns the next place in the animal's direction.
    fn moves(
        strip: &Strip,
        own: u8,
        other: u8,
        ahead: impl Fn(&Grid, usize) -> Option<usize>,
    ) -> Vec<Strip> {
        let grid = &strip.0;
        let mut found = Vec::new();
        for from in grid.places(own) {
            let next = ahead(grid, from);
            let jump = next.filter(|&next| grid.at(next) == other);
            let to = next.filter(|&next| grid.at(next) == b'.');
            let to = to.or_else(|| {
                jump.and_then(|over| ahead(grid, over)).filter(|&to| grid.at(to) == b'.')
            });
            found.extend(to.map(|to| Strip(grid.with(&[(from, b'.'), (to, own)]))));
        }
        found
    }
}

impl Rules for Toads {
    type Position = Strip;

    fn left_moves(&self, strip: &Strip) -> Vec<Strip> {
        let ahead =
            |grid: &Grid, at: usize| (at % grid.columns() + 1 < grid.columns()).then_some(at + 1);
        Self::moves(strip, b'T', b'F', ahead)
    }

    fn right_moves(&self, strip: &Strip) -> Vec<Strip> {
        let ahead = |grid: &Grid, at: usize| (!at.is_multiple_of(grid.columns())).then(|| at - 1);
        Self::moves(strip, b'F', b'T', ahead)
    }

    fn parts(&self, strip: &Strip) -> Option<Vec<Strip>> {
        let rows = strip.0.rows();
        (rows.len() > 1).then(|| rows.into_iter().map(Strip).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games, evaluate};

    fn value(text: &str) -> String {
        let mut games = Games::new();
        let value = evaluate(&mut games, &Toads, &Strip::parse(text).unwrap()).unwrap();
        games.show(value)
    }

    #[test]
    fn small_strips_have_the_values_that_play_gives_by_hand() {
        // Left's only move leaves .TF, which is {|1} = 0; Right's leaves TF., which is 0.
        assert_eq!(value("T.F"), "*");
        assert_eq!(value("T.."), "2");
        assert_eq!(value("..F"), "-2");
        assert_eq!(value("TF"), "0");
        // .TF is {|FT.}, and FT. is 1.
        assert_eq!(value("FT."), "1");
        assert_eq!(value("T..F"), "0");
        assert_eq!(value("T.F/T.F"), "0");
    }
}
