//! `value`: what one position of a family is worth.

use hasami_games::value::{Family, Limits, Position};
use hasami_games::{Param, ParamError, Params};

use super::Job;
use crate::question::Kind;

/// What is the position worth: canonical form, mean and temperature?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueJob {
    /// The family.
    pub family: Family,
    /// The position, as its family spells it.
    pub text: String,
    /// The position itself.
    pub position: Position,
    /// How much work it may take.
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
    const NAME: &'static str = "value";
    const ABOUT: &'static str =
        "The value of one position: canonical form, chilled value, mean, temperature";
    const EXAMPLE: &'static str = "value family=go-corridor position=5";
    const KIND: Kind = Kind::Map;
    const WORDS: Option<&'static str> = None;

    fn params() -> &'static [Param] {
        PARAMS
    }

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let family = params.choice("family", &Family::NAMES)?;
        let text = params.text("position")?;
        let position = family.read(text).map_err(|error| {
            ParamError::bad("position", text, format!("{error} (family {})", family.name()))
        })?;
        let millions: u64 = params.number("steps", 1..=1_000_000)?;
        let limits = Limits { steps: millions * 1_000_000, ..Limits::default() };
        Ok(Self { family, text: text.to_string(), position, limits })
    }
}
