//! What games with a winner, plies and possibly draws share (`pyonpyon`, `mancala`): questions
//! about a position, how an ending answers them, and exact values.
//!
//! A ply ends when the turn passes or the game ends: several moves in one turn are one ply.

mod exact;
mod query_error;
mod search;
mod shortest;

use hasami_andor::certificate::Least;
use hasami_andor::{Turn, Verdict};

use hasami_spec::params::{Param, ParamError, Params};

pub use exact::{Exact, ExactSolver, Outcome};
pub use query_error::QueryError;
pub use search::{ExactSearch, Race, Spread};
pub use shortest::{check_shortest, known_shortest, refuting_shortest, shortest_stage};

/// What is asked for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Whether it wins.
    Win,
    /// Whether it wins or draws.
    NotLose,
}

/// Limit on the number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// No limit.
    Any,
    /// This many plies; after them the game counts as drawn.
    Plies(u16),
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The first player.
    First,
    /// The second player.
    Second,
}

/// How a game ended by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This player has won.
    Won(Player),
    /// The game is a draw.
    Drawn,
}

/// The largest limit of plies that can be asked for: no game here takes more.
pub const MAX_PLIES: u16 = 9999;

/// The parameter `ask`.
pub const ASK: Param =
    Param::choice("ask", "does the side to move win, or not lose?", &["win", "not-lose"]).or("win");

/// The parameter `within`.
pub const WITHIN: Param = Param::text(
    "within",
    "plies it may take: a number, any, or shortest for the fewest that are enough",
)
.or("any");

/// The value of `within` that asks for the fewest plies.
pub const SHORTEST: &str = "shortest";

impl Player {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The word in positions and sentences.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }

    /// The player that `word` names.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        [Self::First, Self::Second].into_iter().find(|player| player.word() == word)
    }
}

/// A question about a position: who asks what, and within how many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// The side to move at the root; the OR side.
    pub asker: Player,
    /// What is asked.
    pub ask: Ask,
    /// The limit of plies.
    pub within: Within,
}

impl Inquiry {
    /// Reads `ask` and `within`; `shortest` counts as no limit, [`shortest_stage`] handles it.
    ///
    /// # Errors
    /// If a value is unknown or out of range.
    pub fn from_params(params: &Params, asker: Player) -> Result<Self, ParamError> {
        let ask = params.choice("ask", &[("win", Ask::Win), ("not-lose", Ask::NotLose)])?;
        let text = params.text("within")?;
        let within = match text.parse::<u16>() {
            Ok(plies) if (1..=MAX_PLIES).contains(&plies) => Within::Plies(plies),
            _ if text == "any" || text == SHORTEST => Within::Any,
            _ => {
                let expected = format!("any, {SHORTEST}, or a whole number from 1 to {MAX_PLIES}");
                return Err(ParamError::bad("within", text, expected));
            }
        };
        Ok(Self { asker, ask, within })
    }

    /// The canonical spelling of the question, for the id of the problem.
    #[must_use]
    pub fn spelled(&self) -> String {
        let ask = match self.ask {
            Ask::Win => "win",
            Ask::NotLose => "not-lose",
        };
        match self.within {
            Within::Any => format!("ask={ask} within=any"),
            Within::Plies(plies) => format!("ask={ask} within={plies}"),
        }
    }

    /// The fewest plies that can be asked for. The asking side moves first and wins with its own move,
    /// so it wins after an odd number of plies.
    #[must_use]
    pub fn least(&self, key: &str) -> Option<Least> {
        (key == "within" && self.ask == Ask::Win).then_some(Least { from: 1, step: 2 })
    }

    /// The plies left at the root, if they are limited.
    #[must_use]
    pub fn plies(&self) -> Option<u16> {
        match self.within {
            Within::Any => None,
            Within::Plies(plies) => Some(plies),
        }
    }

    /// The kind of node at which `mover` moves.
    #[must_use]
    pub fn turn(&self, mover: Player) -> Turn {
        if mover == self.asker { Turn::Or } else { Turn::And }
    }

    /// The verdict if `winner` has won; `None` is a draw.
    #[must_use]
    pub fn verdict(&self, winner: Option<Player>) -> Verdict {
        let good = match winner {
            Some(player) => player == self.asker,
            None => self.ask == Ask::NotLose,
        };
        if good { Verdict::Proven } else { Verdict::Disproven }
    }

    /// The verdict on a state that needs no search. The rules come first: a game that they have
    /// ended is won or drawn, however few plies are left. Only a game in progress is cut off by the
    /// limit.
    #[must_use]
    pub fn settled(&self, end: Option<End>, left: Option<u16>) -> Option<Verdict> {
        match end {
            Some(End::Won(winner)) => Some(self.verdict(Some(winner))),
            Some(End::Drawn) => Some(self.verdict(None)),
            None if left == Some(0) => Some(self.verdict(None)),
            None => None,
        }
    }

    /// The meaning of a verdict in words.
    #[must_use]
    pub fn claim(&self, verdict: Verdict) -> String {
        let asker = self.asker.word();
        let other = self.asker.other().word();
        let within = match self.within {
            Within::Any => String::new(),
            Within::Plies(1) => " within 1 ply".to_string(),
            Within::Plies(plies) => format!(" within {plies} plies"),
        };
        match (self.ask, verdict) {
            (Ask::Win, Verdict::Proven) => format!("the {asker} player, to move, wins{within}"),
            (Ask::Win, Verdict::Disproven) => {
                format!("the {asker} player, to move, does not win{within}")
            }
            (Ask::NotLose, Verdict::Proven) => {
                format!("the {asker} player, to move, does not lose{within}")
            }
            (Ask::NotLose, Verdict::Disproven) => {
                format!("the {other} player wins{within}; the {asker} player is to move")
            }
        }
    }
}

/// The plies left after a move that ends a ply, if they are limited.
#[must_use]
pub fn one_less(left: Option<u16>) -> Option<u16> {
    left.map(|plies| plies.saturating_sub(1))
}

/// Splits a position into its text and the side to move, `…:first` or `…:second`; first by default.
///
/// # Errors
/// If something else follows the colon.
pub fn split_mover(text: &str) -> Result<(&str, Player), ParamError> {
    match text.rsplit_once(':') {
        None => Ok((text, Player::First)),
        Some((board, word)) => match Player::named(word) {
            Some(player) => Ok((board, player)),
            None => Err(ParamError::bad(
                "position",
                text,
                format!("first or second after the colon, not {word:?}"),
            )),
        },
    }
}
