//! `pave`: the smallest paving that blocks a set of polyominoes.

use hasami_games::paving::{MAX_AREA, Pairs};
use hasami_games::polyomino::shape::Shape;
use hasami_games::{Param, ParamError, Params};

use super::{Job, shapes};
use crate::question::Kind;

/// Which paving of the smallest period blocks the shapes?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaveJob {
    /// A paving must block every one of them.
    pub shapes: Vec<Shape>,
    /// Which two cells may be a pair.
    pub pairs: Pairs,
    /// Periods of at most so many cells are tried.
    pub max_area: usize,
}

static PARAMS: &[Param] = &[
    Param::text(shapes::PARAM, "names or pictures of the shapes, with commas between"),
    PAIRS,
    Param::number("max-area", "try periods of at most so many cells, 1 to 4096").or("64"),
];

/// The parameter that says which two cells may be a pair.
pub(super) const PAIRS: Param = Param::choice(
    "pairs",
    "which two cells may be a pair: with a common edge, or any two within a placement",
    &["adjacent", "any"],
)
.or("adjacent");

/// The value of [`PAIRS`].
pub(super) fn read_pairs(params: &Params) -> Result<Pairs, ParamError> {
    params.choice(PAIRS.name, &[("adjacent", Pairs::Adjacent), ("any", Pairs::Any)])
}

impl Job for PaveJob {
    const NAME: &'static str = "pave";
    const ABOUT: &'static str = "The paving of the smallest period that blocks all the shapes";
    const EXAMPLE: &'static str = "pave Square I pairs=adjacent";
    const KIND: Kind = Kind::Map;

    fn params() -> &'static [Param] {
        PARAMS
    }

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            shapes: shapes::read(params.text(shapes::PARAM)?, false)?,
            pairs: read_pairs(params)?,
            max_area: params.number("max-area", 1..=MAX_AREA)?,
        })
    }
}
