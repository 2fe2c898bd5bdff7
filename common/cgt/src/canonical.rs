//! Canonical forms: dominated options dropped, reversible ones bypassed, numbers recognised.

use crate::budget::Exhausted;
use crate::dyadic::{Bound, Dyadic, simplest};
use crate::games::{Games, Value};

/// Whose options.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Games {
    /// The value of the game with these options.
    pub fn make(&mut self, left: &[Value], right: &[Value]) -> Result<Value, Exhausted> {
        self.make_owned(left.to_vec(), right.to_vec())
    }

    pub(crate) fn make_owned(
        &mut self,
        mut left: Vec<Value>,
        mut right: Vec<Value>,
    ) -> Result<Value, Exhausted> {
        if let Some(number) = self.simplest_between(&left, &right) {
            return self.dyadic(&number);
        }
        self.drop_dominated(&mut left, Side::Left)?;
        self.drop_dominated(&mut right, Side::Right)?;
        if self.may_reverse(&left, &right) {
            self.put_raw(&left, &right)?;
            let bypassed = self.bypass_both(&mut left, &mut right);
            self.take_raw();
            if bypassed? {
                self.drop_dominated(&mut left, Side::Left)?;
                self.drop_dominated(&mut right, Side::Right)?;
            }
        }
        self.intern(&mut left, &mut right)
    }

    /// The number that a game with these options is, if it is one: the simplest one that is not
    /// below a left option nor above a right one.
    fn simplest_between(&self, left: &[Value], right: &[Value]) -> Option<Dyadic> {
        let low = left.iter().map(|&option| &self.node(option).right_stop);
        let low = low.max_by(|a, b| a.at.cmp(&b.at).then(a.reached.cmp(&b.reached)));
        let high = right.iter().map(|&option| &self.node(option).left_stop);
        let high = high.min_by(|a, b| a.at.cmp(&b.at).then(b.reached.cmp(&a.reached)));
        let bound = |stop: &crate::node::Stop| Bound { at: stop.at.clone(), closed: !stop.reached };
        if let (Some(low), Some(high)) = (low, high) {
            // Nearly all games that are no numbers end here, without a copy.
            if low.at > high.at || (low.at == high.at && (low.reached || high.reached)) {
                return None;
            }
        }
        simplest(low.map(bound).as_ref(), high.map(bound).as_ref())
    }

    /// What Left would choose from.
    pub(crate) fn without_dominated(
        &mut self,
        mut values: Vec<Value>,
    ) -> Result<Vec<Value>, Exhausted> {
        self.drop_dominated(&mut values, Side::Left)?;
        Ok(values)
    }

    fn drop_dominated(&mut self, options: &mut Vec<Value>, side: Side) -> Result<(), Exhausted> {
        if options.len() < 2 {
            return Ok(());
        }
        options.sort_unstable();
        options.dedup();
        let mut kept = 0;
        'next: for at in 0..options.len() {
            let option = options[at];
            let mut other = 0;
            while other < kept {
                if self.dominates(options[other], option, side)? {
                    continue 'next;
                }
                if self.dominates(option, options[other], side)? {
                    kept -= 1;
                    options.swap(other, kept);
                } else {
                    other += 1;
                }
            }
            options[kept] = option;
            kept += 1;
        }
        options.truncate(kept);
        Ok(())
    }

    fn dominates(&mut self, better: Value, worse: Value, side: Side) -> Result<bool, Exhausted> {
        match side {
            Side::Left => self.le(worse, better),
            Side::Right => self.le(better, worse),
        }
    }

    /// Options that are numbers are not reversible once nothing dominates them: were x^R <= G,
    /// then the left stop of G would be more than x, and some other option greater than x.
    fn may_reverse(&self, left: &[Value], right: &[Value]) -> bool {
        left.iter().chain(right).any(|&option| !self.is_number(option))
    }

    /// Replaces every reversible option of the raw game; was there any?
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
    /// itself; what Left can do then takes its place. Those options may be reversible, too.
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
