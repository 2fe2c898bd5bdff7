//! `mate`: what can be asked about a mate problem beyond its verdict.

use std::sync::Arc;

use hasami_andor::Control;
use hasami_game::Game as _;
use hasami_shogi::Shogi;
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};

use crate::jobs::Job;
use crate::mates::flaws::Within;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::{Answered, JobError, Place};

const POSITION: &str = "position";
const FILL_HAND: &str = "fill-hand";

/// The shortest mate of a position, and whether another check mates as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateJob {
    /// Parameters of the question about the shortest mate.
    mate: Vec<(String, String)>,
    /// Which other mates count.
    pub(crate) flaws: Within,
}

static PARAMS: &[Param] = &[
    Param::text(POSITION, "SFEN, or startpos moves …, in quotes or with _ for spaces")
        .or("9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1"),
    Param::choice(FILL_HAND, "give the defender all pieces that are nowhere", &["no", "yes"])
        .or("no"),
    Param::choice(
        "flaws",
        "other mates that count: of any length, or not longer than the line",
        &["any", "same"],
    )
    .or("any"),
];

impl Job for MateJob {
    const SPEC: Spec = Spec::job(
        "mate",
        "A mate problem of shogi: the shortest mate, both lengths, and other solutions",
        "mate position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p",
        PARAMS,
        &[Kind::Map],
    )
    .spells(|param, value| Shogi::SPEC.spell(param, &value))
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        let text = |key: &str| params.text(key).map(str::to_string);
        let given = [
            (POSITION, text(POSITION)?),
            ("within", "shortest".into()),
            (FILL_HAND, text(FILL_HAND)?),
        ];
        let read = Shogi::SPEC.read(&given)?;
        let mate = read.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let flaws = params.choice("flaws", &[("any", Within::Any), ("same", Within::Same)])?;
        Ok(Self { mate, flaws })
    }

    fn answer(
        self,
        question: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError> {
        super::answer(&self, question, place, control)
    }

    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
        recheck::mate::check(&self, claimed)
    }
}

impl MateJob {
    /// The question about the shortest mate, searched as this one is.
    pub(crate) fn mate(&self, question: &Question) -> Question {
        let (problem, params) = (Shogi::NAME.to_string(), self.mate.clone());
        Question { problem, params, search: question.search.clone() }
    }
}
