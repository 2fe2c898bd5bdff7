//! Order of values: a <= b if Right, moving first in b − a, cannot win.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::budget::Exhausted;
use crate::games::{Games, Value, pair};

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// a < b: Right wins a − b, no matter who moves first.
    Less,
    /// a > b: Left wins a − b, no matter who moves first.
    Greater,
    /// a = b: the first player loses a − b.
    Equal,
    /// a || b: the first player wins a − b.
    Confused,
}

impl Order {
    /// `<`, `>`, `=` or `||`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::Greater => ">",
            Self::Equal => "=",
            Self::Confused => "||",
        }
    }
}

/// A comparison in progress: is `a <= b`? It is, unless some a^L >= b or some b^R <= a.
#[derive(Clone, Debug)]
pub(crate) struct Comparing {
    a: Value,
    b: Value,
    /// Number of options examined.
    next: usize,
}

impl Games {
    /// a <= b.
    pub fn le(&mut self, a: Value, b: Value) -> Result<bool, Exhausted> {
        match self.known_le(a, b) {
            Some(answer) => Ok(answer),
            None => self.search_le(a, b),
        }
    }

    /// a < b, a > b, a = b or a || b.
    pub fn compare(&mut self, a: Value, b: Value) -> Result<Order, Exhausted> {
        if a == b {
            return Ok(Order::Equal);
        }
        Ok(match (self.le(a, b)?, self.le(b, a)?) {
            (true, false) => Order::Less,
            (false, true) => Order::Greater,
            (false, false) => Order::Confused,
            (true, true) => Order::Equal,
        })
    }

    /// The answer from stops and memory, if they have one.
    #[inline]
    fn known_le(&self, a: Value, b: Value) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let (from, to) = (self.node(a), self.node(b));
        if from.is_number {
            let x = &from.left_stop.at;
            return Some(match x.cmp(&to.right_stop.at) {
                Ordering::Less => true,
                Ordering::Equal => to.right_stop.reached,
                Ordering::Greater => false,
            });
        }
        // Stops of smaller games are not larger; and all of a may be below all of b.
        let (left, right) = (&from.left_stop, &to.right_stop);
        match left.at.cmp(&right.at) {
            Ordering::Less => return Some(true),
            Ordering::Equal if left.reached && right.reached => return Some(true),
            _ => {}
        }
        if to.is_number {
            return Some(false);
        }
        match left.at.cmp(&to.left_stop.at) {
            Ordering::Greater => return Some(false),
            Ordering::Equal if to.left_stop.reached && !left.reached => {
                return Some(false);
            }
            _ => {}
        }
        match from.right_stop.at.cmp(&right.at) {
            Ordering::Greater => return Some(false),
            Ordering::Equal if from.right_stop.reached && !right.reached => {
                return Some(false);
            }
            _ => {}
        }
        self.memory(a, b).get(&pair(a, b)).copied()
    }

    /// Comparisons with a game that is not interned are dropped together with it.
    fn memory(&self, a: Value, b: Value) -> &FxHashMap<u64, bool> {
        let raw = a == Value::RAW || b == Value::RAW;
        if raw { &self.scratch } else { &self.at_most }
    }

    fn search_le(&mut self, a: Value, b: Value) -> Result<bool, Exhausted> {
        let mut stack = std::mem::take(&mut self.comparisons);
        stack.clear();
        stack.push(Comparing { a, b, next: 0 });
        let answer = self.search_from(&mut stack);
        self.comparisons = stack;
        answer
    }

    fn search_from(&mut self, stack: &mut Vec<Comparing>) -> Result<bool, Exhausted> {
        loop {
            let frame = stack.last_mut().expect("a comparison under way");
            let (a, b) = (frame.a, frame.b);
            let mut answer = None;
            let mut below = None;
            let (lefts, rights) = (self.left_options(a).len(), self.right_options(b).len());
            loop {
                let next = frame.next;
                let (c, d) = if next < lefts {
                    (b, self.left_options(a)[next])
                } else if next < lefts + rights {
                    (self.right_options(b)[next - lefts], a)
                } else {
                    answer = Some(true);
                    break;
                };
                match self.known_le(c, d) {
                    Some(true) => {
                        answer = Some(false);
                        break;
                    }
                    Some(false) => frame.next += 1,
                    None => {
                        below = Some(Comparing { a: c, b: d, next: 0 });
                        break;
                    }
                }
            }
            self.budget.spend(1)?;
            if let Some(frame) = below {
                stack.push(frame);
            }
            if let Some(answer) = answer {
                // The frame below finds this answer in memory.
                stack.pop();
                self.remember_le(a, b, answer);
                if stack.is_empty() {
                    return Ok(answer);
                }
            }
        }
    }

    fn remember_le(&mut self, a: Value, b: Value, answer: bool) {
        let raw = a == Value::RAW || b == Value::RAW;
        let memory = if raw { &mut self.scratch } else { &mut self.at_most };
        memory.insert(pair(a, b), answer);
    }
}
