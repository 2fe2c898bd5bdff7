//! Puzzles of Pyonpyon shogi from its strong solution: positions by their numbers in the database.

use std::path::{Path, PathBuf};

use hasami_andor::{Problem, Turn};
use hasami_database::{DatabaseError, Reader};

use super::Pyonpyon;
use super::database::Database;
use super::position::Position;
use hasami_game::Game;
use hasami_game::race::{Outcome, QueryError};
use hasami_game::random::SplitMix;
use hasami_puzzles::{Analyst, Exhausted, Origin, Plies, Puzzle, Racing, Solved};
use hasami_spec::params::Params;

/// Databases of one board.
pub(super) struct ByDatabase {
    /// The database of the rules in question.
    database: Database,
    /// All databases with their rules, that one first.
    known: Vec<(<Pyonpyon as Racing>::Rules, Database)>,
    origin: Origin,
    trouble: Option<DatabaseError>,
}

impl ByDatabase {
    /// Opens the databases in these files; see [`Puzzle::solved`].
    pub(super) fn open(
        params: &Params,
        file: &Path,
        others: &[PathBuf],
    ) -> Result<Self, QueryError> {
        let game = Pyonpyon::from_params(params)?;
        let database = Database::new(game.board(), game.no_move(), Reader::open(file)?)?;
        let origin = Origin { about: database.about(), blake3: database.checksum()? };
        let mut known = vec![(game.rules(), database.clone())];
        for file in others {
            let hardest = Pyonpyon::hardest_reading(params);
            let other = Pyonpyon::from_params(hardest.as_ref().unwrap_or(params))?;
            let reader = Reader::open(file)?;
            known.push((other.rules(), Database::new(other.board(), other.no_move(), reader)?));
        }
        Ok(Self { database, known, origin, trouble: None })
    }

    /// Returns the value, and records an error.
    fn checked<T>(&mut self, found: Result<Option<T>, DatabaseError>) -> Option<T> {
        found.unwrap_or_else(|error| {
            self.trouble = Some(error);
            None
        })
    }
}

impl Analyst<Pyonpyon> for ByDatabase {
    fn begin(&mut self, _: u64) {}

    fn shortest(
        &mut self,
        game: &Pyonpyon,
        state: &Position,
        most: u32,
    ) -> Result<Option<u32>, Exhausted> {
        let known = self.known.iter().find(|(rules, _)| game.has_rules(rules));
        let (_, database) = known.ok_or(Exhausted)?;
        let found = database.value(state);
        // Games that the side to move has already won are never asked about.
        let exact = self.checked(found).ok_or(Exhausted)?;
        let asks = game.turn(state) == Turn::Or;
        let wanted = if asks { Outcome::Win } else { Outcome::Loss };
        Ok(exact.plies.filter(|&plies| exact.outcome == wanted && plies <= most))
    }
}

impl Solved<Pyonpyon> for ByDatabase {
    fn drawn(&mut self, wanted: Plies, random: &mut SplitMix) -> Option<Position> {
        let number = random.below_long(self.database.count());
        let found = self.database.nth(number);
        let (position, exact) = self.checked(found)?;
        let fits = |plies| (wanted.least..=wanted.most).contains(&plies);
        (exact.outcome == Outcome::Win && exact.plies.is_some_and(fits)).then_some(position)
    }

    fn knows(&self, game: &Pyonpyon) -> bool {
        self.known.iter().any(|(rules, _)| game.has_rules(rules))
    }

    fn origin(&self) -> &Origin {
        &self.origin
    }

    fn trouble(&mut self) -> Option<DatabaseError> {
        self.trouble.take()
    }
}
