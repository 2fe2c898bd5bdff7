//! The solution of a mate problem, from its certificate: both lengths, the line, and the answers to
//! the defender's other replies.

use std::thread;

use hasami_andor::certificate::Strategy;
use hasami_andor::{Control, Problem};
use hasami_game::Step;

use crate::futile::Played;
use crate::japanese;
use crate::judge::Judge;
use crate::moves::Move;
use crate::position::Position;
use crate::problem::Shogi;
use crate::question::MAX_PLIES;
use crate::side::Side;
use crate::svg;

/// Recursion is as deep as a mate is long.
const STACK: usize = 256 << 20;

/// What a certificate of a mate says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Plies without futile interpositions.
    pub without_futile: u32,
    /// Whether that is the least for every way to mate, and the line one of the shortest: shown by
    /// bounded searches. Otherwise both are those of the certificate.
    pub exact: bool,
    /// A line: the attacker's checks, and replies that are not futile and hold out the longest.
    pub line: Vec<Move>,
    /// For other replies on the way, the last first: how many moves of the line come before, and how
    /// the mate goes on from there.
    pub variations: Vec<(usize, Vec<Move>)>,
    /// Whether there are more variations than were asked for.
    pub cut: bool,
}

/// What is wanted of a solution.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Nodes for the exact length; with 0 it is that of the certificate.
    pub nodes: u64,
    /// Most variations.
    pub variations: usize,
}

/// The solution that a proof of this problem has. `None` if the certificate does not go on
/// somewhere, which a proof does not do.
#[must_use]
pub fn solution(
    problem: &Shogi,
    strategy: &Strategy,
    control: &Control,
    wanted: Wanted,
) -> Option<Solution> {
    let work = || {
        let certified = of_certificate(problem, strategy, wanted)?;
        let exact = (wanted.nodes > 0)
            .then(|| exact(problem, control, wanted, certified.without_futile))
            .flatten();
        Some(exact.unwrap_or(certified))
    };
    let builder = thread::Builder::new().name("solution".to_string()).stack_size(STACK);
    thread::scope(|scope| builder.spawn_scoped(scope, work).ok()?.join().ok()?)
}

/// The length without futile interpositions of the mate that a certificate plays.
#[must_use]
pub fn length_of_certificate(problem: &Shogi, strategy: &Strategy) -> Option<u32> {
    let work = || Played::new(problem, strategy).length(&problem.root());
    let builder = thread::Builder::new().name("length".to_string()).stack_size(STACK);
    thread::scope(|scope| builder.spawn_scoped(scope, work).ok()?.join().ok()?)
}

fn of_certificate(problem: &Shogi, strategy: &Strategy, wanted: Wanted) -> Option<Solution> {
    let mut played = Played::new(problem, strategy);
    let root = problem.root();
    let without_futile = played.length(&root)?;
    let line = follow(problem, &mut played, root)?;
    let mut variations = Vec::new();
    let cut = each_other(
        problem,
        &line,
        wanted.variations,
        |state, main| {
            let replies = played.replies(state)?;
            replies
                .into_iter()
                .filter(|&(mv, _)| mv != main)
                .map(|(mv, _)| {
                    Some([vec![mv], follow(problem, &mut played, state.play(mv))?].concat())
                })
                .collect()
        },
        &mut variations,
    )?;
    Some(Solution { without_futile, exact: false, line, variations, cut })
}

/// The line of a certificate.
fn follow(problem: &Shogi, played: &mut Played<'_>, mut state: Position) -> Option<Vec<Move>> {
    let mut line = Vec::new();
    // A mate never comes back to a position, so the line ends; the bound is for broken input.
    while line.len() <= usize::from(MAX_PLIES) {
        let mv = if state.turn() == problem.attacker() {
            played.check(&state)?
        } else {
            let replies = played.replies(&state)?;
            // Of the longest the first.
            let longest = replies.iter().rev().max_by_key(|&&(_, length)| length);
            let Some(&(mv, _)) = longest else { return Some(line) };
            mv
        };
        state = state.play(mv);
        line.push(mv);
    }
    None
}

fn exact(problem: &Shogi, control: &Control, wanted: Wanted, guess: u32) -> Option<Solution> {
    let mut judge = Judge::new(problem, control, wanted.nodes);
    let root = problem.root();
    let mut plies = u16::try_from(guess).ok()?;
    while !judge.within(&root, plies)? {
        plies += 2;
    }
    while plies >= 2 && judge.within(&root, plies - 2)? {
        plies -= 2;
    }
    let line = judge.line(&root, plies)?;
    let mut variations = Vec::new();
    let cut = each_other(
        problem,
        &line,
        wanted.variations,
        |state, main| {
            let counted = judge.counted(state, plies + 2)?;
            let mut found = Vec::new();
            for mv in counted.into_iter().filter(|&mv| mv != main) {
                let after = state.play(mv);
                let length = judge.length(&after, plies + 2)??;
                found.push([vec![mv], judge.line(&after, length)?].concat());
            }
            Some(found)
        },
        &mut variations,
    )?;
    Some(Solution { without_futile: u32::from(plies), exact: true, line, variations, cut })
}

/// Collects the variations of a line, the last first. Returns whether there are more.
fn each_other(
    problem: &Shogi,
    line: &[Move],
    most: usize,
    mut others: impl FnMut(&Position, Move) -> Option<Vec<Vec<Move>>>,
    found: &mut Vec<(usize, Vec<Move>)>,
) -> Option<bool> {
    if most == 0 {
        return Some(false);
    }
    let mut states = vec![problem.root()];
    for &mv in line {
        states.push(states[states.len() - 1].play(mv));
    }
    for (before, (&main, state)) in line.iter().zip(&states).enumerate().rev() {
        if state.turn() == problem.attacker() {
            continue;
        }
        for variation in others(state, main)? {
            if found.len() == most {
                return Some(true);
            }
            found.push((before, variation));
        }
    }
    Some(false)
}

/// The positions of a line, each with the move that led to it and its square marked.
#[must_use]
pub fn steps(start: &Position, line: &[Move]) -> Vec<Step> {
    let (mut position, mut last) = (*start, None);
    let mut steps = vec![Step { text: String::new(), svg: svg::diagram(start, None, &[]) }];
    for (at, &mv) in line.iter().enumerate() {
        let side = if position.turn() == Side::Black { '☗' } else { '☖' };
        let spelled = japanese::spell(&position, mv, last).replace('\u{3000}', "");
        let spelled = spelled.split('(').next().unwrap_or_default();
        (position, last) = (position.play(mv), Some(mv.to()));
        let end = if at + 1 == line.len() { " — 詰み, mate" } else { "" };
        let text = format!("{side}{spelled} ({mv}){end}");
        steps.push(Step { text, svg: svg::diagram(&position, last, &[]) });
    }
    steps
}

/// A line in Japanese for a caption, a few moves in each row.
#[must_use]
pub fn caption(start: &Position, line: &[Move]) -> Vec<String> {
    const ROW: usize = 6;
    const ROWS: usize = 12;
    let (mut position, mut last) = (*start, None);
    let mut words = Vec::new();
    for &mv in line.iter().take(ROW * ROWS) {
        let side = if position.turn() == Side::Black { '☗' } else { '☖' };
        let spelled = japanese::spell(&position, mv, last).replace('\u{3000}', "");
        let spelled = spelled.split('(').next().unwrap_or_default().to_string();
        words.push(format!("{side}{spelled}"));
        (position, last) = (position.play(mv), Some(mv.to()));
    }
    let mut rows: Vec<String> = words.chunks(ROW).map(|row| row.join(" ")).collect();
    let end = match line.len() {
        plies if plies > ROW * ROWS => format!("… {plies}手詰"),
        plies => format!("まで{plies}手詰"),
    };
    rows.push(end);
    rows
}
