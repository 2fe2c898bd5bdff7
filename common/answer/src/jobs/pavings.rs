//! All pavings of one period, counted part by part: a part that takes too long returns its rest.

mod question;

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_polyomino::paving::{Enumeration, Paving, Prefix, PrefixError, draw};
use hasami_spec::Question;
use hasami_sweep::{Measures, Verdict};

use super::read;
use crate::solve::finish;
use crate::{Answered, JobError, Place, caught};
pub use question::PavingsJob;

/// The name of the part that is the whole enumeration.
const ALL: &str = "all";
/// Nodes between two reports of progress.
const REPORT_EVERY: u64 = 1024;

/// Result of one part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Number of sets of pairs.
    pub raw: u64,
    /// Number of patterns up to translation, rotation and reflection. A pattern counts in the part
    /// that holds its least image.
    pub patterns: u64,
    /// The patterns, spelled, in search order, if the question asks for a list.
    pub found: Vec<String>,
    /// Parts that were not searched, the largest first.
    pub rest: Vec<String>,
    /// Nodes of the search tree.
    pub nodes: u64,
}

/// Counts one part until `until` says that it should be split. Parts add up: the counts here and in
/// all parts of the rest are the count of the whole part.
///
/// # Errors
/// If the question is wrong or has no such part, or the control asks to stop.
pub fn enumerate(
    question: &Question,
    prefix: &str,
    until: &dyn Fn() -> bool,
    control: &Arc<Control>,
) -> Result<Part, JobError> {
    caught(|| {
        let PavingsJob { shapes, period, pairs, kind, list } = read(question)?;
        let enumeration = Enumeration::new(period, &shapes, pairs, kind);
        let wrong = |error: PrefixError| JobError::Question(format!("pavings: {error}"));
        let prefix: Prefix = prefix.parse().map_err(wrong)?;
        let mut part = Part::default();
        let mut reported = 0;
        let stop = |nodes: u64| {
            if nodes >= reported + REPORT_EVERY {
                control.note(nodes - reported);
                reported = nodes;
            }
            control.is_cancelled() || until()
        };
        let count = |paving: Paving| {
            part.raw += 1;
            if enumeration.is_least(&paving) {
                part.patterns += 1;
                if list {
                    part.found.push(spelled(&paving));
                }
            }
        };
        let rest = enumeration.each_until(&prefix, stop, count).map_err(wrong)?;
        control.note(rest.nodes - reported);
        if control.is_cancelled() {
            return Err(JobError::Stopped);
        }
        part.rest = rest.parts.iter().map(ToString::to_string).collect();
        part.nodes = rest.nodes;
        Ok(part)
    })
}

/// The whole enumeration at once.
fn answer(
    job: PavingsJob,
    question: &Question,
    _: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let Part { raw, patterns, mut found, nodes, .. } =
        enumerate(question, ALL, &|| false, control)?;
    found.sort_unstable();
    let fields = counted_fields(raw, patterns, job.list.then_some(&found));
    let claim = counted_words(raw, patterns);
    let measures = Measures { nodes, seconds: started.elapsed().as_secs_f64(), store_hits: 0 };
    finish(Verdict::Answered, claim, fields, Vec::new(), measures)
}

pub(crate) fn counted_words(sets: u64, patterns: u64) -> String {
    format!("{patterns} patterns, {sets} sets of pairs")
}

pub(crate) fn counted_fields(
    sets: u64,
    patterns: u64,
    list: Option<&Vec<String>>,
) -> Vec<(String, String)> {
    let field = |name: &str, value: String| (name.to_string(), value);
    let counts = [field("sets", sets.to_string()), field("patterns", patterns.to_string())];
    counts.into_iter().chain(list.map(|list| field("list", list.join("\n")))).collect()
}

/// One word for one paving: the picture of dominoes, else `row,column:row,column` for each pair.
pub(crate) fn spelled(paving: &Paving) -> String {
    if paving.is_adjacent() {
        return draw::torus(paving);
    }
    let pairs = paving.pairs().into_iter().map(|((row, column), (down, right))| {
        format!("{row},{column}:{},{}", row + down, column + right)
    });
    pairs.collect::<Vec<_>>().join(" ")
}
