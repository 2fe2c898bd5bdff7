//! `pave`: the smallest paving that blocks a set of polyominoes.

use std::sync::Arc;

use hasami_andor::Control;
use hasami_polyomino::paving::{MAX_AREA, Pairs};
use hasami_polyomino::polyomino::shape::Shape;
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};

use hasami_polyomino::shapes;

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::{Answered, JobError, Place};

/// Which paving with the smallest period blocks the shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaveJob {
    /// The shapes that the paving must block.
    pub shapes: Vec<Shape>,
    /// Which two cells may be a pair.
    pub pairs: Pairs,
    /// Periods of at most this many cells are tried.
    pub max_area: usize,
}

static PARAMS: &[Param] = &[
    Param::text(shapes::PARAM, "names or pictures of the shapes, with commas between"),
    PAIRS,
    Param::number("max-area", "try periods of at most so many cells, 1 to 4096").or("64"),
];

/// The parameter that says which two cells may be a pair.
pub(in crate::jobs) const PAIRS: Param = Param::choice(
    "pairs",
    "which two cells may be a pair: with a common edge, or any two within a placement",
    &["adjacent", "any"],
)
.or("adjacent");

/// The value of [`PAIRS`].
pub(in crate::jobs) fn read_pairs(params: &Params) -> Result<Pairs, ParamError> {
    params.choice(PAIRS.name, &[("adjacent", Pairs::Adjacent), ("any", Pairs::Any)])
}

impl Job for PaveJob {
    const SPEC: Spec = Spec::job(
        "pave",
        "The paving of the smallest period that blocks all the shapes",
        "pave Square I pairs=adjacent",
        PARAMS,
        &[Kind::Map],
    )
    .words(shapes::PARAM)
    .spells(shapes::spell_value)
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            shapes: shapes::read(params.text(shapes::PARAM)?, false)?,
            pairs: read_pairs(params)?,
            max_area: params.number("max-area", 1..=MAX_AREA)?,
        })
    }

    fn answer(
        self,
        question: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError> {
        super::answer(self, question, place, control)
    }

    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
        recheck::pave::check(&self, claimed)
    }
}
