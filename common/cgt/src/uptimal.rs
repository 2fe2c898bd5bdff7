//! Powers of up: each is infinitesimal compared with the one before.
//!
//! `↑^[n]` is the sum of the first n powers, {↑^[n−1] | *}, and `↑ⁿ` is the n-th power,
//! {0 | * − ↑^[n−1]} (Siegel, *Combinatorial Game Theory*, 2013, II.4; Winning Ways, chapter 8).

use crate::budget::Exhausted;
use crate::games::{Games, Value};

/// Longer chains are not searched when a value is named.
const LONGEST: u32 = 10_000;

impl Games {
    /// `↑^[n]`: the sum of the first n powers of up; for negative n its negative.
    pub fn up_sum(&mut self, powers: i32) -> Result<Value, Exhausted> {
        let star = self.star(1)?;
        let mut value = Value::ZERO;
        for _ in 0..powers.unsigned_abs() {
            value = self.make(&[value], &[star])?;
        }
        if powers < 0 { self.neg(value) } else { Ok(value) }
    }

    /// `↑ⁿ`: the n-th power of up. The first is up itself; for negative n it is the negative.
    pub fn up_power(&mut self, power: i32) -> Result<Value, Exhausted> {
        let before = self.up_sum(power.saturating_abs().max(1) - 1)?;
        let star = self.star(1)?;
        let far = self.sub(star, before)?;
        let value = self.make(&[Value::ZERO], &[far])?;
        if power < 0 { self.neg(value) } else { Ok(value) }
    }

    /// Another name for x + `↑^[n]` or x + `↑ⁿ`, with or without a star, n at least 2.
    pub fn uptimal_name(&mut self, value: Value) -> Result<Option<String>, Exhausted> {
        let (left, right) = self.stops(value);
        if left != right || self.node(value).up_star.is_some() {
            return Ok(None);
        }
        let middle = left.clone();
        let number = self.dyadic(&middle)?;
        let mut rest = self.sub(value, number)?;
        let mut prefix = match number {
            Value::ZERO => String::new(),
            _ => format!("{middle}+"),
        };
        let star = self.star(1)?;
        for with_star in [false, true] {
            if with_star {
                rest = self.add(rest, star)?;
                prefix.push_str("*+");
            }
            if let Some(name) = self.plain_uptimal(rest)? {
                return Ok(Some(format!("{prefix}{name}")));
            }
        }
        Ok(None)
    }

    fn plain_uptimal(&mut self, value: Value) -> Result<Option<String>, Exhausted> {
        for negative in [false, true] {
            let value = if negative { self.neg(value)? } else { value };
            let sign = if negative { "v" } else { "^" };
            if let Some(powers) = self.powers(value)? {
                return Ok(Some(format!("{sign}[{powers}]")));
            }
            if self.left_of_game(value) != [Value::ZERO] {
                continue;
            }
            if let &[far] = self.right_of_game(value) {
                let star = self.star(1)?;
                let before = self.sub(star, far)?;
                if let Some(powers) = self.powers(before)? {
                    let power = i64::from(powers) + 1;
                    return Ok(Some(format!("uppow({})", if negative { -power } else { power })));
                }
            }
        }
        Ok(None)
    }

    /// n, if the value is `↑^[n]` and n is at least 1.
    fn powers(&mut self, value: Value) -> Result<Option<u32>, Exhausted> {
        let star = self.star(1)?;
        let mut at = value;
        for powers in 0..LONGEST {
            if at == Value::ZERO {
                return Ok((powers > 0).then_some(powers));
            }
            match (self.left_of_game(at), self.right_of_game(at)) {
                (&[below], &[right]) if right == star => at = below,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    fn left_of_game(&self, value: Value) -> &[Value] {
        if self.is_number(value) { &[] } else { self.left_options(value) }
    }

    fn right_of_game(&self, value: Value) -> &[Value] {
        if self.is_number(value) { &[] } else { self.right_options(value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Order;

    #[test]
    fn powers_add_up_and_each_is_infinitesimal_beside_the_one_before() {
        let mut games = Games::new();
        let mut sum = Value::ZERO;
        for power in 1..=9 {
            let one = games.up_power(power).unwrap();
            sum = games.add(sum, one).unwrap();
            assert_eq!(games.up_sum(power).unwrap(), sum, "{power}");
            let next = games.up_power(power + 1).unwrap();
            let many = games.multiple(&50.into(), next).unwrap();
            assert_eq!(games.compare(Value::ZERO, many).unwrap(), Order::Less);
            assert_eq!(games.compare(many, one).unwrap(), Order::Less, "{power}");
            let negative = games.up_power(-power).unwrap();
            assert_eq!(games.add(one, negative).unwrap(), Value::ZERO);
        }
        assert_eq!(games.up_power(1).unwrap(), games.up(1, 0).unwrap());
        assert_eq!(games.up_sum(0).unwrap(), Value::ZERO);
    }

    #[test]
    fn names_are_read_back_as_the_value_and_others_have_none() {
        let mut games = Games::new();
        for (text, name) in [
            ("^+uppow(2)", Some("^[2]")),
            ("^+uppow(2)+uppow(3)+*", Some("*+^[3]")),
            ("-3/4+v[4]", Some("-3/4+v[4]")),
            ("{0|v*}", Some("uppow(2)")),
            ("uppow(-5)+7+*", Some("7+*+uppow(-5)")),
            ("^", None),
            ("^2*", None),
            ("1/2", None),
            ("±1", None),
            ("tiny(2)", None),
            ("^[2]+^[2]", None),
        ] {
            let value = games.parse(text).unwrap();
            let found = games.uptimal_name(value).unwrap();
            assert_eq!(found.as_deref(), name, "{text}");
            if let Some(name) = found {
                assert_eq!(games.parse(&name).unwrap(), value, "{text}");
            }
        }
    }
}
