//! The smallest paving that blocks a set of shapes: `hasami pave`, as a job.

mod question;

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_polyomino::paving::certificate::Claim;
use hasami_polyomino::paving::{
    Answer, Paving, Periods, draw, seed_number, smallest_paving_unless,
};
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
    let stop = || control.should_stop();
    let PaveJob { shapes, pairs, max_area } = &job;
    let found = smallest_paving_unless(shapes, *pairs, Periods::All, *max_area, &stop);
    let found = found.ok_or(JobError::Stopped)?;
    let measures = || Measures { seconds: started.elapsed().as_secs_f64(), ..Measures::default() };
    match found {
        // Results of the search, without a certificate.
        Answer::NotUpTo(_) => {
            let claim = not_up_to_words(&job);
            finish(Verdict::Open, claim, Vec::new(), Vec::new(), measures())
        }
        Answer::Nowhere(board) => {
            let board = format!("{}x{}", board.rows, board.columns);
            let claim = nowhere_words(&job, &board);
            let fields = vec![(UNPAVABLE.to_string(), board)];
            finish(Verdict::Open, claim, fields, Vec::new(), measures())
        }
        Answer::Found(paving) => {
            let claim = Claim::new(shapes, *pairs, &paving);
            let file = place.certificates.join(claim.file_name());
            certify_paving(&claim, &file)?;
            let words = found_words(&job, &paving);
            finish(Verdict::Answered, words, found_fields(&paving), vec![file], measures())
        }
    }
}

/// The column of a board that no pairs can pave.
pub(crate) const UNPAVABLE: &str = "unpavable_board";

fn set(job: &PaveJob) -> String {
    spell_set(&job.shapes).replace(',', " & ")
}

pub(crate) fn not_up_to_words(job: &PaveJob) -> String {
    format!("open: {}: no paving with a period of at most {} cells", set(job), job.max_area)
}

pub(crate) fn nowhere_words(job: &PaveJob, board: &str) -> String {
    format!(
        "open: {}: no paving with any period: no pairs block every placement on a {board} board",
        set(job)
    )
}

pub(crate) fn found_words(job: &PaveJob, paving: &Paving) -> String {
    format!("loser: {}: blocked by the paving of period {}", set(job), paving.lattice())
}

pub(crate) fn found_fields(paving: &Paving) -> Vec<(String, String)> {
    let field = |name: &str, value: String| (name.to_string(), value);
    let period = paving.lattice();
    let mut fields = vec![
        field("period", period.to_string()),
        field("area", period.area().to_string()),
        field("picture", draw::torus(paving)),
    ];
    fields.extend(seed_number(paving).map(|number| field("number", number.to_string())));
    fields
}
