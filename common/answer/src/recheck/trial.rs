//! Answers of trials. Verdict, words and certificates are those of the game, and are checked as such;
//! the size of the certificate is counted again. Nobody can check what a search cost.

use hasami_sweep::Answer;

use super::{Checked, Claimed, Doubt, refused, unable};
use crate::checked::Opened;
use crate::entry::CheckError;
use crate::jobs::TrialJob;
use crate::jobs::trial::{NODES, PROOF, REFERENCES, costs, proof_nodes};
use crate::registry::entry;

pub(crate) fn check(job: &TrialJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    claimed.may_open()?;
    let said = claimed.answer;
    let at = said.fields.iter().position(|(name, _)| name == NODES);
    let at = at.ok_or_else(|| refused(format!("a trial without the column {NODES}")))?;
    let question = &job.asked(claimed.question);
    let answer = &Answer { fields: said.fields[..at].to_vec(), ..said.clone() };
    let entry = entry(&job.game).map_err(unable)?;
    let checked = (entry.check)(&Claimed { question, answer, ..*claimed })?;

    let mut unproved = vec![NODES.to_string(), REFERENCES.to_string()];
    let proof = match claimed.files.first().filter(|_| said.verdict.settled()) {
        None => None,
        Some(file) => {
            let rules = entry.rules.expect("a game, as was checked");
            let opened = Opened::open(file)?;
            match rules.verify(&opened, None, claimed.resources) {
                Ok((verified, _)) => Some(proof_nodes(&verified)),
                // It was checked above, with the file that the question names.
                Err(CheckError::Database(_)) => {
                    unproved.push(PROOF.to_string());
                    Some(claimed.number(PROOF)?)
                }
                Err(error) => return Err(refused(error)),
            }
        }
    };
    let told = costs(claimed.number(NODES)?, claimed.number(REFERENCES)?, proof);
    claimed.columns(&[&said.fields[..at], &told].concat())?;
    unproved.extend(checked.unproved);
    Ok(Checked { basis: checked.basis, unproved })
}
