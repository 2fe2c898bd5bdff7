//! The parameters, and the meaning of answers in words.

use hasami_andor::Verdict;
use hasami_andor::certificate::Least;

use super::{Quarto, notation};
use hasami_game::race::{ASK, Ask, SHORTEST, WITHIN};
use hasami_game::{BuildError, Game, Meaning, Resources};
use hasami_puzzles::Puzzle;
use hasami_spec::{Param, ParamError, Params, Spec};

/// Limit on the number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// This many plies.
    Plies(u8),
    /// As few as possible: asks 1, 3, 5 … in order.
    Shortest,
}

/// Most plies of a game.
const MOST: u8 = 16;

static PARAMS: &[Param] = &[
    Param::text(
        "position",
        "16 cells row by row, a hex digit for a piece and . for none, a comma, and the piece to place",
    )
    .or("................,0"),
    ASK,
    WITHIN,
];

impl Game for Quarto {
    const SPEC: Spec = Spec::game(
        "quarto",
        "QUARTO!: does the side to place win from a position?",
        "quarto position=...0.fd1...2....,c within=shortest",
        PARAMS,
    )
    .checks(|params| Self::read(params).map(drop))
    .stages(stage);

    const RULES: u32 = 2;

    fn stated(&self, params: &Params) -> Vec<(String, String)> {
        let position = notation::write(&self.position);
        let value = |key: &str| params.text(key).unwrap_or_default().to_string();
        vec![
            ("position".to_string(), position),
            ("ask".to_string(), value("ask")),
            ("within".to_string(), value("within")),
        ]
    }

    /// The asking side moves first, so it wins after an odd number of plies.
    fn least(&self, key: &str) -> Option<Least> {
        (key == "within" && self.ask == Ask::Win).then_some(Least { from: 1, step: 2 })
    }

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        Ok(Self::read(params)?)
    }

    fn board(&self, state: &Self::State) -> Option<String> {
        Some(self.drawing(state).picture())
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        let open = self.plies < self.position.empty().count_ones() as u8;
        let limit = match self.plies {
            _ if !open => String::new(),
            1 => " within 1 ply".to_string(),
            plies => format!(" within {plies} plies"),
        };
        Meaning::Claim(match (self.ask, verdict) {
            (Ask::Win, Verdict::Proven) => format!("the side to place wins{limit}"),
            (Ask::Win, Verdict::Disproven) => format!("the side to place does not win{limit}"),
            (Ask::NotLose, Verdict::Proven) => format!("the side to place does not lose{limit}"),
            (Ask::NotLose, Verdict::Disproven) => format!("the side to place loses{limit}"),
        })
    }
}

impl Quarto {
    fn read(params: &Params) -> Result<Self, ParamError> {
        let text = params.text("position")?;
        let position =
            notation::read(text).map_err(|expected| ParamError::bad("position", text, expected))?;
        let ask = params.choice("ask", &[("win", Ask::Win), ("not-lose", Ask::NotLose)])?;
        let plies = match read_within(params)? {
            Within::Shortest if ask == Ask::NotLose => {
                return Err(ParamError::bad("within", SHORTEST, "ask=win with it"));
            }
            Within::Shortest => MOST,
            Within::Plies(plies) => plies,
        };
        let plies = Self::plies_from(&position, plies);
        Ok(Self { position, ask, plies })
    }
}

fn read_within(params: &Params) -> Result<Within, ParamError> {
    match params.text("within")? {
        "any" => Ok(Within::Plies(MOST)),
        SHORTEST => Ok(Within::Shortest),
        text => match text.parse::<u8>() {
            Ok(plies @ 1..=MOST) => Ok(Within::Plies(plies)),
            _ => Err(ParamError::bad("within", text, "a number from 1 to 16, any or shortest")),
        },
    }
}

/// For the shortest win: 1, 3, 5 … plies.
fn stage(params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
    let game = Quarto::read(params)?;
    if read_within(params)? != Within::Shortest {
        return Ok((stage == 0).then(|| params.clone()));
    }
    let plies = 2 * stage.min(u32::from(MOST)) + 1;
    // One number of plies is asked about even if no win can be that short.
    if stage == 0 || plies <= u32::from(game.plies) {
        params.with("within", &plies.to_string()).map(Some)
    } else {
        Ok(None)
    }
}
