//! The spec of polyomino games: parameters, stages, and canonical spelling.

use hasami_andor::{Options, SumRule};
use hasami_spec::{Param, ParamError, Params, Spec};

use super::grid::MAX_BOARD;
use super::shape::{Shape, canonical_set, parse_set, spell_set};
use crate::shapes;

/// Squares up to this size are tried for the smallest board.
const MAX_SQUARE: u32 = 11;

static PARAMS: &[Param] = &[
    Param::text("shapes", "the targets, names or pictures with commas between: Square,W or ##/##")
        .or("Square,W"),
    Param::text("board", "infinite, rows x columns as in 7x7, or smallest: squares in turn")
        .or(INFINITE),
    Param::choice("game", "strong: first to complete wins; weak: White only blocks", GAMES)
        .or("strong")
        .with_flags(),
    Param::text("stones", "how many stones Black may use; fewest: as few as it takes; any")
        .or(FEWEST),
    Param::text("window", "where the infinite board is searched, rows x columns").or("11x11"),
];
const GAMES: &[&str] = &["strong", "weak"];
const INFINITE: &str = "infinite";
pub(super) const SMALLEST: &str = "smallest";
const FEWEST: &str = "fewest";
const ANY: &str = "any";

pub(super) const SPEC: Spec = Spec::game(
    "polyomino",
    "Polyomino achievement: can Black complete one of the shapes?",
    "polyomino Square W",
    PARAMS,
)
.words("shapes")
.spells(shapes::spell_value)
// Transpositions are frequent: use the weak rule, and stay with a child for long.
.advises(Options { sum: SumRule::Weak, epsilon: 256, ..Options::DEFAULT })
.checks(|params| Asked::read(params).map(drop))
.stages(stage)
.goes_further(further);

/// The parsed parameters.
pub(super) struct Asked {
    /// In the given order.
    pub shapes: Vec<Shape>,
    /// As a set: the order of the shapes does not change the question.
    pub set: Vec<Shape>,
    /// Whether the board is a window on the infinite one.
    pub infinite: bool,
    pub height: u8,
    pub width: u8,
    pub weak: bool,
    /// Stones that Black may use.
    pub stones: u32,
    /// The most that the board has room for.
    most: u32,
    /// The fewest that can complete a shape.
    least: u32,
}

impl Asked {
    pub(super) fn read(params: &Params) -> Result<Self, ParamError> {
        let given = params.text("shapes")?;
        let shapes = parse_set(given).map_err(|error| {
            ParamError::bad("shapes", given, format!("shapes with commas between; {error}"))
        })?;
        let infinite = params.text("board")? == INFINITE;
        let (height, width) = match params.text("board")? {
            INFINITE => parse_size("window", params.text("window")?)?,
            SMALLEST => (1, 1),
            board => parse_size("board", board)?,
        };
        let set = canonical_set(&shapes);
        let most = (u32::from(height) * u32::from(width)).div_ceil(2);
        let smallest = set.iter().map(|shape| shape.size() as u32).min();
        let least = smallest.map_or(most, |smallest| smallest.min(most));
        let stones = match params.text("stones")? {
            FEWEST => least,
            ANY => most,
            _ => params.number("stones", 1..=MAX_BOARD)?.min(most),
        };
        let weak = params.text("game")? == "weak";
        Ok(Self { shapes, set, infinite, height, width, weak, stones, most, least })
    }

    /// The canonical spelling of the question: irrelevant parts are left out.
    pub(super) fn spelled(&self) -> String {
        format!(
            "{} {} {}x{} {} {}",
            spell_set(&self.set),
            if self.infinite { "infinite" } else { "board" },
            self.height,
            self.width,
            if self.weak { "weak" } else { "strong" },
            self.stones
        )
    }
}

/// For the smallest board, tries squares in ascending order, by default with any number of stones.
/// For the fewest stones, tries one more each time, up to half the board.
fn stage(params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
    let (board, stones) = (params.text("board")?, params.text("stones")?);
    if board == SMALLEST {
        let square = params.with("board", &format!("{0}x{0}", stage + 1))?;
        let any = if stones == FEWEST { square.with("stones", ANY)? } else { square };
        return Ok((stage < MAX_SQUARE).then_some(any));
    }
    let asked = Asked::read(params)?;
    let stones = match stones {
        FEWEST => Some(asked.least + stage).filter(|&stones| stones <= asked.most),
        _ if stage > 0 => None,
        _ => Some(asked.stones),
    };
    stones.map(|stones| params.with("stones", &stones.to_string())).transpose()
}

/// The only stage if a paving blocks the shapes on every board: it takes no search.
pub(super) fn blocked_stage(params: &Params) -> Result<Params, ParamError> {
    let smallest = params.text("board")? == SMALLEST;
    let params = if smallest { params.with("board", INFINITE)? } else { params.clone() };
    let asked = Asked::read(&params)?;
    let stones = if params.text("stones")? == FEWEST { asked.most } else { asked.stones };
    params.with("stones", &stones.to_string())
}

/// Whether the parameters leave more than one stage.
pub(super) fn leaves_open(params: &Params) -> Result<bool, ParamError> {
    Ok(params.text("board")? == SMALLEST || params.text("stones")? == FEWEST)
}

/// Once the smallest board is found, asks for the fewest stones on it.
fn further(params: &Params, proven: &Params) -> Result<Option<Params>, ParamError> {
    let both = params.text("board")? == SMALLEST && params.text("stones")? == FEWEST;
    (both && proven.text("stones")? == ANY).then(|| proven.with("stones", FEWEST)).transpose()
}

/// Parses rows and columns of a board written as `7x7`.
///
/// # Errors
/// If it is not a size, or too large.
pub fn parse_size(name: &'static str, text: &str) -> Result<(u8, u8), ParamError> {
    let words = if name == "board" { "infinite, smallest, or " } else { "" };
    let expected = || format!("{words}rows x columns as in 7x7, at most {MAX_BOARD} cells");
    let sides = text
        .split_once('x')
        .and_then(|(height, width)| Some((height.parse::<u8>().ok()?, width.parse::<u8>().ok()?)));
    sides
        .filter(|&(h, w)| (1..=MAX_BOARD).contains(&(u32::from(h) * u32::from(w))))
        .ok_or_else(|| ParamError::bad(name, text, expected()))
}
