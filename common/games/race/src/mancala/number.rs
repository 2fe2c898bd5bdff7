//! A gapless number for every position up to a number of seeds: the index of a database.
//!
//! Positions are from the view of the side to move, ordered by seeds in play, then by seeds in the
//! own pits, then by the rows. Rows with equally many seeds are ordered by how far their seeds are
//! from the goal: a sowing that reaches no goal brings them nearer.

use super::position::{Last, MAX_PITS, MAX_RING, Ring};
use hasami_game::race::Player;

/// A row of pits, the nearest to its own goal first.
pub type Row = [u8; MAX_PITS as usize];

/// All rows up to a number of seeds.
#[derive(Clone, Debug)]
pub struct Numbering {
    ring: Ring,
    seeds: u8,
    /// All rows, by their number.
    rows: Vec<Row>,
    /// Numbers by row, sorted by row.
    sorted: Vec<(Row, u32)>,
    /// The first row number for each number of seeds; one more at the end.
    first: Vec<u32>,
    /// The first row number for each number of seeds and distance; one more at each end.
    classes: Vec<Vec<u32>>,
    /// The first position number for each number of own seeds and of the opponent's.
    bases: Vec<u64>,
    /// The number of positions with at most this many seeds.
    ends: Vec<u64>,
}

/// Effect of a sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    /// The number of the own row after it; `u32::MAX` for an empty pit.
    pub own: u32,
    /// How many seeds fall into the opponent's pits, from the farthest, round and round.
    pub given: u8,
    /// Where the last seed falls.
    pub last: Last,
}

impl Numbering {
    /// The numbering of positions on this ring with at most `seeds` seeds.
    #[must_use]
    pub fn new(ring: Ring, seeds: u8) -> Self {
        let mut rows = Vec::new();
        let mut first = Vec::new();
        let mut classes = Vec::new();
        for count in 0..=seeds {
            let from = rows.len();
            first.push(from as u32);
            push_rows(ring.pits, count, &mut rows);
            rows[from..].sort_by_key(|row| (distance(row), *row));
            let most = usize::from(count) * usize::from(ring.pits - 1);
            let class = |at: usize| rows[from..].partition_point(|row| distance(row) < at);
            classes.push((0..=most + 1).map(|at| (from + class(at)) as u32).collect());
        }
        first.push(rows.len() as u32);
        let mut sorted: Vec<(Row, u32)> = rows.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let wide = usize::from(seeds) + 1;
        let mut numbering = Self {
            ring,
            seeds,
            rows,
            sorted,
            first,
            classes,
            bases: vec![0; wide * wide],
            ends: Vec::new(),
        };
        let mut next = 0;
        for count in 0..=seeds {
            for own in 0..=count {
                numbering.bases[usize::from(own) * wide + usize::from(count - own)] = next;
                next += numbering.rows_with(own) * numbering.rows_with(count - own);
            }
            numbering.ends.push(next);
        }
        numbering
    }

    /// The largest number of seeds.
    #[must_use]
    pub fn seeds(&self) -> u8 {
        self.seeds
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    fn rows_with(&self, seeds: u8) -> u64 {
        let at = usize::from(seeds);
        u64::from(self.first[at + 1] - self.first[at])
    }

    /// The number of positions with at most this many seeds.
    #[must_use]
    pub fn end(&self, seeds: u8) -> u64 {
        self.ends[usize::from(seeds)]
    }

    /// The numbers of the rows with this many seeds at this distance from the goal.
    #[must_use]
    pub fn class(&self, seeds: u8, distance: usize) -> std::ops::Range<u32> {
        match self.classes[usize::from(seeds)].get(distance..distance + 2) {
            Some(&[from, to]) => from..to,
            _ => 0..0,
        }
    }

    /// The number of a row, unless it has too many seeds.
    #[must_use]
    pub fn row(&self, row: &Row) -> Option<u32> {
        let found = self.sorted.binary_search_by_key(row, |&(row, _)| row).ok()?;
        Some(self.sorted[found].1)
    }

    /// The number of seeds of row `number`.
    #[must_use]
    pub fn seeds_of(&self, number: u32) -> u8 {
        self.rows[number as usize].iter().sum()
    }

    /// The number of the position with these rows, each with its number of seeds.
    #[inline]
    #[must_use]
    pub fn number(&self, (own, own_seeds): (u32, u8), (other, other_seeds): (u32, u8)) -> u64 {
        let (x, y) = (usize::from(own_seeds), usize::from(other_seeds));
        let base = self.bases[x * (usize::from(self.seeds) + 1) + y];
        let within = u64::from(other - self.first[y]);
        base + u64::from(own - self.first[x]) * self.rows_with(other_seeds) + within
    }

    /// The numbers of all positions with these numbers of own seeds and of the opponent's.
    #[must_use]
    pub fn numbers(&self, own_seeds: u8, other_seeds: u8) -> std::ops::Range<u64> {
        let (x, y) = (usize::from(own_seeds), usize::from(other_seeds));
        let base = self.bases[x * (usize::from(self.seeds) + 1) + y];
        base..base + self.rows_with(own_seeds) * self.rows_with(other_seeds)
    }

    /// The effect of sowing each pit of row `number`.
    #[must_use]
    pub fn sowings(&self, number: u32) -> [Sown; MAX_PITS as usize] {
        let row = &self.rows[number as usize];
        let mut all = [Sown { own: u32::MAX, given: 0, last: Last::Pocket }; MAX_PITS as usize];
        for (pit, sown) in (0..self.ring.pits).zip(&mut all) {
            if row[usize::from(pit)] == 0 {
                continue;
            }
            let mut seeds = [0; MAX_RING];
            seeds[..usize::from(self.ring.pits)]
                .copy_from_slice(&row[..usize::from(self.ring.pits)]);
            let (after, last) = self.ring.sow(&seeds, pit);
            let mut own = [0; MAX_PITS as usize];
            let pits = usize::from(self.ring.pits);
            own[..pits].copy_from_slice(&after[..pits]);
            let from = usize::from(self.ring.first_pocket(Player::Second));
            let given = after[from..from + pits].iter().sum();
            let own = self.row(&own).expect("no more seeds than before");
            *sown = Sown { own, given, last };
        }
        all
    }

    /// Row `number` after the opponent has sown `given` seeds into it; `u32::MAX` if it would have
    /// too many.
    #[must_use]
    pub fn with_given(&self, number: u32, given: u8) -> u32 {
        let mut row = self.rows[number as usize];
        let pits = usize::from(self.ring.pits);
        for at in 0..usize::from(given) {
            row[pits - 1 - at % pits] += 1;
        }
        self.row(&row).unwrap_or(u32::MAX)
    }
}

/// The distance of the seeds of a row from the last pit before the goal.
fn distance(row: &Row) -> usize {
    (0..).zip(row).map(|(at, &seeds): (usize, _)| at * usize::from(seeds)).sum()
}

/// Appends all rows with these numbers of pits and seeds.
fn push_rows(pits: u8, seeds: u8, rows: &mut Vec<Row>) {
    let mut row = [0; MAX_PITS as usize];
    let last = usize::from(pits) - 1;
    row[last] = seeds;
    loop {
        rows.push(row);
        // The next in lexicographic order: one seed more in the last pit that can get one from
        // those after it, which all go to the last.
        let Some(at) =
            (0..last).rev().find(|&at| row[at + 1..=last].iter().any(|&seeds| seeds > 0))
        else {
            return;
        };
        let rest: u8 = row[at + 1..=last].iter().sum();
        row[at] += 1;
        row[at + 1..=last].fill(0);
        row[last] = rest - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(from: u64, count: u64) -> u64 {
        (0..count).fold(1, |ways, at| ways * (from - at) / (at + 1))
    }

    #[test]
    fn numbers_have_no_gaps() {
        for (pits, seeds) in [(1, 9), (2, 7), (3, 5), (6, 3)] {
            let numbering = Numbering::new(Ring { pits }, seeds);
            let mut found = Vec::new();
            let rows = numbering.rows() as u32;
            for own in 0..rows {
                for other in 0..rows {
                    let (x, y) = (numbering.seeds_of(own), numbering.seeds_of(other));
                    if x + y <= seeds {
                        found.push(numbering.number((own, x), (other, y)));
                    }
                }
            }
            found.sort_unstable();
            assert_eq!(found, (0..found.len() as u64).collect::<Vec<_>>());
            let expected = choose(u64::from(seeds) + 2 * u64::from(pits), 2 * u64::from(pits));
            assert_eq!(found.len() as u64, expected);
            assert_eq!(numbering.end(seeds), expected);
        }
    }

    #[test]
    fn classes_are_all_rows_in_order() {
        let numbering = Numbering::new(Ring { pits: 6 }, 8);
        let mut next = 0;
        for seeds in 0..=8 {
            for distance in 0..=5 * usize::from(seeds) {
                let class = numbering.class(seeds, distance);
                assert!(class.is_empty() || class.start == next);
                next = next.max(class.end);
            }
        }
        assert_eq!(next as usize, numbering.rows());
        assert!(numbering.class(8, 41).is_empty());
    }
}
