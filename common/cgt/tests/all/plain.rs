//! Games as plain trees, and everything about them by definition, without canonical forms, stops or
//! memory: an independent way to every answer.

use std::collections::HashMap;

use hasami_cgt::{Games, Value};

/// A game as a tree, not reduced.
#[derive(Clone, Debug)]
pub struct Plain {
    pub left: Vec<Plain>,
    pub right: Vec<Plain>,
}

/// Random numbers by xorshift: the same for one seed everywhere.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % end
    }
}

impl Plain {
    pub fn zero() -> Self {
        Self { left: Vec::new(), right: Vec::new() }
    }

    pub fn integer(n: i64) -> Self {
        let mut game = Self::zero();
        for _ in 0..n.abs() {
            game = if n > 0 {
                Self { left: vec![game], right: Vec::new() }
            } else {
                Self { left: Vec::new(), right: vec![game] }
            };
        }
        game
    }

    /// A game of at most this depth with integer leaves and up to this many options on a side.
    pub fn random(dice: &mut Dice, depth: u32, width: u64, integers: i64) -> Self {
        if depth == 0 || dice.below(6) == 0 {
            let n = dice.below(2 * integers as u64 + 1) as i64 - integers;
            return Self::integer(n);
        }
        let mut side = || {
            // Mostly there are options, otherwise most games would be numbers.
            let count = if dice.below(8) == 0 { 0 } else { 1 + dice.below(width) };
            (0..count).map(|_| Self::random(dice, depth - 1, width, integers)).collect::<Vec<_>>()
        };
        Self { left: side(), right: side() }
    }

    pub fn value(&self, games: &mut Games) -> Value {
        let left: Vec<_> = self.left.iter().map(|option| option.value(games)).collect();
        let right: Vec<_> = self.right.iter().map(|option| option.value(games)).collect();
        games.make(&left, &right).unwrap()
    }

    pub fn negative(&self) -> Self {
        let turned = |options: &[Self]| options.iter().map(Self::negative).collect();
        Self { left: turned(&self.right), right: turned(&self.left) }
    }
}

/// Whether the first player wins the sum, by playing it out. `left`: whether Left is first.
pub fn first_wins(sum: &mut Vec<&Plain>, left: bool) -> bool {
    for at in 0..sum.len() {
        let part = sum[at];
        for option in if left { &part.left } else { &part.right } {
            sum[at] = option;
            let wins = !first_wins(sum, !left);
            sum[at] = part;
            if wins {
                return true;
            }
        }
    }
    false
}

/// The order of a − b against 0 by playing it out.
pub fn order(a: &Plain, b: &Plain) -> &'static str {
    let minus = b.negative();
    let mut sum = vec![a, &minus];
    match (first_wins(&mut sum, true), first_wins(&mut sum, false)) {
        (true, true) => "||",
        (true, false) => ">",
        (false, true) => "<",
        (false, false) => "=",
    }
}

/// a + b by definition: {a^L + b, a + b^L | a^R + b, a + b^R}, without the shortcuts of the crate.
pub fn sum(
    games: &mut Games,
    known: &mut HashMap<(Value, Value), Value>,
    a: Value,
    b: Value,
) -> Value {
    if let Some(&sum) = known.get(&(a, b)) {
        return sum;
    }
    let mut sides = [Vec::new(), Vec::new()];
    for (side, (options_a, options_b)) in [
        (games.left(a).unwrap(), games.left(b).unwrap()),
        (games.right(a).unwrap(), games.right(b).unwrap()),
    ]
    .into_iter()
    .enumerate()
    {
        sides[side].extend(options_a.into_iter().map(|option| sum(games, known, option, b)));
        sides[side].extend(options_b.into_iter().map(|option| sum(games, known, a, option)));
    }
    let value = games.make(&sides[0], &sides[1]).unwrap();
    known.insert((a, b), value);
    value
}
