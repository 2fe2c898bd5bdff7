//! Fits functions to samples: linear ones by least squares, and sums over tables of features.
//! No games, no files: numbers in, numbers out. Equal samples in equal order give equal weights.

pub mod linear;
pub mod tables;

pub use linear::{Fitted, LeastSquares};
pub use tables::{Sample, Trainer};
