//! Canonical forms: dominated options dropped, reversible ones bypassed, numbers recognised.

use std::cmp::Ordering;

use crate::budget::Exhausted;
use crate::dyadic::{Bound, Dyadic, simplest};
use crate::games::{Games, Value};
use crate::node::Stop;

/// The side whose options are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The option of a side that leaves the least room for a number.
struct Strictest {
    option: Value,
    /// Whether all options of the side are numbers.
    all_numbers: bool,
    side: Side,
}

impl Games {
    /// The value of the game with these options.
    pub fn make(&mut self, left: &[Value], right: &[Value]) -> Result<Value, Exhausted> {
        let (low, high) = (self.strictest(left, Side::Left), self.strictest(right, Side::Right));
        let stop = |strictest: &Strictest| match strictest.side {
            Side::Left => &self.node(strictest.option).right_stop,
            Side::Right => &self.node(strictest.option).left_stop,
        };
        if let Some(number) = number_between(low.as_ref().map(stop), high.as_ref().map(stop)) {
            return self.dyadic(&number);
        }
        if let (Some(low), Some(high)) = (&low, &high)
            && low.all_numbers
            && high.all_numbers
        {
            // All other options are dominated, and numbers are not reversible.
            return self.intern(&mut [low.option], &mut [high.option]);
        }
        let [mut left_room, mut right_room] = std::mem::take(&mut self.room);
        left_room.clear();
        left_room.extend_from_slice(left);
        right_room.clear();
        right_room.extend_from_slice(right);
        let value = self.canonical(&mut left_room, &mut right_room);
        self.room = [left_room, right_room];
        value
    }

    /// The canonical form of a game that is not a number.
    fn canonical(
        &mut self,
        left: &mut Vec<Value>,
        right: &mut Vec<Value>,
    ) -> Result<Value, Exhausted> {
        self.drop_dominated(left, Side::Left)?;
        self.drop_dominated(right, Side::Right)?;
        if self.may_reverse(left, right) {
            self.put_raw(left, right)?;
            let bypassed = self.bypass_both(left, right);
            self.take_raw();
            if bypassed? {
                self.drop_dominated(left, Side::Left)?;
                self.drop_dominated(right, Side::Right)?;
            }
        }
        self.intern(left, right)
    }

    /// The option whose stop leaves the least room for a number: on the left the highest right
    /// stop, on the right the lowest left stop. Of equal ones, one that is reached.
    #[inline]
    fn strictest(&self, options: &[Value], side: Side) -> Option<Strictest> {
        let (&first, rest) = options.split_first()?;
        let node = self.node(first);
        let mut strictest = Strictest { option: first, all_numbers: node.is_number, side };
        let mut best = if side == Side::Left { &node.right_stop } else { &node.left_stop };
        for &option in rest {
            let node = self.node(option);
            strictest.all_numbers &= node.is_number;
            let (stop, order) = match side {
                Side::Left => (&node.right_stop, node.right_stop.at.cmp(&best.at)),
                Side::Right => (&node.left_stop, best.at.cmp(&node.left_stop.at)),
            };
            if order.then(stop.reached.cmp(&best.reached)) == Ordering::Greater {
                best = stop;
                strictest.option = option;
            }
        }
        Some(strictest)
    }

    /// Removes dominated options, as Left sees them.
    pub(crate) fn without_dominated(
        &mut self,
        mut values: Vec<Value>,
    ) -> Result<Vec<Value>, Exhausted> {
        self.drop_dominated(&mut values, Side::Left)?;
        Ok(values)
    }

    fn drop_dominated(&mut self, options: &mut Vec<Value>, side: Side) -> Result<(), Exhausted> {
        match options[..] {
            [] | [_] => return Ok(()),
            [a, b] if a == b => {
                options.pop();
                return Ok(());
            }
            [_, _] => {}
            _ => {
                options.sort_unstable();
                options.dedup();
            }
        }
        let mut count = 0;
        'next: for at in 0..options.len() {
            let option = options[at];
            let mut other = 0;
            while other < count {
                if self.dominates(options[other], option, side)? {
                    continue 'next;
                }
                if self.dominates(option, options[other], side)? {
                    count -= 1;
                    options.swap(other, count);
                } else {
                    other += 1;
                }
            }
            options[count] = option;
            count += 1;
        }
        options.truncate(count);
        Ok(())
    }

    fn dominates(&mut self, better: Value, worse: Value, side: Side) -> Result<bool, Exhausted> {
        match side {
            Side::Left => self.le(worse, better),
            Side::Right => self.le(better, worse),
        }
    }

    /// Options that are numbers are not reversible once nothing dominates them: if x^R <= G, the
    /// left stop of G would be more than x, and some other option greater than x.
    fn may_reverse(&self, left: &[Value], right: &[Value]) -> bool {
        left.iter().chain(right).any(|&option| !self.is_number(option))
    }

    /// Replaces every reversible option of the raw game. Returns whether there was any.
    fn bypass_both(
        &mut self,
        left: &mut Vec<Value>,
        right: &mut Vec<Value>,
    ) -> Result<bool, Exhausted> {
        let in_left = self.bypass(left, Side::Left)?;
        let in_right = self.bypass(right, Side::Right)?;
        Ok(in_left || in_right)
    }

    /// A left option is reversible if Right has an answer that is no better for Left than the game
    /// itself. Left's options in that answer replace it; they may be reversible, too.
    fn bypass(&mut self, options: &mut Vec<Value>, side: Side) -> Result<bool, Exhausted> {
        let mut any = false;
        let mut at = 0;
        while at < options.len() {
            let Some(answer) = self.reversing_answer(options[at], side)? else {
                at += 1;
                continue;
            };
            any = true;
            options.swap_remove(at);
            let new = match side {
                Side::Left => self.left(answer)?,
                Side::Right => self.right(answer)?,
            };
            self.budget.spend(1 + new.len() as u64)?;
            options.extend(new);
        }
        Ok(any)
    }

    fn reversing_answer(&mut self, option: Value, side: Side) -> Result<Option<Value>, Exhausted> {
        if self.is_number(option) {
            return Ok(None);
        }
        let answers = match side {
            Side::Left => self.right_options(option).len(),
            Side::Right => self.left_options(option).len(),
        };
        for i in 0..answers {
            let (answer, reverses) = match side {
                Side::Left => {
                    let answer = self.right_options(option)[i];
                    (answer, self.le(answer, Value::RAW)?)
                }
                Side::Right => {
                    let answer = self.left_options(option)[i];
                    (answer, self.le(Value::RAW, answer)?)
                }
            };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }
}

/// The simplest number that is not at most a left option nor at least a right one, from the
/// strictest stops on both sides.
fn number_between(low: Option<&Stop>, high: Option<&Stop>) -> Option<Dyadic> {
    if let (Some(low), Some(high)) = (low, high) {
        // Nearly all games that are not numbers end here.
        if low.at > high.at || (low.at == high.at && (low.reached || high.reached)) {
            return None;
        }
    }
    fn bound(stop: &Stop) -> Bound<'_> {
        Bound { at: &stop.at, closed: !stop.reached }
    }
    simplest(low.map(bound), high.map(bound))
}
