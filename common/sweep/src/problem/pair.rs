//! `pair`: what two polyominoes are together, as in table 4 of Yakuwa et al.

use hasami_games::polyomino::shape::Shape;
use hasami_games::{Param, ParamError, Params};

use super::{Job, shapes};
use crate::question::Kind;

/// Is a pair of shapes a loser by paving, a winner, or a paving winner?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairJob {
    /// The two shapes.
    pub shapes: [Shape; 2],
    /// Stones to try at most on the infinite board.
    pub most_stones: u32,
}

static PARAMS: &[Param] = &[
    Param::text(shapes::PARAM, "two polyominoes, names or pictures with a comma between: Square,W"),
    Param::number("most-stones", "stones to try at most on the infinite board, 1 to 60").or("12"),
];

impl Job for PairJob {
    const NAME: &'static str = "pair";
    const ABOUT: &'static str =
        "Two polyominoes: loser by paving, winner on the infinite board, paving winner, or open?";
    const EXAMPLE: &'static str = "pair Square W";
    const KIND: Kind = Kind::Map;

    fn params() -> &'static [Param] {
        PARAMS
    }

    fn from_params(params: &Params) -> Result<Self, ParamError> {
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
}
