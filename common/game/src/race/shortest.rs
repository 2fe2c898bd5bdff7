//! The fewest plies as a sequence of questions: "not within two plies less", then "within so many".
//! Proven and disproven with certificates, they pin the distance down.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use hasami_andor::{Problem, ProblemId, Verdict};
use hasami_spec::params::{ParamError, Params};

use super::{Exact, ExactSolver, Outcome, SHORTEST};

/// Positions that are looked at to find the distance before the questions are asked; where that is
/// not enough, all odd numbers are asked one after the other.
const PATIENCE: u64 = 3_000_000;
/// So many distances are remembered: every stage of a question asks for the same one.
const REMEMBERED: usize = 16;

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
    let within = |plies: u32| params.with("within", &plies.to_string()).map(Some);
    match (distance::<G>(params)?, stage) {
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

/// The verdict that the exact search expects of a stage of [`shortest_stage`], if it has found the distance.
///
/// # Errors
/// When the parameters are wrong.
pub fn shortest_expected<G: ExactSolver>(
    params: &Params,
    stage: &Params,
) -> Result<Option<Verdict>, ParamError> {
    if params.text("within")? != SHORTEST {
        return Ok(None);
    }
    let Some(exact) = distance::<G>(params)? else { return Ok(None) };
    let shortest = exact.plies.filter(|_| exact.outcome == Outcome::Win);
    // `any` is no number: every length is within it.
    let limit = stage.text("within")?.parse().unwrap_or(u32::MAX);
    let holds = shortest.is_some_and(|plies| plies <= limit);
    Ok(Some(if holds { Verdict::Proven } else { Verdict::Disproven }))
}

/// The exact value of the position, unless that takes too long.
fn distance<G: ExactSolver>(params: &Params) -> Result<Option<Exact>, ParamError> {
    static FOUND: Mutex<VecDeque<(ProblemId, Option<Exact>)>> = Mutex::new(VecDeque::new());
    let game = G::from_params(&params.with("within", "any")?)?;
    let id = game.id();
    let found = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = found().iter().find(|(known, _)| *known == id) {
        return Ok(*known);
    }
    let exact = game.solve_exact(&Problem::root(&game), PATIENCE);
    let mut found = found();
    found.push_front((id, exact));
    found.truncate(REMEMBERED);
    Ok(exact)
}
