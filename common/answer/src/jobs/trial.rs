//! A trial: one question of one game, searched as the parameters say, and what it cost.

mod question;

use std::sync::Arc;

use hasami_andor::certificate::Verified;
use hasami_andor::{Control, Outcome};
use hasami_game::Resources;
use hasami_spec::{Question, SearchSettings};

use crate::registry::entry;
use crate::settle::{End, Halt, Plan, Shell, Stage};
use crate::solve;
use crate::{Answered, JobError, Place};
pub use question::TrialJob;

/// The first column that is not that of the answer of the game.
pub(crate) const NODES: &str = "expanded";
/// The column of table references.
pub(crate) const REFERENCES: &str = "references";
/// The column of the size of the certificate.
pub(crate) const PROOF: &str = "proof";

fn answer(
    job: &TrialJob,
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    no_settings(&question.search)?;
    if place.table_mib < job.table {
        return Err(JobError::Memory(format!(
            "this worker has {} MiB for a table; expected at least table={}",
            place.table_mib, job.table
        )));
    }
    let entry = entry(&job.game)?;
    let rules = entry.rules.expect("a game, as was checked");
    let asked = job.asked(question);
    let params = entry.spec.read(&job.rules);
    let params = params.map_err(|error| JobError::Question(format!("rules: {error}")))?;
    control.limit(job.budget);
    let plan = Plan {
        kernel: job.kernel,
        options: &|advice| job.options(advice),
        table_mib: job.table,
        place: &|name, _| place.certificates.join(name),
        details: false,
        // What other searches have learned would be part of the result.
        resources: &Resources::default(),
        evaluation: job.evaluation,
    };
    let mut tally = Tally::default();
    let settled = rules.settle(&params, &plan, control, &mut tally)?;
    let proof = match &settled.end {
        End::Claim(claim) => Some(proof_nodes(&claim.certified.verified)),
        End::Unsettled(_) | End::Nothing(..) | End::Uncertified => None,
    };
    let mut answered = solve::answered(settled, &asked.search, control)?;
    answered.answer.fields.extend(costs(tally.nodes, tally.references, proof));
    Ok(answered)
}

/// Refuses settings beside the parameters: the trial would be another one than it says.
fn no_settings(search: &SearchSettings) -> Result<(), JobError> {
    let SearchSettings {
        kernel,
        sum,
        budget,
        time_limit_ms: _,
        seed,
        epsilon,
        evaluation,
        table_mib: _,
    } = search;
    let given = [
        ("kernel", kernel.is_some()),
        ("sum", sum.is_some()),
        ("budget", budget.is_some()),
        ("seed", *seed != 0),
        ("epsilon", epsilon.is_some()),
        ("evaluation", evaluation.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(JobError::Question(format!(
            "trial: {name} as a search setting; expected the parameter {name}"
        ))),
    }
}

/// The columns of a trial beside those of the game.
pub(crate) fn costs(nodes: u64, references: u64, proof: Option<u64>) -> Vec<(String, String)> {
    let costs = [(NODES, Some(nodes)), (REFERENCES, Some(references)), (PROOF, proof)];
    let told = costs.into_iter().filter_map(|(name, count)| Some((name, count?)));
    told.map(|(name, count)| (name.to_string(), count.to_string())).collect()
}

/// The size of a certificate: every state that it names, those that the rules settle included.
pub(crate) fn proof_nodes(verified: &Verified) -> u64 {
    verified.nodes + verified.leaves
}

/// Counts what the searches of all stages cost. It passes on nothing that they learned.
#[derive(Default)]
struct Tally {
    nodes: u64,
    references: u64,
}

impl Shell for Tally {
    fn search(
        &mut self,
        _stage: &dyn Stage,
        work: Box<dyn FnOnce() -> Outcome + Send + '_>,
    ) -> Result<Outcome, Halt> {
        let outcome = work();
        self.nodes += outcome.counts.nodes;
        self.references += outcome.counts.references;
        Ok(outcome)
    }
}
