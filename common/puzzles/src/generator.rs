//! Draws positions, studies them, and keeps those that match the order and are new.
//!
//! Every attempt has its own random stream from the seed and its number: the same seed gives the
//! same puzzles in the same order.

use std::collections::{HashSet, VecDeque};

use hasami_andor::Key;
use hasami_database::DatabaseError;

use super::analyst::Analyst;
use super::drawing::Drawing;
use super::grade::{Difficulty, Grade, thresholds};
use super::line::main_line;
use super::method::{Method, played};
use super::order::Order;
use super::solved::Solved;
use super::study::{Study, study};
use super::turn::Turn;
use super::{Puzzle, made};
use hasami_game::random::{SplitMix, scramble};
use hasami_game::{BuildError, Origin};
use hasami_spec::params::{ParamError, Params};

/// Most puzzles from one drawn position: they are alike.
const OF_ONE: usize = 4;

/// A puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The game.
    pub game: &'static str,
    /// The question whose answer is yes: the position is won within its plies.
    pub params: Params,
    /// The position, spelled.
    pub position: String,
    /// Its length in plies.
    pub plies: u32,
    /// The key of the position up to symmetry.
    pub key: Key,
    /// The winning first moves with their lengths, shortest first.
    pub winning: Vec<(String, u32)>,
    /// The main line of the solution.
    pub line: Vec<String>,
    /// The main line as it is printed.
    pub turns: Vec<Turn>,
    /// The counts behind its grade.
    pub difficulty: Difficulty,
    /// Its grade.
    pub grade: Grade,
    /// Whether it is won under every reading of the rules; `None` if they are unambiguous, or if
    /// the database of the hardest reading is missing.
    pub rule_proof: Option<bool>,
    /// A remark, for example that the opponent passes.
    pub label: Option<String>,
    /// The printed position.
    pub drawing: Drawing,
    /// The attempt that gave it.
    pub attempt: u64,
    /// The database that it was drawn from, if any.
    pub origin: Option<Origin>,
}

/// The analyst for positions.
enum Source<G: Puzzle> {
    Searched(Box<dyn Analyst<G>>),
    Solved(Box<dyn Solved<G>>),
}

impl<G: Puzzle> Source<G> {
    fn analyst(&mut self) -> &mut dyn Analyst<G> {
        match self {
            Self::Searched(analyst) => analyst.as_mut(),
            Self::Solved(solved) => solved.as_mut(),
        }
    }

    fn solved(&self) -> Option<&dyn Solved<G>> {
        match self {
            Self::Searched(_) => None,
            Self::Solved(solved) => Some(solved.as_ref()),
        }
    }
}

/// Makes puzzles of one game for one order.
pub struct Generator<G: Puzzle> {
    game: G,
    params: Params,
    order: Order,
    source: Source<G>,
    seen: HashSet<Key>,
    attempt: u64,
    /// Found with the last position, but not returned yet.
    ready: VecDeque<Made>,
}

impl<G: Puzzle> Generator<G> {
    /// A generator for puzzles of the game with these parameters.
    ///
    /// # Errors
    /// If the game refuses the parameters, or has no such method.
    pub fn new(params: &Params, order: Order) -> Result<Self, BuildError> {
        let params = match order.method {
            Method::Passing => G::passing(params).ok_or_else(|| {
                let expected = format!("another method: nobody passes in {}", G::NAME);
                ParamError::bad("method", Method::Passing.word(), expected)
            })?,
            _ => params.clone(),
        };
        Self::with_source(params, order, Source::Searched(G::analyst()))
    }

    /// A generator that draws its positions from a strong solution and looks everything up there.
    /// It ignores the method and the nodes of the order.
    ///
    /// # Errors
    /// If the game refuses the parameters, or the solution lacks what the order needs.
    pub fn of_solution(
        params: &Params,
        order: Order,
        solved: Box<dyn Solved<G>>,
    ) -> Result<Self, BuildError> {
        if order.rule_proof
            && let Some(hardest) = G::hardest_reading(params)
            && !solved.knows(&G::from_params(&hardest)?)
        {
            let expected = format!(
                "the database of {} {} too, for puzzles that are won under every reading",
                G::NAME,
                hardest.canonical()
            );
            return Err(ParamError::bad("database", &solved.origin().about, expected).into());
        }
        Self::with_source(params.clone(), order, Source::Solved(solved))
    }

    fn with_source(params: Params, order: Order, source: Source<G>) -> Result<Self, BuildError> {
        let game = G::from_params(&params)?;
        let (seen, ready) = (HashSet::new(), VecDeque::new());
        Ok(Self { game, params, order, source, seen, attempt: 0, ready })
    }

    /// The error of the solution since the last call, if any.
    pub fn trouble(&mut self) -> Option<DatabaseError> {
        match &mut self.source {
            Source::Searched(_) => None,
            Source::Solved(solved) => solved.trouble(),
        }
    }

    /// Number of positions drawn so far.
    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.attempt
    }

    /// Goes to a later attempt, unless puzzles of the last one are left to be taken: what an attempt
    /// gives depends on those before it only in that no puzzle comes twice.
    pub fn skip_to(&mut self, attempt: u64) {
        if self.ready.is_empty() {
            self.attempt = self.attempt.max(attempt);
        }
    }

    /// Draws one more position, or takes the next of those found with the last one. Returns the
    /// puzzle if it matches the order and is new.
    pub fn attempt(&mut self) -> Option<Made> {
        if let Some(made) = self.ready.pop_front() {
            return Some(made);
        }
        let attempt = self.attempt;
        self.attempt += 1;
        let chance = scramble(self.order.seed ^ scramble(attempt.wrapping_add(0x5eed)));
        let mut random = SplitMix::new(chance);
        let params = self.draw(&mut random)?;
        self.source.analyst().begin(self.order.nodes);
        if let Some(made) = self.studied(&params, attempt) {
            return Some(made);
        }
        self.glean(&params, attempt, &mut random);
        self.ready.pop_front()
    }

    /// The puzzle of a position, if it matches the order and is new.
    fn studied(&mut self, params: &Params, attempt: u64) -> Option<Made> {
        let game: G = made(params)?;
        let key = game.key(&game.root());
        if self.seen.contains(&key) {
            return None;
        }
        let found = study(&game, &self.order, self.source.analyst()).ok()??;
        let made = self.finish(&game, params, key, &found, attempt)?;
        self.seen.insert(key);
        Some(made)
    }

    /// Looks for puzzles among the successors of a studied position.
    fn glean(&mut self, params: &Params, attempt: u64, random: &mut SplitMix) {
        let found = self.source.analyst().gleaned(self.order.plies, OF_ONE, random);
        for state in found {
            let asked = self.game.asked_from(params, &state);
            let made = asked.and_then(|params| self.studied(&params, attempt));
            self.ready.extend(made);
        }
    }

    fn draw(&mut self, random: &mut SplitMix) -> Option<Params> {
        let Self { game, params, order, source, .. } = self;
        let analyst = match source {
            Source::Searched(analyst) => analyst.as_mut(),
            Source::Solved(solved) => {
                let state = solved.drawn(order.plies, random)?;
                return game.asked_from(params, &state);
            }
        };
        let plies = order.plies.least + random.below(order.plies.most - order.plies.least + 1);
        match order.method {
            Method::Guided | Method::Passing => game.composed(params, plies, random),
            Method::Free => game.free(params, plies, random),
            Method::Played => played(game, params, plies, analyst, random),
        }
    }

    /// Completes a puzzle; `None` if it has another grade, or depends on the reading of the rules.
    fn finish(
        &mut self,
        game: &G,
        params: &Params,
        key: Key,
        study: &Study<G::Move>,
        attempt: u64,
    ) -> Option<Made> {
        let grade = study.difficulty.grade(thresholds(G::GRADES, study.plies));
        if self.order.grade.is_some_and(|wanted| wanted != grade) {
            return None;
        }
        let &(first, _) = study.winning.first()?;
        let line = main_line(game, first, self.source.analyst()).ok()?;
        let rule_proof = self.rule_proof(params);
        if self.order.rule_proof && rule_proof == Some(false) {
            return None;
        }
        let root = game.root();
        let named = |&(mv, plies): &(G::Move, u32)| (game.told(&root, mv), plies);
        Some(Made {
            game: G::NAME,
            params: G::bounded(params, study.plies),
            position: params.text("position").unwrap_or_default().to_string(),
            plies: study.plies,
            key,
            winning: study.winning.iter().map(named).collect(),
            turns: game.turns(&line),
            line,
            difficulty: study.difficulty,
            grade,
            rule_proof,
            label: G::label(params),
            drawing: game.drawing(&root),
            attempt,
            origin: self.source.solved().map(|solved| solved.origin().clone()),
        })
    }

    /// Whether the position is also won under the hardest reading. A search that runs out of nodes
    /// counts as no.
    fn rule_proof(&mut self, params: &Params) -> Option<bool> {
        let hardest: G = made(&G::hardest_reading(params)?)?;
        if self.source.solved().is_some_and(|solved| !solved.knows(&hardest)) {
            return None;
        }
        let found = self.source.analyst().shortest(&hardest, &hardest.root(), u32::MAX);
        Some(matches!(found, Ok(Some(_))))
    }
}
