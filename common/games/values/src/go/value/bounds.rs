//! Lower and upper bounds for parts in which play can repeat.
//!
//! For the lower bound Black may not move back to a part in progress, White wins everything by
//! doing so, and for parts with bounds the lower ones count. The value is at least that, however
//! repetition is judged, because Black can do without it; and at most the upper bound, likewise.
//! Bounds are monotone in the options (stopping at the territory included), so this is sound at
//! every step.

use hasami_cgt::Value;

use super::{Answered, Endgames, Frame, Look, Step, Unvalued};
use crate::go::board::{Board, Colour};

/// More points than any board has.
const EVERYTHING: i64 = 1_000_000;

enum Bound {
    Value(Value),
    Need(Vec<Board>),
}

impl Endgames {
    /// The bounds of a part in which play can repeat; its value if they are equal.
    pub(super) fn between(&mut self, frame: &mut Frame) -> Result<Step, Unvalued> {
        let mut bounds = [None, None];
        for (bound, side) in bounds.iter_mut().zip(0..) {
            match self.bound(frame, side)? {
                Bound::Need(parts) => return Ok(Step::Need(parts)),
                Bound::Value(value) => *bound = Some(value),
            }
        }
        let [low, high] = bounds.map(|bound| bound.expect("both bounds"));
        Ok(if low == high { Step::Done(low) } else { Step::Between(low, high) })
    }

    /// The bound for which this side avoids repetition: the lower one for Black, side 0.
    fn bound(&mut self, frame: &mut Frame, side: usize) -> Result<Bound, Unvalued> {
        let worst = self.games.integer(if side == 0 { -EVERYTHING } else { EVERYTHING })?;
        let mut options = [Vec::new(), Vec::new()];
        let mut open = Vec::new();
        for (mover, moves) in frame.moves.iter().enumerate() {
            for (at, one) in moves.iter().enumerate() {
                let look = if one.counts { self.look(&one.one.outcome)? } else { Look::Repeats };
                match look {
                    Look::Value(value) => options[mover].push(value),
                    Look::Between(low, high) => {
                        options[mover].push(if side == 0 { low } else { high });
                    }
                    Look::Missing(parts) => return Ok(Bound::Need(parts)),
                    // Fewer moves of this side still give a bound.
                    Look::Repeats if mover == side => {}
                    Look::Repeats => open.push(at),
                }
            }
        }
        let other = 1 - side;
        loop {
            let bound = self.settle(&frame.board, &options)?;
            let mut left = Vec::new();
            for &at in &open {
                let one = &mut frame.moves[other][at];
                match self.answered(&frame.board, one, Colour::BOTH[other], bound)? {
                    Answered::Yes => left.push(at),
                    Answered::Unknown(parts) => return Ok(Bound::Need(parts)),
                    Answered::No => options[other].push(match self.look(&one.one.outcome)? {
                        Look::Value(value) => value,
                        Look::Between(low, high) => {
                            if side == 0 {
                                low
                            } else {
                                high
                            }
                        }
                        Look::Missing(_) | Look::Repeats => worst,
                    }),
                }
            }
            if left.len() == open.len() {
                return Ok(Bound::Value(bound));
            }
            open = left;
        }
    }
}
