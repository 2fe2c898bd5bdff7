//! The list of all games, and the rooms they live in.

mod puzzles;
pub mod registry;

pub mod race {
    //! Races: exact plies, and databases of any of them.
    pub use hasami_game::race::*;
    pub use hasami_race::query::*;
}
pub mod puzzle {
    //! Puzzles, with the list of games they are made of.
    pub use crate::puzzles::{PuzzleVisitor, puzzle_games, visit_puzzle};
    pub use hasami_puzzles::*;
}
pub use hasami_game::{lore, play, random, text_certificate};
pub use hasami_polyomino::{paving, paving_winner, polyomino};
pub use hasami_race::{mancala, pyonpyon};
pub mod subject {
    //! What databases are about.
    pub use hasami_game::Origin;
    pub use hasami_race::subject::*;
}
pub use hasami_small::{chomp, graph, mnk, quarto, synthetic, trial};
pub use hasami_spec::{params, suggest};
pub use hasami_values::{go, value};

pub use hasami_game::{Drawing, Game, GameError, GameInfo, Meaning, Outlook};
pub use hasami_spec::{Param, ParamError, Params};
pub use registry::{Visitor, games, visit};
