//! The only move of a puzzle: beside the proof that it wins, the disproof of all others, in one
//! certificate.

use std::path::Path;

use hasami_andor::certificate::{self, Asked, Except, first_move, join_only_move};
use hasami_andor::{Control, Job, Kernel, Problem, Search, Stopped, Table, Verdict};
use hasami_game::Game;
use hasami_puzzles::{Made, Puzzle};
use hasami_spec::Params;

use crate::agree::{or_remove, remove};
use crate::error::JobError;

/// Nodes for the disproof of the other moves; the solver has found it out already.
const NODES: u64 = 3_000_000;
/// Largest table for it, in MiB; it starts small.
const TABLE_MIB: usize = 512;

/// Adds the disproof of all other first moves to the certificate of a puzzle: that they do not win at
/// all if only one move wins, else that they do not win as fast. Where that takes too long or is not
/// so, the certificate stays as it is.
pub(crate) fn add<G: Puzzle>(made: &Made, file: &Path, control: &Control) -> Result<(), JobError> {
    let as_fast = made.winning.iter().filter(|(_, plies)| *plies == made.plies).count();
    if as_fast != 1 {
        return Ok(());
    }
    let unlimited = made.params.with("within", "any").ok().filter(|_| made.winning.len() == 1);
    for params in unlimited.into_iter().chain([made.params.clone()]) {
        match refute::<G>(&params, file, control) {
            // It may be easier to show that no other move wins as fast.
            Ok(None) | Err(JobError::Stopped) if !control.is_cancelled() => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Searches the question without the first move of its proof; joins both certificates. `None` if the
/// search takes too long.
fn refute<G: Game>(
    params: &Params,
    file: &Path,
    control: &Control,
) -> Result<Option<()>, JobError> {
    let game = G::from_params(params).map_err(JobError::build::<G>)?;
    let Some(first) = first_move(file, &game)? else { return Ok(None) };
    let others = Except::new(&game, &first).map_err(JobError::Contradiction)?;
    let table = Table::with_mib(TABLE_MIB, false)?;
    let limited = Control::with_budget(NODES);
    let job = Job::settle(others.root());
    let outcome = Search::new(Kernel::Dfpn, &others, &table, G::ADVICE, job).run(&limited);
    control.note(outcome.counts.nodes);
    match outcome.numbers.verdict() {
        None if outcome.stopped == Stopped::Budget => return Ok(None),
        None => return Err(JobError::Stopped),
        Some(Verdict::Disproven) => {}
        Some(Verdict::Proven) => {
            remove(file);
            return Err(JobError::Contradiction(format!(
                "{} {params}: another move than the only one wins",
                G::NAME
            )));
        }
    }
    let asked = Asked { except: Some(first), ..game.asked(params) };
    let disproof = file.with_extension("others");
    let made =
        certificate::extract(&others, &table, control, &asked, Verdict::Disproven, &disproof)
            .map_err(JobError::from)
            .and_then(|_| Ok(certificate::verify(&disproof, &others, &asked)?))
            .and_then(|_| Ok(join_only_move(file, file, &disproof)?));
    let removed = std::fs::remove_file(&disproof);
    or_remove(file, made)?;
    removed.map_err(|error| JobError::Io(format!("{}: {error}", disproof.display())))?;
    Ok(Some(()))
}
