//! Negatives, sums and multiples.

use crate::budget::Exhausted;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value, pair};

impl Games {
    /// −a.
    pub fn neg(&mut self, a: Value) -> Result<Value, Exhausted> {
        let mut stack = vec![a];
        while let Some(&top) = stack.last() {
            if self.known_neg(top)?.is_some() {
                stack.pop();
                continue;
            }
            let [start, _, end] = self.node(top).options;
            let before = stack.len();
            for at in start..end {
                let option = self.pool[at as usize];
                if self.known_neg(option)?.is_none() {
                    stack.push(option);
                }
            }
            self.budget.spend(1 + u64::from(end - start))?;
            if stack.len() == before {
                // The negative of a canonical form is one.
                let mut right = self.negated(self.left_options(top).to_vec())?;
                let mut left = self.negated(self.right_options(top).to_vec())?;
                let negative = self.intern(&mut left, &mut right)?;
                self.negatives.insert(top, negative);
                self.negatives.insert(negative, top);
                stack.pop();
            }
        }
        Ok(self.known_neg(a)?.expect("a negative just made"))
    }

    fn known_neg(&mut self, a: Value) -> Result<Option<Value>, Exhausted> {
        match self.number(a) {
            Some(number) => {
                let negative = -number;
                self.dyadic(&negative).map(Some)
            }
            None => Ok(self.negatives.get(&a).copied()),
        }
    }

    fn negated(&mut self, mut options: Vec<Value>) -> Result<Vec<Value>, Exhausted> {
        for option in &mut options {
            *option = self.known_neg(*option)?.expect("the negative of an option");
        }
        Ok(options)
    }

    /// a + b.
    pub fn add(&mut self, a: Value, b: Value) -> Result<Value, Exhausted> {
        if let Some(sum) = self.known_sum(a, b)? {
            return Ok(sum);
        }
        let mut stack = vec![(a, b)];
        while let Some(&(a, b)) = stack.last() {
            if self.known_sum(a, b)?.is_some() {
                stack.pop();
                continue;
            }
            self.budget.spend(1)?;
            let before = stack.len();
            let (mut left, mut right) = (Vec::new(), Vec::new());
            // A move in a number never gains while there is another game, so its options are not
            // needed.
            for (game, other) in [(a, b), (b, a)] {
                if self.is_number(game) {
                    continue;
                }
                let [start, middle, end] = self.node(game).options;
                for at in start..end {
                    let option = self.pool[at as usize];
                    match self.known_sum(option, other)? {
                        Some(sum) if at < middle => left.push(sum),
                        Some(sum) => right.push(sum),
                        None => stack.push((option, other)),
                    }
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let sum = if self.is_number(a) || self.is_number(b) {
                // A canonical form plus a number stays one (the number translation theorem).
                self.intern(&mut left, &mut right)?
            } else {
                self.make(&left, &right)?
            };
            self.sums.insert(key(a, b), sum);
        }
        Ok(self.known_sum(a, b)?.expect("a sum just made"))
    }

    /// A sum that is trivial or cached.
    fn known_sum(&mut self, a: Value, b: Value) -> Result<Option<Value>, Exhausted> {
        if a == Value::ZERO {
            return Ok(Some(b));
        }
        if b == Value::ZERO {
            return Ok(Some(a));
        }
        if self.is_number(a) && self.is_number(b) {
            return self.add_numbers(a, b).map(Some);
        }
        if self.negatives.get(&a) == Some(&b) {
            return Ok(Some(Value::ZERO));
        }
        if let Some(&sum) = self.sums.get(&key(a, b)) {
            return Ok(Some(sum));
        }
        self.sum_of_named(a, b)
    }

    /// Numbers, ups and nim-heaps add up separately.
    fn sum_of_named(&mut self, a: Value, b: Value) -> Result<Option<Value>, Exhausted> {
        let (Some(a_name), Some(b_name)) = (self.node(a).up_star, self.node(b).up_star) else {
            return Ok(None);
        };
        let Some(ups) = a_name.ups.checked_add(b_name.ups) else {
            return Ok(None);
        };
        let number = self.add_numbers(a_name.number, b_name.number)?;
        let sum = self.up_star(number, ups, a_name.star ^ b_name.star)?;
        self.sums.insert(key(a, b), sum);
        Ok(Some(sum))
    }

    fn add_numbers(&mut self, a: Value, b: Value) -> Result<Value, Exhausted> {
        let sum = &self.node(a).left_stop.at + &self.node(b).left_stop.at;
        self.dyadic(&sum)
    }

    /// a − b.
    pub fn sub(&mut self, a: Value, b: Value) -> Result<Value, Exhausted> {
        let negative = self.neg(b)?;
        self.add(a, negative)
    }

    /// The sum of all.
    pub fn sum(&mut self, values: &[Value]) -> Result<Value, Exhausted> {
        values.iter().try_fold(Value::ZERO, |sum, &value| self.add(sum, value))
    }

    /// n·a for an integer n of any size.
    pub fn multiple(&mut self, n: &Dyadic, a: Value) -> Result<Value, Exhausted> {
        if let Some(number) = self.number(a) {
            let product = number * n;
            return self.dyadic(&product);
        }
        if let Some(n) = n.to_i64() {
            return self.times(n, a);
        }
        let a = if n.signum() < 0 { self.neg(a)? } else { a };
        let n = n.abs().numerator();
        self.doubled(a, (0..n.bits()).map(|place| n.bit(place)))
    }

    /// n·a: the sum of n copies, or of −n copies of −a.
    pub fn times(&mut self, n: i64, a: Value) -> Result<Value, Exhausted> {
        if let Some(number) = self.number(a) {
            let product = number * &Dyadic::from(n);
            return self.dyadic(&product);
        }
        let a = if n < 0 { self.neg(a)? } else { a };
        let n = n.unsigned_abs();
        if n <= ONE_BY_ONE {
            return (0..n).try_fold(Value::ZERO, |sum, _| self.add(sum, a));
        }
        let bits = u64::BITS - n.leading_zeros();
        self.doubled(a, (0..bits).map(|place| n >> place & 1 == 1))
    }

    /// Adds copies by the bits of n, the lowest bit first.
    fn doubled(
        &mut self,
        mut a: Value,
        bits: impl Iterator<Item = bool>,
    ) -> Result<Value, Exhausted> {
        let mut sum = Value::ZERO;
        let mut bits = bits.peekable();
        while let Some(bit) = bits.next() {
            if bit {
                sum = self.add(sum, a)?;
            }
            if bits.peek().is_some() {
                a = self.add(a, a)?;
            }
        }
        Ok(sum)
    }
}

/// Up to here copies are added one by one: if multiples grow, adding a small game to a large one is
/// cheaper than adding two large ones.
const ONE_BY_ONE: u64 = 4096;

/// Independent of the order of the two.
fn key(a: Value, b: Value) -> u64 {
    if a <= b { pair(a, b) } else { pair(b, a) }
}
