//! Finds a least number from above: first any proof, then one that needs less, until there is none.
//! Asking 1, 3, 5 … in order would search a mate of 81 plies forty times, and prove forty disproofs.
//!
//! Only for games whose states form families over the number ([`Game::closing`]): all its questions
//! share one table, and a proof tells how much it needs. What is found here is only where to look:
//! the two questions that settle the number are asked as any others are, of the same table.

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::{Control, Outcome, Table, Verdict};
use hasami_game::{Closing, Game, KnownStage};
use hasami_spec::Params;

use crate::error::JobError;
use crate::settle::{Plan, Shell, Staged, prepare, search};

/// What was found.
pub(crate) struct Scouted<G: Game> {
    /// The stages to ask, in order.
    pub stages: Vec<KnownStage>,
    /// They are settled in it already.
    pub table: Arc<Table<G::Reason>>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Seconds of all searches.
    pub seconds: f64,
    /// Whether less was neither found nor excluded when the search had to stop.
    pub unsure: bool,
}

/// How scouting ended.
pub(crate) enum Scouting<G: Game> {
    /// The question is not of this kind, or the table has lost what it found: ask in order.
    None,
    /// Where to look.
    Found(Scouted<G>),
    /// The search stopped before it found anything.
    Stopped(Box<Staged<G>>, Outcome, f64),
}

/// Closes in on the least number that a question asks for.
pub(crate) fn scout<G: Game>(
    wanted: &Params,
    plan: &Plan<'_>,
    control: &Control,
    shell: &mut dyn Shell,
) -> Result<Scouting<G>, JobError> {
    let Some(closing) = G::closing(wanted).map_err(JobError::param::<G>)? else {
        return Ok(Scouting::None);
    };
    let Closing { key, endless, from, step } = closing;
    let with = |value: &str| wanted.with(key, value).map_err(JobError::param::<G>);
    let known = |value: &str, expected| {
        Ok::<_, JobError>(KnownStage { params: with(value)?, expected: Some(expected) })
    };
    let started = Instant::now();
    let mut stage = prepare::<G>(with(endless)?, plan, None)?;
    let table = Arc::clone(&stage.table);
    let mut outcome = search(&stage, plan, control, shell)?;
    let mut nodes = outcome.counts.nodes;
    let mut least = None;
    let mut unsure = false;
    let stages = loop {
        match (outcome.numbers.verdict(), least) {
            (Some(Verdict::Proven), _) => {
                let root = stage.game.key(&stage.game.root());
                let proof = table.look(&stage.game, root).settled();
                let needed = proof.and_then(|proof| stage.game.needed(proof.reason));
                let Some(needed) = needed else { return Ok(Scouting::None) };
                least = Some(needed);
                if needed < from + step {
                    break vec![known(&needed.to_string(), Verdict::Proven)?];
                }
                stage = prepare(with(&(needed - step).to_string())?, plan, Some(&table))?;
                outcome = search(&stage, plan, control, shell)?;
                nodes += outcome.counts.nodes;
            }
            (Some(Verdict::Disproven), None) => break vec![known(endless, Verdict::Disproven)?],
            (Some(Verdict::Disproven), Some(least)) => {
                let below = known(&(least - step).to_string(), Verdict::Disproven)?;
                break vec![below, known(&least.to_string(), Verdict::Proven)?];
            }
            (None, Some(least)) => {
                unsure = true;
                break vec![known(&least.to_string(), Verdict::Proven)?];
            }
            (None, None) => {
                let seconds = started.elapsed().as_secs_f64();
                return Ok(Scouting::Stopped(Box::new(stage), outcome, seconds));
            }
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    Ok(Scouting::Found(Scouted { stages, table, nodes, seconds, unsure }))
}
