//! Sums over tables: a sample has a few features, each an index, and each feature adds a weight to
//! three estimates: the logarithm of the work of a proof, that of a disproof, and how likely a proof
//! is. Fitted by stochastic gradients whose steps shrink for features that come often (AdaGrad).

/// One settled state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// Its features.
    pub features: &'a [u16],
    /// Whether it was proven.
    pub proven: bool,
    /// Binary logarithm of the work that settled it.
    pub work: f32,
}

/// Weights of one feature: work of a proof, work of a disproof, logit of a proof.
pub type Weight = [f32; 3];

/// How well weights fit samples that they were not fitted to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Samples.
    pub count: u64,
    /// Explained variance of the work of proofs.
    pub proofs: f64,
    /// Explained variance of the work of disproofs.
    pub disproofs: f64,
    /// Mean cost of a verdict in bits, given its estimated chance; 1 is a coin.
    pub bits: f64,
}

const STEP: f32 = 0.3;

/// Fits weights.
#[derive(Clone, Debug)]
pub struct Trainer {
    weights: Vec<Weight>,
    squares: Vec<Weight>,
}

impl Trainer {
    /// For features below `count`, all weights 0.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { weights: vec![[0.0; 3]; count], squares: vec![[1e-3; 3]; count] }
    }

    /// The weights so far.
    #[must_use]
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    fn estimate(&self, sample: &Sample<'_>) -> Weight {
        let mut sums = [0.0; 3];
        for &feature in sample.features {
            let weight = self.weights[usize::from(feature)];
            sums.iter_mut().zip(weight).for_each(|(sum, part)| *sum += part);
        }
        sums
    }

    /// Improves the weights by one sample.
    ///
    /// # Panics
    /// If a feature is not below the count.
    pub fn learn(&mut self, sample: &Sample<'_>) {
        let sums = self.estimate(sample);
        let kind = usize::from(!sample.proven);
        let share = 1.0 / sample.features.len() as f32;
        let mut gradients = [0.0; 3];
        gradients[kind] = (sums[kind] - sample.work) * share;
        gradients[2] = (chance(sums[2]) - f32::from(u8::from(sample.proven))) * share;
        for &feature in sample.features {
            let weight = &mut self.weights[usize::from(feature)];
            let squares = &mut self.squares[usize::from(feature)];
            for at in [kind, 2] {
                squares[at] += gradients[at] * gradients[at];
                weight[at] -= STEP * gradients[at] / squares[at].sqrt();
            }
        }
    }

    /// One pass over all samples, in an order given by the seed.
    pub fn pass<'a>(&mut self, count: usize, sample: impl Fn(usize) -> Sample<'a>, seed: u64) {
        let mut order: Vec<u32> = (0..count as u32).collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        order.iter().for_each(|&at| self.learn(&sample(at as usize)));
    }

    /// How well the weights fit samples.
    #[must_use]
    pub fn quality<'a>(&self, samples: impl Iterator<Item = Sample<'a>>) -> Quality {
        // For proofs and disproofs: count, sum, sum of squares, squared errors.
        let mut sums = [[0.0_f64; 4]; 2];
        let (mut count, mut bits) = (0, 0.0);
        for sample in samples {
            let found = self.estimate(&sample);
            let kind = usize::from(!sample.proven);
            let work = f64::from(sample.work);
            let error = f64::from(found[kind]) - work;
            let parts = [1.0, work, work * work, error * error];
            sums[kind].iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            let likely = if sample.proven { found[2] } else { -found[2] };
            bits -= f64::from(chance(likely)).max(1e-12).log2();
            count += 1;
        }
        let explained = |[count, sum, squares, errors]: [f64; 4]| {
            let variance = squares - sum * sum / count.max(1.0);
            if variance > 0.0 { 1.0 - errors / variance } else { 0.0 }
        };
        Quality {
            count,
            proofs: explained(sums[0]),
            disproofs: explained(sums[1]),
            bits: bits / (count.max(1) as f64),
        }
    }
}

fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of known tables: two tables of ten features each.
    fn made(seed: u64) -> Vec<([u16; 2], bool, f32)> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let one = |_| {
            let (a, b) = (rng.u16(..10), rng.u16(..10));
            let proven = rng.f32() < chance(f32::from(a) - f32::from(b));
            let work = if proven { f32::from(a) + 1.0 } else { 0.5 * f32::from(b) };
            ([a, 10 + b], proven, work)
        };
        (0..20_000).map(one).collect()
    }

    #[test]
    fn weights_behind_samples_are_found() {
        let samples = made(1);
        let at = |at: usize| {
            let (features, proven, work) = &samples[at];
            Sample { features, proven: *proven, work: *work }
        };
        let mut trainer = Trainer::new(20);
        for seed in 0..10 {
            trainer.pass(samples.len(), at, seed);
        }
        let others = made(2);
        let of = |(features, proven, work): &'static ([u16; 2], bool, f32)| Sample {
            features,
            proven: *proven,
            work: *work,
        };
        let quality = trainer.quality(others.leak().iter().map(of));
        assert!(quality.proofs > 0.99 && quality.disproofs > 0.99, "{quality:?}");
        assert!(quality.bits < 0.6, "{quality:?}");
        let untrained = Trainer::new(20).quality((0..samples.len()).map(at));
        assert!((untrained.bits - 1.0).abs() < 1e-6, "{untrained:?}");
        assert!(untrained.proofs <= 0.0, "{untrained:?}");
    }
}
