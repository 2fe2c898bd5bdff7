//! Pyonpyon shogi, plainly: rows are lists of cells, and a piece goes to the first empty cell before
//! it.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Plainly, number, words};

/// The cells of a row from the left: `S` for the mover, who moves right, `G`, or `.`.
type Row = Vec<u8>;

/// What happens without a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stuck {
    Passes,
    Loses,
    Draws,
}

/// Positions with rows of the same classes.
struct Group {
    classes: Vec<usize>,
    first: u64,
}

/// All positions of a board.
pub(super) struct Plain {
    height: usize,
    home: usize,
    stuck: Stuck,
    rows: Vec<Row>,
    numbers: HashMap<Row, usize>,
    /// The rows of each class, in order.
    classes: Vec<Vec<usize>>,
    /// The class of each row, and its place there.
    places: Vec<(usize, usize)>,
    groups: Vec<Group>,
    count: u64,
}

impl Plain {
    pub(super) fn new(rules: &str) -> Option<Self> {
        let [height, columns, home, stuck] = words(rules, ["rows", "columns", "home", "no-move"])?;
        let (height, columns) = (number(height, 1..=3)?, number(columns, 3..=12)?);
        let home = number(home, 1..=4).filter(|home| 2 * home < columns)?;
        let stuck = match stuck {
            "pass" => Stuck::Passes,
            "loses" => Stuck::Loses,
            "draw" => Stuck::Draws,
            _ => return None,
        };
        let mut rows = rows_of(columns, home, home);
        rows.sort_by_cached_key(|row| (Reverse(progress(row)), cells(row, b'S'), cells(row, b'G')));
        let most = rows.iter().map(|row| progress(row)).max()?;
        let mut classes = vec![Vec::new(); most + 1];
        let mut places = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let class = most - progress(row);
            places.push((class, classes[class].len()));
            classes[class].push(at);
        }
        let numbers = rows.iter().cloned().zip(0..).collect();
        let mut plain = Self {
            height,
            home,
            stuck,
            rows,
            numbers,
            classes,
            places,
            groups: Vec::new(),
            count: 0,
        };
        plain.make_groups();
        Some(plain)
    }

    fn make_groups(&mut self) {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..self.height {
            let more = |classes: &Vec<usize>| {
                let from = classes.last().copied().unwrap_or(0);
                let used =
                    (from..self.classes.len()).filter(|&next| !self.classes[next].is_empty());
                used.map(|next| [&classes[..], &[next]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(more).collect();
        }
        all.sort_by_cached_key(|classes| (classes.iter().sum::<usize>(), classes.clone()));
        for classes in all {
            let ways: u64 = runs(&classes).map(|(class, run)| self.ways(class, run)).product();
            self.groups.push(Group { classes, first: self.count });
            self.count += ways;
        }
    }

    fn ways(&self, class: usize, run: usize) -> u64 {
        multisets(self.classes[class].len() as u64, run)
    }

    fn position(&self, number: u64) -> Vec<Row> {
        let at = self.groups.partition_point(|group| group.first <= number) - 1;
        let Group { classes, first } = &self.groups[at];
        let mut rest = number - first;
        let mut rows = Vec::new();
        for (class, run) in runs(classes) {
            let ways = self.ways(class, run);
            let mut digit = rest % ways;
            rest /= ways;
            let mut places = Vec::new();
            for at in (1..=run).rev() {
                let size = self.classes[class].len() as u64;
                let place = (0..size).rev().find(|&place| multisets(place, at) <= digit);
                let place = place.unwrap_or(0);
                digit -= multisets(place, at);
                places.push(place as usize);
            }
            places.reverse();
            rows.extend(places.iter().map(|&place| self.rows[self.classes[class][place]].clone()));
        }
        rows
    }

    fn number(&self, rows: &[Row]) -> u64 {
        let mut numbers: Vec<usize> = rows.iter().map(|row| self.numbers[row]).collect();
        numbers.sort_unstable();
        let places: Vec<(usize, usize)> = numbers.iter().map(|&row| self.places[row]).collect();
        let classes: Vec<usize> = places.iter().map(|place| place.0).collect();
        let key = |classes: &[usize]| (classes.iter().sum::<usize>(), classes.to_vec());
        let wanted = key(&classes);
        let at = self.groups.partition_point(|group| key(&group.classes) < wanted);
        let (mut index, mut weight, mut from) = (0, 1, 0);
        for (class, run) in runs(&classes) {
            let of_run = places[from..from + run].iter().zip(1..);
            let digit: u64 = of_run.map(|(place, at)| multisets(place.1 as u64, at)).sum();
            index += weight * digit;
            weight *= self.ways(class, run);
            from += run;
        }
        self.groups[at].first + index
    }

    /// The positions after the moves of the mover, seen by the opponent.
    fn after(&self, rows: &[Row]) -> Vec<Vec<Row>> {
        let mut found = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            for from in (0..row.len()).filter(|&from| row[from] == b'S') {
                let Some(to) = (from + 1..row.len()).find(|&to| row[to] == b'.') else { continue };
                let mut moved = rows.to_vec();
                moved[at][from] = b'.';
                moved[at][to] = b'S';
                found.push(turned(&moved));
            }
        }
        found
    }

    /// Whether the mover has arrived.
    fn arrived(&self, rows: &[Row]) -> bool {
        rows.iter().all(|row| row[row.len() - self.home..].iter().all(|&cell| cell == b'S'))
    }
}

/// The board from the other side.
fn turned(rows: &[Row]) -> Vec<Row> {
    let other = |&cell: &u8| match cell {
        b'S' => b'G',
        b'G' => b'S',
        cell => cell,
    };
    rows.iter().map(|row| row.iter().rev().map(other).collect()).collect()
}

fn rows_of(columns: usize, own: usize, other: usize) -> Vec<Row> {
    if columns == 0 {
        return vec![Vec::new()];
    }
    let mut rows = Vec::new();
    let mut begin = |cell: u8, own: usize, other: usize| {
        let rest = rows_of(columns - 1, own, other).into_iter();
        rows.extend(rest.map(|rest| [&[cell], &rest[..]].concat()));
    };
    if own > 0 {
        begin(b'S', own - 1, other);
    }
    if other > 0 {
        begin(b'G', own, other - 1);
    }
    if columns > own + other {
        begin(b'.', own, other);
    }
    rows
}

/// The cells of one kind as a number: the sum of 2^column.
fn cells(row: &[u8], kind: u8) -> u32 {
    (0..).zip(row).filter(|(_, cell)| **cell == kind).map(|(column, _): (u32, _)| 1 << column).sum()
}

/// The cells that all pieces of the row have gone since the start, and a constant more.
fn progress(row: &[u8]) -> usize {
    let gone = |(column, cell): (usize, &u8)| match cell {
        b'S' => column,
        b'G' => row.len() - 1 - column,
        _ => 0,
    };
    row.iter().enumerate().map(gone).sum()
}

/// Equal classes that follow each other, and how many.
fn runs(classes: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    classes.chunk_by(|one, other| one == other).map(|run| (run[0], run.len()))
}

/// The number of ways to choose so many of so many things, with repetition.
fn multisets(size: u64, count: usize) -> u64 {
    match count {
        1 => size,
        2 => size * (size + 1) / 2,
        _ => size * (size + 1) * (size + 2) / 6,
    }
}

/// The best of the values after the moves, for the mover.
fn best(values: &[u8]) -> Option<u8> {
    if values.is_empty() || values.contains(&254) {
        return None;
    }
    let lost = values.iter().filter(|&&value| value != 255 && value % 2 == 0).min();
    let plies = match lost {
        Some(&lost) => lost + 1,
        None if values.contains(&255) => return Some(255),
        None => values.iter().max()?.checked_add(1)?,
    };
    (plies < 254).then_some(plies)
}

impl Plainly for Plain {
    fn count(&self) -> u64 {
        self.count
    }

    fn follows(&self, number: u64, value: &dyn Fn(u64) -> u8) -> Option<u8> {
        let rows = self.position(number);
        if self.arrived(&rows) {
            return Some(254);
        }
        if self.arrived(&turned(&rows)) {
            return Some(0);
        }
        let mut after = self.after(&rows);
        if after.is_empty() {
            match self.stuck {
                Stuck::Loses => return Some(0),
                Stuck::Draws => return Some(255),
                Stuck::Passes => after.push(turned(&rows)),
            }
        }
        let values: Vec<u8> = after.iter().map(|rows| value(self.number(rows))).collect();
        best(&values)
    }

    fn spell(&self, number: u64) -> String {
        let rows = self.position(number);
        let rows: Vec<String> =
            rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        format!("{}:first", rows.join("/"))
    }
}
