//! One pair of shapes: finds a paving, a win on the infinite board, or how far both were tried.

mod question;
mod row;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::{
    Control, Job, Kernel, Outcome, Problem, Reason, Search, Stopped, Table, Verdict,
};
use hasami_game::{Game, Resources};
use hasami_polyomino::paving::certificate::Claim;
use hasami_polyomino::paving::{Answer, Pairs, Periods, seed_numbers, smallest_paving_unless};
use hasami_polyomino::paving_winner::{PavingWinner, smallest_square};
use hasami_polyomino::polyomino::Polyomino;
use hasami_polyomino::polyomino::shape::{Shape, parse_set, spell_set};
use hasami_spec::{Params, Question};

use crate::certify::{certify, certify_paving, file_name, spell_question};
use crate::solve::finish;
use crate::{Answered, JobError, Place, learned};
pub use question::PairJob;
pub use row::{Class, Differs, Row};

/// Pavings are tried with periods of at most this many cells.
pub(crate) const MAX_AREA: usize = 64;
/// Default budget of nodes for a pair.
pub const BUDGET: u64 = 4_000_000;
/// Nodes for each number of stones in the first round; each further round gets four times as many.
const FIRST_ROUND: u64 = 25_000;
/// Nodes for improving on a win with fewer stones.
const FEWER: u64 = 600_000;
/// Squares are tried up to this size for paving winners.
pub(crate) const MAX_SQUARE: u8 = 7;
/// A search checks this often, in nodes, whether it should stop.
const SLICE: u64 = 1 << 16;

fn answer(
    pair: PairJob,
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let budget = question.search.budget.unwrap_or(BUDGET);
    let table_mib = place.table_for(question);
    let place = Place { table_mib, ..place.clone() };
    let row = settle(&pair, budget, &place, control)?;
    // What is known by then depends on the clock: it is no answer.
    if control.should_stop() {
        return Err(JobError::Stopped);
    }
    finish(row.verdict(), row.words(), row.fields(), row.certificates.clone(), row.measures())
}

/// Classifies a pair with at most `budget` nodes for the search of a win. If the control asks to
/// stop, returns what is known by then.
///
/// # Errors
/// If a certificate cannot be made, or there is no memory.
pub fn settle(
    pair: &PairJob,
    budget: u64,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Row, JobError> {
    let started = Instant::now();
    let [first, second] = &pair.shapes;
    let set = parse_set(&format!("{first},{second}"))
        .map_err(|error| JobError::Question(format!("pair: {error}")))?;
    let mut row = Row::unsettled([first.to_string(), second.to_string()], seed_numbers(&set));
    let stop = || control.should_stop();
    let paving = smallest_paving_unless(&set, Pairs::Adjacent, Periods::All, MAX_AREA, &stop);
    if let Some(Answer::Found(paving)) = paving {
        let claim = Claim::new(&set, Pairs::Adjacent, &paving);
        let file = place.certificates.join(claim.file_name());
        certify_paving(&claim, &file)?;
        row.class = Class::Loser;
        row.period = Some(paving.lattice().to_string());
        row.certificates.push(file);
    } else {
        let (game, _) =
            built::<Polyomino>(&format!("shapes={}", spell_set(&set)), &place.resources)?;
        learned::load(&game, &*place.notes);
        let strong = win(&set, "strong", pair.most_stones, budget, place, control)?;
        row.nodes += strong.nodes;
        row.none_within = Some(strong.none_within);
        if let Some((stones, file)) = strong.won {
            (row.class, row.stones) = (Class::Winner, Some(stones));
            row.certificates.push(file);
        } else {
            let weak = win(&set, "weak", pair.most_stones, budget, place, control)?;
            row.nodes += weak.nodes;
            if let Some((stones, file)) = weak.won {
                row.weak_stones = Some(stones);
                row.certificates.push(file);
            }
            paving_winner(&set, &mut row, place, control)?;
        }
        learned::keep(&game, &*place.notes);
    }
    row.seconds = started.elapsed().as_secs_f64();
    Ok(row)
}

/// Result of the search for a win.
struct Tried {
    /// The stones of the win with the fewest, and its certificate.
    won: Option<(u32, PathBuf)>,
    /// The search found no win with this many stones.
    none_within: u32,
    nodes: u64,
}

/// Tries to win the strong or the weak game with few stones and with many in turn, with more nodes
/// in each round: a win with few stones is cheap to rule out, one with more than needed is often
/// easier to find. Once a win is found, tries fewer stones for a while.
fn win(
    set: &[Shape],
    kind: &str,
    most_stones: u32,
    mut budget: u64,
    place: &Place,
    control: &Control,
) -> Result<Tried, JobError> {
    let mut fewest = set.iter().map(|shape| shape.size() as u32).min().unwrap_or(1);
    let mut most = most_stones.max(fewest);
    let mut quota = FIRST_ROUND;
    let mut tried = Tried { won: None, none_within: fewest - 1, nodes: 0 };
    while fewest <= most && tried.nodes < budget && !control.should_stop() {
        let mut stones = fewest;
        while stones <= most {
            let spelled = format!("shapes={} game={kind} stones={stones}", spell_set(set));
            let (game, params) = built::<Polyomino>(&spelled, &place.resources)?;
            let nodes = quota.min(budget.saturating_sub(tried.nodes));
            let table = table_for(nodes, place)?;
            let outcome = search(&game, &table, nodes, control);
            tried.nodes += outcome.counts.nodes;
            match outcome.numbers.verdict() {
                Some(Verdict::Proven) => {
                    let file = place.certificates.join(file_name::<Polyomino>(game.id()));
                    let asked = game.asked(&params);
                    match certify(&game, &asked, Verdict::Proven, &table, control, &file) {
                        Ok(_) => {
                            tried.won = Some((stones, file));
                            budget = budget.min(tried.nodes + FEWER);
                        }
                        Err(JobError::Stopped) => {}
                        Err(error) => return Err(error),
                    }
                    most = stones - 1;
                    break;
                }
                Some(Verdict::Disproven) if stones == fewest => {
                    tried.none_within = stones;
                    fewest = stones + 1;
                }
                _ if control.should_stop() || tried.nodes >= budget => break,
                _ => {}
            }
            stones += 1;
        }
        quota *= 4;
    }
    Ok(tried)
}

fn paving_winner(
    set: &[Shape],
    row: &mut Row,
    place: &Place,
    control: &Control,
) -> Result<(), JobError> {
    let kinds = [Pairs::Adjacent, Pairs::Any];
    for (at, pairs) in kinds.into_iter().enumerate() {
        let Some(found) = smallest_square(set, pairs, MAX_SQUARE, control) else {
            return Ok(());
        };
        row.nodes += found.nodes;
        let size = found.size;
        let spelled = format!("shapes={} board={size}x{size} pairs={pairs}", spell_set(set));
        let (game, params) = built::<PavingWinner>(&spelled, &place.resources)?;
        let table = Table::with_mib(place.table_mib as usize, false)?;
        let outcome = search(&game, &table, u64::MAX, control);
        let file = place.certificates.join(file_name::<PavingWinner>(game.id()));
        let question = spell_question(PavingWinner::NAME, &params);
        match outcome.numbers.verdict() {
            Some(Verdict::Proven) => {}
            Some(Verdict::Disproven) => {
                return Err(JobError::Contradiction(format!(
                    "{question}: disproven, and proven when the smallest square was looked for"
                )));
            }
            None => continue,
        }
        match certify(&game, &game.asked(&params), Verdict::Proven, &table, control, &file) {
            Ok(_) => {
                row.squares[at] = Some(size);
                row.certificates.push(file);
            }
            Err(JobError::Stopped) => {}
            Err(error) => return Err(error),
        }
    }
    if row.squares.iter().all(Option::is_some) {
        row.class = Class::PavingWinner;
    }
    Ok(())
}

/// Builds a game from a spelling made by this program.
pub(crate) fn built<G: Game>(
    spelled: &str,
    resources: &Resources,
) -> Result<(G, Params), JobError> {
    let params = Params::parse(G::params(), spelled).map_err(JobError::param::<G>)?;
    let game = G::build(&params, resources).map_err(JobError::build::<G>)?;
    Ok((game, params))
}

/// A table no larger than this many nodes need: touching a large one is expensive.
fn table_for<R: Reason>(nodes: u64, place: &Place) -> Result<Table<R>, JobError> {
    let bytes = nodes.saturating_mul(2 * Table::<R>::entry_bytes(false) as u64);
    let mib = (bytes >> 20).clamp(1, u64::from(place.table_mib));
    Ok(Table::with_mib(mib as usize, false)?)
}

/// Runs a search with its own budget. It stops when `control` does, and its nodes count towards
/// `control`.
fn search<G: Game>(game: &G, table: &Table<G::Reason>, budget: u64, control: &Control) -> Outcome {
    let own = Control::with_budget(0);
    let mut search =
        Search::new(Kernel::Dfpn, game, table, G::ADVICE, Job::settle(Problem::root(game)));
    let mut left = budget;
    let mut reported = 0;
    loop {
        let slice = left.min(SLICE);
        own.extend(slice);
        left -= slice;
        let outcome = search.run(&own);
        control.note(outcome.counts.nodes - reported);
        control.report_root(outcome.numbers);
        reported = outcome.counts.nodes;
        if outcome.stopped != Stopped::Budget || left == 0 || control.should_stop() {
            return outcome;
        }
    }
}
