//! Linear least squares with a constant, from sums over the samples: memory does not grow with them.

/// Added to the diagonal, as a part of it: features that are always zero or follow from others get
/// small weights instead of none.
const RIDGE: f64 = 1e-9;

/// Sums over samples.
#[derive(Clone, Debug)]
pub struct LeastSquares {
    /// Features, the constant included.
    size: usize,
    products: Vec<f64>,
    targets: Vec<f64>,
    squares: f64,
    count: u64,
    /// The sample at hand, dense.
    row: Vec<f64>,
}

/// A fitted function.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The constant, then one weight for each feature.
    pub weights: Vec<f64>,
    /// How much of the variance of the targets it explains (the coefficient of determination).
    pub r_squared: f64,
    /// Samples.
    pub count: u64,
}

impl LeastSquares {
    /// For this many features beside the constant.
    #[must_use]
    pub fn new(features: usize) -> Self {
        let size = features + 1;
        Self {
            size,
            products: vec![0.0; size * size],
            targets: vec![0.0; size],
            squares: 0.0,
            count: 0,
            row: vec![0.0; size],
        }
    }

    /// Adds a sample; `fill` sets the features that are not zero.
    pub fn add(&mut self, target: f64, fill: impl FnOnce(&mut [f64])) {
        self.row.fill(0.0);
        self.row[0] = 1.0;
        fill(&mut self.row[1..]);
        for (at, &value) in self.row.iter().enumerate() {
            if value != 0.0 {
                self.targets[at] += value * target;
                let products = &mut self.products[at * self.size..=at * self.size + at];
                products.iter_mut().zip(&self.row).for_each(|(sum, other)| *sum += value * other);
            }
        }
        self.squares += target * target;
        self.count += 1;
    }

    /// The weights with the smallest sum of squared errors; `None` without samples.
    #[must_use]
    pub fn solve(&self) -> Option<Fitted> {
        if self.count == 0 {
            return None;
        }
        let weights = self.weights();
        // Σ (y − ŷ)² = Σ y² − 2 w·Σ xy + w·(Σ xx)·w, from the sums alone.
        let at = |row: usize, column: usize| {
            self.products[row.max(column) * self.size + row.min(column)]
        };
        let fit: f64 = weights.iter().zip(&self.targets).map(|(w, t)| w * t).sum();
        let spread: f64 = (0..self.size)
            .flat_map(|row| (0..self.size).map(move |column| (row, column)))
            .map(|(row, column)| weights[row] * weights[column] * at(row, column))
            .sum();
        let errors = self.squares - 2.0 * fit + spread;
        let variance = self.squares - self.targets[0] * self.targets[0] / self.count as f64;
        let r_squared = if variance > 0.0 { 1.0 - errors / variance } else { 0.0 };
        Some(Fitted { weights, r_squared, count: self.count })
    }

    /// Solves the normal equations by Cholesky's decomposition.
    fn weights(&self) -> Vec<f64> {
        let n = self.size;
        let mut lower = self.products.clone();
        for row in 0..n {
            let diagonal = lower[row * n + row];
            lower[row * n + row] = diagonal * (1.0 + RIDGE) + RIDGE;
        }
        for row in 0..n {
            for column in 0..=row {
                let known: f64 =
                    (0..column).map(|k| lower[row * n + k] * lower[column * n + k]).sum();
                let rest = lower[row * n + column] - known;
                lower[row * n + column] = if row == column {
                    rest.max(RIDGE * RIDGE).sqrt()
                } else {
                    rest / lower[column * n + column]
                };
            }
        }
        let mut weights = self.targets.clone();
        for row in 0..n {
            let known: f64 = (0..row).map(|k| lower[row * n + k] * weights[k]).sum();
            weights[row] = (weights[row] - known) / lower[row * n + row];
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|k| lower[k * n + row] * weights[k]).sum();
            weights[row] = (weights[row] - known) / lower[row * n + row];
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The sum of squared errors, sample by sample.
    fn errors(samples: &[(Vec<f64>, f64)], weights: &[f64]) -> f64 {
        let error = |(features, target): &(Vec<f64>, f64)| {
            let sum: f64 = features.iter().zip(&weights[1..]).map(|(x, w)| x * w).sum();
            (target - weights[0] - sum).powi(2)
        };
        samples.iter().map(error).sum()
    }

    proptest! {
        #[test]
        fn no_other_weights_are_better(
            samples in prop::collection::vec(
                (prop::collection::vec(-3.0..3.0_f64, 3), -9.0..9.0_f64), 5..40),
            nudge in prop::collection::vec(-0.1..0.1_f64, 4),
        ) {
            let mut sums = LeastSquares::new(3);
            for (features, target) in &samples {
                sums.add(*target, |row| row.copy_from_slice(features));
            }
            let fitted = sums.solve().unwrap();
            let found = errors(&samples, &fitted.weights);
            let nudged: Vec<f64> = fitted.weights.iter().zip(&nudge).map(|(w, n)| w + n).collect();
            prop_assert!(found <= errors(&samples, &nudged) + 1e-6);
            let mean = samples.iter().map(|(_, t)| t).sum::<f64>() / samples.len() as f64;
            let variance: f64 = samples.iter().map(|(_, t)| (t - mean).powi(2)).sum();
            prop_assert!((fitted.r_squared - (1.0 - found / variance)).abs() < 1e-6);
        }
    }

    #[test]
    fn features_that_follow_from_others_do_no_harm() {
        let mut sums = LeastSquares::new(3);
        for x in 0..10 {
            let x = f64::from(x);
            sums.add(2.0 * x + 1.0, |row| row.copy_from_slice(&[x, 2.0 * x, 0.0]));
        }
        let fitted = sums.solve().unwrap();
        assert!((fitted.weights[0] - 1.0).abs() < 1e-3, "{fitted:?}");
        assert!((fitted.weights[1] + 2.0 * fitted.weights[2] - 2.0).abs() < 1e-3, "{fitted:?}");
        assert!(fitted.r_squared > 0.999_999, "{fitted:?}");
        assert_eq!(LeastSquares::new(2).solve(), None);
    }
}
