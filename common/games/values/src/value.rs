//! Positions with values: families for sweeps, and certificates of values.

pub mod certificate;
mod expression;
mod family;
mod game;
mod plain;
mod prove;
pub mod shared;
mod spelled;

pub use family::{BadPosition, Family, Position, room_points};
pub use game::Game;
pub use prove::{Checked, Entry, Proof, check, find_proof};

use hasami_cgt::rules::clobber::Clobber;
use hasami_cgt::rules::domineering::Domineering;
use hasami_cgt::rules::toads::Toads;
use hasami_cgt::{Games, Rules, Value, Valuer};

use crate::go::{Endgames, Suicide, Unvalued};
use shared::{Local, NoNotes, Notes, Price, Shared, Tally};

/// Limits on the work for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most positions of Go.
    pub positions: usize,
    /// Most steps of arithmetic on values.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { positions: 2_000_000, steps: 500_000_000 }
    }
}

/// The value of a position, and its cost.
#[derive(Debug)]
pub struct Found {
    /// The arena of the value.
    pub games: Games,
    /// The value.
    pub value: Value,
    /// Number of positions valued for it.
    pub evaluations: u64,
    /// Counts of values shared with other searches.
    pub tally: Tally,
}

/// The value of a position, in an arena of its own.
///
/// # Errors
/// If play can repeat, or a limit is reached.
pub fn value(position: &Position, limits: Limits) -> Result<(Games, Value), Unvalued> {
    value_shared(position, limits, &NoNotes).map(|found| (found.games, found.value))
}

/// Like [`value`], but shares values with other searches.
///
/// # Errors
/// If play can repeat, or a limit is reached.
pub fn value_shared(
    position: &Position,
    limits: Limits,
    notes: &dyn Notes,
) -> Result<Found, Unvalued> {
    let mut games = Games::with_limit(limits.steps);
    match position {
        Position::Domineering(board) => by_rules(games, &Domineering, board, "domineering", notes),
        Position::Clobber(board) => by_rules(games, &Clobber, board, "clobber", notes),
        Position::Toads(strip) => by_rules(games, &Toads, strip, "toads", notes),
        Position::Expression(text) => {
            let value = expression(&mut games, text)?;
            Ok(Found { games, value, evaluations: 0, tally: Tally::default() })
        }
        Position::Go(board) => {
            let mut endgames = Endgames::new(Suicide::Forbidden, limits.positions, limits.steps);
            let mut shared = Shared::new(notes, "go", "suicide forbidden", GO);
            let value = endgames.value_shared(board, &mut shared);
            // What was found before a limit was reached is worth storing, too.
            shared.flush();
            let (value, evaluations) = (value?, endgames.valued());
            Ok(Found { games: endgames.games, value, evaluations, tally: shared.tally })
        }
    }
}

/// A lookup over a network takes as long as a few positions of Go, or a hundred of simpler games.
const GO: Price = Price { question: 8, least: 3 };
const SIMPLE: Price = Price { question: 100, least: 20 };

fn by_rules<R: Rules<Position: Local>>(
    mut games: Games,
    rules: &R,
    position: &R::Position,
    family: &str,
    notes: &dyn Notes,
) -> Result<Found, Unvalued> {
    let mut shared = Shared::new(notes, family, "", SIMPLE);
    let mut valuer = Valuer::new(rules);
    let value = valuer.value_with(&mut games, position, &mut shared);
    shared.flush();
    Ok(Found { value: value?, games, evaluations: valuer.work(), tally: shared.tally })
}

/// Expressions are checked when they are parsed, so the only error left is that they are too large.
fn expression(games: &mut Games, text: &str) -> Result<Value, Unvalued> {
    games.parse(text).map_err(|error| match error {
        hasami_cgt::notation::ParseError::Exhausted(limit) => Unvalued::Exhausted(limit),
        hasami_cgt::notation::ParseError::Bad { .. } => unreachable!("an expression that was read"),
    })
}
