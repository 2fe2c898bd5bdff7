//! A value proven a second time: by play where that is feasible, else by valuing the position anew.

use hasami_cgt::rules::clobber::Clobber;
use hasami_cgt::rules::domineering::Domineering;
use hasami_cgt::rules::is_worth as by_rules;
use hasami_cgt::rules::toads::Toads;
use hasami_cgt::{Games, Value};

use super::{Limits, Position, value};
use crate::go::{Cell, Suicide, Unvalued, is_worth as by_go};

/// How a value was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Both `<=` and `>=` follow from play, move by move, with so many claims.
    Play(usize),
    /// The value was found again from nothing.
    Anew,
}

/// Claims of a proof by play.
const MOST: usize = 400_000;
/// Larger regions are not tried by play.
const OPEN: usize = 9;

/// Whether the position is worth what the text says, and how that was checked.
///
/// # Errors
/// What does not hold, in words.
pub fn prove(position: &Position, claimed: &str) -> Result<Proof, String> {
    let limits = Limits::default();
    let mut games = Games::with_limit(limits.steps);
    let read = games.parse(claimed).map_err(|error| format!("its value: {error}"))?;
    let shown = games.show(read);
    if shown != claimed {
        return Err(format!("its value is spelled {claimed}; expected {shown}"));
    }
    match by_play(&mut games, position, read) {
        Some(Ok((true, claims))) => return Ok(Proof::Play(claims)),
        Some(Ok((false, _))) => return Err(format!("the position is not worth {claimed}")),
        Some(Err(_)) | None => {}
    }
    let (found_in, found) = value(position, limits).map_err(|error| error.to_string())?;
    let found = found_in.show(found);
    match found == claimed {
        true => Ok(Proof::Anew),
        false => Err(format!("the position is worth {found}, not {claimed}")),
    }
}

/// Nothing where play is not tried; an error where it takes too long or repeats.
fn by_play(
    games: &mut Games,
    position: &Position,
    value: Value,
) -> Option<Result<(bool, usize), Unvalued>> {
    let told = match position {
        Position::Domineering(board) => by_rules(games, &Domineering, board, value, MOST),
        Position::Clobber(board) => by_rules(games, &Clobber, board, value, MOST),
        Position::Toads(strip) => by_rules(games, &Toads, strip, value, MOST),
        Position::Go(board) => {
            let open = board.cells().iter().filter(|cell: &&Cell| cell.is_open()).count();
            if open > OPEN {
                return None;
            }
            return Some(by_go(games, board, value, Suicide::Forbidden, MOST));
        }
        Position::Expression(_) => return None,
    };
    Some(told.map_err(Unvalued::from))
}
