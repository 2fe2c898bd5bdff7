//! Answers about parts of databases: the sizes follow from the plan; the values are in files that only
//! the workers share.

use hasami_database::outline;
use hasami_sweep::{Basis, Verdict};

use super::{Checked, Claimed, Doubt, refused};
use crate::jobs::DatabasePart;
use crate::jobs::database::{Outcome, joined_outcome, nothing, sliced_outcome};

pub(crate) fn check(part: &DatabasePart, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    claimed.without_certificates()?;
    let plan = part.subject.plan();
    let (outcome, unproved): (Outcome, &[&str]) = if part.joins() && part.slice == 0 {
        let target = part.directory.join(format!("{}.db", plan.header().file_name()));
        let sum = claimed.field("blake3").unwrap_or_default();
        let is_digit = |sign: u8| sign.is_ascii_digit() || (b'a'..=b'f').contains(&sign);
        if sum.len() != 64 || !sum.bytes().all(is_digit) {
            return Err(refused("no BLAKE3 sum"));
        }
        let (values, bytes) = (plan.header().values, claimed.number("bytes")?);
        (joined_outcome(values, &target, bytes, sum), &["file", "bytes", "blake3"])
    } else if part.joins() {
        (nothing(), &[])
    } else {
        match outline(plan.as_ref(), part.stage, part.slice, part.slices) {
            Some((values, shard)) => (sliced_outcome(values, shard), &["shard"]),
            None => (nothing(), &[]),
        }
    };
    claimed.says(Verdict::Answered, &outcome.0, &outcome.1)?;
    if unproved.is_empty() {
        return Ok(Checked { basis: Basis::Recomputed, unproved: Vec::new() });
    }
    Ok(Checked::unproved(unproved))
}
