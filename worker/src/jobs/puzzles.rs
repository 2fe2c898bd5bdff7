//! A batch of puzzles: `hasami puzzles`, as a job.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::{Control, Kernel};
use hasami_games::puzzle::{Generator, Made, Puzzle, PuzzleVisitor, visit_puzzle};
use hasami_games::race::QueryError;
use hasami_games::{Game, ParamError, Params};
use hasami_sweep::{Measures, PuzzlesJob, Question, Verdict};
use serde_json::{Value, json};

use super::agree::removed;
use super::settle::{Bare, End, Plan, Settled, settle};
use super::solve::finish;
use super::{Answered, JobError, Place, job};

/// Size of the table for the certificate of a puzzle, in MiB; it starts small.
const TABLE_MIB: u32 = 512;
/// Nodes for the certificate of a puzzle that a database proves already.
const CERTIFICATE_NODES: u64 = 300_000;

pub(super) fn answer(
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let job: PuzzlesJob = job(question)?;
    visit_puzzle(&job.game, &job.rules, Batch { job: &job, place, control })?
}

struct Batch<'a> {
    job: &'a PuzzlesJob,
    place: &'a Place,
    control: &'a Control,
}

impl Batch<'_> {
    fn generator<G: Puzzle>(&self, params: &Params) -> Result<Generator<G>, JobError> {
        let wrong = |error: ParamError| JobError::Question(format!("{}: {error}", G::NAME));
        let Some((file, others)) = self.job.databases.split_first() else {
            return Generator::new(params, self.job.order).map_err(wrong);
        };
        let solved = G::solved(params, file, others).map_err(|error| match error {
            // Another machine may have the file.
            QueryError::Database(error) => JobError::Io(error.to_string()),
            error => JobError::Question(format!("{}: {error}", G::NAME)),
        })?;
        Generator::of_solution(params, self.job.order, solved).map_err(wrong)
    }
}

impl PuzzleVisitor for Batch<'_> {
    type Output = Result<Answered, JobError>;

    fn visit<G: Puzzle>(self, params: &Params) -> Self::Output {
        let started = Instant::now();
        let mut generator = self.generator::<G>(params)?;
        let (mut lines, mut files) = (Vec::new(), Vec::new());
        while lines.len() < self.job.count as usize && generator.attempts() < self.job.attempts {
            if self.control.is_cancelled() {
                return Err(JobError::Stopped);
            }
            let made = generator.attempt();
            if let Some(error) = generator.trouble() {
                return Err(error.into());
            }
            let Some(made) = made else { continue };
            self.control.note(1);
            let place = |name: &str| self.place.certificates.join(name);
            let certificate = match self.job.certificates {
                true => puzzle_certificate::<G>(&made, &place, self.job.order.nodes, self.control)?,
                false => None,
            };
            lines.push(puzzle_json(&made, certificate.as_ref()).to_string());
            files.extend(certificate);
        }
        let (count, attempts) = (lines.len(), generator.attempts());
        let fields = vec![
            ("puzzles".to_string(), count.to_string()),
            ("positions".to_string(), attempts.to_string()),
            ("list".to_string(), lines.join("\n")),
        ];
        let seconds = started.elapsed().as_secs_f64();
        let measures = Measures { nodes: attempts, seconds, store_hits: 0 };
        finish(Verdict::Answered, format!("{count} puzzles"), fields, files, measures)
    }
}

/// The certificate of a puzzle. One from a database may be too long for the search: then there is none, and
/// the database is the proof.
///
/// # Errors
/// As for [`certify_puzzle`].
pub fn puzzle_certificate<G: Game>(
    made: &Made,
    place: &dyn Fn(&str) -> PathBuf,
    nodes: u64,
    control: &Control,
) -> Result<Option<PathBuf>, JobError> {
    if made.origin.is_none() {
        return certify_puzzle::<G>(made, place, control).map(Some);
    }
    let limited = Control::with_budget(nodes.min(CERTIFICATE_NODES));
    match certify_puzzle::<G>(made, place, &limited) {
        Ok(file) => Ok(Some(file)),
        Err(JobError::Stopped) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Settles the question of a puzzle by a kernel, and certifies that the position is won within its
/// plies; the file.
///
/// # Errors
/// When it is stopped, cannot be written, or the kernel disagrees.
pub fn certify_puzzle<G: Game>(
    made: &Made,
    place: &dyn Fn(&str) -> PathBuf,
    control: &Control,
) -> Result<PathBuf, JobError> {
    let plan = Plan {
        kernel: Kernel::Dfpn,
        options: &Ok,
        table_mib: TABLE_MIB,
        first_mib: 4,
        place: &|name, _| place(name),
    };
    let settled: Settled<G> = settle(&made.params, &plan, control, &mut Bare)?;
    match settled.end {
        End::Claim { certified, .. }
            if certified.verified.header.verdict == hasami_andor::Verdict::Proven =>
        {
            Ok(certified.file)
        }
        End::Claim { claim, certified } => {
            removed(&certified.file);
            Err(JobError::Contradiction(format!(
                "{} {} was found to be a puzzle, and then: {claim}",
                made.game, made.params
            )))
        }
        End::Unsettled | End::Uncertified => Err(JobError::Stopped),
        End::Nothing(what) => Err(JobError::Contradiction(what)),
    }
}

/// A puzzle for programs.
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
