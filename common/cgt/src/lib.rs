//! Values of combinatorial games: short games in canonical form, interned, with sums, order,
//! cooling and thermographs, all exact.
//!
//! A [`Games`] stores every value once, in its canonical form, so two values are equal exactly if
//! their ids are; it caches comparisons and sums. A ruleset is a move generator ([`Rules`]).
//! Nothing recurses on the depth of a game. Everything that may grow without bound counts against a
//! limit and ends in [`Exhausted`].
//!
//! Terms are those of Berlekamp, Conway and Guy, *Winning Ways* (1982), and Siegel, *Combinatorial
//! Game Theory* (2013).

mod budget;
mod bytes;
mod canonical;
mod cooling;
pub mod draw;
pub mod dyadic;
mod form;
mod games;
mod names;
mod node;
pub mod notation;
mod options;
mod order;
pub mod rules;
mod show;
mod stops;
mod sum;
pub mod thermograph;
mod uptimal;
mod weight;

pub use budget::Exhausted;
pub use bytes::BadBytes;
pub use dyadic::Dyadic;
pub use form::BadForm;
pub use games::{Games, Value};
pub use notation::ParseError;
pub use order::Order;
pub use rules::{Memory, NoMemory, Rules, Unvalued, Valuer, evaluate};
pub use show::LONGEST;
pub use thermograph::{Convention, Thermograph, Wall};
