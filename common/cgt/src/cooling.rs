//! Cooling, chilling, heating and overheating.

use rustc_hash::FxHashMap;

use crate::budget::Exhausted;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value, pair};
use crate::thermograph::Convention;

impl Games {
    /// The game where every move costs t. Numbers do not change, and past its temperature a game
    /// freezes to its mean (Conway 1976). A negative t is not a temperature and changes nothing.
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
            let cooled = self.make(&left, &right)?;
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

    /// The game cooled by 1.
    pub fn chill(&mut self, value: Value) -> Result<Value, Exhausted> {
        self.cool(value, &Dyadic::ONE)
    }

    /// The game where every move earns t, which may be a game: {t + heated G^L | heated G^R − t}.
    /// Numbers do not change.
    pub fn heat(&mut self, value: Value, t: Value) -> Result<Value, Exhausted> {
        self.heat_by(value, &[t], |_, value| Ok(Some(value)))
    }

    /// Overheating from s to t: an integer n becomes n·s, and any other game, other numbers too,
    /// {t + overheated G^L | overheated G^R − t}.
    pub fn overheat(&mut self, value: Value, s: Value, t: Value) -> Result<Value, Exhausted> {
        self.heat_by(value, &[t], |games, value| games.integer_times(value, s))
    }

    /// The Norton product of a game with a positive u: an integer n becomes n·u, and any other game
    /// {G^L·u + (u + i) | G^R·u − (u + i)} for all incentives i of u.
    pub fn norton(&mut self, value: Value, u: Value) -> Result<Value, Exhausted> {
        let mut gains = self.left_incentives(u)?;
        gains.extend(self.right_incentives(u)?);
        for gain in &mut gains {
            *gain = self.add(u, *gain)?;
        }
        self.heat_by(value, &gains, |games, value| games.integer_times(value, u))
    }

    fn integer_times(&mut self, value: Value, unit: Value) -> Result<Option<Value>, Exhausted> {
        match self.number(value).filter(|number| number.is_integer()).cloned() {
            Some(n) => self.multiple(&n, unit).map(Some),
            None => Ok(None),
        }
    }

    /// Heats a game: every move earns one of the gains. `numbers` maps a number, if it is not
    /// heated like other games.
    fn heat_by(
        &mut self,
        value: Value,
        gains: &[Value],
        mut numbers: impl FnMut(&mut Self, Value) -> Result<Option<Value>, Exhausted>,
    ) -> Result<Value, Exhausted> {
        let losses = gains.iter().map(|&gain| self.neg(gain)).collect::<Result<Vec<_>, _>>()?;
        let mut heated: FxHashMap<Value, Value> = FxHashMap::default();
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if heated.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.budget.spend(1)?;
            if self.is_number(top)
                && let Some(number) = numbers(self, top)?
            {
                heated.insert(top, number);
                stack.pop();
                continue;
            }
            let (left, right) = (self.left(top)?, self.right(top)?);
            let before = stack.len();
            stack.extend(left.iter().chain(&right).filter(|option| !heated.contains_key(option)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let left = self.all_sums(&left, &heated, gains)?;
            let right = self.all_sums(&right, &heated, &losses)?;
            let hot = self.make(&left, &right)?;
            heated.insert(top, hot);
        }
        Ok(heated[&value])
    }

    fn all_sums(
        &mut self,
        options: &[Value],
        heated: &FxHashMap<Value, Value>,
        terms: &[Value],
    ) -> Result<Vec<Value>, Exhausted> {
        let mut sums = Vec::with_capacity(options.len() * terms.len());
        for option in options {
            for &term in terms {
                sums.push(self.add(heated[option], term)?);
            }
        }
        Ok(sums)
    }
}
