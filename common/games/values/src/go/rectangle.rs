//! A part of a larger board, cut out by rows and columns.

use std::str::FromStr;

use super::board::{Board, Cell};

/// Rows and columns from the top left, counted from 1, both ends included: `TOP,LEFT:BOTTOM,RIGHT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// First row and first column.
    pub from: (usize, usize),
    /// Last row and last column.
    pub to: (usize, usize),
}

impl FromStr for Rectangle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = |text: &str| {
            let (row, column) = text.split_once(',')?;
            let number = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
            number(row).zip(number(column))
        };
        let ends = text.split_once(':').and_then(|(from, to)| pair(from).zip(pair(to)));
        match ends {
            Some((from, to)) if from.0 <= to.0 && from.1 <= to.1 => Ok(Self { from, to }),
            _ => Err("expected TOP,LEFT:BOTTOM,RIGHT with rows and columns from 1, like 1,1:4,6"
                .to_string()),
        }
    }
}

impl Board {
    /// The rectangle with one line around it. Stones around it are assumed to be immortal, empty
    /// points around it to be outside.
    ///
    /// # Errors
    /// If the rectangle is not on the board.
    pub fn within(&self, rectangle: Rectangle) -> Result<Self, String> {
        let (rows, columns) = (self.rows(), self.columns());
        let Rectangle { from, to } = rectangle;
        if to.0 > rows || to.1 > columns {
            return Err(format!(
                "found {},{}:{},{}; expected rows up to {rows} and columns up to {columns}",
                from.0, from.1, to.0, to.1
            ));
        }
        let width = to.1 - from.1 + 3;
        let mut cells = Vec::new();
        for row in from.0 - 1..=to.0 + 1 {
            for column in from.1 - 1..=to.1 + 1 {
                let on_board = (1..=rows).contains(&row) && (1..=columns).contains(&column);
                let inside = (from.0..=to.0).contains(&row) && (from.1..=to.1).contains(&column);
                cells.push(match on_board.then(|| self.at((row - 1) * columns + column - 1)) {
                    None => Cell::Outside,
                    Some(cell) if inside => cell,
                    Some(Cell::Stone(colour)) => Cell::Wall(colour),
                    Some(Cell::Empty) => Cell::Outside,
                    Some(cell) => cell,
                });
            }
        }
        let board = Self::new(width, cells);
        match board.choked() {
            None => Ok(board),
            Some(_) => Err("a stone in the region has no liberty there; expected its liberties \
                            or immortal stones it is joined to within the region"
                .to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_cut_out_with_its_border() {
        let board = Board::parse("xxx.\no..x\nxxx.").unwrap();
        let cut = board.within("2,2:2,3".parse().unwrap()).unwrap();
        assert_eq!(cut.to_string(), "XXX#\nO..X\nXXX#");
        let cut = board.within("1,1:1,1".parse().unwrap()).unwrap();
        assert_eq!(cut.to_string(), "###\n#xX\n#O#");
        // The White stone's liberty is outside.
        assert!(board.within("1,1:2,1".parse().unwrap()).is_err());
        for wrong in ["", "1,1", "1,1:0,1", "2,2:1,1", "a,1:2,2", "1,1:2,2:3,3"] {
            assert!(wrong.parse::<Rectangle>().is_err(), "{wrong}");
        }
        assert!(board.within("1,1:4,1".parse().unwrap()).is_err());
    }
}
