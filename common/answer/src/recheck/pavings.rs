//! Answers about all pavings of a period. Each one that is listed is checked; that none is missing
//! rests on the enumeration.

use hasami_polyomino::paving::certificate::{Claim, check as blocks};
use hasami_polyomino::paving::{Enumeration, Kind, Paving, Vector};
use hasami_spec::Question;
use hasami_sweep::Verdict;

use super::{Checked, Claimed, Doubt, cut, refused};
use crate::caught;
use crate::jobs::PavingsJob;
use crate::jobs::pavings::{counted_fields, counted_words, spelled};

pub(crate) fn check(job: &PavingsJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    claimed.without_certificates()?;
    let (sets, patterns) = (claimed.number("sets")?, claimed.number("patterns")?);
    if patterns > sets {
        return Err(refused(format!("{patterns} patterns of {sets} sets")));
    }
    let mut list: Vec<String> = Vec::new();
    if job.list {
        let text = claimed.field("list").ok_or_else(|| refused("no list"))?;
        list = text.lines().map(str::to_string).collect();
        let images = listed(job, &list)?;
        if list.len() as u64 != patterns || images != sets {
            let (found, patterns) = (list.len(), patterns);
            return Err(refused(format!(
                "the list has {found} patterns, {images} sets; it says {patterns} and {sets}"
            )));
        }
        if !list.is_sorted() {
            return Err(refused("a list that is not in order"));
        }
    }
    let fields = counted_fields(sets, patterns, job.list.then_some(&list));
    claimed.says(Verdict::Answered, &counted_words(sets, patterns), &fields)?;
    Ok(Checked::unproved(&["sets", "patterns"]))
}

/// Checks patterns that a part of an enumeration has found: each belongs to the question, and none
/// comes twice. Whether they are all is not known.
///
/// # Errors
/// If one does not belong to it.
pub fn check_patterns(question: &Question, found: &[String]) -> Result<(), Doubt> {
    let checked = caught(|| {
        let job: PavingsJob = crate::jobs::read(question)?;
        Ok(listed(&job, found).map(drop))
    });
    checked.unwrap_or_else(|error| Err(refused(error)))
}

/// Checks listed patterns; returns how many sets of pairs they stand for.
fn listed(job: &PavingsJob, list: &[String]) -> Result<u64, Doubt> {
    let enumeration = Enumeration::new(job.period, &job.shapes, job.pairs, job.kind);
    let mut images = 0;
    let mut seen = std::collections::HashSet::new();
    for text in list {
        let wrong = |why: &str| refused(format!("{:?}: {why}", cut(text)));
        let paving = read(job, text).ok_or_else(|| wrong("no paving of this period"))?;
        let of_kind = match job.kind {
            Kind::Complete => paving.is_complete(),
            Kind::Minimal => enumeration.is_minimal(&paving),
            Kind::All => true,
        };
        blocks(&Claim::new(&job.shapes, job.pairs, &paving)).map_err(|why| wrong(&why))?;
        if !of_kind || !enumeration.is_least(&paving) || spelled(&paving) != *text {
            return Err(wrong("not as the question lists it"));
        }
        if !seen.insert(text) {
            return Err(wrong("a second time"));
        }
        images += enumeration.images(&paving) as u64;
    }
    Ok(images)
}

/// Reads what [`spelled`] writes.
fn read(job: &PavingsJob, text: &str) -> Option<Paving> {
    if !text.contains(':') {
        return Paving::parse(text).ok()?.on(job.period);
    }
    let pairs: Option<Vec<(Vector, Vector)>> = text
        .split(' ')
        .map(|pair| {
            let (from, to) = pair.split_once(':')?;
            let (from, to) = (cell(from)?, cell(to)?);
            Some((from, (to.0 - from.0, to.1 - from.1)))
        })
        .collect();
    Paving::new(job.period, pairs?).ok()
}

fn cell(text: &str) -> Option<Vector> {
    let (row, column) = text.split_once(',')?;
    // Small enough that sums of them cannot overflow.
    let number = |text: &str| text.parse().ok().filter(|n: &i32| n.abs() <= 1 << 20);
    Some((number(row)?, number(column)?))
}
