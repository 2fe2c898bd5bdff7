//! `pair`: classifies two polyominoes, as in table 4 of Yakuwa et al.

use std::sync::Arc;

use hasami_andor::Control;
use hasami_polyomino::paving::seed_numbers;
use hasami_polyomino::polyomino::shape::Shape;
use hasami_spec::{Kind, Pairs, Param, ParamError, Params, Question, Spec};

use hasami_polyomino::shapes;

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::{Answered, JobError, Place};

/// Whether a pair of shapes is a loser by paving, a winner or a paving winner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairJob {
    /// The two shapes.
    pub shapes: [Shape; 2],
    /// Most stones to try on the infinite board.
    pub most_stones: u32,
}

static PARAMS: &[Param] = &[
    Param::text(shapes::PARAM, "two polyominoes, names or pictures with a comma between: Square,W"),
    Param::number("most-stones", "stones to try at most on the infinite board, 1 to 60").or("12"),
];

impl Job for PairJob {
    const SPEC: Spec = Spec::job(
        "pair",
        "Two polyominoes: loser by paving, winner on the infinite board, paving winner, or open?",
        "pair Square W",
        PARAMS,
        &[Kind::Map],
    )
    .words(shapes::PARAM)
    .spells(spell)
    .in_pairs(Pairs { param: shapes::PARAM, alone })
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        let given = params.text(shapes::PARAM)?;
        let list = shapes::read(given, true)?;
        match <[Shape; 2]>::try_from(list) {
            Ok(shapes) if shapes[0] != shapes[1] => {
                Ok(Self { shapes, most_stones: params.number("most-stones", 1..=60)? })
            }
            _ => {
                let expected = "two different shapes with a comma between";
                Err(ParamError::bad(shapes::PARAM, given, expected))
            }
        }
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
        recheck::pair::check(&self, claimed)
    }
}

/// Keeps both shapes, even if one contains the other.
fn spell(param: &Param, value: String) -> Result<String, ParamError> {
    if param.name == shapes::PARAM { shapes::spell(&value, true) } else { Ok(value) }
}

/// The pavings of table 1 of Yakuwa et al. that block a shape by itself.
fn alone(shape: &str) -> String {
    let numbers = Shape::parse(shape).map(|shape| seed_numbers(&[shape])).unwrap_or_default();
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
