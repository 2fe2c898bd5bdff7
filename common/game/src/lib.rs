//! What every game shares: the trait [`Game`], play against certificates, and exact lengths.

pub mod achieve;
pub mod board;
mod game;
pub mod learned;
mod origin;
pub mod play;
pub mod race;
pub mod random;
mod resources;
pub mod text_certificate;

pub use game::{Closing, DEFAULT_EVALUATION, Drawing, Game, KnownStage, Meaning, Outlook, Step};
pub use origin::Origin;
pub use resources::{BuildError, Resources};
