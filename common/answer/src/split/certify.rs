//! Makes the certificate of a settled root from what all workers have found.

use std::time::Instant;

use hasami_andor::{Control, Verdict};
use hasami_game::{Game, Meaning};
use hasami_sweep::Measures;

use super::{One, Share};
use crate::certify::{certify as certified, file_name};
use crate::settle::measured;
use crate::solve::{nothing_answer, settled_answer};
use crate::tables::HotTables;
use crate::{Answered, JobError, Place};

/// What [`Split::certify`](super::Split::certify) does.
pub(super) fn certify<G: Game>(
    one: &One<G>,
    verdict: Verdict,
    place: &Place,
    tables: &HotTables,
    control: &Control,
    share: &dyn Share,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let before = control.nodes();
    let claim = match one.game.meaning(verdict) {
        Meaning::Claim(claim) => claim,
        Meaning::Nothing(what) => {
            // The words of a whole question: an answer must not show who was idle.
            let outlook = one.game.outlook(Some(&one.params));
            return nothing_answer(what, outlook, Vec::new(), Measures::default());
        }
    };
    let (table, hits) = one.table(tables, Some(share), true)?;
    let file = place.certificates.join(file_name::<G>(one.game.id()));
    let certified = certified(&one.game, &one.asked, verdict, &table, control, &file)?;
    let measures = Measures {
        nodes: control.nodes() - before,
        seconds: started.elapsed().as_secs_f64(),
        store_hits: hits,
    };
    let measured = measured(&one.game, &one.asked, &certified.file)?;
    settled_answer(claim, certified, &measured, Vec::new(), measures)
}
