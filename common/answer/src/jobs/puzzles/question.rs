//! `puzzles`: a batch of puzzles of a game. Batches differ in their random seed, so workers make
//! different puzzles; merging removes duplicates.

use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::Control;

use hasami_game::random::scramble;
use hasami_puzzles::{EXPECTED_PLIES, Grade, Method, Order, Plies, Unique};
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::registry::{entry, puzzle_games};
use crate::{Answered, JobError, Place};

/// A batch of puzzles of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzlesJob {
    /// The game.
    pub game: String,
    /// Parameters of the game that select a variant of its rules.
    pub rules: Vec<(String, String)>,
    /// Number of puzzles.
    pub count: u32,
    /// Most positions to draw.
    pub attempts: u64,
    /// Whether each puzzle gets its certificate.
    pub certificates: bool,
    /// Requirements for the puzzles.
    pub order: Order,
    /// The strong solution that positions are drawn from, and that of the hardest reading of the
    /// rules. If empty, positions are made and searched. Only the machine that makes the puzzles
    /// needs these files.
    pub databases: Vec<PathBuf>,
}

/// Stands for the default of the game.
const USUAL: &str = "usual";
/// Stands for no database.
const NO_DATABASE: &str = "none";

static PARAMS: &[Param] = &[
    Param::text("game", "the game: quarto, mancala or pyonpyon"),
    Param::text("rules", "parameters of the game, key=value with ; between").or(""),
    Param::text("plies", "how long: a number of plies, or a range like 5-9").or("5"),
    Param::choice("grade", "how hard", &["any", "easy", "medium", "hard"]).or("any"),
    Param::choice("method", "how positions are drawn", &[USUAL, "a", "b", "passing", "free"])
        .or(USUAL),
    Param::choice("unique", "how many solutions", &[USUAL, "win", "shortest", "any"]).or(USUAL),
    Param::choice("rule-proof", "won under every reading of the rules", &["yes", "no"]).or("no"),
    Param::number("count", "puzzles in a batch, 1 to 10000").or("100"),
    Param::number("seed", "where chance begins").or("0"),
    Param::number("batch", "the number of the batch").or("0"),
    Param::number("attempts", "positions to draw at most").or("1000000"),
    Param::number("nodes", "nodes for one position; harder ones are passed over").or("3000000"),
    Param::path(
        "database",
        "a strong solution to draw from, and after ; that of the hardest reading of the rules",
    )
    .or(NO_DATABASE),
    Param::choice("certificates", "a certificate for each puzzle", &["yes", "no"]).or("no"),
];

impl Job for PuzzlesJob {
    const SPEC: Spec = Spec::job(
        "puzzles",
        "A batch of puzzles of a game, no two equal up to symmetry",
        "puzzles game=quarto plies=5 count=100 batch=3",
        PARAMS,
        &[Kind::Map],
    )
    .checks(|params| Self::read(params).map(drop))
    .also_names(|params| {
        // The rules of a game may name files too.
        let read = |name| params.text(name).ok();
        let Some(spec) = read("game").and_then(|game| entry(game).ok()).map(|entry| entry.spec)
        else {
            return Vec::new();
        };
        let words = read("rules").unwrap_or_default().split_terminator(';');
        // Whether the rules allow them is not the question here.
        let rules = spec.read_words(words).ok();
        let rules = rules.and_then(|rules| Params::new(spec.params, &rules).ok());
        rules.map_or_else(Vec::new, |rules| spec.files(&rules))
    });

    fn read(params: &Params) -> Result<Self, ParamError> {
        let game = params.text("game")?;
        let text = params.text("rules")?;
        let known = entry(game).ok().and_then(|entry| Some((entry.spec, entry.puzzles?)));
        let (spec, maker) = known.ok_or_else(|| {
            ParamError::bad("game", game, format!("one of {}", puzzle_games().join(", ")))
        })?;
        let rules = spec
            .read_words(text.split_terminator(';'))
            .map_err(|expected| ParamError::bad("rules", text, expected))?;
        spec.read(&rules).map_err(|error| ParamError::bad("rules", text, error.to_string()))?;
        let plies = params.text("plies")?;
        let plies: Plies =
            plies.parse().map_err(|_| ParamError::bad("plies", plies, EXPECTED_PLIES))?;
        let method = match params.text("method")? {
            USUAL => maker.method(),
            _ => params.choice("method", &Method::WORDS)?,
        };
        let databases: Vec<PathBuf> = match params.text("database")? {
            NO_DATABASE => Vec::new(),
            files => files.split(';').map(PathBuf::from).collect(),
        };
        if !databases.is_empty() && params.text("method")? != USUAL {
            let expected = "no method beside a database, which knows every position";
            return Err(ParamError::bad("method", params.text("method")?, expected));
        }
        let unique = match params.text("unique")? {
            USUAL => maker.usual_unique(method),
            _ => params.choice("unique", &Unique::WORDS)?,
        };
        let grade = match params.text("grade")? {
            "any" => None,
            _ => Some(params.choice("grade", &Grade::WORDS)?),
        };
        let yes = [("yes", true), ("no", false)];
        let seed: u64 = params.number("seed", 0..=u64::MAX)?;
        let batch: u64 = params.number("batch", 0..=u64::MAX)?;
        Ok(Self {
            game: game.to_string(),
            rules,
            count: params.number("count", 1..=10_000)?,
            attempts: params.number("attempts", 1..=u64::MAX)?,
            certificates: params.choice("certificates", &yes)?,
            databases,
            order: Order {
                plies,
                unique,
                grade,
                rule_proof: params.choice("rule-proof", &yes)?,
                method,
                // Batches of different seeds must have independent streams.
                seed: scramble(scramble(seed) ^ batch),
                nodes: params.number("nodes", 1..=u64::MAX)?,
            },
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
        recheck::puzzles::check(&self, claimed)
    }
}
