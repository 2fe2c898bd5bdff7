//! Endings of Mancala: the exact value of every position up to a number of seeds, computed from few
//! seeds to many.

use std::sync::Arc;

use hasami_database::{DatabaseError, Header, Piece, Plan, Reader, Staged, Value, Values};

use super::Goal;
use super::number::{Numbering, Row};
use super::position::{MAX_PITS, Position, Ring};
use hasami_game::Origin;
use hasami_game::race::{Exact, Player};
use hasami_spec::params::ParamError;

/// Most seeds of a database: more would not fit into any memory.
pub const MAX_SEEDS: u8 = 40;

/// Precedes the number of seeds in the rules of a database.
pub const UP_TO: &str = " up-to=";

/// No such row or sowing.
const NONE: u32 = u32::MAX;

/// How to compute all values up to a number of seeds.
pub struct Endings {
    numbering: Numbering,
    rules: String,
    /// Seeds and distances that are computed together, in order.
    steps: Vec<(u8, usize)>,
    pits: u8,
    /// By row and pit.
    sowings: Vec<Sowing>,
    /// For each row, the row with one more seed in the first n pits that the opponent reaches, by
    /// n.
    given: Vec<[u32; MAX_PITS as usize + 1]>,
}

/// A precomputed sowing.
#[derive(Clone, Copy)]
struct Sowing {
    own: u32,
    own_seeds: u8,
    given: u8,
    goes_on: bool,
}

impl Endings {
    /// Prepares all endings with at most `seeds` seeds.
    #[must_use]
    pub fn new(ring: Ring, goal: Goal, seeds: u8) -> Self {
        let numbering = Numbering::new(ring, seeds);
        let rows = 0..numbering.rows() as u32;
        let sowings = rows
            .clone()
            .flat_map(|row| numbering.sowings(row))
            .map(|sown| Sowing {
                own: sown.own,
                own_seeds: if sown.own == NONE { 0 } else { numbering.seeds_of(sown.own) },
                given: sown.given,
                goes_on: goal.goes_on(sown.last, Player::First),
            })
            .collect();
        let given = rows
            .map(|row| {
                let mut all = [NONE; MAX_PITS as usize + 1];
                for (count, after) in (0..=ring.pits).zip(&mut all) {
                    *after = numbering.with_given(row, count);
                }
                all
            })
            .collect();
        let of_seeds = |seeds: u8| {
            let most = usize::from(seeds) * usize::from(ring.pits - 1);
            (0..=most).map(move |distance| (seeds, distance))
        };
        Self {
            rules: rules(ring, goal, seeds),
            steps: (1..=seeds).flat_map(of_seeds).collect(),
            pits: ring.pits,
            numbering,
            sowings,
            given,
        }
    }

    /// Row `row` after the opponent has sown `count` seeds into it.
    fn after_giving(&self, mut row: u32, mut count: u8) -> u32 {
        while count > self.pits {
            row = self.given[row as usize][usize::from(self.pits)];
            count -= self.pits;
        }
        self.given[row as usize][usize::from(count)]
    }

    fn value(
        &self,
        (own, own_seeds): (u32, u8),
        (other, other_seeds): (u32, u8),
        values: &Values,
    ) -> Result<Value, DatabaseError> {
        if own_seeds == 0 {
            return Ok(Value::NONE);
        }
        if other_seeds == 0 {
            return Ok(Value(0));
        }
        let (mut win, mut loss) = (u32::MAX, 0);
        let from = own as usize * usize::from(MAX_PITS);
        for sowing in &self.sowings[from..from + usize::from(self.pits)] {
            if sowing.own == NONE {
                continue;
            }
            if sowing.own_seeds == 0 {
                return Ok(Value(1));
            }
            let own = (sowing.own, sowing.own_seeds);
            let other = (self.after_giving(other, sowing.given), other_seeds + sowing.given);
            let plies = if sowing.goes_on {
                values.get(self.numbering.number(own, other)).plies()
            } else {
                values.get(self.numbering.number(other, own)).plies().map(|plies| plies + 1)
            };
            let plies = plies.expect("a decided position of an earlier step");
            match plies % 2 {
                1 => win = win.min(plies),
                _ => loss = loss.max(plies),
            }
        }
        let plies = if win < u32::MAX { win } else { loss };
        Value::decided(plies).ok_or(DatabaseError::TooLong { plies })
    }
}

/// The canonical spelling of the rules of a database.
fn rules(ring: Ring, goal: Goal, seeds: u8) -> String {
    format!("pits={} goal={}{UP_TO}{seeds}", ring.pits, goal.word())
}

impl Plan for Endings {
    fn header(&self) -> Header {
        Header {
            game: "mancala".to_string(),
            rules: self.rules.clone(),
            values: self.numbering.end(self.numbering.seeds()),
        }
    }

    fn steps(&self) -> usize {
        self.steps.len()
    }

    fn final_after(&self, step: usize) -> u64 {
        let (seeds, _) = self.steps[step];
        match self.steps.get(step + 1) {
            Some(&(next, _)) if next == seeds => self.numbering.end(seeds - 1),
            _ => self.numbering.end(seeds),
        }
    }

    fn tasks(&self, step: usize) -> usize {
        usize::from(self.steps[step].0) + 1
    }

    /// Computes positions with `task` own seeds. A sowing that reaches no goal shortens the
    /// distance; all others lead to fewer seeds.
    fn fill(&self, step: usize, task: usize, values: &Values) -> Result<(), DatabaseError> {
        let (seeds, distance) = self.steps[step];
        let own_seeds = task as u8;
        let other_seeds = seeds - own_seeds;
        for own_distance in 0..=distance {
            let others = self.numbering.class(other_seeds, distance - own_distance);
            if others.is_empty() {
                continue;
            }
            for own in self.numbering.class(own_seeds, own_distance) {
                for other in others.clone() {
                    let (own, other) = ((own, own_seeds), (other, other_seeds));
                    let value = self.value(own, other, values)?;
                    values.set(self.numbering.number(own, other), value);
                }
            }
        }
        Ok(())
    }
}

impl Staged for Endings {
    /// One stage for each number of seeds, including 0.
    fn stages(&self) -> usize {
        usize::from(self.numbering.seeds()) + 1
    }

    /// A sowing that reaches no goal keeps the seeds of both sides and passes the turn. So within
    /// one number of seeds, positions with a and b seeds depend only on those with b and a.
    fn pieces(&self, stage: usize) -> Vec<Piece> {
        let seeds = stage as u8;
        let steps = || {
            let all = self.steps.iter().enumerate();
            all.filter(|(_, step)| step.0 == seeds).map(|(at, _)| at)
        };
        let piece = |own: u8| {
            let other = seeds - own;
            let mut sides = vec![own, other];
            sides.dedup();
            let of_step = |step| sides.iter().map(move |&side| (step, usize::from(side)));
            Piece {
                tasks: steps().flat_map(of_step).collect(),
                numbers: sides
                    .iter()
                    .map(|&own| self.numbering.numbers(own, seeds - own))
                    .collect(),
            }
        };
        if seeds == 0 { Vec::new() } else { (0..=seeds / 2).map(piece).collect() }
    }
}

/// An open database of endings.
#[derive(Clone, Debug)]
pub struct Database {
    goal: Goal,
    places: Places,
    reader: Arc<Reader>,
}

/// Finds the index of a position's value.
#[derive(Clone, Debug)]
pub(super) struct Places {
    ring: Ring,
    numbering: Numbering,
}

impl Places {
    /// The number of a position; `None` if it has too many seeds.
    pub(super) fn number(&self, position: &Position) -> Option<u64> {
        let row = |player| {
            let mut row: Row = [0; MAX_PITS as usize];
            let pits = self.ring.row(position, player);
            row[..pits.len()].copy_from_slice(pits);
            let number = self.numbering.row(&row)?;
            Some((number, self.numbering.seeds_of(number)))
        };
        let (own, other) = (row(position.mover)?, row(position.mover.other())?);
        let fits = own.1 + other.1 <= self.numbering.seeds();
        fits.then(|| self.numbering.number(own, other))
    }
}

impl Database {
    /// Opens the database in `reader` for this ring and this rule.
    ///
    /// # Errors
    /// If it is about something else.
    pub fn new(ring: Ring, goal: Goal, reader: Reader) -> Result<Self, ParamError> {
        let found = reader.header();
        let seeds = found.rules.rsplit_once(UP_TO).and_then(|(_, seeds)| seeds.parse().ok());
        let fits = |&seeds: &u8| seeds <= MAX_SEEDS && found.rules == rules(ring, goal, seeds);
        let Some(seeds) = seeds.filter(fits).filter(|_| found.game == "mancala") else {
            let found = format!("{} {}", found.game, found.rules);
            let expected = format!("mancala pits={} goal={}", ring.pits, goal.word());
            return Err(ParamError::bad("database", found, expected));
        };
        let places = Places { ring, numbering: Numbering::new(ring, seeds) };
        Ok(Self { goal, places, reader: Arc::new(reader) })
    }

    /// Which last seed gives the mover another move.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The most seeds of its positions.
    #[must_use]
    pub fn seeds(&self) -> u8 {
        self.places.numbering.seeds()
    }

    /// The exact value of a position for its side to move; `None` if it has too many seeds, or if
    /// the side to move has already won.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn value(&self, position: &Position) -> Result<Option<Exact>, DatabaseError> {
        let Some(number) = self.places.number(position) else { return Ok(None) };
        Ok(Exact::from_value(self.reader.value(number)?))
    }

    /// All its values with their indices, for a search with many lookups.
    ///
    /// # Errors
    /// If the file is damaged.
    pub(super) fn in_memory(self) -> Result<(Places, Vec<u8>), DatabaseError> {
        let mut all = Vec::new();
        // Reserve exactly: a growing vector could take twice as much.
        all.reserve_exact(self.reader.header().values as usize);
        self.reader.for_each_block(|block| all.extend_from_slice(block))?;
        Ok((self.places, all))
    }

    /// The file and its contents.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn origin(&self) -> Result<Origin, DatabaseError> {
        let header = self.reader.header();
        let about = format!("{} {}", header.game, header.rules);
        Ok(Origin { about, blake3: self.reader.checksum()? })
    }
}
