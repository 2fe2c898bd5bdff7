//! The list of all games and jobs. Each is one line, here or in the list of its crate; everything
//! else (command line, sweep files, certificates) finds it by name.

use hasami_game::Game;
use hasami_spec::{Catalog, Params, Spec, UnknownName};

use crate::entry::Entry;
use crate::error::JobError;
use crate::jobs::{
    LearningJob, MancalaDatabaseJob, MateJob, PairJob, PaveJob, PavingsJob, PuzzlesJob,
    PyonpyonDatabaseJob, SelfPlayJob, TrialJob, ValueJob,
};

macro_rules! registry {
    (jobs: $($job:ty),+; games: $($kind:ident $game:ty),+ $(,)?) => {
        /// All games, then all jobs, in display order.
        pub static ENTRIES: &[Entry] = &[$(Entry::$kind::<$game>(),)+ $(Entry::job::<$job>()),+];

        /// Passes the game `name` with its type to `visitor`: for tests that inspect every game.
        /// All other code uses the game's [`Entry`].
        ///
        /// # Errors
        /// If there is no such game, or it cannot be built.
        pub fn visit<V: Visitor>(
            name: &str,
            given: &[(String, String)],
            visitor: V,
        ) -> Result<V::Output, JobError> {
            $(
                if name == <$game as Game>::NAME {
                    let params = <$game>::SPEC.read(given).map_err(JobError::param::<$game>)?;
                    let game = <$game>::from_params(&params).map_err(JobError::build::<$game>)?;
                    return Ok(visitor.visit(game, &params));
                }
            )+
            Err(JobError::Question(format!("{name}: no game")))
        }
    };
}

hasami_small::with_small_games! {
    registry! {
        jobs:
            PairJob,
            MateJob,
            PaveJob,
            PavingsJob,
            PyonpyonDatabaseJob,
            MancalaDatabaseJob,
            PuzzlesJob,
            LearningJob,
            SelfPlayJob,
            TrialJob,
            ValueJob;
        games:
            game hasami_polyomino::polyomino::Polyomino,
            game hasami_polyomino::paving_winner::PavingWinner,
            puzzle_game hasami_race::pyonpyon::Pyonpyon,
            puzzle_game hasami_race::mancala::Mancala,
            game hasami_shogi::Shogi,
            // and the small games
    }
}

/// An operation on a game whose type is known at run time only.
pub trait Visitor {
    /// Result of the operation.
    type Output;
    /// Runs the operation; compiled once for every game.
    fn visit<G: Game>(self, game: G, params: &Params) -> Self::Output;
}

static SPECS: [&Spec; ENTRIES.len()] = {
    let mut specs = [ENTRIES[0].spec; ENTRIES.len()];
    let mut at = 0;
    while at < specs.len() {
        specs[at] = ENTRIES[at].spec;
        at += 1;
    }
    specs
};

/// The specs of all entries.
pub static CATALOG: Catalog = Catalog(&SPECS);

/// The entry of this name.
///
/// # Errors
/// If there is none; the message lists the known names.
pub fn entry(name: &str) -> Result<&'static Entry, UnknownName> {
    let spec = CATALOG.find(name)?;
    let found = ENTRIES.iter().find(|entry| entry.spec.name == spec.name);
    Ok(found.expect("an entry for every spec"))
}

/// All games.
pub fn games() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(|entry| entry.rules.is_some())
}

/// The names of all games with puzzles.
#[must_use]
pub fn puzzle_games() -> Vec<&'static str> {
    let games = ENTRIES.iter().filter(|entry| entry.puzzles.is_some());
    games.map(|entry| entry.spec.name).collect()
}

#[cfg(test)]
mod tests;
