//! The games that puzzles are made of: a line each.

use hasami_game::{Game, GameError};
use hasami_puzzles::Puzzle;
use hasami_spec::params::Params;
use hasami_spec::suggest::nearest;

/// Something to be done with a game of puzzles whose type is only known at run time.
pub trait PuzzleVisitor {
    /// What comes out.
    type Output;
    /// Does it; compiled once for every game.
    fn visit<G: Puzzle>(self, params: &Params) -> Self::Output;
}

macro_rules! puzzle_games {
    ($($game:ty),+ $(,)?) => {
        /// The names of all games that puzzles are made of.
        #[must_use]
        pub fn puzzle_games() -> Vec<&'static str> {
            vec![$(<$game as Game>::NAME),+]
        }

        /// Shows the game `name` with the parameters in `pairs` to `visitor`.
        ///
        /// # Errors
        /// When no puzzles are made of such a game, or it refuses the parameters.
        pub fn visit_puzzle<V: PuzzleVisitor>(
            name: &str,
            pairs: &[(String, String)],
            visitor: V,
        ) -> Result<V::Output, GameError> {
            $(
                if name == <$game as Game>::NAME {
                    return Ok(visitor.visit::<$game>(&checked::<$game>(pairs)?));
                }
            )+
            let known = puzzle_games();
            Err(GameError::UnknownGame {
                name: name.to_string(),
                suggestion: nearest(name, known.iter().copied()),
                known,
            })
        }
    };
}

puzzle_games! {
    hasami_small::quarto::Quarto,
    hasami_race::mancala::Mancala,
    hasami_race::pyonpyon::Pyonpyon,
}

fn checked<G: Game>(pairs: &[(String, String)]) -> Result<Params, GameError> {
    Params::new(G::params(), pairs)
        .and_then(|params| G::from_params(&params).map(|_| params))
        .map_err(|error| GameError::Params { game: G::NAME, error })
}
