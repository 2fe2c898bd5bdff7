//! Answers about values: the columns are computed again from the value that the certificate proves.

use hasami_cgt::Games;
use hasami_game::text_certificate::TextCertificate as _;
use hasami_sweep::{Basis, Verdict};
use hasami_values::go::Komaster;
use hasami_values::value::certificate::Claim;
use hasami_values::value::{Checked as How, Limits, check as prove};

use super::{Checked, Claimed, Doubt, cut, refused, unable};
use crate::jobs::ValueJob;
use crate::jobs::value::{FACTS, KO, SHOWN, TOO_LONG, facts, ko_keys, unvalued_words};

pub(crate) fn check(job: &ValueJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    let name = format!("{} {}", job.family.name(), job.text);
    if claimed.answer.verdict == Verdict::Open {
        return open(job, &name, claimed);
    }
    let [file] = claimed.files else {
        return Err(refused("a value without its one certificate"));
    };
    let claim = Claim::read(file)?;
    let (game, position) = job.family.in_full(&job.text).map_err(unable)?;
    // Compared first: another position may take long.
    if claim.game != game || claim.position != position {
        return Err(refused("the certificate of another position"));
    }
    let how = prove(claim.game, &claim.position, &claim.value, &claim.proof).map_err(refused)?;
    let mut games = Games::with_limit(job.limits.steps.max(Limits::default().steps));
    let worth = games.read_form(&claim.value).map_err(refused)?;
    let fields = facts(&mut games, worth).map_err(unable)?;
    let words = format!("{name}: {}", games.show_within(worth, SHOWN));
    claimed.says(Verdict::Answered, &words, &fields)?;
    let basis = match how {
        How::Table(_) | How::Arithmetic => Basis::Proved,
        How::Again => Basis::Recomputed,
    };
    Ok(Checked { basis, unproved: Vec::new() })
}

/// A value that was not found. The reason is one of a few; the columns of a ko are not checked, but
/// have their names.
fn open(job: &ValueJob, name: &str, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    claimed.without_certificates()?;
    let found: Vec<&str> = claimed.answer.fields.iter().map(|(key, _)| key.as_str()).collect();
    let said = claimed.answer.claim.strip_prefix(&format!("{name}: ")).unwrap_or_default();
    let fitting = match said {
        // Under some of the assumptions there may be none.
        KO => {
            let mut left = &found[..];
            for pair in Komaster::ALL.map(ko_keys) {
                let there = left.len() >= pair.len() && left.iter().zip(&pair).all(|(a, b)| a == b);
                left = if there { &left[pair.len()..] } else { left };
            }
            left.is_empty()
        }
        TOO_LONG => found == FACTS,
        _ => found.is_empty() && unvalued_words(job.limits).iter().any(|words| words == said),
    };
    let short =
        claimed.answer.fields.iter().all(|(_, value)| value.len() <= hasami_cgt::LONGEST + 8);
    if !fitting || !short {
        return Err(refused(format!(
            "it says {:?}, which is not what is said of this question",
            cut(&claimed.answer.claim)
        )));
    }
    let unproved = claimed.answer.fields.iter().map(|(key, _)| key.clone());
    Ok(Checked {
        basis: Basis::Unproved,
        unproved: unproved.chain(["claim".to_string()]).collect(),
    })
}
