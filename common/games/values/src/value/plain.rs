//! Proves values of Domineering, Clobber, and toads and frogs by a table of parts: each is checked
//! from its moves and the lines before it. `docs/certificates-values.md` has the rules and the
//! proof. Moves, parts and images are computed here plainly, apart from the kernel's rulesets.

use std::collections::HashMap;

use hasami_cgt::{Exhausted, Games, Value};

/// A game that is played on a small board of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Domineering,
    Clobber,
    Toads,
}

/// Rows of signs, all of one length.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Signs {
    columns: usize,
    cells: Vec<u8>,
}

impl Signs {
    /// Reads rows with `/` between, as they stand in a certificate.
    pub(super) fn read(text: &str) -> Option<Self> {
        let rows: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
        let columns = rows[0].len();
        let even = columns > 0 && rows.iter().all(|row| row.len() == columns);
        even.then(|| Self { columns, cells: rows.concat() })
    }

    fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    fn at(&self, row: usize, column: usize) -> Option<u8> {
        let inside = row < self.rows() && column < self.columns;
        inside.then(|| self.cells[row * self.columns + column])
    }

    fn with(&self, changes: &[((usize, usize), u8)]) -> Self {
        let mut changed = self.clone();
        for &((row, column), sign) in changes {
            changed.cells[row * self.columns + column] = sign;
        }
        changed
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns;
        (0..self.cells.len()).map(move |at| (at / columns, at % columns))
    }

    /// Rows and columns exchanged.
    fn exchanged(&self) -> Self {
        let cells = (0..self.columns)
            .flat_map(|column| (0..self.rows()).map(move |row| row * self.columns + column))
            .map(|at| self.cells[at])
            .collect();
        Self { columns: self.rows(), cells }
    }

    /// Every row backwards.
    fn mirrored(&self) -> Self {
        let rows = self.cells.chunks(self.columns);
        let cells = rows.flat_map(|row| row.iter().rev().copied()).collect();
        Self { columns: self.columns, cells }
    }

    /// The rows from the last to the first.
    fn upended(&self) -> Self {
        let rows = self.cells.chunks(self.columns).rev();
        Self { columns: self.columns, cells: rows.flatten().copied().collect() }
    }

    /// Two signs for each other.
    fn swapped(&self, one: u8, other: u8) -> Self {
        let swap = |&sign: &u8| match sign {
            sign if sign == one => other,
            sign if sign == other => one,
            sign => sign,
        };
        Self { columns: self.columns, cells: self.cells.iter().map(swap).collect() }
    }

    /// The cells that belong, in the smallest rectangle, with `blank` around them.
    fn cut(&self, belongs: &[(usize, usize)], blank: u8) -> Self {
        let side = |of: fn(&(usize, usize)) -> usize| {
            let all = belongs.iter().map(of);
            (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
        };
        let ((top, bottom), (left, right)) = (side(|place| place.0), side(|place| place.1));
        let columns = right - left + 1;
        let mut cells = vec![blank; (bottom - top + 1) * columns];
        for &(row, column) in belongs {
            cells[(row - top) * columns + column - left] = self.cells[row * self.columns + column];
        }
        Self { columns, cells }
    }
}

impl Plain {
    /// The signs of its boards.
    pub(super) fn signs(self) -> &'static str {
        match self {
            Self::Domineering => ".#",
            Self::Clobber => "xo.",
            Self::Toads => "TF.",
        }
    }

    /// The boards after the moves of a player.
    fn moves(self, board: &Signs, left: bool) -> Vec<Signs> {
        let mut found = Vec::new();
        for place in board.places() {
            match self {
                Self::Domineering => {
                    let other = if left { (place.0 + 1, place.1) } else { (place.0, place.1 + 1) };
                    let free = |(row, column)| board.at(row, column) == Some(b'.');
                    if free(place) && free(other) {
                        found.push(board.with(&[(place, b'#'), (other, b'#')]));
                    }
                }
                Self::Clobber => {
                    let (own, other) = if left { (b'x', b'o') } else { (b'o', b'x') };
                    if board.at(place.0, place.1) != Some(own) {
                        continue;
                    }
                    let near =
                        near(place).filter(|&(row, column)| board.at(row, column) == Some(other));
                    found.extend(near.map(|to| board.with(&[(place, b'.'), (to, own)])));
                }
                Self::Toads => {
                    let (own, other) = if left { (b'T', b'F') } else { (b'F', b'T') };
                    if board.at(place.0, place.1) != Some(own) {
                        continue;
                    }
                    let ahead = |steps: usize| {
                        let column =
                            if left { Some(place.1 + steps) } else { place.1.checked_sub(steps) };
                        let column = column.filter(|&column| column < board.columns)?;
                        Some(((place.0, column), board.at(place.0, column)?))
                    };
                    let to = match ahead(1) {
                        Some((to, b'.')) => Some(to),
                        Some((_, sign)) if sign == other => {
                            ahead(2).filter(|(_, sign)| *sign == b'.').map(|(to, _)| to)
                        }
                        _ => None,
                    };
                    found.extend(to.map(|to| board.with(&[(place, b'.'), (to, own)])));
                }
            }
        }
        found
    }

    /// Whether some player has a move.
    fn lives(self, board: &Signs) -> bool {
        [true, false].into_iter().any(|left| !self.moves(board, left).is_empty())
    }

    /// The parts in which some player has a move.
    pub(super) fn parts(self, board: &Signs) -> Vec<Signs> {
        let parts: Vec<Signs> = match self {
            Self::Toads => {
                let rows = board.cells.chunks(board.columns);
                rows.map(|row| Signs { columns: board.columns, cells: row.to_vec() }).collect()
            }
            Self::Domineering => connected(board, |sign| sign == b'.', b'#'),
            Self::Clobber => connected(board, |sign| sign != b'.', b'.'),
        };
        parts.into_iter().filter(|part| self.lives(part)).collect()
    }

    /// The least image of a part, and whether that is its negative.
    fn least(self, part: &Signs) -> (Signs, bool) {
        let mut images = Vec::new();
        match self {
            Self::Domineering => {
                images.extend(mirrors(part).map(|image| (image, false)));
                images.extend(mirrors(&part.exchanged()).map(|image| (image, true)));
            }
            Self::Clobber => {
                for (part, negative) in [(part.clone(), false), (part.swapped(b'x', b'o'), true)] {
                    images.extend(mirrors(&part).map(|image| (image, negative)));
                    images.extend(mirrors(&part.exchanged()).map(|image| (image, negative)));
                }
            }
            Self::Toads => {
                images.push((part.clone(), false));
                images.push((part.mirrored().swapped(b'T', b'F'), true));
            }
        }
        images.into_iter().min().expect("an image")
    }
}

fn mirrors(part: &Signs) -> impl Iterator<Item = Signs> + use<> {
    let other = part.upended();
    [part.clone(), part.mirrored(), other.mirrored(), other].into_iter()
}

fn near((row, column): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let before =
        [row.checked_sub(1).map(|row| (row, column)), column.checked_sub(1).map(|c| (row, c))];
    before.into_iter().flatten().chain([(row + 1, column), (row, column + 1)])
}

/// The sets of connected cells with such signs.
fn connected(board: &Signs, within: impl Fn(u8) -> bool, blank: u8) -> Vec<Signs> {
    let mut left: Vec<(usize, usize)> = board
        .places()
        .filter(|&(row, column)| board.at(row, column).is_some_and(&within))
        .collect();
    let mut parts = Vec::new();
    while let Some(first) = left.pop() {
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&place) = part.get(next) {
            for place in near(place) {
                if let Some(at) = left.iter().position(|other| *other == place) {
                    part.push(left.swap_remove(at));
                }
            }
            next += 1;
        }
        parts.push(board.cut(&part, blank));
    }
    parts
}

/// The lines of a table that hold.
pub(super) struct PlainTable {
    game: Plain,
    known: HashMap<Signs, Value>,
}

impl PlainTable {
    pub(super) fn new(game: Plain) -> Self {
        Self { game, known: HashMap::new() }
    }

    /// Checks a line and adds it; otherwise says why it does not hold.
    pub(super) fn add(
        &mut self,
        games: &mut Games,
        board: &Signs,
        value: Value,
    ) -> Result<Result<(), &'static str>, Exhausted> {
        let parts = self.game.parts(board);
        let [part] = &parts[..] else { return Ok(Err("it is not one part")) };
        let mut options = [Vec::new(), Vec::new()];
        for (options, left) in options.iter_mut().zip([true, false]) {
            for after in self.game.moves(part, left) {
                match self.worth(games, &after)? {
                    Some(value) => options.push(value),
                    None => return Ok(Err("a move of it leads to a part without a line before")),
                }
            }
        }
        if games.make(&options[0], &options[1])? != value {
            return Ok(Err("its moves make another value"));
        }
        let (normal, negative) = self.game.least(part);
        let value = if negative { games.neg(value)? } else { value };
        self.known.insert(normal, value);
        Ok(Ok(()))
    }

    /// Whether a part or an image of it has a line.
    pub(super) fn knows(&self, part: &Signs) -> bool {
        self.known.contains_key(&self.game.least(part).0)
    }

    /// The value of a board by the lines, if they give one.
    pub(super) fn worth(
        &self,
        games: &mut Games,
        board: &Signs,
    ) -> Result<Option<Value>, Exhausted> {
        let mut sum = games.zero();
        for part in self.game.parts(board) {
            let (normal, negative) = self.game.least(&part);
            let Some(&value) = self.known.get(&normal) else { return Ok(None) };
            let value = if negative { games.neg(value)? } else { value };
            sum = games.add(sum, value)?;
        }
        Ok(Some(sum))
    }
}
