//! The list of everything that can be asked. A game or a job is one line, here or in the list of its
//! crate; everything else that names one (command line, sweep files, certificates) finds it by name.

use hasami_game::Game;
use hasami_spec::{Catalog, Params, Spec, UnknownName};

use crate::entry::Entry;
use crate::error::JobError;
use crate::jobs::{
    MancalaDatabaseJob, PairJob, PaveJob, PavingsJob, PuzzlesJob, PyonpyonDatabaseJob, ValueJob,
};

macro_rules! registry {
    (jobs: $($job:ty),+; games: $($kind:ident $game:ty),+ $(,)?) => {
        /// All games, then all jobs, in the order in which they are shown.
        pub static ENTRIES: &[Entry] = &[$(Entry::$kind::<$game>(),)+ $(Entry::job::<$job>()),+];

        /// Shows the type of the game `name` to `visitor`: for tests that look into every game.
        /// Whatever else is asked of a game goes through its [`Entry`].
        ///
        /// # Errors
        /// When there is no such game, or it cannot be built.
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
            PaveJob,
            PavingsJob,
            PyonpyonDatabaseJob,
            MancalaDatabaseJob,
            PuzzlesJob,
            ValueJob;
        games:
            game hasami_polyomino::polyomino::Polyomino,
            game hasami_polyomino::paving_winner::PavingWinner,
            puzzle_game hasami_race::pyonpyon::Pyonpyon,
            puzzle_game hasami_race::mancala::Mancala,
            // and the small games
    }
}

/// Something to be done with a game whose type is only known at run time.
pub trait Visitor {
    /// What comes out.
    type Output;
    /// Does it; compiled once for every game.
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
/// When there is none; the message lists those there are.
pub fn entry(name: &str) -> Result<&'static Entry, UnknownName> {
    let spec = CATALOG.find(name)?;
    let found = ENTRIES.iter().find(|entry| entry.spec.name == spec.name);
    Ok(found.expect("an entry for every spec"))
}

/// All games.
pub fn games() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(|entry| entry.rules.is_some())
}

/// The names of all games that puzzles are made of.
#[must_use]
pub fn puzzle_games() -> Vec<&'static str> {
    let games = ENTRIES.iter().filter(|entry| entry.puzzles.is_some());
    games.map(|entry| entry.spec.name).collect()
}

#[cfg(test)]
mod tests;
