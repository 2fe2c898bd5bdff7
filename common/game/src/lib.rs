//! What every game shares: the trait [`Game`], play against certificates, and exact lengths.

mod game;
pub mod lore;
mod origin;
pub mod play;
pub mod race;
pub mod random;
pub mod text_certificate;

pub use game::{Drawing, Game, GameError, GameInfo, Meaning, Outlook};
pub use origin::Origin;
