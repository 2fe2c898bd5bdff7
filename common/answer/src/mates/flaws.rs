//! Other solutions of a mate problem (余詰). At every check of the line, each other check is a question
//! of its own: the position after it, the defender to move. So every claim has a usual certificate.

use std::collections::HashSet;
use std::path::PathBuf;

use hasami_andor::{Control, Problem, Verdict};
use hasami_game::Game;
use hasami_shogi::solution::{Solution, Wanted, solution};
use hasami_shogi::{Move, Position, Shogi, sfen};
use hasami_spec::{ParamError, Params};

use crate::settle::{End, Settled};

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
}

impl Flaws {
    /// Whether the line is the only solution, apart from what is tolerated; `None` if that is open.
    #[must_use]
    pub fn unique(&self) -> Option<bool> {
        let flawed = self.mates.iter().any(|mate| mate.kind == Kind::Flaw);
        if flawed { Some(false) } else { self.open.is_empty().then_some(true) }
    }
}

/// Asks about every other check along the line of a solution. `ask` settles a question, or is `None`
/// to stop: the checks from there on are open.
///
/// # Errors
/// Those of `ask`, and if a position of the line is none that can be asked about.
pub fn find<E: From<ParamError>>(
    problem: &Shogi,
    found: &Solution,
    within: Within,
    ask: &mut dyn FnMut(&Params) -> Result<Option<Settled>, E>,
) -> Result<Flaws, E> {
    let mut flaws = Flaws::default();
    let on_line = boards(problem, &problem.root(), &found.line);
    let (mut state, mut stopped) = (problem.root(), false);
    for (at, &main) in found.line.iter().enumerate() {
        if state.turn() == problem.attacker() {
            let left = found.line.len() - at;
            let mut checks = Vec::new();
            state.checks(&mut checks);
            for mv in checks.into_iter().filter(|&mv| mv != main) {
                let other = Other { ply: at + 1, position: sfen::write(&state), mv };
                let settled =
                    if stopped { None } else { ask(&question(&state.play(mv), left, within)?)? };
                stopped |= settled.is_none();
                flaws.add(other, (main, left), settled, &on_line);
            }
        }
        state = state.play(main);
    }
    Ok(flaws)
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

impl Flaws {
    fn add(
        &mut self,
        other: Other,
        (main, left): (Move, usize),
        settled: Option<Settled>,
        on_line: &HashSet<u128>,
    ) {
        let Some(End::Claim(claim)) = settled.map(|settled| settled.end) else {
            return self.open.push(other);
        };
        let certificate = claim.certified.file;
        let verified = claim.certified.verified;
        if verified.header.verdict == Verdict::Disproven {
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
        let moves = verified.length.map(|length| length + 1);
        self.mates.push(Mate { other, kind, moves, certificate });
    }
}

/// Whether the line of another mate comes to a position of the line.
fn leads_back(certificate: &std::path::Path, on_line: &HashSet<u128>) -> bool {
    let Ok((problem, strategy)) = super::open(certificate) else { return false };
    let wanted = Wanted::default();
    let found = solution(&problem, &strategy, &Control::unlimited(), wanted);
    found.is_some_and(|found| !boards(&problem, &problem.root(), &found.line).is_disjoint(on_line))
}

/// Board, side to move and hands of all positions with the attacker to move along a line.
fn boards(problem: &Shogi, start: &Position, line: &[Move]) -> HashSet<u128> {
    let mut state = *start;
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
