//! Stops: where play ends if Left or Right begins and neither player moves in a number.

use crate::dyadic::Dyadic;
use crate::games::{Games, Value};
use crate::node::Stop;

impl Games {
    /// The left and the right stop: where play ends if Left or Right begins.
    pub fn stops(&self, value: Value) -> (&Dyadic, &Dyadic) {
        let node = self.node(value);
        (&node.left_stop.at, &node.right_stop.at)
    }

    /// The left stop of a game with these left options that is not a number: their greatest right
    /// stop. By number avoidance x >= G if x <= G^L for none of them.
    pub(crate) fn left_stop_of(&self, left: &[Value]) -> Stop {
        let mut stops = left.iter().map(|&option| &self.node(option).right_stop);
        let first = stops.next().expect("left options of a game that is no number");
        let mut best = Stop { at: first.at.clone(), reached: !first.reached };
        for stop in stops {
            if stop.at > best.at {
                best = Stop { at: stop.at.clone(), reached: !stop.reached };
            } else if stop.at == best.at {
                best.reached &= !stop.reached;
            }
        }
        best
    }

    pub(crate) fn right_stop_of(&self, right: &[Value]) -> Stop {
        let mut stops = right.iter().map(|&option| &self.node(option).left_stop);
        let first = stops.next().expect("right options of a game that is no number");
        let mut best = Stop { at: first.at.clone(), reached: !first.reached };
        for stop in stops {
            if stop.at < best.at {
                best = Stop { at: stop.at.clone(), reached: !stop.reached };
            } else if stop.at == best.at {
                best.reached &= !stop.reached;
            }
        }
        best
    }
}
