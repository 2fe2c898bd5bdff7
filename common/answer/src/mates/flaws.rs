//! Other solutions of a mate problem (余詰). At every check of the line, each other check is a question
//! of its own: the position after it, the defender to move. So every claim has a usual certificate.

use std::collections::HashSet;
use std::path::PathBuf;

use hasami_andor::certificate::Verified;
use hasami_andor::{Control, Problem, Verdict};
use hasami_game::Game;
use hasami_shogi::solution::{Solution, Wanted, solution};
use hasami_shogi::{Move, Position, Shogi, sfen};
use hasami_spec::{ParamError, Params};

use crate::Certified;
use crate::settle::Settled;

/// Which other mates are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Of any length.
    Any,
    /// Not longer than the line.
    Same,
}

/// What another mate is by custom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Another solution.
    Flaw,
    /// Instead of the last move: tolerated.
    LastMove,
    /// The same move with the other choice of promotion: tolerated.
    Promotion,
    /// A way round that leads back to a position of the line: tolerated.
    Detour,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Flaw => "flaw",
            Self::LastMove => "last move",
            Self::Promotion => "promotion",
            Self::Detour => "detour",
        }
    }
}

/// A check that is not that of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// The ply of the line that it replaces, from 1.
    pub ply: usize,
    /// The position before it, as SFEN.
    pub position: String,
    /// The check.
    pub mv: Move,
}

/// Another check that mates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// The check.
    pub other: Other,
    /// What it is.
    pub kind: Kind,
    /// Plies from the position before the check, at most.
    pub moves: Option<u32>,
    /// The certificate of the position after it.
    pub certificate: PathBuf,
}

/// All other checks of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// Those that mate, in the order of the line.
    pub mates: Vec<Mate>,
    /// Those that were not settled.
    pub open: Vec<Other>,
    /// Certificates of those that do not mate.
    pub refuted: Vec<PathBuf>,
    /// All certificates.
    in_order: Vec<PathBuf>,
}

impl Flaws {
    /// All certificates, in the order of the line.
    pub fn certificates(&self) -> impl Iterator<Item = &PathBuf> {
        self.in_order.iter()
    }

    /// Whether the line is the only solution, apart from what is tolerated; `None` if that is open.
    #[must_use]
    pub fn unique(&self) -> Option<bool> {
        let flawed = self.mates.iter().any(|mate| mate.kind == Kind::Flaw);
        if flawed { Some(false) } else { self.open.is_empty().then_some(true) }
    }
}

/// A check that is not that of the line, and what is asked about it.
pub(crate) struct Question {
    pub(crate) other: Other,
    /// The check of the line.
    main: Move,
    /// Plies of the line from there on.
    left: usize,
    pub(crate) params: Params,
    /// The certificate of the answer, once there is one.
    pub(crate) certified: Option<Certified>,
}

/// Every other check along a line, in its order.
pub(crate) fn questions(
    problem: &Shogi,
    line: &[Move],
    within: Within,
) -> Result<Vec<Question>, ParamError> {
    let mut questions = Vec::new();
    let mut state = problem.root();
    for (at, &main) in line.iter().enumerate() {
        if state.turn() == problem.attacker() {
            let left = line.len() - at;
            let mut checks = Vec::new();
            state.checks(&mut checks);
            for mv in checks.into_iter().filter(|&mv| mv != main) {
                let other = Other { ply: at + 1, position: sfen::write(&state), mv };
                let params = question(&state.play(mv), left, within)?;
                questions.push(Question { other, main, left, params, certified: None });
            }
        }
        state = state.play(main);
    }
    Ok(questions)
}

/// Asks about every other check along the line of a solution, the last first: those are quick, and
/// what they find helps the others. `ask` settles a question, or is `None` to stop: the checks that
/// were not asked about are open.
///
/// # Errors
/// Those of `ask`, and if a position of the line is none that can be asked about.
pub fn find<E: From<ParamError>>(
    problem: &Shogi,
    found: &Solution,
    within: Within,
    ask: &mut dyn FnMut(&Params) -> Result<Option<Settled>, E>,
) -> Result<Flaws, E> {
    let mut questions = questions(problem, &found.line, within)?;
    for question in questions.iter_mut().rev() {
        let Some(settled) = ask(&question.params)? else { break };
        question.certified = settled.end.certified();
    }
    Ok(collected(problem, &found.line, questions))
}

/// What the answers to all questions about a line come to.
pub(crate) fn collected(problem: &Shogi, line: &[Move], questions: Vec<Question>) -> Flaws {
    let on_line = boards(problem, line);
    let mut flaws = Flaws::default();
    for mut question in questions {
        let settled = question.certified.take();
        flaws.add(question, settled.map(|made| (made.file, made.verified.into())), &on_line);
    }
    flaws
}

/// The question about the position after a check, with `left` plies of the line left before it.
fn question(after: &Position, left: usize, within: Within) -> Result<Params, ParamError> {
    let within = match within {
        Within::Any => "any".to_string(),
        Within::Same => (left - 1).max(1).to_string(),
    };
    let given =
        [("position", sfen::write(after)), ("within", within), ("attacker", "other".into())];
    Shogi::SPEC.read(&given)
}

/// What a certificate about another check was found to prove.
pub(crate) struct Shown {
    pub(crate) verdict: Verdict,
    /// Plies from the position after the check, at most.
    pub(crate) length: Option<u32>,
}

impl From<Verified> for Shown {
    fn from(verified: Verified) -> Self {
        Self { verdict: verified.header.verdict, length: verified.length }
    }
}

impl Flaws {
    /// Adds another check with its certificate, if it has one.
    pub(crate) fn add(
        &mut self,
        question: Question,
        settled: Option<(PathBuf, Shown)>,
        on_line: &HashSet<u128>,
    ) {
        let Question { other, main, left, .. } = question;
        let Some((certificate, shown)) = settled else {
            return self.open.push(other);
        };
        self.in_order.push(certificate.clone());
        if shown.verdict == Verdict::Disproven {
            return self.refuted.push(certificate);
        }
        let kind = if other.mv.unpromoted() == main.unpromoted() {
            Kind::Promotion
        } else if left == 1 {
            Kind::LastMove
        } else if leads_back(&certificate, on_line) {
            Kind::Detour
        } else {
            Kind::Flaw
        };
        let moves = shown.length.map(|length| length + 1);
        self.mates.push(Mate { other, kind, moves, certificate });
    }
}

/// Whether the line of another mate comes to a position of the line.
fn leads_back(certificate: &std::path::Path, on_line: &HashSet<u128>) -> bool {
    let Ok((problem, strategy)) = super::open(certificate) else { return false };
    let wanted = Wanted::default();
    let found = solution(&problem, &strategy, &Control::unlimited(), wanted);
    found.is_some_and(|found| !boards(&problem, &found.line).is_disjoint(on_line))
}

/// Board, side to move and hands of all positions with the attacker to move along a line.
pub(crate) fn boards(problem: &Shogi, line: &[Move]) -> HashSet<u128> {
    let mut state = problem.root();
    state.set_left(hasami_shogi::Rank::ENDLESS);
    let mut found = HashSet::new();
    for mv in line.iter().map(Some).chain([None]) {
        if state.turn() == problem.attacker() {
            found.insert(problem.key(&state).0);
        }
        if let Some(&mv) = mv {
            state = state.play(mv);
        }
    }
    found
}
