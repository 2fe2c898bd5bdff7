//! The fewest plies as a sequence of questions: "not within two plies less", then "within so many".
//! Proven and disproven with certificates, they pin the distance down.

use super::{Exact, ExactSolver, Outcome, SHORTEST};
use hasami_spec::params::{ParamError, Params};

/// Positions that are looked at to find the distance before the questions are asked; where that is
/// not enough, all odd numbers are asked one after the other.
const PATIENCE: u64 = 3_000_000;

/// Question number `stage` for a game with the parameter `within`.
///
/// # Errors
/// When the parameters are wrong.
pub fn shortest_stage<G: ExactSolver>(
    params: &Params,
    stage: u32,
) -> Result<Option<Params>, ParamError> {
    if params.text("within")? != SHORTEST {
        return Ok((stage == 0).then(|| params.clone()));
    }
    if params.text("ask")? != "win" {
        return Err(ParamError::bad("within", SHORTEST, "ask=win with it"));
    }
    let game = G::from_params(&params.with("within", "any")?)?;
    let within = |plies: u32| params.with("within", &plies.to_string()).map(Some);
    match (game.solve_exact(&game.root(), PATIENCE), stage) {
        (Some(Exact { outcome: Outcome::Win, plies: Some(plies) }), _) => {
            // A win in one ply has nothing below it.
            let first = plies.saturating_sub(2).max(1);
            let asked = first + 2 * stage;
            if asked <= plies { within(asked) } else { Ok(None) }
        }
        // There is no win: no number of plies is enough.
        (Some(_), 0) => params.with("within", "any").map(Some),
        (Some(_), _) => Ok(None),
        (None, _) => within(2 * stage + 1),
    }
}
