//! Answers that are batches of puzzles. Every attempt of a generator has its own chance, so each
//! attempt that is said to have given a puzzle is made again. That the others gave none is not
//! checked.

use std::path::PathBuf;

use hasami_puzzles::{Made, Order};
use hasami_sweep::{Basis, Verdict};
use serde_json::Value;

use super::{Checked, Claimed, Doubt, cut, refused, unable};
use crate::jobs::PuzzlesJob;
use crate::jobs::puzzles::{batch_fields, batch_words};
use crate::puzzles::{AnyGenerator, Puzzles, puzzle_json};
use crate::registry::entry;

/// A position may be found hard that was easy when its finder knew similar ones already. It is tried
/// again with so many times the nodes.
const MORE_NODES: u64 = 8;

pub(crate) fn check(job: &PuzzlesJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    claimed.may_open()?;
    let maker = entry(&job.game).map_err(unable)?.puzzles.expect("as was checked");
    let text = claimed.field("list").ok_or_else(|| refused("no list"))?;
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() > job.count as usize {
        return Err(refused(format!("{} puzzles; {} were asked for", lines.len(), job.count)));
    }
    let mut generator = maker.generator(&job.rules, job.order, &job.databases)?;
    let mut files = claimed.files.iter();
    let mut last = None;
    for line in &lines {
        if (claimed.limits.stop)() {
            return Err(unable("the check was stopped"));
        }
        let wrong = |why: &str| refused(format!("puzzle {:?}: {why}", cut(line)));
        let value: Value = serde_json::from_str(line).map_err(|_| wrong("no puzzle"))?;
        let attempt = value["attempt"].as_u64().ok_or_else(|| wrong("no attempt"))?;
        if attempt >= job.attempts || last.is_some_and(|last| attempt < last) {
            return Err(wrong("out of order"));
        }
        last = Some(attempt);
        let made = again(maker, job, &mut *generator, attempt)?;
        let made = made.ok_or_else(|| wrong("its attempt gives none"))?;
        let certificate = match value["certificate"].as_str() {
            None if job.certificates && made.origin.is_none() => {
                return Err(wrong("no certificate"));
            }
            None => None,
            Some(_) if !job.certificates => {
                return Err(wrong("a certificate that was not asked for"));
            }
            Some(_) => {
                let file = files.next().ok_or_else(|| wrong("its certificate is missing"))?;
                Some(PathBuf::from(maker.verify(&made, file, claimed.limits)?))
            }
        };
        let expected = puzzle_json(&made, certificate.as_ref()).to_string();
        if expected != **line {
            return Err(wrong("its attempt gives another"));
        }
    }
    if files.next().is_some() {
        return Err(refused("a certificate more than there are puzzles"));
    }
    let full = lines.len() == job.count as usize;
    let positions = if full { last.map_or(0, |last| last + 1) } else { job.attempts };
    let fields = batch_fields(lines.len(), positions, &lines);
    claimed.says(Verdict::Answered, &batch_words(lines.len()), &fields)?;
    Ok(Checked { basis: Basis::Recomputed, unproved: vec!["positions".to_string()] })
}

/// Makes an attempt again, or takes the next puzzle of the one made last.
fn again(
    maker: &dyn Puzzles,
    job: &PuzzlesJob,
    generator: &mut dyn AnyGenerator,
    attempt: u64,
) -> Result<Option<Made>, Doubt> {
    let tried = |generator: &mut dyn AnyGenerator| {
        generator.skip_to(attempt);
        let made = generator.attempt().filter(|made| made.attempt == attempt);
        generator.trouble().map_or(Ok(made), |error| Err(unable(error)))
    };
    if let Some(made) = tried(generator)? {
        return Ok(Some(made));
    }
    let order = Order { nodes: job.order.nodes.saturating_mul(MORE_NODES), ..job.order };
    tried(&mut *maker.generator(&job.rules, order, &job.databases)?)
}
