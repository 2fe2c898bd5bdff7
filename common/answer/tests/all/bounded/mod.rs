//! Asks every question with a limit in every way, and compares with plain enumeration: a kernel's
//! search, a certificate made and verified, the exact search, the analysts of puzzles, databases.
//! If the rules settle the state in which the limit is reached, the rules decide.

mod mancala;
mod polyomino;
mod pyonpyon;
mod quarto;

use hasami_andor::certificate::Verified;
use hasami_andor::{Options, Verdict};
use hasami_game::race::{Exact, ExactSolver};
use hasami_game::{Game, Resources};
use hasami_puzzles::{Analyst, Puzzle};
use hasami_spec::Params;

use crate::plain::{Ending, Plain, Rules};
use hasami_trials::certified::certify;
use hasami_trials::{KERNELS, made, settle, table_for};

const ENOUGH: u64 = 10_000_000;
/// Room for the states of every question here.
const ENTRIES: usize = 1 << 12;

fn verdict(holds: bool) -> Verdict {
    if holds { Verdict::Proven } else { Verdict::Disproven }
}

/// Asks questions, each with another kernel than the one before.
struct Asker {
    directory: tempfile::TempDir,
    /// One in this many questions near the border gets a certificate.
    certify_one_in: u32,
    asked: u32,
    near: u32,
    certified: u32,
}

impl Asker {
    fn new(certify_one_in: u32) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory, certify_one_in, asked: 0, near: 0, certified: 0 }
    }

    /// Expects this verdict; `near` the border between yes and no it may have to be certified.
    fn ask<G: Game>(&mut self, spelling: &str, expected: Verdict, near: bool) -> Option<Verified> {
        let game: G = made(spelling);
        // Threads are expensive to start: use them rarely.
        let kernels = if self.asked.is_multiple_of(64) { KERNELS.len() } else { KERNELS.len() - 1 };
        let kernel = KERNELS[self.asked as usize % kernels];
        self.asked += 1;
        let options = Options::default();
        let table = table_for(&game, ENTRIES, &options);
        let outcome = settle(&game, &table, kernel, options, game.root());
        let found = outcome.numbers.verdict().unwrap();
        assert_eq!(found, expected, "{} {spelling} by {kernel:?}", G::NAME);
        self.near += u32::from(near);
        if !near || !self.near.is_multiple_of(self.certify_one_in) {
            return None;
        }
        self.certified += 1;
        Some(certify(&game, &table, expected, &self.directory.path().join("certificate")))
    }

    /// All limits up to beyond the length of the game, and none, with both questions. No game takes
    /// more than `most` plies. Returns the plies after which a player has won.
    fn ask_all<G: Game, R: Rules>(
        &mut self,
        plain: &mut Plain<R>,
        position: &R::Position,
        rules: &str,
        most: u32,
    ) -> Option<(u32, Ending)> {
        let decided = plain.decided(position, most);
        let length = decided.map(|(plies, _)| plies);
        for plies in 1..=length.map_or(most.min(6), |length| length + 3) {
            let ending = plain.within(position, plies);
            let near = length.is_some_and(|length| (length..length + 2).contains(&(plies + 1)));
            self.both::<G>(&format!("{rules} within={plies}"), ending, near, length, plies);
        }
        let ending = plain.within(position, most);
        self.both::<G>(&format!("{rules} within=any"), ending, false, length, most);
        decided
    }

    fn both<G: Game>(
        &mut self,
        spelling: &str,
        ending: Ending,
        near: bool,
        length: Option<u32>,
        plies: u32,
    ) {
        let asks = [("win", ending == Ending::Won), ("not-lose", ending != Ending::Lost)];
        for (ask, holds) in asks {
            let spelling = format!("{spelling} ask={ask}");
            let Some(verified) = self.ask::<G>(&spelling, verdict(holds), near) else { continue };
            // Every line of such a certificate ends with a win, none is cut off.
            let wins = (ask == "win") == holds;
            if wins {
                let plies_needed =
                    verified.length.unwrap_or_else(|| panic!("{spelling}: no length"));
                assert!(
                    plies_needed <= plies && Some(plies_needed) >= length,
                    "{spelling}: {plies_needed}"
                );
            }
        }
    }

    /// Checks that enough questions were asked.
    fn finish(self, asked: u32, certified: u32) {
        println!("{} questions, {} certificates", self.asked, self.certified);
        assert!(self.asked >= asked && self.certified >= certified);
    }
}

/// The result as the exact search gives it.
fn exact(decided: Option<(u32, Ending)>) -> Exact {
    match decided {
        Some((plies, Ending::Won)) => Exact::win(plies),
        Some((plies, Ending::Lost)) => Exact::loss(plies),
        _ => Exact::DRAW,
    }
}

/// Checks the exact value, and the questions of `within=shortest` with their expected verdicts.
fn try_exact<G: ExactSolver>(rules: &str, decided: Option<(u32, Ending)>) {
    let game: G = made(rules);
    assert_eq!(game.solve_exact(&game.root(), ENOUGH), Some(exact(decided)), "{rules}");
    let params = Params::parse(G::params(), &format!("{rules} within=shortest")).unwrap();
    let known = G::known_stages(&params, &Resources::default()).unwrap().unwrap();
    let asked: Vec<_> = known
        .iter()
        .map(|stage| (stage.params.text("within").unwrap().to_string(), stage.expected.unwrap()))
        .collect();
    let (yes, no) = (Verdict::Proven, Verdict::Disproven);
    let expected = match decided {
        Some((1, Ending::Won)) => vec![("1".to_string(), yes)],
        Some((plies, Ending::Won)) => {
            vec![((plies - 2).to_string(), no), (plies.to_string(), yes)]
        }
        _ => vec![("any".to_string(), no)],
    };
    assert_eq!(asked, expected, "{rules}");
}

/// Checks an analyst on a state that is won after this many plies.
fn try_analyst<G: Puzzle>(
    analyst: &mut dyn Analyst<G>,
    (game, state): (&G, &G::State),
    wanted: Option<u32>,
    what: &str,
) {
    let length = wanted.unwrap_or(3);
    for most in [u32::MAX, length + 1, length, length.saturating_sub(1)] {
        let expected = wanted.filter(|&wanted| wanted <= most);
        analyst.begin(ENOUGH);
        let found = analyst.shortest(game, state, most);
        assert_eq!(found, Ok(expected), "{} {what}, at most {most}", G::NAME);
    }
}

/// The plies to a win of the side to move, if it wins.
fn won(decided: Option<(u32, Ending)>) -> Option<u32> {
    decided.filter(|(_, ending)| *ending == Ending::Won).map(|(plies, _)| plies)
}

/// The plies to its loss.
fn lost(decided: Option<(u32, Ending)>) -> Option<u32> {
    decided.filter(|(_, ending)| *ending == Ending::Lost).map(|(plies, _)| plies)
}
