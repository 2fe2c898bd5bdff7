//! Mancala, plainly: rows are lists of seeds, and a sowing puts them one by one round the ring.

use super::{Plainly, number, words};

/// The mover's pits and the opponent's, each from the pit next to the own goal.
type Rows = [Vec<u8>; 2];

/// All positions up to a number of seeds.
pub(super) struct Plain {
    pits: usize,
    either: bool,
    /// The rows by their seeds, in order.
    rows: Vec<Vec<Vec<u8>>>,
    /// The first number with so many seeds in play; one more at the end.
    first: Vec<u64>,
}

/// A position after a sowing.
struct Sown {
    rows: Rows,
    again: bool,
}

impl Plain {
    pub(super) fn new(rules: &str) -> Option<Self> {
        let [pits, goal, seeds] = words(rules, ["pits", "goal", "up-to"])?;
        let (pits, seeds) = (number(pits, 1..=6)?, number(seeds, 1..=40)?);
        let either = match goal {
            "either" => true,
            "own" => false,
            _ => return None,
        };
        let mut rows: Vec<Vec<Vec<u8>>> = (0..=seeds).map(|x| rows_of(pits, x as u8)).collect();
        rows.iter_mut().for_each(|rows| rows.sort_by_key(|row| order(row)));
        let mut first = vec![0];
        for seeds in 0..=seeds {
            let of = |x: usize| rows[x].len() as u64 * rows[seeds - x].len() as u64;
            first.push(first[seeds] + (0..=seeds).map(of).sum::<u64>());
        }
        Some(Self { pits, either, rows, first })
    }

    fn position(&self, number: u64) -> Rows {
        let seeds = self.first.partition_point(|&first| first <= number) - 1;
        let mut rest = number - self.first[seeds];
        let mut own = 0;
        loop {
            let others = self.rows[seeds - own].len() as u64;
            let here = self.rows[own].len() as u64 * others;
            if rest < here {
                let (x, y) = ((rest / others) as usize, (rest % others) as usize);
                return [self.rows[own][x].clone(), self.rows[seeds - own][y].clone()];
            }
            rest -= here;
            own += 1;
        }
    }

    fn number(&self, rows: &Rows) -> u64 {
        let [x, y] = rows.each_ref().map(|row| seeds(row));
        let before: u64 = (0..x)
            .map(|own| self.rows[own].len() as u64 * self.rows[x + y - own].len() as u64)
            .sum();
        let index = |row: &Vec<u8>| {
            let all = &self.rows[seeds(row)];
            all.partition_point(|other| order(other) < order(row)) as u64
        };
        let within = index(&rows[0]) * self.rows[y].len() as u64 + index(&rows[1]);
        self.first[x + y] + before + within
    }

    /// Sows the seeds of a pit one by one: own pits down to 0, own goal, the opponent's pits down
    /// to 0, the opponent's goal, and round again.
    fn sow(&self, rows: &Rows, pit: usize) -> Sown {
        let ring = 2 * self.pits + 2;
        let mut rows = rows.clone();
        let mut in_hand = std::mem::take(&mut rows[0][pit]);
        // Places of the ring in the order of sowing, from the mover's last pit.
        let mut place = self.pits - 1 - pit;
        while in_hand > 0 {
            place = (place + 1) % ring;
            in_hand -= 1;
            let (half, at) = (place / (self.pits + 1), place % (self.pits + 1));
            if at < self.pits {
                rows[half][self.pits - 1 - at] += 1;
            }
        }
        let own_goal = place == self.pits;
        let other_goal = place == ring - 1;
        Sown { rows, again: own_goal || self.either && other_goal }
    }
}

fn seeds(row: &[u8]) -> usize {
    row.iter().map(|&seeds| usize::from(seeds)).sum()
}

/// What rows with equally many seeds are sorted by.
fn order(row: &[u8]) -> (usize, Vec<u8>) {
    let distance = row.iter().enumerate().map(|(pit, &seeds)| pit * usize::from(seeds)).sum();
    (distance, row.to_vec())
}

fn rows_of(pits: usize, seeds: u8) -> Vec<Vec<u8>> {
    if pits == 1 {
        return vec![vec![seeds]];
    }
    let with = |first: u8| {
        let rest = rows_of(pits - 1, seeds - first).into_iter();
        rest.map(move |rest| [&[first], &rest[..]].concat())
    };
    (0..=seeds).flat_map(with).collect()
}

impl Plainly for Plain {
    fn count(&self) -> u64 {
        self.first.last().copied().unwrap_or(0)
    }

    fn follows(&self, number: u64, value: &dyn Fn(u64) -> u8) -> Option<u8> {
        let rows = self.position(number);
        if seeds(&rows[0]) == 0 {
            return Some(254);
        }
        if seeds(&rows[1]) == 0 {
            return Some(0);
        }
        let (mut wins, mut losses) = (Vec::new(), Vec::new());
        for pit in (0..self.pits).filter(|&pit| rows[0][pit] > 0) {
            let Sown { rows: [own, other], again } = self.sow(&rows, pit);
            if seeds(&own) == 0 {
                return Some(1);
            }
            let plies = if again {
                u32::from(value(self.number(&[own, other])))
            } else {
                u32::from(value(self.number(&[other, own]))) + 1
            };
            // 254 and 255 belong to no position that is played on.
            if plies > 253 {
                return None;
            }
            if plies % 2 == 1 { wins.push(plies) } else { losses.push(plies) }
        }
        let plies = wins.into_iter().min().or(losses.into_iter().max())?;
        u8::try_from(plies).ok()
    }

    fn spell(&self, number: u64) -> String {
        let row = |row: &Vec<u8>| row.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let [own, other] = self.position(number);
        format!("{}/{}:first", row(&own), row(&other))
    }
}
