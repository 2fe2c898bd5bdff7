//! Answers about the smallest paving. Its certificate proves that it blocks the shapes; that there is
//! none with a smaller period rests on the search.

use hasami_polyomino::paving::Paving;
use hasami_polyomino::polyomino::parse_size;
use hasami_sweep::Verdict;

use super::pair::blocked;
use super::{Checked, Claimed, Doubt, refused};
use crate::jobs::PaveJob;
use crate::jobs::pave::{UNPAVABLE, found_fields, found_words, not_up_to_words, nowhere_words};

pub(crate) fn check(job: &PaveJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    if claimed.answer.verdict == Verdict::Open {
        claimed.without_certificates()?;
        let Some(board) = claimed.field(UNPAVABLE) else {
            claimed.says(Verdict::Open, &not_up_to_words(job), &[])?;
            return Ok(Checked::unproved(&["claim"]));
        };
        parse_size("board", board).map_err(|_| refused("no size of a board"))?;
        let fields = [(UNPAVABLE.to_string(), board.to_string())];
        claimed.says(Verdict::Open, &nowhere_words(job, board), &fields)?;
        return Ok(Checked::unproved(&[UNPAVABLE]));
    }
    let [file] = claimed.files else {
        return Err(refused("a paving without its one certificate"));
    };
    let claim = blocked(&job.shapes, job.pairs, job.max_area, file)?;
    let paving = Paving::new(claim.period, claim.list).map_err(refused)?;
    claimed.says(Verdict::Answered, &found_words(job, &paving), &found_fields(&paving))?;
    Ok(Checked::proved(vec!["smallest period".to_string()]))
}
