//! Learned first numbers. A move has a few features, each an index into a table. What the tables say
//! adds up to two estimates: how much work it takes to settle the position after the move, and
//! whether it will be a mate. Of several ways to the same end the one with the least work for its
//! chance of success comes first, so that is what the numbers are.

use hasami_andor::Numbers;

use super::scene::{FEATURES, Found};

/// Parts in which weights are counted: of a doubling of work, and of a unit of the logit.
pub const PARTS: i32 = 32;
/// Work is told apart in so many steps of an eighth of a doubling, chances in steps of a quarter of a logit.
const WORK_STEPS: i32 = 128;
const CHANCE_STEPS: i32 = 64;
const WORK_SHIFT: i32 = 2;
const CHANCE_SHIFT: i32 = 3;

/// What a feature adds: to the logarithm of the work of a proof, to that of a disproof, and to the
/// logit of a mate.
pub type Weight = [i16; 3];

/// How estimates become a number: work^effort × chance^−risk × 2^lift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Exponent of the work.
    pub effort: f64,
    /// Exponent of the chance.
    pub risk: f64,
    /// Doublings of every number.
    pub lift: f64,
}

/// The largest part of a curve, either way.
const MOST_OF_CURVE: f64 = 16.0;
/// The largest first number.
const MOST: f64 = 4096.0;

impl Curve {
    /// The number for each pair of steps; `sign` is −1 where the chance is that of no mate.
    fn numbers(self, sign: f64) -> Box<[u32]> {
        let mut numbers = Vec::new();
        for work in 0..WORK_STEPS {
            for chance in -CHANCE_STEPS / 2..CHANCE_STEPS / 2 {
                let work = f64::from(work << WORK_SHIFT) / f64::from(PARTS);
                let logit = sign * f64::from(chance << CHANCE_SHIFT) / f64::from(PARTS);
                // −log2 of the chance.
                let risk = (-logit).exp().ln_1p() / std::f64::consts::LN_2;
                let exponent = self.effort * work + self.risk * risk + self.lift;
                numbers.push(exponent.exp2().round().clamp(1.0, MOST) as u32);
            }
        }
        numbers.into_boxed_slice()
    }
}

/// One weight for each feature of a move, and the numbers for each pair of estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    weights: Box<[Weight]>,
    curves: [Curve; 2],
    proof: Box<[u32]>,
    disproof: Box<[u32]>,
}

impl Tables {
    /// From weights, one for each feature.
    #[must_use]
    pub fn new(weights: Vec<Weight>, proof: Curve, disproof: Curve) -> Option<Self> {
        (weights.len() == FEATURES).then(|| Self {
            weights: weights.into_boxed_slice(),
            curves: [proof, disproof],
            proof: proof.numbers(1.0),
            disproof: disproof.numbers(-1.0),
        })
    }

    /// The weights.
    #[must_use]
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// Their text: the two curves, then the three weights of each feature.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (name, curve) in ["proof", "disproof"].iter().zip(self.curves) {
            let Curve { effort, risk, lift } = curve;
            text.push_str(&format!("{name} {effort} {risk} {lift}\n"));
        }
        for [proof, disproof, chance] in &self.weights {
            text.push_str(&format!("{proof} {disproof} {chance}\n"));
        }
        text
    }

    /// Reads what [`Tables::write`] wrote.
    ///
    /// # Errors
    /// The first line that is wrong, and what is expected there.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().zip(1..);
        let mut curve = |name: &str| {
            let (line, number) = lines.next().unwrap_or(("", 0));
            let expected =
                || format!("line {number}: expected {}, effort, risk and lift", name.trim());
            let words = line.strip_prefix(name).ok_or_else(expected)?;
            let numbers: Option<Vec<f64>> = words
                .split_whitespace()
                .map(|word| word.parse().ok().filter(|number: &f64| number.abs() <= MOST_OF_CURVE))
                .collect();
            match numbers.as_deref() {
                Some(&[effort, risk, lift]) => Ok(Curve { effort, risk, lift }),
                _ => Err(expected()),
            }
        };
        let (proof, disproof) = (curve("proof ")?, curve("disproof ")?);
        let weights = lines.map(|(line, number)| {
            let numbers: Option<Vec<i16>> =
                line.split_whitespace().map(|word| word.parse().ok()).collect();
            numbers
                .and_then(|numbers| Weight::try_from(numbers).ok())
                .ok_or_else(|| format!("line {number}: expected three whole numbers"))
        });
        let weights = weights.collect::<Result<Vec<_>, String>>()?;
        let found = weights.len();
        Self::new(weights, proof, disproof)
            .ok_or_else(|| format!("{found} lines of weights; expected {FEATURES}"))
    }

    /// The first numbers after a move with these features.
    #[inline]
    pub(crate) fn numbers(&self, found: &Found) -> Numbers {
        let mut sums = [0i32; 3];
        for &feature in found {
            let weight = self.weights[usize::from(feature)];
            for (sum, part) in sums.iter_mut().zip(weight) {
                *sum += i32::from(part);
            }
        }
        let [proof, disproof, logit] = sums;
        let chance = ((logit >> CHANCE_SHIFT) + CHANCE_STEPS / 2).clamp(0, CHANCE_STEPS - 1);
        let at = |work: i32| {
            ((work >> WORK_SHIFT).clamp(0, WORK_STEPS - 1) * CHANCE_STEPS + chance) as usize
        };
        Numbers::open(self.proof[at(proof)], self.disproof[at(disproof)])
    }
}
