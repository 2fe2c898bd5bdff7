//! `value`: the value of one position of a family.

use std::sync::Arc;

use hasami_andor::Control;
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};
use hasami_values::value::{Family, Limits, Position, room_points};

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::{Answered, JobError, Place};

/// The value of a position: canonical form, mean and temperature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueJob {
    /// The family.
    pub family: Family,
    /// The position, as its family spells it.
    pub text: String,
    /// The position itself.
    pub position: Position,
    /// Limits on the work.
    pub limits: Limits,
}

static PARAMS: &[Param] = &[
    Param::choice(
        "family",
        "what is played",
        &["domineering", "clobber", "toads", "go-corridor", "go-room", "go", "cgt"],
    ),
    Param::text("position", "as the family spells it: 4x5, xoxo, TT.FF, 17, XXX/O.X/XXX, {2|0}"),
    Param::number("steps", "at most so many million steps of arithmetic, 1 to 1000000").or("500"),
];

impl Job for ValueJob {
    const SPEC: Spec = Spec::job(
        "value",
        "The value of one position: canonical form, chilled value, mean, temperature",
        "value family=go-corridor position=5",
        PARAMS,
        &[Kind::Map],
    )
    .answers_values()
    .sized(size)
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        let family = params.choice("family", &Family::NAMES)?;
        let text = params.text("position")?;
        let position = family.read(text).map_err(|error| {
            ParamError::bad("position", text, format!("{error} (family {})", family.name()))
        })?;
        let millions: u64 = params.number("steps", 1..=1_000_000)?;
        let limits = Limits { steps: millions * 1_000_000, ..Limits::default() };
        Ok(Self { family, text: text.to_string(), position, limits })
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
        recheck::value::check(&self, claimed)
    }
}

/// Size of a position if its spelling or its family gives one: cells of a board, points of a room.
fn size(param: &dyn Fn(&str) -> String) -> Option<u64> {
    let position = param("position");
    match param("family").as_str() {
        "domineering" => {
            let (rows, columns) = position.split_once('x')?;
            Some(rows.parse::<u64>().ok()? * columns.parse::<u64>().ok()?)
        }
        "go-room" => room_points(position.parse().ok()?).map(|points| points as u64),
        "clobber" | "toads" | "go" => {
            Some(position.chars().filter(|sign| "xoTF.".contains(*sign)).count() as u64)
        }
        _ => None,
    }
}
