//! One pair of shapes: a paving, a win on the infinite board, or how far both were tried.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Outcome, Problem, Search, Stopped, Table, Verdict};
use hasami_games::paving::certificate::Claim;
use hasami_games::paving::{Answer, Pairs, Periods, seed_numbers, smallest_paving};
use hasami_games::paving_winner::{PavingWinner, smallest_square};
use hasami_games::polyomino::Polyomino;
use hasami_games::polyomino::shape::{Shape, spell_set};
use hasami_games::{Game, Params};
use serde_json::{Value, json};

use super::TableArgs;
use crate::certify::{certify, file_name};
use crate::failure::Failure;
use crate::pave;
use crate::verify::spell_question;

/// Periods of at most so many cells are tried for pavings.
const MAX_AREA: usize = 64;
/// Nodes for each number of stones in the first round; each further round has four times as many.
const FIRST_ROUND: u64 = 25_000;
/// Nodes for trying fewer stones than a win was found with.
const FEWER: u64 = 600_000;
/// Squares are tried up to this size for paving winners.
const MAX_SQUARE: u8 = 7;

/// What a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A paving blocks it.
    Loser,
    /// Black wins on the infinite board.
    Winner,
    /// No paving blocks it, and no win was found.
    PavingWinner,
    /// Nothing was found.
    Unsettled,
}

/// A line of the table.
pub struct Row {
    /// The pair.
    pub names: [String; 2],
    /// What it is.
    pub class: Class,
    /// Which of the six pavings of Yakuwa et al. block it.
    pub pavings: Vec<u8>,
    /// The period of the paving found.
    pub period: Option<String>,
    /// Black wins with at most so many stones.
    pub stones: Option<u32>,
    /// The search has found no win with so many.
    pub none_within: Option<u32>,
    /// Smallest squares on which it is a paving winner: adjacent pairs, any pairs.
    pub squares: [Option<u8>; 2],
    /// States searched.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// All verified.
    pub certificates: Vec<PathBuf>,
}

impl Row {
    /// The sign in the table of Yakuwa et al.
    pub fn mark(&self) -> String {
        let numbers: Vec<String> = self.pavings.iter().map(ToString::to_string).collect();
        match self.class {
            Class::Loser if numbers.is_empty() => "L".to_string(),
            Class::Loser => numbers.join(" "),
            Class::Winner => "◎".to_string(),
            Class::PavingWinner => "△".to_string(),
            Class::Unsettled => "?".to_string(),
        }
    }

    /// What it is, in words.
    pub fn words(&self) -> String {
        let open = || match self.none_within {
            Some(stones) => format!("no win within {stones} stones found"),
            None => "no win found".to_string(),
        };
        match (self.class, self.stones) {
            (Class::Loser, _) => {
                format!("loser: paving of period {}", self.period.as_deref().unwrap_or("?"))
            }
            (Class::Winner, Some(stones)) if self.none_within == Some(stones - 1) => {
                format!(
                    "winner: infinite board, strong game, {stones} stones, none found with fewer"
                )
            }
            (Class::Winner, stones) => format!(
                "winner: infinite board, strong game, at most {} stones",
                stones.unwrap_or_default()
            ),
            (Class::PavingWinner, _) => {
                let square =
                    |size: Option<u8>| size.map_or("?".to_string(), |n| format!("{n}x{n}"));
                format!(
                    "open: paving winner on {} (adjacent) and {} (any); {}",
                    square(self.squares[0]),
                    square(self.squares[1]),
                    open()
                )
            }
            (Class::Unsettled, _) => format!("unsettled: no paving found, {}", open()),
        }
    }

    /// The row as JSON.
    pub fn json(&self) -> Value {
        let class = match self.class {
            Class::Loser => "loser",
            Class::Winner => "winner",
            Class::PavingWinner => "open",
            Class::Unsettled => "unsettled",
        };
        let files: Vec<String> =
            self.certificates.iter().map(|file| file.display().to_string()).collect();
        json!({
            "pair": self.names, "class": class, "mark": self.mark(), "pavings": self.pavings,
            "period": self.period, "board": "infinite", "game": "strong", "moves": self.stones,
            "none_within": self.none_within,
            "paving_winner": {"adjacent": self.squares[0], "any": self.squares[1]},
            "nodes": self.nodes, "seconds": self.seconds, "certificates": files,
        })
    }
}

/// Finds out what a pair is.
pub fn settle(
    first: &Shape,
    second: &Shape,
    set: &[Shape],
    options: &TableArgs,
    control: &Arc<Control>,
) -> Result<Row, Failure> {
    let started = Instant::now();
    let mut row = Row {
        names: [first.to_string(), second.to_string()],
        class: Class::Unsettled,
        pavings: seed_numbers(set),
        period: None,
        stones: None,
        none_within: None,
        squares: [None, None],
        nodes: 0,
        seconds: 0.0,
        certificates: Vec::new(),
    };
    if let Answer::Found(paving) = smallest_paving(set, Pairs::Adjacent, Periods::All, MAX_AREA) {
        let claim = Claim::new(set, Pairs::Adjacent, &paving);
        let file = options.certificates.join(claim.file_name());
        pave::certify(&claim, &file)?;
        row.class = Class::Loser;
        row.period = Some(paving.lattice().to_string());
        row.certificates.push(file);
    } else if !win(set, &mut row, options, control)? {
        paving_winner(set, &mut row, options, control)?;
    }
    row.seconds = started.elapsed().as_secs_f64();
    Ok(row)
}

/// Tries to win with few stones and with many in turn, each round with more nodes: a win with few
/// is cheap to rule out, one with more than needed is often easier to find. When there is a win,
/// tries fewer stones for a while. Whether Black wins.
fn win(
    set: &[Shape],
    row: &mut Row,
    options: &TableArgs,
    control: &Arc<Control>,
) -> Result<bool, Failure> {
    let mut fewest = set.iter().map(|shape| shape.size() as u32).min().unwrap_or(1);
    let mut most = options.most_stones.max(fewest);
    let mut budget = options.budget;
    let mut quota = FIRST_ROUND;
    row.none_within = Some(fewest - 1);
    while fewest <= most && row.nodes < budget && !control.is_cancelled() {
        for stones in fewest..=most {
            let (game, params) =
                question::<Polyomino>(&format!("shapes={} stones={stones}", spell_set(set)))?;
            let table = new_table(options)?;
            let nodes = quota.min(budget.saturating_sub(row.nodes));
            let outcome = search(&game, &table, nodes, control);
            row.nodes += outcome.counts.nodes;
            match outcome.numbers.verdict() {
                Some(Verdict::Proven) => {
                    let certificate = options.certificates.join(file_name(&game));
                    let question = spell_question(Polyomino::NAME, &params);
                    let done =
                        certify(&game, &question, Verdict::Proven, &table, control, &certificate)?;
                    if done.is_some() {
                        row.class = Class::Winner;
                        row.stones = Some(stones);
                        row.certificates = vec![certificate];
                        budget = budget.min(row.nodes + FEWER);
                    }
                    most = stones - 1;
                    break;
                }
                Some(Verdict::Disproven) if stones == fewest => {
                    row.none_within = Some(stones);
                    fewest = stones + 1;
                }
                _ if control.is_cancelled() || row.nodes >= budget => break,
                _ => {}
            }
        }
        quota *= 4;
    }
    Ok(row.class == Class::Winner)
}

/// A game and its parameters, from a spelling of ours.
fn question<G: Game>(spelled: &str) -> Result<(G, Params), Failure> {
    let params = Params::parse(G::params(), spelled);
    params
        .and_then(|params| Ok((G::from_params(&params)?, params)))
        .map_err(|error| Failure::Failed(format!("{} {spelled}: {error}", G::NAME)))
}

fn paving_winner(
    set: &[Shape],
    row: &mut Row,
    options: &TableArgs,
    control: &Arc<Control>,
) -> Result<(), Failure> {
    let kinds = [Pairs::Adjacent, Pairs::Any];
    for (at, pairs) in kinds.into_iter().enumerate() {
        let Some(found) = smallest_square(set, pairs, MAX_SQUARE, control) else {
            return Ok(());
        };
        row.nodes += found.nodes;
        let size = found.size;
        let spelled = format!("shapes={} board={size}x{size} pairs={pairs}", spell_set(set));
        let (game, params) = question::<PavingWinner>(&spelled)?;
        let table = new_table(options)?;
        let outcome = search(&game, &table, u64::MAX, control);
        let file = options.certificates.join(file_name(&game));
        let question = spell_question(PavingWinner::NAME, &params);
        if outcome.numbers.verdict() == Some(Verdict::Proven)
            && certify(&game, &question, Verdict::Proven, &table, control, &file)?.is_some()
        {
            row.squares[at] = Some(size);
            row.certificates.push(file);
        }
    }
    if row.squares.iter().all(Option::is_some) {
        row.class = Class::PavingWinner;
    }
    Ok(())
}

fn new_table<R: hasami_andor::Reason>(options: &TableArgs) -> Result<Table<R>, Failure> {
    Table::with_mib(options.table_mib as usize, false)
        .map_err(|error| Failure::Usage(format!("--table-mib: {error}")))
}

/// A search with a budget of its own that stops when the user stops everything.
fn search<G: Game>(game: &G, table: &Table<G::Reason>, budget: u64, control: &Control) -> Outcome {
    let own = Control::with_budget(0);
    let mut search =
        Search::new(Kernel::Dfpn, game, table, G::ADVICE, Job::settle(Problem::root(game)));
    let mut left = budget;
    loop {
        let slice = left.min(1 << 16);
        own.extend(slice);
        left -= slice;
        let outcome = search.run(&own);
        if outcome.stopped != Stopped::Budget || left == 0 || control.is_cancelled() {
            return outcome;
        }
    }
}
