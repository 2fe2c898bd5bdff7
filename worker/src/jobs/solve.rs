//! Any game of the registry: what `hasami solve` does, as a job.

use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::{Control, Kernel, Stopped};
use hasami_games::{Game, Outlook, Params, Visitor, visit};
use hasami_sweep::{Answer, Measures, Question, SearchSettings, Verdict};

use super::settle::{Bare, Below, End, Plan, Settled, settle};
use super::{Answered, Certified, JobError, Place, lore, settings, told};

/// Enough for a small question.
const FIRST_MIB: u32 = 4;

pub(super) fn answer(
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let kernel = settings::kernel(&question.search)?;
    control.limit(question.search.budget.unwrap_or(u64::MAX));
    let solve = Solve { settings: &question.search, kernel, place, control };
    visit(&question.problem, &question.params, solve)?
}

struct Solve<'a> {
    settings: &'a SearchSettings,
    kernel: Kernel,
    place: &'a Place,
    control: &'a Control,
}

impl Visitor for Solve<'_> {
    type Output = Result<Answered, JobError>;

    fn visit<G: Game>(self, game: G, params: &Params) -> Self::Output {
        lore::hear(&game, &*self.place.notes);
        let plan = Plan {
            kernel: self.kernel,
            options: &|advice| settings::options(self.settings, advice),
            table_mib: self.settings.table_mib.unwrap_or(self.place.table_mib),
            first_mib: FIRST_MIB,
            place: &|name, _| self.place.certificates.join(name),
        };
        let settled: Settled<G> = settle(params, &plan, self.control, &mut Bare)?;
        let Settled { stage, outcome, seconds, below, reached, end, .. } = settled;
        lore::tell(&stage.game, &*self.place.notes);
        let measures = Measures { nodes: outcome.counts.nodes, seconds, store_hits: 0 };
        match end {
            End::Unsettled if outcome.stopped == Stopped::Cancelled => Err(JobError::Stopped),
            End::Unsettled => {
                let nodes = self.settings.budget.unwrap_or(outcome.counts.nodes);
                let what = format!("not settled within {nodes} nodes");
                match stage.game.outlook(reached.as_ref()) {
                    Some(outlook) => {
                        let claim = format!("{}; {what}", outlook.claim);
                        open(claim, fields_of(&outlook), below, measures)
                    }
                    None => open(what, Vec::new(), below, measures),
                }
            }
            End::Uncertified => Err(JobError::Stopped),
            End::Nothing(what) => match stage.game.outlook(reached.as_ref()) {
                Some(outlook) => {
                    let fields = fields_of(&outlook);
                    open(outlook.claim, fields, below, measures)
                }
                None => open(what, Vec::new(), below, measures),
            },
            End::Claim { claim, certified } => settled_answer(claim, certified, below, measures),
        }
    }
}

fn fields_of(outlook: &Outlook) -> Vec<(String, String)> {
    outlook.fields.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}

/// A question that stays open; what was shown before is told with it.
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

/// A verdict that settles nothing; how far the search went.
pub(crate) fn open_answer(what: String, measures: Measures) -> Result<Answered, JobError> {
    open(what, Vec::new(), Vec::new(), measures)
}

/// The answer to a question that is settled, with a verified certificate.
pub(crate) fn settled_answer(
    claim: String,
    certified: Certified,
    below: Vec<Below>,
    measures: Measures,
) -> Result<Answered, JobError> {
    let verdict = match certified.verified.header.verdict {
        hasami_andor::Verdict::Proven => Verdict::Proven,
        hasami_andor::Verdict::Disproven => Verdict::Disproven,
    };
    let mut fields = Vec::new();
    if let Some(moves) = certified.verified.length {
        fields.push(("moves".to_string(), moves.to_string()));
    }
    let mut files = vec![certified.file];
    not_with_less(below, &mut fields, &mut files);
    finish(verdict, claim, fields, files, measures)
}

fn not_with_less(below: Vec<Below>, fields: &mut Vec<(String, String)>, files: &mut Vec<PathBuf>) {
    let claims: Vec<&str> = below.iter().map(|below| below.claim.as_str()).collect();
    if !claims.is_empty() {
        fields.push(("not_with_less".to_string(), claims.join("; ")));
    }
    files.extend(below.into_iter().map(|below| below.file));
}

/// Puts an answer together; its files are all verified.
pub(super) fn finish(
    verdict: Verdict,
    claim: String,
    fields: Vec<(String, String)>,
    files: Vec<PathBuf>,
    measures: Measures,
) -> Result<Answered, JobError> {
    let certificates = files.iter().map(|file| told(file)).collect::<Result<_, _>>()?;
    Ok(Answered { answer: Answer { verdict, claim, fields, certificates, measures }, files })
}
