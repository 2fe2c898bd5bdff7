//! Open answers about games. Nobody can check how far a search went; but the words must be those of
//! this question, and what was disproven on the way has certificates.

use hasami_andor::Verdict;
use hasami_game::{Game, Meaning};
use hasami_spec::Params;
use hasami_sweep::Basis;

use super::certified::Stated;
use super::game::{Stage, disproven};
use super::{Checked, Claimed, Doubt, cut, refused};
use crate::solve::{fields_of, late_words, not_with_less_field, unsettled_words};

pub(super) fn check<G: Game>(
    claimed: &Claimed<'_>,
    params: &Params,
    certificates: &[Stated<'_>],
) -> Result<Checked, Doubt> {
    let below = match certificates {
        [] => Vec::new(),
        [one] => {
            let stage = Stage::<G>::of_part(params, one.first(), claimed.resources)?;
            let stage = stage.ok_or_else(|| refused("a certificate of another question"))?;
            disproven(one, &stage, claimed)?;
            let words = stage.claim(Verdict::Disproven);
            vec![words.ok_or_else(|| refused("a disproof that settles nothing"))?]
        }
        _ => return Err(refused("more than one certificate of an open question")),
    };
    let not_with_less = not_with_less_field(&below);
    let fields = &claimed.answer.fields;
    let known = fields.len().saturating_sub(usize::from(not_with_less.is_some()));
    let known = &fields[..known];
    let stage = Stage::<G>::last(params, claimed.resources)?;
    let game = &stage.asking.game;

    let answer = claimed.answer;
    let search = &claimed.question.search;
    // Whoever gives up a question that has no limit has only not answered it.
    let used_up = search.budget.map(|budget| unsettled_words(search, budget));
    let unsettled: Vec<String> = used_up.into_iter().chain(late_words(search)).collect();
    let (fitting, expected) = match game.outlook_of(known) {
        Some(outlook) => {
            let further = |words: &String| answer.claim == format!("{}; {words}", outlook.claim);
            let fitting = answer.claim == outlook.claim || unsettled.iter().any(further);
            (fitting, fields_of(&outlook))
        }
        None => {
            let nothing = match game.meaning(Verdict::Disproven) {
                Meaning::Nothing(what) => Some(what),
                Meaning::Claim(_) => None,
            };
            (
                unsettled.contains(&answer.claim) || Some(&answer.claim) == nothing.as_ref(),
                Vec::new(),
            )
        }
    };
    if !fitting {
        return Err(refused(format!(
            "it says {:?}, which is not what is said of this question",
            cut(&answer.claim)
        )));
    }
    let unproved = expected.iter().map(|(name, _)| name.clone()).collect();
    let expected: Vec<_> = expected.into_iter().chain(not_with_less).collect();
    claimed.columns(&expected)?;
    Ok(Checked { basis: Basis::Unproved, unproved })
}
