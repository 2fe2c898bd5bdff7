//! The smallest paving that blocks a set of shapes: `hasami pave`, as a job.

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_games::paving::certificate::Claim;
use hasami_games::paving::{
    Answer, MAX_AREA, Pairs, Periods, draw, seed_number, smallest_paving_unless,
};
use hasami_games::polyomino::shape::{Shape, parse_set, spell_set};
use hasami_games::{Param, ParamError, Params};
use hasami_sweep::{Measures, Question, Verdict};

use super::solve::finish;
use super::{Answered, JobError, Place, certify_paving, params};

pub(super) const NAME: &str = "pave";

static PARAMS: &[Param] = &[
    Param::text("shapes", "names or pictures of the shapes, with commas between"),
    Param::choice("pairs", "which two cells may be a pair", &["adjacent", "any"]).or("adjacent"),
    Param::number("max-area", "periods of at most so many cells are tried").or("64"),
];

pub(super) fn answer(
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let params = params(question, PARAMS)?;
    let wrong = |error: ParamError| JobError::Question(format!("{NAME}: {error}"));
    let shapes = shapes(&params).map_err(wrong)?;
    let pairs = pairs(&params).map_err(wrong)?;
    let area = params.number("max-area", 1..=MAX_AREA).map_err(wrong)?;
    let stop = || control.is_cancelled();
    let found = smallest_paving_unless(&shapes, pairs, Periods::All, area, &stop);
    let set = spell_set(&shapes).replace(',', " & ");
    let seconds = || started.elapsed().as_secs_f64();
    let nothing = |what: String, fields| {
        let measures = Measures { seconds: seconds(), ..Measures::default() };
        finish(Verdict::Open, format!("open: {set}: {what}"), fields, Vec::new(), measures)
    };
    let field = |name: &str, value: String| (name.to_string(), value);
    match found.ok_or(JobError::Stopped)? {
        // Statements of the search, without a certificate.
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

/// The shapes that a job is about.
pub(super) fn shapes(params: &Params) -> Result<Vec<Shape>, ParamError> {
    let words = params.text("shapes")?;
    parse_set(words).map_err(|error| ParamError::bad("shapes", words, error.to_string()))
}

/// Which pairs it allows.
pub(super) fn pairs(params: &Params) -> Result<Pairs, ParamError> {
    let word = params.text("pairs")?;
    word.parse().map_err(|expected: String| ParamError::bad("pairs", word, expected))
}
