//! Pavings: disjoint pairs of cells. A player who answers every stone in the partner cell never
//! lets the other own both cells of a pair. So a paving with a whole pair in every placement of a
//! shape makes the shape a *loser*, on the infinite board and on every finite one.
//!
//! All pavings here are periodic: a [`Lattice`] of translations and a partner for every cell up to
//! them. `docs/pavings.md` has the definitions and the certificate format.

mod blocking;
pub mod certificate;
pub mod draw;
mod enumerate;
mod find;
mod instance;
mod lattice;
mod minimal;
mod part;
mod pattern;
mod prefix;
mod search;
mod seed;
mod svg;

pub use enumerate::{Counts, Enumeration, Kind};
pub use find::{Answer, Board, Periods, paving_of_period, smallest_paving, smallest_paving_unless};
pub use instance::Pairs;
pub use lattice::{Lattice, LatticeError, MAX_AREA, Vector};
pub use minimal::{MinimalLoser, minimal_losers};
pub use part::Rest;
pub use pattern::{Paving, PavingError};
pub use prefix::{Prefix, PrefixError};
pub use seed::{seed_number, seed_numbers, seed_pavings};
pub use svg::svg;
