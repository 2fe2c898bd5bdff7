//! Values with names: nim-heaps, ups, tinies, switches.
//!
//! The sum of a number x, n ups and a nim-heap *k is recognised when it is interned: its canonical
//! form is {x | x + (n−1)·up + *(k xor 1)} for n > 0, except that up + * = {0, * | 0} (Winning
//! Ways, chapter 8), and the negative of that for n < 0.

use crate::budget::Exhausted;
use crate::games::{Games, Value};
use crate::node::UpStar;

impl Games {
    /// The nim-heap *n; *0 is 0.
    pub fn star(&mut self, size: u32) -> Result<Value, Exhausted> {
        self.up_star(Value::ZERO, 0, size)
    }

    /// n·up + *k: `up(2, 1)` is double-up-star.
    pub fn up(&mut self, ups: i32, star: u32) -> Result<Value, Exhausted> {
        self.up_star(Value::ZERO, ups, star)
    }

    /// Tiny x: {0 || 0 | −x}.
    pub fn tiny(&mut self, x: Value) -> Result<Value, Exhausted> {
        let low = self.neg(x)?;
        let threat = self.make(&[Value::ZERO], &[low])?;
        self.make(&[Value::ZERO], &[threat])
    }

    /// Miny x: {x | 0 || 0}.
    pub fn miny(&mut self, x: Value) -> Result<Value, Exhausted> {
        let threat = self.make(&[x], &[Value::ZERO])?;
        self.make(&[threat], &[Value::ZERO])
    }

    /// ±x: {x | −x}.
    pub fn switch(&mut self, x: Value) -> Result<Value, Exhausted> {
        let low = self.neg(x)?;
        self.make(&[x], &[low])
    }

    /// ±(x, y, …): {x, y, … | −x, −y, …}.
    pub fn switches(&mut self, options: &[Value]) -> Result<Value, Exhausted> {
        let mut low = Vec::with_capacity(options.len());
        for &option in options {
            low.push(self.neg(option)?);
        }
        self.make(options, &low)
    }

    /// number + ups·up + *star.
    pub(crate) fn up_star(
        &mut self,
        number: Value,
        ups: i32,
        star: u32,
    ) -> Result<Value, Exhausted> {
        // Go down to one that exists, then up again.
        let mut known = ups;
        let mut at = star;
        let mut value = self.find_up_star(UpStar { number, ups: known, star: at });
        while value.is_none() && known != 0 {
            self.budget.spend(1)?;
            known -= known.signum();
            at ^= 1;
            value = self.find_up_star(UpStar { number, ups: known, star: at });
        }
        let mut value = match value {
            Some(value) => value,
            None => self.heap(number, at)?,
        };
        while known != ups {
            let mut near = vec![number];
            // up + * is {0, * | 0}: the one case that the rule does not cover.
            if known == 0 && at == 0 {
                near.push(self.heap(number, 1)?);
            }
            let mut far = vec![value];
            value = if ups > 0 {
                self.intern(&mut near, &mut far)?
            } else {
                self.intern(&mut far, &mut near)?
            };
            known += ups.signum();
            at ^= 1;
        }
        Ok(value)
    }

    fn find_up_star(&self, name: UpStar) -> Option<Value> {
        if name.ups == 0 && name.star == 0 {
            return Some(name.number);
        }
        self.up_stars.get(&name).copied()
    }

    /// number + *star.
    fn heap(&mut self, number: Value, star: u32) -> Result<Value, Exhausted> {
        let mut smaller = Vec::new();
        for at in 0..=star {
            let value = match self.find_up_star(UpStar { number, ups: 0, star: at }) {
                Some(value) => value,
                None => self.intern(&mut smaller.clone(), &mut smaller.clone())?,
            };
            smaller.push(value);
        }
        Ok(smaller[star as usize])
    }

    /// The name of the canonical form with these sorted options.
    pub(crate) fn name(&self, left: &[Value], right: &[Value]) -> Option<UpStar> {
        let of = |value: Value| self.node(value).up_star;
        if left == right {
            let number = of(*left.first()?)?.number;
            let heap = |&value: &Value| {
                of(value).is_some_and(|name| {
                    name.number == number && name.ups == 0 && (name.star as usize) < left.len()
                })
            };
            let star = u32::try_from(left.len()).ok()?;
            return left.iter().all(heap).then_some(UpStar { number, ups: 0, star });
        }
        match (left, right) {
            (&[near], &[far]) if self.is_number(near) => {
                let far = of(far).filter(|far| far.number == near && far.ups >= 0)?;
                Some(UpStar { ups: far.ups.checked_add(1)?, star: far.star ^ 1, ..far })
            }
            (&[far], &[near]) if self.is_number(near) => {
                let far = of(far).filter(|far| far.number == near && far.ups <= 0)?;
                Some(UpStar { ups: far.ups.checked_sub(1)?, star: far.star ^ 1, ..far })
            }
            (&[a, b], &[near]) => {
                self.star_beside(a, b, near).map(|()| UpStar { number: near, ups: 1, star: 1 })
            }
            (&[near], &[a, b]) => {
                self.star_beside(a, b, near).map(|()| UpStar { number: near, ups: -1, star: 1 })
            }
            _ => None,
        }
    }

    /// Whether a and b are the number and that number + *.
    fn star_beside(&self, a: Value, b: Value, number: Value) -> Option<()> {
        let star = if a == number { b } else { a };
        let named = UpStar { number, ups: 0, star: 1 };
        let there = a == number || b == number;
        (there && self.is_number(number) && self.node(star).up_star == Some(named)).then_some(())
    }
}
