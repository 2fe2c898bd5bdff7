//! Traversals of the positions of a game: incentives, birthdays, ordinal sums.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::Exhausted;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value};

impl Games {
    /// What Left gains by her moves, G^L − G, without dominated ones.
    pub fn left_incentives(&mut self, value: Value) -> Result<Vec<Value>, Exhausted> {
        let mut incentives = self.left(value)?;
        for option in &mut incentives {
            *option = self.sub(*option, value)?;
        }
        self.without_dominated(incentives)
    }

    /// What Right gains by his moves, G − G^R, without dominated ones.
    pub fn right_incentives(&mut self, value: Value) -> Result<Vec<Value>, Exhausted> {
        let mut incentives = self.right(value)?;
        for option in &mut incentives {
            *option = self.sub(value, *option)?;
        }
        self.without_dominated(incentives)
    }

    /// The day on which the value is born: the depth of its canonical form.
    pub fn birthday(&mut self, value: Value) -> Result<Dyadic, Exhausted> {
        let mut days: FxHashMap<Value, Dyadic> = FxHashMap::default();
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if days.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.budget.spend(1)?;
            if let Some(number) = self.number(top) {
                days.insert(top, birthday_of_number(number));
                stack.pop();
                continue;
            }
            let before = stack.len();
            let options = self.left_options(top).iter().chain(self.right_options(top));
            stack.extend(options.clone().filter(|option| !days.contains_key(option)));
            if stack.len() == before {
                let last = options.map(|option| &days[option]).max().expect("an option");
                let day = last + &Dyadic::ONE;
                days.insert(top, day);
                stack.pop();
            }
        }
        Ok(days[&value].clone())
    }

    /// All positions of a game that are not numbers, and all numbers where they end.
    pub(crate) fn positions(&mut self, value: Value) -> Result<Vec<Value>, Exhausted> {
        let mut seen: FxHashSet<Value> = [value].into_iter().collect();
        let mut positions = vec![value];
        let mut at = 0;
        while at < positions.len() {
            let [start, _, end] = self.node(positions[at]).options;
            self.budget.spend(1)?;
            for option in start..end {
                let option = self.pool[option as usize];
                if seen.insert(option) {
                    positions.push(option);
                }
            }
            at += 1;
        }
        Ok(positions)
    }

    /// The ordinal sum g:h, where a move in g ends h: {G^L, G:H^L | G^R, G:H^R}. It depends on the
    /// form of g, which is the canonical one.
    pub fn ordinal_sum(&mut self, g: Value, h: Value) -> Result<Value, Exhausted> {
        let (base_left, base_right) = (self.left(g)?, self.right(g)?);
        let mut known: FxHashMap<Value, Value> = FxHashMap::default();
        let mut stack = vec![h];
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.budget.spend(1)?;
            let (left, right) = (self.left(top)?, self.right(top)?);
            let before = stack.len();
            stack.extend(left.iter().chain(&right).filter(|option| !known.contains_key(option)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let with = |base: &[Value], options: &[Value]| {
                let above = options.iter().map(|option| known[option]);
                base.iter().copied().chain(above).collect::<Vec<_>>()
            };
            let (left, right) = (with(&base_left, &left), with(&base_right, &right));
            let value = self.make(&left, &right)?;
            known.insert(top, value);
        }
        Ok(known[&h])
    }
}

/// An integer n is born on day |n|; between integers each bit takes a day.
fn birthday_of_number(number: &Dyadic) -> Dyadic {
    let size = number.abs();
    if size.is_integer() {
        return size;
    }
    let bits = Dyadic::new(number.exponent(), 0);
    size.floor() + bits + Dyadic::ONE
}
