//! Atomic weights of all-small games (Winning Ways, chapter 8; Siegel, chapter II.7).

use rustc_hash::FxHashMap;

use crate::budget::Exhausted;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value};
use crate::order::Order;

impl Games {
    /// Whether 0 is the only number among its positions.
    pub fn is_all_small(&mut self, value: Value) -> Result<bool, Exhausted> {
        let positions = self.positions(value)?;
        Ok(positions.iter().all(|&position| position == Value::ZERO || !self.is_number(position)))
    }

    /// The atomic weight, if the game is all small.
    pub fn atomic_weight(&mut self, value: Value) -> Result<Option<Value>, Exhausted> {
        if !self.is_all_small(value)? {
            return Ok(None);
        }
        let two = self.integer(2)?;
        let minus_two = self.integer(-2)?;
        let far_star = self.far_star(value)?;
        let mut weights: FxHashMap<Value, Value> = FxHashMap::default();
        weights.insert(Value::ZERO, Value::ZERO);
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if weights.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.budget.spend(1)?;
            let before = stack.len();
            let [start, middle, end] = self.node(top).options;
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for at in start..end {
                let option = self.pool[at as usize];
                match weights.get(&option) {
                    None => stack.push(option),
                    Some(&weight) if at < middle => left.push(self.add(weight, minus_two)?),
                    Some(&weight) => right.push(self.add(weight, two)?),
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let weight = self.weight(top, far_star, &left, &right)?;
            weights.insert(top, weight);
        }
        Ok(Some(weights[&value]))
    }

    /// From {G^L's weight − 2 | G^R's weight + 2}. If that is an integer, several may fit, and the
    /// far star decides: the greatest if Left wins against it, the least if Right does.
    fn weight(
        &mut self,
        game: Value,
        far_star: Value,
        left: &[Value],
        right: &[Value],
    ) -> Result<Value, Exhausted> {
        let weight = self.make(left, right)?;
        if !self.number(weight).is_some_and(Dyadic::is_integer) {
            return Ok(weight);
        }
        match self.compare(game, far_star)? {
            Order::Greater => {
                let greatest = right.iter().map(|&option| self.last_integer_not_above(option));
                let greatest = greatest.min().expect("a right option");
                self.dyadic(&greatest)
            }
            Order::Less => {
                let least = left.iter().map(|&option| self.first_integer_not_below(option));
                let least = least.max().expect("a left option");
                self.dyadic(&least)
            }
            Order::Equal | Order::Confused => Ok(weight),
        }
    }

    /// The greatest integer n for which n >= game is false.
    fn last_integer_not_above(&self, game: Value) -> Dyadic {
        let stop = &self.node(game).left_stop;
        if stop.reached { stop.at.ceil() - Dyadic::ONE } else { stop.at.floor() }
    }

    /// The least integer n for which n <= game is false.
    fn first_integer_not_below(&self, game: Value) -> Dyadic {
        let stop = &self.node(game).right_stop;
        if stop.reached { stop.at.floor() + Dyadic::ONE } else { stop.at.ceil() }
    }

    /// A nim-heap larger than all those among the positions of the game: all such heaps compare
    /// with it the same way.
    fn far_star(&mut self, value: Value) -> Result<Value, Exhausted> {
        let mut largest = 0;
        for position in self.positions(value)? {
            if let Some(name) = self.node(position).up_star.filter(|name| name.ups == 0) {
                largest = largest.max(name.star);
            }
        }
        self.star(largest + 1)
    }
}
