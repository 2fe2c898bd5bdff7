//! Drawings of thermographs: temperature upwards, values growing to the left, by tradition.

mod page;
mod plan;
mod svg;
mod text;

use std::sync::Arc;

pub use page::page;
pub use svg::svg;
pub use text::text;

use crate::thermograph::Thermograph;

/// A thermograph with its title.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Title of the drawing.
    pub title: String,
    /// The thermograph.
    pub thermograph: Arc<Thermograph>,
}
