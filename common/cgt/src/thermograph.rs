//! Thermographs: the stops of a game as it is cooled, with mean and temperature.
//!
//! The left scaffold is the greatest right wall of a left option minus the tax t; the right
//! scaffold is the least left wall of a right option plus t. The walls follow the scaffolds while
//! the left one is greater, then both are the mast.

mod wall;

use std::sync::Arc;

pub use wall::{Point, Wall};

use crate::budget::Exhausted;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value};

/// The temperature of a number. The temperature of other games does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// 0, the lowest temperature.
    Zero,
    /// −1/2^k for m/2^k in lowest terms, −1 for integers: what a move there loses.
    Negative,
}

/// The walls of a game from temperature 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// The left stop of the cooled game.
    pub left: Wall,
    /// The right stop of the cooled game.
    pub right: Wall,
    /// Where the mast begins: the least t from which the walls coincide.
    pub temperature: Dyadic,
}

impl Thermograph {
    /// The mean value, where the mast stands.
    pub fn mast(&self) -> &Dyadic {
        self.left.top()
    }

    fn number(number: &Dyadic) -> Self {
        let wall = Wall::constant(number.clone());
        Self { left: wall.clone(), right: wall, temperature: Dyadic::ZERO }
    }

    /// Builds the walls from the scaffolds.
    fn between(left: Wall, right: Wall) -> Self {
        let temperature = left.meets(&right);
        let mast = left.at(&temperature);
        Self {
            left: left.cut(&temperature, &mast),
            right: right.cut(&temperature, &mast),
            temperature,
        }
    }
}

impl Games {
    /// The thermograph of a value.
    pub fn thermograph(&mut self, value: Value) -> Result<Arc<Thermograph>, Exhausted> {
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if self.thermographs.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let [start, _, end] = self.node(top).options;
            for at in start..end {
                let option = self.pool[at as usize];
                if !self.thermographs.contains_key(&option) {
                    stack.push(option);
                }
            }
            self.budget.spend(1 + u64::from(end - start))?;
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let thermograph = match self.number(top) {
                Some(number) => Thermograph::number(number),
                None => self.thermograph_from_options(top),
            };
            let size = thermograph.left.points().len() + thermograph.right.points().len();
            self.budget.spend(8 * size as u64)?;
            self.thermographs.insert(top, Arc::new(thermograph));
        }
        Ok(self.thermographs[&value].clone())
    }

    fn thermograph_from_options(&self, value: Value) -> Thermograph {
        let of = |option: &Value| &self.thermographs[option];
        let left = self.left_options(value).iter().map(|option| of(option).right.clone());
        let left = left.reduce(|a, b| a.greater(&b)).expect("a left option");
        let right = self.right_options(value).iter().map(|option| of(option).left.clone());
        let right = right.reduce(|a, b| a.lesser(&b)).expect("a right option");
        Thermograph::between(left.taxed(-1), right.taxed(1))
    }

    /// The mean value.
    pub fn mean(&mut self, value: Value) -> Result<Dyadic, Exhausted> {
        match self.number(value) {
            Some(number) => Ok(number.clone()),
            None => Ok(self.thermograph(value)?.mast().clone()),
        }
    }

    /// The temperature: the supremum of all t where the cooled game has a left stop greater than
    /// its right stop; at least 0 if the game is not a number.
    pub fn temperature(
        &mut self,
        value: Value,
        convention: Convention,
    ) -> Result<Dyadic, Exhausted> {
        match (self.number(value), convention) {
            (Some(_), Convention::Zero) => Ok(Dyadic::ZERO),
            (Some(number), Convention::Negative) => Ok(-number.unit()),
            (None, _) => Ok(self.thermograph(value)?.temperature.clone()),
        }
    }
}
