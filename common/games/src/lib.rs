//! Rule sets for hasami, one module each, and the registry that lists them.
//!
//! A new game is a module that implements [`registry::Game`] and one line in [`registry`].

pub mod chomp;
pub mod go;
pub mod graph;
pub mod lore;
pub mod mancala;
pub mod mnk;
pub mod params;
pub mod paving;
pub mod paving_winner;
pub mod play;
pub mod polyomino;
pub mod puzzle;
pub mod pyonpyon;
pub mod quarto;
pub mod race;
pub mod random;
pub mod registry;
pub mod subject;
pub mod suggest;
pub mod synthetic;
mod text_certificate;
pub mod value;

pub use params::{Param, ParamError, Params};
pub use registry::{Drawing, Game, GameError, GameInfo, Meaning, Outlook, Visitor, games, visit};
