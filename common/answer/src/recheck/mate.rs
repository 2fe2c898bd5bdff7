//! Answers about mate problems: the mate as any other, and each other check by its certificate.

use hasami_andor::Verdict;
use hasami_andor::certificate::Claim;
use hasami_game::Game;
use hasami_shogi::Shogi;
use hasami_sweep::{Answer, Basis, Verdict as Said};

use super::certified::{Asking, Stated, verify};
use super::{Checked, Claimed, Doubt, check_game, refused};
use crate::jobs::MateJob;
use crate::jobs::mate::{MOST, SOLUTION, columns, solved, verdict, words};
use crate::mates::flaws::{self, Flaws, Shown};

pub(crate) fn check(job: &MateJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    let question = &job.mate(claimed.question);
    let said = claimed.answer;
    let Some(at) = said.fields.iter().position(|(name, _)| name == SOLUTION) else {
        if said.verdict == Said::Proven {
            return Err(refused("a mate without its solution"));
        }
        return check_game::<Shogi>(&Claimed { question, ..*claimed });
    };
    let Some((first, rest)) = claimed.files.split_first() else {
        return Err(refused("a mate without a certificate"));
    };
    let Some((mate, _)) = said.claim.split_once("; ") else {
        return Err(refused("nothing is said of other solutions"));
    };
    let answer = &Answer {
        verdict: Said::Proven,
        claim: mate.to_string(),
        fields: said.fields[..at].to_vec(),
        certificates: said.certificates[..1].to_vec(),
        ..said.clone()
    };
    let files = std::slice::from_ref(first);
    let checked = check_game::<Shogi>(&Claimed { question, answer, files, ..*claimed })?;
    let (problem, found) = solved(first)?;
    let on_line = flaws::boards(&problem, &found.line);
    let stated = rest.iter().map(|file| Stated::read(file, claimed.limits));
    let stated = stated.collect::<Result<Vec<_>, _>>()?;
    let mut stated = stated.iter().peekable();
    let mut others = Flaws::default();
    let questions = flaws::questions(&problem, &found.line, job.flaws)?;
    let most_open = questions.len().saturating_sub(MOST);
    for question in questions {
        let game = Shogi::build(&question.params, claimed.resources)?;
        let asking = Asking::new(game, &question.params);
        let own = |next: &&Stated<'_>| next.first().asked == asking.asked;
        let settled = match stated.next_if(own) {
            None => None,
            Some(next) => Some((next.file.to_owned(), shown(next, &asking, claimed)?)),
        };
        others.add(question, settled, &on_line);
    }
    if stated.next().is_some() {
        return Err(refused("a certificate that nothing asks for, or in another order"));
    }
    let search = &claimed.question.search;
    let limited = search.budget.is_some() || search.time_limit().is_some();
    if !limited && others.open.len() > most_open {
        return Err(refused("checks were given up, and the question has no limit"));
    }
    let fields = [&said.fields[..at], &columns(&found, &others)].concat();
    claimed.says(verdict(&others), &words(mate, &others), &fields)?;
    let basis = if others.open.is_empty() { checked.basis } else { Basis::Unproved };
    Ok(Checked { basis, ..checked })
}

/// What the certificate about another check proves.
fn shown(
    stated: &Stated<'_>,
    asking: &Asking<Shogi>,
    claimed: &Claimed<'_>,
) -> Result<Shown, Doubt> {
    if stated.claim != Claim::Verdict {
        return Err(refused("a certificate about another check claims more than a verdict"));
    }
    let verdict: Verdict = stated.first().verdict;
    let checked = verify(stated, &[(asking, verdict)], claimed.limits)?;
    Ok(Shown { verdict, length: checked.length })
}
