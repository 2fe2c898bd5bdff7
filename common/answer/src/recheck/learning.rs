//! Answers about parts of a pipeline that learns: words and columns must fit each other and the
//! question. The counts in them, only who does the work again can check.

use hasami_learning::{Stage, draw};
use hasami_sweep::{Basis, Verdict};

use super::{Checked, Claimed, Doubt, refused};
use crate::jobs::LearningJob;
use crate::jobs::learning::{NODES, Outcome, POSITIONS, Ratios};

pub(crate) fn check(job: &LearningJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    claimed.without_certificates()?;
    let outcome = match job.stage {
        _ if !job.has_work() => Outcome::nothing(),
        Stage::Draw => Outcome::drawn(&draw::Summary {
            games: claimed.number("games")?,
            broken: claimed.number("broken")?,
            mates: claimed.number("mates")?,
            no_mates: claimed.number("no_mates")?,
            open: claimed.number("unsettled")?,
            moves: claimed.number("moves")?,
            nodes: 0,
        }),
        Stage::Fit => Outcome::fitted(claimed.number("moves")?, digest(claimed)?),
        Stage::Try => Outcome::tried(&ratios(claimed)?),
        Stage::Report => Outcome::reported(&job.plan, digest(claimed)?, &ratios(claimed)?),
    };
    claimed.says(Verdict::Answered, &outcome.claim, &outcome.fields)?;
    if outcome.fields.is_empty() {
        return Ok(Checked { basis: Basis::Recomputed, unproved: Vec::new() });
    }
    let columns: Vec<&str> = outcome.fields.iter().map(|(name, _)| name.as_str()).collect();
    Ok(Checked::unproved(&columns))
}

/// The BLAKE3 sum of the weights.
fn digest<'a>(claimed: &'a Claimed<'_>) -> Result<&'a str, Doubt> {
    let sum = claimed.field("weights").unwrap_or_default();
    let is_digit = |sign: u8| sign.is_ascii_digit() || (b'a'..=b'f').contains(&sign);
    let fits = sum.len() == 64 && sum.bytes().all(is_digit);
    if fits { Ok(sum) } else { Err(refused("no BLAKE3 sum of the weights")) }
}

fn ratios(claimed: &Claimed<'_>) -> Result<Ratios, Doubt> {
    let of = |kind: usize| {
        let count: u64 = claimed.number(POSITIONS[kind])?;
        let ratio = claimed.field(NODES[kind]).filter(|_| count > 0);
        let spelled =
            |text: &&str| text.parse::<f64>().is_ok_and(|ratio| format!("{ratio:.3}") == **text);
        match ratio {
            Some(text) if !spelled(&text) => Err(refused("a ratio that is no number")),
            ratio => Ok((count, ratio.map(str::to_string))),
        }
    };
    Ok([of(0)?, of(1)?])
}
