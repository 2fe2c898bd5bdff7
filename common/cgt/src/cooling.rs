//! Cooling, chilling, heating and overheating.

use rustc_hash::FxHashMap;

use crate::budget::Exhausted;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value, pair};
use crate::thermograph::Convention;

impl Games {
    /// The game where every move costs t. Numbers stay as they are, and past its temperature a game
    /// is frozen: its mean (Conway 1976). A negative t is no temperature; the game stays as it is.
    pub fn cool(&mut self, value: Value, t: &Dyadic) -> Result<Value, Exhausted> {
        if t.signum() <= 0 {
            return Ok(value);
        }
        let tax = self.dyadic(t)?;
        let refund = self.neg(tax)?;
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if self.known_cooled(top, tax).is_some() {
                stack.pop();
                continue;
            }
            self.budget.spend(1)?;
            if self.temperature(top, Convention::Zero)? < *t {
                let mean = self.mean(top)?;
                let frozen = self.dyadic(&mean)?;
                self.cooled.insert(pair(top, tax), frozen);
                stack.pop();
                continue;
            }
            let before = stack.len();
            let [start, middle, end] = self.node(top).options;
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for at in start..end {
                let option = self.pool[at as usize];
                match self.known_cooled(option, tax) {
                    None => stack.push(option),
                    Some(cooled) if at < middle => left.push(cooled),
                    Some(cooled) => right.push(cooled),
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            for option in &mut left {
                *option = self.add(*option, refund)?;
            }
            for option in &mut right {
                *option = self.add(*option, tax)?;
            }
            let cooled = self.make_owned(left, right)?;
            self.cooled.insert(pair(top, tax), cooled);
        }
        Ok(self.known_cooled(value, tax).expect("a cooled game just made"))
    }

    fn known_cooled(&self, value: Value, tax: Value) -> Option<Value> {
        if self.is_number(value) {
            return Some(value);
        }
        self.cooled.get(&pair(value, tax)).copied()
    }

    /// Cooled by 1.
    pub fn chill(&mut self, value: Value) -> Result<Value, Exhausted> {
        self.cool(value, &Dyadic::ONE)
    }

    /// The game where every move earns t, which may be a game: {t + heated G^L | heated G^R − t}.
    /// Numbers stay as they are.
    pub fn heat(&mut self, value: Value, t: Value) -> Result<Value, Exhausted> {
        self.heat_by(value, t, |_, value| Ok(Some(value)))
    }

    /// Overheating from s to t: an integer n becomes n·s, and any other game, other numbers too,
    /// {t + overheated G^L | overheated G^R − t}.
    pub fn overheat(&mut self, value: Value, s: Value, t: Value) -> Result<Value, Exhausted> {
        self.heat_by(value, t, |games, value| {
            let integer = games.number(value).filter(|number| number.is_integer()).cloned();
            match integer {
                Some(n) => games.multiple(&n, s).map(Some),
                None => Ok(None),
            }
        })
    }

    /// With what `numbers` says becomes of a number, if it is not heated like other games.
    fn heat_by(
        &mut self,
        value: Value,
        t: Value,
        mut numbers: impl FnMut(&mut Self, Value) -> Result<Option<Value>, Exhausted>,
    ) -> Result<Value, Exhausted> {
        let loss = self.neg(t)?;
        let mut heated: FxHashMap<Value, Value> = FxHashMap::default();
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if heated.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.budget.spend(1)?;
            if self.is_number(top) {
                if let Some(number) = numbers(self, top)? {
                    heated.insert(top, number);
                    stack.pop();
                    continue;
                }
            }
            let (left, right) = (self.left(top)?, self.right(top)?);
            let before = stack.len();
            stack.extend(left.iter().chain(&right).filter(|option| !heated.contains_key(option)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut options = [left, right];
            for (side, by) in options.iter_mut().zip([t, loss]) {
                for option in side {
                    *option = self.add(heated[option], by)?;
                }
            }
            let [left, right] = options;
            let hot = self.make_owned(left, right)?;
            heated.insert(top, hot);
        }
        Ok(heated[&value])
    }
}
