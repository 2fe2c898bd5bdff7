//! Puzzles: positions in which the side to move wins in a known number of plies, by one move only.
//!
//! After Ogawa, Koizumi and Otsuki: a game, an analysis and a generator, each replaceable. A game
//! defines how a position is asked about and drawn ([`Puzzle`]); an [`Analyst`] finds exact
//! lengths; a [`Generator`] draws positions by one of several [`Method`]s, studies them and keeps
//! the good ones.

mod analyst;
mod deepening;
mod drawing;
mod generator;
mod grade;
mod line;
mod method;
mod order;
mod play;
mod racing;
pub mod sheet;
mod solved;
mod study;
mod turn;
mod whole;

use std::path::{Path, PathBuf};

use hasami_andor::Turn as Side;

pub use analyst::{Analyst, Exhausted};
pub use deepening::Deepening;
pub use drawing::{CELL, Drawing, Mark};
pub use generator::{Generator, Made};
pub use grade::{Difficulty, Grade, thresholds};
pub use hasami_game::Origin;
pub use method::Method;
pub use order::{EXPECTED_PLIES, Order, Plies, Unique};
pub use play::random_play;
pub use racing::{ByRace, Racing};
pub use solved::Solved;
pub use turn::{Turn, cell_name, column_names};
pub use whole::WholeGame;

use hasami_game::Game;
use hasami_game::race::QueryError;
use hasami_game::random::SplitMix;
use hasami_spec::params::Params;

/// A game with puzzles. Only [`Puzzle::asked_from`] is required.
pub trait Puzzle: Game {
    /// The rules in a sentence or two, for the head of a sheet.
    const IN_WORDS: &'static str = Self::ABOUT;
    /// The lowest scores of medium and hard, by plies; see [`thresholds`].
    const GRADES: &'static [(u32, [f64; 2])] = &[(1, [5.0, 7.5])];
    /// The method that suits the game best.
    const METHOD: Method = Method::Free;

    /// The question "does the side to move win from here?" about a state, as parameters with no
    /// limit of plies; `None` if the game is over. The side to move asks. Positions that differ
    /// only in the names of the sides should give equal parameters.
    fn asked_from(&self, params: &Params, state: &Self::State) -> Option<Params>;

    /// The same question with a limit of plies, for the certificate of a puzzle. Games without a
    /// parameter `within` get no limit.
    fn bounded(params: &Params, plies: u32) -> Params {
        params.with("within", &plies.to_string()).unwrap_or_else(|_| params.clone())
    }

    /// A position from guided randomness (method A): few restrictions that make wins of the wanted
    /// length likely. By default: a random game, stepped back from its end.
    fn composed(&self, params: &Params, plies: u32, random: &mut SplitMix) -> Option<Params> {
        random_play(self, params, plies, random)
    }

    /// A position of any kind, however hard. By default as [`Self::composed`].
    fn free(&self, params: &Params, plies: u32, random: &mut SplitMix) -> Option<Params> {
        random_play(self, params, plies, random)
    }

    /// Default number of solutions of a puzzle.
    fn usual_unique(_method: Method) -> Unique {
        Unique::Win
    }

    /// The game in which the opponent passes every turn, if there is one (section 8 of the paper).
    fn passing(_params: &Params) -> Option<Params> {
        None
    }

    /// The question under the reading of the rules that is hardest on the side to move, if the
    /// rules are ambiguous: a puzzle won under it is won under every reading.
    fn hardest_reading(_params: &Params) -> Option<Params> {
        None
    }

    /// A remark about puzzles with these parameters, beside the rules.
    fn label(_params: &Params) -> Option<String> {
        None
    }

    /// The analyst that finds exact lengths.
    fn analyst() -> Box<dyn Analyst<Self>> {
        Box::new(Deepening::new())
    }

    /// Opens the strong solution in a file, to draw positions from. It has the rules of `params`;
    /// other files have those of the hardest reading.
    ///
    /// # Errors
    /// If this game has no such files, or these are about something else or damaged.
    fn solved(
        _params: &Params,
        _file: &Path,
        _others: &[PathBuf],
    ) -> Result<Box<dyn Solved<Self>>, QueryError> {
        Err(QueryError::NoPuzzles(Self::NAME))
    }

    /// The printed position.
    fn drawing(&self, state: &Self::State) -> Drawing {
        Drawing::of_text(&self.show(state))
    }

    /// The turns of a line of moves that [`Self::told`] has named. By default the sides move in turn.
    fn turns(&self, line: &[String]) -> Vec<Turn> {
        Turn::alternate(line.iter().map(|told| vec![Mark::text(told.clone())]))
    }

    /// What the marks of drawings mean.
    #[must_use]
    fn legend() -> Vec<(Mark, &'static str)> {
        Vec::new()
    }

    /// The name of a move, for programs and certificates.
    fn told(&self, state: &Self::State, mv: Self::Move) -> String {
        self.show_move(state, mv)
    }
}

/// Builds the game with these parameters.
pub(crate) fn made<G: Game>(params: &Params) -> Option<G> {
    G::from_params(params).ok()
}

/// Whether the asking side is to move.
fn asks<G: Game>(game: &G, state: &G::State) -> bool {
    game.turn(state) == Side::Or
}
