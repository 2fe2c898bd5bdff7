//! What the engine says about a search, and its answer.

use hasami_andor::numbers::INFINITE;
use hasami_andor::problem::all_moves;
use hasami_andor::{Expansion, Moves, Numbers, Problem, Table, Turn};
use hasami_shogi::{Bound, Move, Shogi};

use super::go::Purpose;
use super::run::{Found, Run, State};
use super::table::fullness;

/// Moves of a line that is not settled yet, at most.
const LONGEST: usize = 40;
/// The largest score that is not a mate.
const MOST: f64 = 9999.0;

/// The answer to `go`.
pub fn answer(purpose: Purpose, found: &Found) -> String {
    match (purpose, found) {
        (Purpose::Mate, Found::Mate(line)) => format!("checkmate {}", spelled(&line.moves)),
        (Purpose::Mate, Found::NoMate(_)) => "checkmate nomate".to_string(),
        (Purpose::Mate, Found::Nothing) => "checkmate timeout".to_string(),
        (Purpose::Mate, Found::Mated) => "checkmate notimplemented".to_string(),
        (Purpose::Move, found) => {
            let mv = match found {
                Found::Mate(line) => line.moves.first().copied(),
                Found::NoMate(escape) => *escape,
                Found::Nothing | Found::Mated => None,
            };
            mv.map_or("bestmove resign".to_string(), |mv| format!("bestmove {mv}"))
        }
    }
}

/// The answer to a question that cannot be searched.
pub fn no_answer(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Mate => "checkmate notimplemented",
        Purpose::Move => "bestmove resign",
    }
}

/// A line about the search as it is now.
pub fn progress(run: &Run, state: &mut State) -> String {
    let (score, line) = match &state.found {
        Found::Mate(found) => {
            let sign = if run.defends { "-" } else { "" };
            (Some(format!("mate {sign}{}", found.length)), found.moves.clone())
        }
        Found::Nothing => {
            let line = state.problem.as_ref().map(|problem| likely(problem, &run.table));
            (estimate(run), line.unwrap_or_default())
        }
        Found::NoMate(_) | Found::Mated => (None, Vec::new()),
    };
    state.deepest = state.deepest.max(line.len() as u64);
    let mut text = counts(run, line.len(), state.deepest);
    if let Some(score) = score {
        text.push_str(&format!(" score {score}"));
    }
    if !line.is_empty() {
        text.push_str(&format!(" pv {}", spelled(&line)));
    }
    text
}

/// A line that says that there is a mate whose length is not known yet.
pub fn announcement(run: &Run, state: &State) -> String {
    let sign = if run.defends { '-' } else { '+' };
    format!("{} score mate {sign}", counts(run, 0, state.deepest))
}

/// The numbers of the root in words, while they are open.
pub fn numbers(run: &Run, state: &State) -> Option<String> {
    let limit = state.problem.as_ref().map(|problem| problem.root().left());
    let limit = limit.filter(|&left| left != hasami_shogi::Rank::ENDLESS);
    let asked = limit.map_or(String::new(), |plies| format!(" within {plies} plies:"));
    let Numbers { proof, disproof } = open_numbers(run)?;
    Some(format!("mate{asked} proof number {proof}, disproof number {disproof}"))
}

fn open_numbers(run: &Run) -> Option<Numbers> {
    let numbers = run.control.root();
    // Both are 0 before there are any.
    (numbers.proof > 0 && numbers.disproof > 0).then_some(numbers)
}

/// No evaluation of the position, but of how the search goes: 0 while both numbers are equal.
fn estimate(run: &Run) -> Option<String> {
    let Numbers { proof, disproof } = open_numbers(run)?;
    let ratio = (f64::from(disproof) / f64::from(proof)).ln() * 600.0;
    let score = if run.defends { -ratio } else { ratio };
    Some(format!("cp {:.0}", score.clamp(-MOST, MOST)))
}

fn counts(run: &Run, depth: usize, deepest: u64) -> String {
    let ms = run.started.elapsed().as_millis() as u64;
    let nodes = run.control.nodes();
    let speed = nodes.saturating_mul(1000) / ms.max(1);
    let full = fullness(&run.table);
    format!(
        "info depth {depth} seldepth {deepest} time {ms} nodes {nodes} nps {speed} hashfull {full}"
    )
}

/// The line that the search finds most promising, as far as the table knows it.
fn likely(problem: &Shogi, table: &Table<Bound>) -> Vec<Move> {
    let (mut state, mut line) = (problem.root(), Vec::new());
    let (mut moves, mut met) = (Moves::new(), vec![problem.key(&state)]);
    while line.len() < LONGEST && all_moves(problem, &state, &mut moves) == Expansion::Open {
        let turn = problem.turn(&state);
        let known = |mv: Move| {
            let numbers = table.look(problem, problem.key_after(&state, mv)).entry?.numbers;
            let wanted = if turn == Turn::Or { numbers.proof } else { numbers.disproof };
            (wanted < INFINITE).then_some((wanted, mv))
        };
        let Some((_, best)) = moves.iter().filter_map(known).min_by_key(|&(wanted, _)| wanted)
        else {
            break;
        };
        state = problem.play(&state, best);
        let key = problem.key(&state);
        if met.contains(&key) {
            break;
        }
        met.push(key);
        line.push(best);
    }
    line
}

fn spelled(line: &[Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_shogi::{MainLine, Square};

    #[test]
    fn there_is_always_a_word_after_checkmate_and_bestmove() {
        let square = |name| Square::named(name).unwrap();
        let mv = Move::board(square("7g"), square("7f"), false);
        let line = Found::Mate(MainLine { moves: vec![mv, mv], length: 2 });
        for (found, mate, best) in [
            (Found::Nothing, "checkmate timeout", "bestmove resign"),
            (Found::NoMate(None), "checkmate nomate", "bestmove resign"),
            (Found::NoMate(Some(mv)), "checkmate nomate", "bestmove 7g7f"),
            (Found::Mated, "checkmate notimplemented", "bestmove resign"),
            (line, "checkmate 7g7f 7g7f", "bestmove 7g7f"),
        ] {
            assert_eq!(answer(Purpose::Mate, &found), mate);
            assert_eq!(answer(Purpose::Move, &found), best);
        }
    }
}
