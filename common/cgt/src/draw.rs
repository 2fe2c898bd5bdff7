//! Thermographs drawn: temperature up, and values growing to the left, as is the tradition.

mod page;
mod plan;
mod svg;
mod text;

use std::sync::Arc;

pub use page::page;
pub use svg::svg;
pub use text::text;

use crate::thermograph::Thermograph;

/// A thermograph with the words to set beside it.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What it is of.
    pub title: String,
    /// The thermograph.
    pub thermograph: Arc<Thermograph>,
}
