//! The smallest paving that blocks a set of shapes: `hasami pave`, as a job.

mod question;

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_polyomino::paving::certificate::Claim;
use hasami_polyomino::paving::{Answer, Periods, draw, seed_number, smallest_paving_unless};
use hasami_polyomino::polyomino::shape::spell_set;
use hasami_spec::Question;
use hasami_sweep::{Measures, Verdict};

use crate::certify::certify_paving;
use crate::solve::finish;
use crate::{Answered, JobError, Place};
pub use question::PaveJob;
pub(in crate::jobs) use question::{PAIRS, read_pairs};

fn answer(
    job: PaveJob,
    _: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let PaveJob { shapes, pairs, max_area } = job;
    let stop = || control.is_cancelled();
    let found = smallest_paving_unless(&shapes, pairs, Periods::All, max_area, &stop);
    let set = spell_set(&shapes).replace(',', " & ");
    let seconds = || started.elapsed().as_secs_f64();
    let nothing = |what: String, fields| {
        let measures = Measures { seconds: seconds(), ..Measures::default() };
        finish(Verdict::Open, format!("open: {set}: {what}"), fields, Vec::new(), measures)
    };
    let field = |name: &str, value: String| (name.to_string(), value);
    match found.ok_or(JobError::Stopped)? {
        // Results of the search, without a certificate.
        Answer::NotUpTo(area) => {
            nothing(format!("no paving with a period of at most {area} cells"), Vec::new())
        }
        Answer::Nowhere(board) => {
            let board = format!("{}x{}", board.rows, board.columns);
            nothing(
                format!(
                    "no paving with any period: no pairs block every placement on a {board} board"
                ),
                vec![field("unpavable_board", board)],
            )
        }
        Answer::Found(paving) => {
            let claim = Claim::new(&shapes, pairs, &paving);
            let file = place.certificates.join(claim.file_name());
            certify_paving(&claim, &file)?;
            let period = paving.lattice();
            let mut fields = vec![
                field("period", period.to_string()),
                field("area", period.area().to_string()),
                field("picture", draw::torus(&paving)),
            ];
            if let Some(number) = seed_number(&paving) {
                fields.push(field("number", number.to_string()));
            }
            let claim = format!("loser: {set}: blocked by the paving of period {period}");
            let measures = Measures { seconds: seconds(), ..Measures::default() };
            finish(Verdict::Answered, claim, fields, vec![file], measures)
        }
    }
}
