//! A linear function of the features of a position, and the numbers that follow from it.

use hasami_andor::Numbers;

use super::features::{Features, Set};
use crate::position::Position;
use crate::side::Side;

/// The largest first number: beyond it a position is not searched before all others anyway.
const MOST: f64 = 65_535.0;
/// The largest number that an expansion value gives.
const MOST_OF_VALUE: f64 = 64.0;

/// What a function estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The size of the proof tree.
    Size,
    /// Its logarithm.
    LogSize,
}

impl Target {
    const NAMES: [(&'static str, Self); 2] = [("size", Self::Size), ("log", Self::LogSize)];

    /// Its name in texts.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::LogSize => "log",
        }
    }
}

/// A function: the constant, then the weights of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The features.
    pub set: Set,
    /// The constant first.
    pub weights: Vec<f64>,
}

impl Function {
    /// Its value.
    #[must_use]
    pub fn of(&self, features: &Features) -> f64 {
        let mut sum = self.weights[0];
        features.values(self.set, |at, value| sum += self.weights[1 + at] * value);
        sum
    }

    /// Its text: `4:1.5,2,…`, the set, the constant, the weights.
    #[must_use]
    pub fn write(&self) -> String {
        let weights: Vec<String> = self.weights.iter().map(|weight| format!("{weight}")).collect();
        format!("{}:{}", self.set as u8, weights.join(","))
    }

    /// Reads what [`Function::write`] wrote.
    ///
    /// # Errors
    /// What is expected instead.
    pub fn read(text: &str) -> Result<Self, String> {
        let (set, weights) = text.split_once(':').ok_or("the number of a set, and a colon")?;
        let set = Set::ALL.into_iter().find(|one| (*one as u8).to_string() == set);
        let set = set.ok_or("a set from 1 to 4")?;
        let number = |word: &str| word.parse::<f64>().ok().filter(|number| number.is_finite());
        let weights: Option<Vec<f64>> = weights.split(',').map(number).collect();
        let expected = || format!("{} numbers", set.weights() + 1);
        let weights =
            weights.filter(|list| list.len() == set.weights() + 1).ok_or_else(expected)?;
        Ok(Self { set, weights })
    }
}

/// Proof and disproof numbers from linear functions.
#[derive(Clone, Debug, PartialEq)]
pub enum Linear {
    /// Each number is estimated by itself, or stays 1.
    Sizes {
        /// For the proof number.
        proof: Option<(Target, Function)>,
        /// For the disproof number.
        disproof: Option<(Target, Function)>,
    },
    /// Both from the expansion value: 1/N for a mate with a tree of N nodes, −1/N for no mate.
    Value(Function),
}

impl Linear {
    /// The numbers of a position.
    #[must_use]
    pub fn numbers(&self, position: &Position, attacker: Side) -> Numbers {
        let Some(features) = Features::of(position, attacker) else { return Numbers::UNKNOWN };
        match self {
            Self::Sizes { proof, disproof } => {
                let number = |estimate: &Option<(Target, Function)>| match estimate {
                    None => 1,
                    Some((target, function)) => {
                        let value = function.of(&features);
                        let size = if *target == Target::LogSize { value.exp() } else { value };
                        size.round().clamp(1.0, MOST) as u32
                    }
                };
                Numbers::open(number(proof), number(disproof))
            }
            Self::Value(function) => {
                let value = function.of(&features).clamp(-1.0, 1.0);
                // The paper prints 64 × (v + 1) for v < 0, which falls as v comes near to −1; what
                // it describes grows with the size of v.
                let grown = (1.0 + (MOST_OF_VALUE - 1.0) * value.abs()).round() as u32;
                if value >= 0.0 { Numbers::open(1, grown) } else { Numbers::open(grown, 1) }
            }
        }
    }

    /// Its text: `size-4 proof=1,2,… disproof=…`, or `value-4 1,2,…`.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Self::Value(function) => format!("value:{}", function.write()),
            Self::Sizes { proof, disproof } => {
                let part = |name: &str, estimate: &Option<(Target, Function)>| {
                    let (target, function) = estimate.as_ref()?;
                    Some(format!("{name}:{}:{}", target.word(), function.write()))
                };
                let parts = [part("proof", proof), part("disproof", disproof)];
                parts.into_iter().flatten().collect::<Vec<_>>().join(";")
            }
        }
    }

    /// Reads what [`Linear::write`] wrote.
    ///
    /// # Errors
    /// What is expected instead.
    pub fn read(text: &str) -> Result<Self, String> {
        let (mut proof, mut disproof) = (None, None);
        for part in text.split(';') {
            let (name, rest) = part.split_once(':').ok_or("proof:, disproof: or value:")?;
            if name == "value" && text.split(';').count() == 1 {
                return Ok(Self::Value(Function::read(rest)?));
            }
            let place = match name {
                "proof" => &mut proof,
                "disproof" => &mut disproof,
                _ => return Err("proof:, disproof: or value: alone".to_string()),
            };
            let (word, rest) = rest.split_once(':').ok_or("size: or log:")?;
            let target = Target::NAMES.iter().find(|(one, _)| *one == word);
            let (_, target) = *target.ok_or("size: or log:")?;
            if place.replace((target, Function::read(rest)?)).is_some() {
                return Err(format!("{name} once"));
            }
        }
        Ok(Self::Sizes { proof, disproof })
    }
}
