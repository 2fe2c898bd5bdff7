//! Answers a whole question about a game for sweeps, as `hasami solve` does.

use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::{Control, Stopped};
use hasami_game::{Game, Outlook};
use hasami_spec::{Question, SearchSettings};
use hasami_sweep::{Answer, Measures, Verdict};

use crate::certify::described;
use crate::learned::WithNotes;
use crate::settle::{Below, End, Plan, Settled, settle};
use crate::{Answered, Certified, JobError, Place};

pub(crate) fn answer<G: Game>(
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let params = G::SPEC.read(&question.params).map_err(JobError::param::<G>)?;
    let settings = &question.search;
    control.limit(settings.budget.unwrap_or(u64::MAX));
    let plan = Plan {
        kernel: settings.kernel(std::thread::available_parallelism().map_or(1, usize::from)),
        evaluation: settings.evaluation,
        options: &|advice| settings.options(advice),
        table_mib: place.table_for(question),
        place: &|name, _| place.certificates.join(name),
        details: false,
        resources: &place.resources,
    };
    let tables = place.tables.as_deref().map(|tables| (tables, plan.table_mib));
    let mut shell = WithNotes::new(&*place.notes, tables);
    let settled = settle::<G>(&params, &plan, control, &mut shell)?;
    answered(settled, settings, control)
}

/// The answer of a search that has ended.
pub(crate) fn answered(
    settled: Settled,
    settings: &SearchSettings,
    control: &Control,
) -> Result<Answered, JobError> {
    let Settled { outcome, seconds, below, end, .. } = settled;
    let measures = Measures { nodes: outcome.counts.nodes, seconds, store_hits: 0 };
    match end {
        End::Unsettled(_) if outcome.stopped == Stopped::Cancelled => Err(JobError::Stopped),
        End::Unsettled(outlook) => {
            let what = match late_words(settings) {
                Some(late) if control.is_expired() => late,
                _ => unsettled_words(settings, outcome.counts.nodes),
            };
            match outlook {
                Some(outlook) => {
                    let claim = format!("{}; {what}", outlook.claim);
                    open(claim, fields_of(&outlook), below, measures)
                }
                None => open(what, Vec::new(), below, measures),
            }
        }
        End::Uncertified => Err(JobError::Stopped),
        End::Nothing(what, outlook) => nothing_answer(what, outlook, below, measures),
        End::Claim(claim) => {
            settled_answer(claim.words, claim.certified, &claim.measured, below, measures)
        }
    }
}

/// What is said of a question whose time was up, if it has a limit.
pub(crate) fn late_words(settings: &SearchSettings) -> Option<String> {
    settings.time_limit().map(|limit| format!("not settled within {limit:?}"))
}

/// How far a search without a verdict went.
pub(crate) fn unsettled_words(settings: &SearchSettings, nodes: u64) -> String {
    let nodes = settings.budget.unwrap_or(nodes);
    format!("not settled within {nodes} nodes")
}

pub(crate) fn fields_of(outlook: &Outlook) -> Vec<(String, String)> {
    outlook.fields.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}

/// The answer to a question that stays open, with what was shown before.
fn open(
    claim: String,
    mut fields: Vec<(String, String)>,
    below: Vec<Below>,
    measures: Measures,
) -> Result<Answered, JobError> {
    let mut files = Vec::new();
    not_with_less(below, &mut fields, &mut files);
    finish(Verdict::Open, claim, fields, files, measures)
}

/// The answer for a verdict that settles nothing, with what is known beside it.
pub(crate) fn nothing_answer(
    what: String,
    outlook: Option<Outlook>,
    below: Vec<Below>,
    measures: Measures,
) -> Result<Answered, JobError> {
    match outlook {
        Some(outlook) => {
            let fields = fields_of(&outlook);
            open(outlook.claim, fields, below, measures)
        }
        None => open(what, Vec::new(), below, measures),
    }
}

/// The answer for a verdict that settles nothing; says how far the search went.
pub(crate) fn open_answer(what: String, measures: Measures) -> Result<Answered, JobError> {
    open(what, Vec::new(), Vec::new(), measures)
}

/// The answer to a settled question, with a verified certificate.
pub(crate) fn settled_answer(
    claim: String,
    certified: Certified,
    measured: &[(&'static str, String)],
    below: Vec<Below>,
    measures: Measures,
) -> Result<Answered, JobError> {
    let verdict = match certified.verified.header.verdict {
        hasami_andor::Verdict::Proven => Verdict::Proven,
        hasami_andor::Verdict::Disproven => Verdict::Disproven,
    };
    let mut fields: Vec<_> = moves_field(certified.verified.length).into_iter().collect();
    fields.extend(measured.iter().map(|(name, value)| (name.to_string(), value.clone())));
    let mut files = vec![certified.file];
    not_with_less(below, &mut fields, &mut files);
    finish(verdict, claim, fields, files, measures)
}

fn not_with_less(below: Vec<Below>, fields: &mut Vec<(String, String)>, files: &mut Vec<PathBuf>) {
    let claims: Vec<String> = below.iter().map(|below| below.claim.clone()).collect();
    fields.extend(not_with_less_field(&claims));
    for below in below {
        if !files.contains(&below.file) {
            files.push(below.file);
        }
    }
}

/// The column of the longest line against a side that follows the certificate.
pub(crate) fn moves_field(length: Option<u32>) -> Option<(String, String)> {
    Some(("moves".to_string(), length?.to_string()))
}

/// The column of what was disproven before.
pub(crate) fn not_with_less_field(claims: &[String]) -> Option<(String, String)> {
    (!claims.is_empty()).then(|| ("not_with_less".to_string(), claims.join("; ")))
}

/// Builds an answer; all its files are verified.
pub(crate) fn finish(
    verdict: Verdict,
    claim: String,
    fields: Vec<(String, String)>,
    files: Vec<PathBuf>,
    measures: Measures,
) -> Result<Answered, JobError> {
    let certificates = files.iter().map(|file| described(file)).collect::<Result<_, _>>()?;
    Ok(Answered {
        answer: Answer { verdict, claim, fields, certificates, measures, check: None },
        files,
    })
}
