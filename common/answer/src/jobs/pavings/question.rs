//! `pavings`: all pavings of one period that block a set of polyominoes.

use std::sync::Arc;

use hasami_andor::Control;
use hasami_polyomino::paving::{self, Lattice, Pairs};
use hasami_polyomino::polyomino::shape::Shape;
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};

use crate::jobs::pave::{PAIRS, read_pairs};
use hasami_polyomino::shapes;

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::{Answered, JobError, Place};

/// How many pavings of a period block the shapes, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PavingsJob {
    /// The shapes that a paving must block.
    pub shapes: Vec<Shape>,
    /// The period.
    pub period: Lattice,
    /// Which two cells may be a pair.
    pub pairs: Pairs,
    /// Which pavings are counted.
    pub kind: paving::Kind,
    /// Whether the patterns are listed.
    pub list: bool,
}

/// The parameter that is a period.
const PERIOD: &str = "period";

static PARAMS: &[Param] = &[
    Param::text(shapes::PARAM, "names or pictures of the shapes, with commas between"),
    Param::text(PERIOD, "rows x columns, and the shift where there is one: 4x4 or 1x4+1"),
    PAIRS,
    Param::choice(
        "kind",
        "complete: every cell is in a pair; minimal: no pair can be left out; all",
        &["complete", "minimal", "all"],
    )
    .or("complete"),
    Param::choice("list", "yes: list the patterns too", &["yes", "no"]).or("no"),
];

impl Job for PavingsJob {
    const SPEC: Spec = Spec::job(
        "pavings",
        "All pavings of a period that block the shapes, counted or listed",
        "pavings Square I period=4x4 list=yes",
        PARAMS,
        &[Kind::Enumerate],
    )
    .words(shapes::PARAM)
    .spells(spell)
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        let period = params.text(PERIOD)?;
        let kinds = [
            ("complete", paving::Kind::Complete),
            ("minimal", paving::Kind::Minimal),
            ("all", paving::Kind::All),
        ];
        Ok(Self {
            shapes: shapes::read(params.text(shapes::PARAM)?, false)?,
            period: read_period(period)?,
            pairs: read_pairs(params)?,
            kind: params.choice("kind", &kinds)?,
            list: params.choice("list", &[("yes", true), ("no", false)])?,
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
        recheck::pavings::check(&self, claimed)
    }
}

/// A period and shapes in canonical spelling.
fn spell(param: &Param, value: String) -> Result<String, ParamError> {
    if param.name == PERIOD {
        return read_period(&value).map(|period| period.to_string());
    }
    shapes::spell_value(param, value)
}

/// Rewords the error of a period: a parameter error already names what was found and expected.
fn read_period(text: &str) -> Result<Lattice, ParamError> {
    text.parse::<Lattice>().map_err(|error| {
        let whole = error.to_string();
        let detail = whole.strip_prefix(&format!("period \"{text}\": ")).unwrap_or(&whole);
        let expected = match detail.split_once("; expected ") {
            Some((what, expected)) => format!("{expected} ({what})"),
            None => detail.to_string(),
        };
        ParamError::bad(PERIOD, text, expected)
    })
}
