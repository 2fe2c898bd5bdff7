//! The root of a split question is settled: the certificate, made from what all have found.

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::{Control, Verdict};
use hasami_games::{Game, Meaning, Params, Visitor, visit};
use hasami_sweep::{Measures, Question, SearchSettings};

use super::{One, Share};
use crate::jobs::tables::HotTables;
use crate::jobs::{
    Answered, JobError, Place, caught, certify, file_name, open_answer, settled_answer,
};

/// Makes and verifies the certificate, and words the answer as if one worker had found it. What
/// neither the table nor the store knows is searched again. The measures are those of this alone.
///
/// # Errors
/// When the question is wrong, the control says stop, the certificate cannot be written, or the
/// verdict does not hold.
pub fn certify_unit(
    question: &Question,
    verdict: Verdict,
    place: &Place,
    tables: &HotTables,
    control: &Arc<Control>,
    share: &dyn Share,
) -> Result<Answered, JobError> {
    let work = Certify { settings: &question.search, verdict, place, tables, control, share };
    caught(|| visit(&question.problem, &question.params, work)?)
}

struct Certify<'a> {
    settings: &'a SearchSettings,
    verdict: Verdict,
    place: &'a Place,
    tables: &'a HotTables,
    control: &'a Control,
    share: &'a dyn Share,
}

impl Visitor for Certify<'_> {
    type Output = Result<Answered, JobError>;

    fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
        let started = Instant::now();
        let before = self.control.nodes();
        let one = One::<G>::new(params, self.settings)?;
        let claim = match one.game.meaning(self.verdict) {
            Meaning::Claim(claim) => claim,
            Meaning::Nothing(what) => return open_answer(what, Measures::default()),
        };
        let (table, hits) = one.table(self.tables, Some(self.share), true)?;
        let file = self.place.certificates.join(file_name(&one.game));
        let certified =
            certify(&one.game, &one.question, self.verdict, &table, self.control, &file)?;
        let measures = Measures {
            nodes: self.control.nodes() - before,
            seconds: started.elapsed().as_secs_f64(),
            store_hits: hits,
        };
        settled_answer(claim, certified, Vec::new(), measures)
    }
}
