//! Go endgames as combinatorial games: rules, readers, regions, values, ko, whole boards.
//!
//! A board has immortal stones (`X`, `O`), stones that can be captured (`x`, `o`), empty points and
//! points outside it (`#`). Points that immortal stones separate are independent, so a board is a
//! sum of regions, and each region is a game whose value the kernel knows. `docs/go.md` describes
//! how positions are counted and what is assumed.

mod ascii;
mod board;
mod families;
mod ko;
mod life;
mod outcome;
mod part;
mod prove;
mod rectangle;
mod secure;
mod sgf;
mod svg;
mod table;
mod territory;
mod value;
mod whole;

pub use ascii::BoardError;
pub use board::{Board, Cell, Colour, Illegal, MAX_SIDE, Played, Point, Suicide};
pub use families::{Corridor, corridor, rooms};
pub use ko::{KoError, KoThermograph, Komaster};
pub use life::with_life;
pub use part::{Part, parts};
pub use prove::is_worth;
pub use rectangle::Rectangle;
pub use sgf::{NodeFault, SgfError, SgfPosition, read_sgf};
pub use svg::{Drawn, svg};
pub use table::{Claimed, Line, Refused, Table};
pub use territory::territory;
pub use value::{Endgames, Unvalued};
pub use whole::{Advice, Choice, KoChoice, Region, Whole};
