//! The result of a move: prisoners, and independent parts in normal form.

use super::board::{Board, Cell, Colour, Played, Point, Suicide};
use super::part::parts;

/// A part in normal form; negative if the colours were swapped.
#[derive(Clone, Debug)]
pub(super) struct Signed {
    pub board: Board,
    pub negative: bool,
}

/// A board after a move, or before any: prisoners and a sum of parts.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub prisoners: i64,
    pub parts: Vec<Signed>,
}

impl Outcome {
    pub fn of(board: &Board, prisoners: i64) -> Self {
        let signed = |board: &Board| {
            let (board, negative) = board.normal();
            Signed { board, negative }
        };
        let parts = parts(board).iter().map(|part| signed(&part.board)).collect();
        Self { prisoners, parts }
    }
}

/// A move with its result.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub point: Point,
    pub played: Played,
    pub outcome: Outcome,
    /// Whether the stone is immortal, or it captured: then the move cannot be undone.
    pub lasting: bool,
}

/// All moves of a colour.
pub(super) fn moves(board: &Board, colour: Colour, suicide: Suicide) -> Vec<Move> {
    board.empty().filter_map(|point| one(board, colour, point, suicide)).collect()
}

/// All answers adjacent to a move, by the other colour.
pub(super) fn answers(board: &Board, to: &Move, colour: Colour, suicide: Suicide) -> Vec<Outcome> {
    let near = board.neighbours(to.point).chain(to.played.taken.first().copied());
    let answers = near.filter_map(|point| {
        let played = to.played.board.play(colour.other(), point, suicide).ok()?;
        Some(Outcome::of(&played.board, to.outcome.prisoners + played.prisoners))
    });
    answers.collect()
}

/// All answers to a move.
pub(super) fn all_answers(to: &Move, colour: Colour, suicide: Suicide) -> Vec<Outcome> {
    let answers = moves(&to.played.board, colour.other(), suicide).into_iter();
    answers
        .map(|answer| Outcome {
            prisoners: to.outcome.prisoners + answer.outcome.prisoners,
            ..answer.outcome
        })
        .collect()
}

fn one(board: &Board, colour: Colour, point: Point, suicide: Suicide) -> Option<Move> {
    let played = board.play(colour, point, suicide).ok()?;
    let outcome = Outcome::of(&played.board, played.prisoners);
    let chain = match played.board.at(point) {
        Cell::Empty => Vec::new(),
        _ => played.board.chain(point),
    };
    let immortal = chain.iter().any(|&stone| matches!(played.board.at(stone), Cell::Wall(_)));
    let lasting = immortal || !played.taken.is_empty();
    Some(Move { point, played, outcome, lasting })
}
