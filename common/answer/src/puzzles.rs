//! Puzzles of a game with its type erased: makes them, certifies them, and reads them back from a
//! file.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use hasami_andor::certificate::Limits;
use hasami_andor::{Control, Kernel, Verdict};
use hasami_database::DatabaseError;
use hasami_game::race::QueryError;
use hasami_game::{BuildError, DEFAULT_EVALUATION, Origin, Resources};
use hasami_puzzles::{
    Difficulty, Generator, Made, Mark, Method, Order, Puzzle, Unique, thresholds,
};
use hasami_spec::Params;
use serde_json::{Value, json};

use crate::agree::remove;
use crate::certify::file_name;
use crate::error::JobError;
use crate::only_move;
use crate::recheck::{Doubt, puzzle_proven};
use crate::settle::{Bare, End, Plan, settle};

/// Largest table for the certificate of a puzzle, in MiB; it starts small.
const TABLE_MIB: u32 = 512;
/// Nodes for the certificate of a puzzle that a database proves already.
const CERTIFICATE_NODES: u64 = 300_000;

/// How puzzles of a game are made.
pub trait Puzzles: Sync {
    /// The rules in a sentence or two, for the head of a sheet.
    fn rules(&self) -> &'static str;

    /// What the marks of drawings mean.
    fn legend(&self) -> Vec<(Mark, &'static str)>;

    /// The method that suits the game best.
    fn method(&self) -> Method;

    /// Default number of solutions of a puzzle.
    fn usual_unique(&self, method: Method) -> Unique;

    /// Whether the rules are ambiguous, so that a puzzle may be won under one reading only.
    fn has_readings(&self, params: &Params) -> bool;

    /// A generator of puzzles under these rules. If files are given, it draws from a strong
    /// solution: the first file is that of the rules, the others are those of the hardest reading.
    ///
    /// # Errors
    /// If the game refuses the rules or the order, or a file cannot be used.
    fn generator(
        &self,
        rules: &[(String, String)],
        order: Order,
        databases: &[PathBuf],
    ) -> Result<Box<dyn AnyGenerator>, JobError>;

    /// Makes the certificate of a puzzle: the position is won within its plies. A puzzle from a
    /// database may be too long for the search; then there is no certificate, and the database is
    /// the proof.
    ///
    /// # Errors
    /// If it is stopped, the file cannot be written, or the kernel disagrees.
    fn certificate(
        &self,
        made: &Made,
        place: &dyn Fn(&str) -> PathBuf,
        nodes: u64,
        control: &Control,
    ) -> Result<Option<PathBuf>, JobError>;

    /// Checks the certificate of a puzzle: the position is won within its plies. Returns its name.
    ///
    /// # Errors
    /// If it does not hold.
    fn verify(&self, made: &Made, file: &Path, limits: &Limits<'_>) -> Result<String, Doubt>;

    /// Reads a puzzle from [`puzzle_json`]. What follows from the position is computed again.
    ///
    /// # Errors
    /// Says what is missing or wrong.
    fn read(&self, value: &Value) -> Result<Made, String>;
}

/// A generator of puzzles with the game's type erased.
pub trait AnyGenerator {
    /// Draws one position; returns a puzzle if it is one.
    fn attempt(&mut self) -> Option<Made>;

    /// Number of positions drawn so far.
    fn attempts(&self) -> u64;

    /// Goes to a later attempt, unless puzzles of the last one are left.
    fn skip_to(&mut self, attempt: u64);

    /// The database error since the last call, if any.
    fn trouble(&mut self) -> Option<DatabaseError>;
}

impl<G: Puzzle> AnyGenerator for Generator<G> {
    fn attempt(&mut self) -> Option<Made> {
        Self::attempt(self)
    }

    fn attempts(&self) -> u64 {
        Self::attempts(self)
    }

    fn skip_to(&mut self, attempt: u64) {
        Self::skip_to(self, attempt);
    }

    fn trouble(&mut self) -> Option<DatabaseError> {
        Self::trouble(self)
    }
}

/// The puzzles of `G`.
pub(crate) struct PuzzleMaker<G>(pub(crate) PhantomData<fn() -> G>);

impl<G: Puzzle> Puzzles for PuzzleMaker<G> {
    fn rules(&self) -> &'static str {
        G::IN_WORDS
    }

    fn legend(&self) -> Vec<(Mark, &'static str)> {
        G::legend()
    }

    fn method(&self) -> Method {
        G::METHOD
    }

    fn usual_unique(&self, method: Method) -> Unique {
        G::usual_unique(method)
    }

    fn has_readings(&self, params: &Params) -> bool {
        G::hardest_reading(params).is_some()
    }

    fn generator(
        &self,
        rules: &[(String, String)],
        order: Order,
        databases: &[PathBuf],
    ) -> Result<Box<dyn AnyGenerator>, JobError> {
        let params = &G::SPEC.read(rules).map_err(JobError::param::<G>)?;
        let wrong = JobError::build::<G>;
        let Some((file, others)) = databases.split_first() else {
            return Ok(Box::new(Generator::<G>::new(params, order).map_err(wrong)?));
        };
        let solved = G::solved(params, file, others).map_err(|error| match error {
            // Another machine may have the file.
            QueryError::Database(error) => JobError::File(error.to_string()),
            error => JobError::Question(format!("{}: {error}", G::NAME)),
        })?;
        Ok(Box::new(Generator::of_solution(params, order, solved).map_err(wrong)?))
    }

    fn certificate(
        &self,
        made: &Made,
        place: &dyn Fn(&str) -> PathBuf,
        nodes: u64,
        control: &Control,
    ) -> Result<Option<PathBuf>, JobError> {
        if made.origin.is_none() {
            return certify::<G>(made, place, control).map(Some);
        }
        let limited = Control::with_budget(nodes.min(CERTIFICATE_NODES));
        match certify::<G>(made, place, &limited) {
            Ok(file) => Ok(Some(file)),
            Err(JobError::Stopped) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn verify(&self, made: &Made, file: &Path, limits: &Limits<'_>) -> Result<String, Doubt> {
        let game = G::from_params(&made.params)?;
        let name = file_name::<G>(game.id());
        puzzle_proven(game, &made.params, file, limits)?;
        Ok(name)
    }

    fn read(&self, value: &Value) -> Result<Made, String> {
        read::<G>(value)
    }
}

/// Settles the question of a puzzle with a kernel and certifies that the position is won within its
/// plies; returns the file.
pub(crate) fn certify<G: Puzzle>(
    made: &Made,
    place: &dyn Fn(&str) -> PathBuf,
    control: &Control,
) -> Result<PathBuf, JobError> {
    let plan = Plan {
        kernel: Kernel::Dfpn,
        options: &|advice| advice,
        table_mib: TABLE_MIB,
        place: &|name, _| place(name),
        details: false,
        resources: &Resources::default(),
        evaluation: DEFAULT_EVALUATION,
    };
    match settle::<G>(&made.params, &plan, control, &mut Bare)?.end {
        End::Claim(claim) if claim.certified.verified.header.verdict == Verdict::Proven => {
            only_move::add::<G>(made, &claim.certified.file, control)?;
            Ok(claim.certified.file)
        }
        End::Claim(claim) => {
            remove(&claim.certified.file);
            Err(JobError::Contradiction(format!(
                "{} {} was found to be a puzzle, and then: {}",
                made.game, made.params, claim.words
            )))
        }
        End::Unsettled(_) | End::Uncertified => Err(JobError::Stopped),
        End::Nothing(what, _) => Err(JobError::Contradiction(what)),
    }
}

fn read<G: Puzzle>(value: &Value) -> Result<Made, String> {
    let text = |name: &str| {
        value[name].as_str().ok_or_else(|| format!("expected a puzzle with the text {name:?}"))
    };
    let number = |name: &str| {
        let number = value[name].as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| format!("expected a puzzle with the number {name:?}"))
    };
    let wrong = |error: BuildError| error.to_string();
    let params = Params::parse(G::params(), text("question")?).map_err(|e| e.to_string())?;
    let game = G::from_params(&params).map_err(wrong)?;
    let root = game.root();
    let free = game.asked_from(&params, &root).ok_or("expected a game that goes on")?;
    let key = G::from_params(&free).map_err(wrong)?;
    let key = key.key(&key.root());
    let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let line: Vec<String> =
        list("line").iter().filter_map(|mv| mv.as_str().map(str::to_string)).collect();
    let winning = |solution: &Value| {
        let plies = u32::try_from(solution["plies"].as_u64()?).ok()?;
        Some((solution["move"].as_str()?.to_string(), plies))
    };
    let winning = list("solutions").iter().filter_map(winning).collect();
    let difficulty = Difficulty {
        choices: number("choices")?,
        traps: number("traps")?,
        replies: number("replies")?,
    };
    Ok(Made {
        game: G::NAME,
        position: text("position")?.to_string(),
        plies: number("plies")?,
        key,
        winning,
        turns: game.turns(&line),
        line,
        difficulty,
        grade: difficulty.grade(thresholds(G::GRADES, number("plies")?)),
        rule_proof: value["rule_proof"].as_bool(),
        label: G::label(&params),
        drawing: game.drawing(&root),
        attempt: value["attempt"].as_u64().unwrap_or_default(),
        origin: origin(&value["database"]),
        params,
    })
}

/// The database that a puzzle was drawn from.
fn origin(value: &Value) -> Option<Origin> {
    let text = |name: &str| value[name].as_str().map(str::to_string);
    Some(Origin { about: text("about")?, blake3: text("blake3")? })
}

/// A puzzle as JSON.
#[must_use]
pub fn puzzle_json(puzzle: &Made, certificate: Option<&PathBuf>) -> Value {
    let solutions: Vec<Value> =
        puzzle.winning.iter().map(|(mv, plies)| json!({ "move": mv, "plies": plies })).collect();
    let name = certificate.and_then(|file| file.file_name());
    let proof = match (name, &puzzle.origin) {
        (Some(_), _) => Some("certificate"),
        (None, Some(_)) => Some("database"),
        (None, None) => None,
    };
    json!({
        "game": puzzle.game,
        "position": puzzle.position,
        "question": puzzle.params.canonical(),
        "plies": puzzle.plies,
        "solutions": solutions,
        "line": puzzle.line,
        "grade": puzzle.grade.word(),
        "score": (puzzle.difficulty.score() * 100.0).round() / 100.0,
        "choices": puzzle.difficulty.choices,
        "traps": puzzle.difficulty.traps,
        "replies": puzzle.difficulty.replies,
        "rule_proof": puzzle.rule_proof,
        "label": puzzle.label,
        "key": puzzle.key.to_string(),
        "attempt": puzzle.attempt,
        "database": puzzle.origin.as_ref().map(|origin| {
            json!({ "about": origin.about, "blake3": origin.blake3 })
        }),
        "proof": proof,
        "certificate": name.map(|name| name.to_string_lossy()),
    })
}
