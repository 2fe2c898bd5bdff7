//! The fewest plies as a sequence of questions: "not within n - 2 plies", then "within n plies".
//! Proven and disproven with certificates, they determine the distance.

use hasami_andor::Verdict;
use hasami_spec::{ParamError, Params};

use super::{Exact, ExactSolver, MAX_PLIES, Outcome, SHORTEST};
use crate::game::KnownStage;
use crate::resources::{BuildError, Resources};

/// Positions that the exact search may visit before the questions are asked. If that is not enough,
/// all odd numbers are asked in order.
const PATIENCE: u64 = 3_000_000;

/// Question number `stage` for a game with the parameter `within`: 1, 3, 5 … plies for the
/// shortest.
///
/// # Errors
/// If the parameters are wrong.
pub fn shortest_stage(params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
    if params.text("within")? != SHORTEST {
        return Ok((stage == 0).then(|| params.clone()));
    }
    let plies = 2 * u64::from(stage) + 1;
    if plies > u64::from(MAX_PLIES) {
        return Ok(None);
    }
    params.with("within", &plies.to_string()).map(Some)
}

/// Checks that `shortest` is used with the question for a win only.
///
/// # Errors
/// If it is used with another question.
pub fn check_shortest(params: &Params) -> Result<(), ParamError> {
    if params.text("within")? == SHORTEST && params.text("ask")? != "win" {
        return Err(ParamError::bad("within", SHORTEST, "ask=win with it"));
    }
    Ok(())
}

/// The question whose disproof says that there is no win in any number of plies.
///
/// # Errors
/// If the parameters are wrong.
pub fn refuting_shortest(params: &Params) -> Result<Option<Params>, BuildError> {
    let open = params.text("within")? == SHORTEST;
    Ok(open.then(|| params.with("within", "any")).transpose()?)
}

/// The two questions that determine the shortest win, from an exact search; `None` if that takes
/// too long.
///
/// # Errors
/// If the game cannot be built.
pub fn known_shortest<G: ExactSolver>(
    params: &Params,
    resources: &Resources,
) -> Result<Option<Vec<KnownStage>>, BuildError> {
    if params.text("within")? != SHORTEST {
        return Ok(None);
    }
    let game = G::build(&params.with("within", "any")?, resources)?;
    let Some(Exact { outcome, plies }) = game.solve_exact(&game.root(), PATIENCE) else {
        return Ok(None);
    };
    let stage = |within: &str, expected| {
        let params = params.with("within", within)?;
        Ok::<_, BuildError>(KnownStage { params, expected: Some(expected) })
    };
    match (outcome, plies) {
        (Outcome::Win, Some(plies)) => {
            // No question lies below a win in one ply.
            let below = plies.checked_sub(2).filter(|&less| less > 0);
            let below = below.map(|less| stage(&less.to_string(), Verdict::Disproven));
            let last = stage(&plies.to_string(), Verdict::Proven);
            below.into_iter().chain([last]).collect::<Result<_, _>>().map(Some)
        }
        // There is no win in any number of plies.
        _ => Ok(Some(vec![stage("any", Verdict::Disproven)?])),
    }
}
