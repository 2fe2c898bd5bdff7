//! A mate problem as its composer checks it: the shortest mate, both lengths, and whether the solution
//! is the only one.

mod question;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_game::DEFAULT_EVALUATION;
use hasami_shogi::Shogi;
use hasami_shogi::solution::{Solution, Wanted, solution};
use hasami_spec::{ParamError, Question};
use hasami_sweep::{Measures, Verdict};

use crate::mates::flaws::{self, Flaws, Kind, Mate, Other, Question as Asked};
use crate::mates::{self, Together};
use crate::settle::{Bare, Plan};
use crate::solve::{self, finish};
use crate::{Answered, JobError, Place};
pub use question::MateJob;

/// The first column that is not that of the mate alone.
pub(crate) const SOLUTION: &str = "solution";
/// Most other checks that are asked about: an answer has at most 1,024 certificates.
const MOST: usize = 1000;
/// Nodes for each other check in the first round, at most; each further round gives four times as
/// many to those that are left. Otherwise one hard check would use up the budget of all.
const FIRST_ROUND: u64 = 100_000;

fn answer(
    job: &MateJob,
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let main = solve::answer::<Shogi>(&job.mate(question), place, control)?;
    if main.answer.verdict != Verdict::Proven {
        return Ok(main);
    }
    let (problem, found) = solved(&main.files[0])?;
    let settings = &question.search;
    let plan = Plan {
        kernel: settings.kernel(std::thread::available_parallelism().map_or(1, usize::from)),
        options: &|advice| settings.options(advice),
        table_mib: place.table_for(question),
        place: &|name, _| place.certificates.join(name),
        details: false,
        resources: &place.resources,
        evaluation: DEFAULT_EVALUATION,
    };
    let mut questions = flaws::questions(&problem, &found.line, job.flaws).map_err(off_the_line)?;
    let table = Together::new(plan.table_mib)?;
    let mut quota =
        settings.budget.map_or(FIRST_ROUND, |budget| FIRST_ROUND.min(budget / 64)).max(1);
    let is_over = || control.is_used_up() || control.should_stop();
    loop {
        // The last checks are quick, and what they find helps the others.
        for question in questions.iter_mut().rev().take(MOST) {
            if question.certified.is_none() && !is_over() {
                let settle = || table.settle(&question.params, &plan, control, &mut Bare);
                question.certified = control.within(quota, settle)?.end.certified();
            }
        }
        let settled = |question: &Asked| question.certified.is_some();
        if is_over() || questions.iter().rev().take(MOST).all(settled) {
            break;
        }
        quota = quota.saturating_mul(4);
    }
    if control.is_cancelled() {
        return Err(JobError::Stopped);
    }
    let others = flaws::collected(&problem, &found.line, questions);
    let mut fields = main.answer.fields;
    fields.extend(columns(&found, &others));
    let mut files = main.files;
    files.extend(others.certificates().cloned());
    let seconds = started.elapsed().as_secs_f64();
    let measures = Measures { nodes: control.nodes(), seconds, store_hits: 0 };
    finish(verdict(&others), words(&main.answer.claim, &others), fields, files, measures)
}

/// The solution that the certificate of the shortest mate has.
pub(crate) fn solved(certificate: &Path) -> Result<(Shogi, Solution), JobError> {
    let none = |why: String| JobError::Contradiction(format!("{}: {why}", certificate.display()));
    let (problem, strategy) = mates::open(certificate).map_err(|error| none(error.to_string()))?;
    let found = solution(&problem, &strategy, &Control::unlimited(), Wanted::default());
    let found = found.ok_or_else(|| none("no line in it".to_string()))?;
    Ok((problem, found))
}

/// A problem is settled if all that is asked about it is.
pub(crate) fn verdict(others: &Flaws) -> Verdict {
    if others.open.is_empty() { Verdict::Proven } else { Verdict::Open }
}

/// What is said of a mate, and then of other solutions.
pub(crate) fn words(mate: &str, others: &Flaws) -> String {
    let flaws = others.mates.iter().filter(|mate| mate.kind == Kind::Flaw).count();
    match (flaws, others.open.len()) {
        (0, 0) => format!("{mate}; no other solution"),
        (flaws, 0) => format!("{mate}; other solutions: {flaws}"),
        (flaws, open) => {
            format!("{mate}; other solutions: {flaws}, checks that were not settled: {open}")
        }
    }
}

/// The columns beside those of the mate.
pub(crate) fn columns(found: &Solution, others: &Flaws) -> Vec<(String, String)> {
    let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
    let unique = match others.unique() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "open",
    };
    let listed = |wanted: &dyn Fn(&Mate) -> bool| {
        let listed: Vec<String> =
            others.mates.iter().filter(|mate| wanted(mate)).map(spelled).collect();
        listed.join("; ")
    };
    let open: Vec<String> =
        others.open.iter().map(|Other { ply, mv, .. }| format!("ply {ply}: {mv}")).collect();
    let columns = [
        (SOLUTION, line.join(" ")),
        ("unique", unique.to_string()),
        ("flaws", listed(&|mate| mate.kind == Kind::Flaw)),
        ("tolerated", listed(&|mate| mate.kind != Kind::Flaw)),
        ("flaws_open", open.join("; ")),
    ];
    columns.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

fn spelled(Mate { other: Other { ply, mv, .. }, kind, moves, .. }: &Mate) -> String {
    let kind = if *kind == Kind::Flaw { "" } else { kind.word() };
    let moves = moves.map_or(String::new(), |plies| format!("at most {plies} plies"));
    let about: Vec<&str> = [kind, &moves].into_iter().filter(|word| !word.is_empty()).collect();
    match &about[..] {
        [] => format!("ply {ply}: {mv}"),
        about => format!("ply {ply}: {mv} ({})", about.join(", ")),
    }
}

/// A position of a checked line is one that can be asked about.
fn off_the_line(error: ParamError) -> JobError {
    JobError::Contradiction(format!("a position of the line: {error}"))
}
