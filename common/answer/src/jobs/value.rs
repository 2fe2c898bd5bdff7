//! What a position is worth, as a job: a canonical form with its certificate, or the thermograph of a ko.

mod question;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::{Control, Key, ProblemId};
use hasami_cgt::{Convention, Exhausted, Games, Value};
use hasami_spec::Question;
use hasami_sweep::{Measures, Verdict};
use hasami_values::go::{Endgames, Komaster, Suicide, Unvalued};
use hasami_values::value::certificate::Claim;
use hasami_values::value::shared::{Notes, Tally};
use hasami_values::value::{self, Family, Found, Limits, Position, Proof, find_proof};
use tracing::{debug, warn};

use crate::certify::certify_value;
use crate::solve::finish;
use crate::{Answered, JobError, Place};
pub use question::ValueJob;

type Fields = Vec<(String, String)>;

/// Letters of a value in the words of an answer.
pub(crate) const SHOWN: usize = 200;
/// A value that stays open: it is known, but not written down.
pub(crate) const TOO_LONG: &str = "its canonical form is too long to be written down";
/// A value that stays open: there is none.
pub(crate) const KO: &str =
    "ko: play can repeat; mean and temperature are those without ko threats";
/// The same of a position that is not one of Go.
const REPEATS: &str = "play can repeat";

fn answer(
    job: ValueJob,
    _: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let ValueJob { family, text, position, limits } = job;
    if control.should_stop() {
        return Err(JobError::Stopped);
    }
    let name = format!("{} {text}", family.name());
    let (found, overruled) = match certified(family, &text, &position, limits, &*place.notes, place)
    {
        Outcome::Refused(detail) => {
            // It may rest on a wrong value from the notes: find it without them, and overwrite
            // them.
            warn!(position = name, "a shared value does not hold, so it is found anew: {detail}");
            let notes = Overrule(&*place.notes);
            (certified(family, &text, &position, limits, &notes, place), true)
        }
        found => (found, false),
    };
    let measures = |nodes, store_hits| Measures {
        nodes,
        seconds: started.elapsed().as_secs_f64(),
        store_hits,
    };
    match found {
        Outcome::Certified { claim, fields, file, evaluations, tally } => {
            let Tally { questions, recalled, spoiled, kept } = tally;
            debug!(
                position = name,
                evaluations, recalled, kept, questions, spoiled, overruled, "valued"
            );
            let said = format!("{name}: {claim}");
            let measures = measures(evaluations, recalled);
            finish(Verdict::Answered, said, fields, vec![file], measures)
        }
        Outcome::Open(what, fields) => {
            finish(Verdict::Open, format!("{name}: {what}"), fields, Vec::new(), measures(0, 0))
        }
        Outcome::Refused(detail) => Err(JobError::Contradiction(detail)),
        Outcome::Failed(error) => Err(error),
    }
}

/// Result of one attempt.
enum Outcome {
    Certified {
        claim: String,
        fields: Fields,
        file: PathBuf,
        evaluations: u64,
        tally: Tally,
    },
    Open(String, Fields),
    /// The proof does not accept the value.
    Refused(String),
    Failed(JobError),
}

/// Notes that are written but never read.
struct Overrule<'a>(&'a dyn Notes);

impl Notes for Overrule<'_> {
    fn find(&self, _: ProblemId, keys: &[Key]) -> Vec<Option<Vec<u8>>> {
        vec![None; keys.len()]
    }

    fn keep(&self, family: ProblemId, notes: Vec<(Key, Vec<u8>)>) {
        self.0.keep(family, notes);
    }
}

/// Values a position and proves the value, without reading notes.
fn certified(
    family: Family,
    text: &str,
    position: &Position,
    limits: Limits,
    notes: &dyn Notes,
    place: &Place,
) -> Outcome {
    let Found { mut games, value: worth, evaluations, tally } =
        match value::value_shared(position, limits, notes) {
            Ok(found) => found,
            Err(Unvalued::Loopy) => {
                let (what, fields) = ko(position, limits);
                return Outcome::Open(what, fields);
            }
            Err(error) => return Outcome::Open(error.to_string(), Vec::new()),
        };
    let fields = match facts(&mut games, worth) {
        Ok(fields) => fields,
        Err(error) => return Outcome::Open(error.to_string(), Vec::new()),
    };
    let shown = games.show(worth);
    if shown.ends_with('…') {
        return Outcome::Open(TOO_LONG.to_string(), fields);
    }
    let (game, in_full) = match family.in_full(text) {
        Ok(found) => found,
        Err(error) => return Outcome::Failed(JobError::Question(error.to_string())),
    };
    let proof = find_proof(position, &shown);
    if proof == Proof::None {
        debug!("{} {text}: a value without a proof", family.name());
    }
    let claim = Claim { game, position: in_full, value: shown, proof };
    let file = place.certificates.join(claim.file_name());
    match certify_value(&claim, &file).map(drop) {
        Ok(()) => {
            let claim = games.show_within(worth, SHOWN);
            Outcome::Certified { claim, fields, file, evaluations, tally }
        }
        Err(JobError::Contradiction(detail)) if tally.recalled > 0 => Outcome::Refused(detail),
        Err(error) => Outcome::Failed(error),
    }
}

/// The columns of a table.
pub(crate) const FACTS: [&str; 6] =
    ["value", "chilled", "mean", "temperature", "left_stop", "right_stop"];

/// The values of [`FACTS`].
pub(crate) fn facts(games: &mut Games, worth: Value) -> Result<Fields, Exhausted> {
    let chilled = games.chill(worth)?;
    let (left, right) = games.stops(worth);
    let stops = (left.to_string(), right.to_string());
    let values = [
        games.show(worth),
        games.show(chilled),
        games.mean(worth)?.to_string(),
        games.temperature(worth, Convention::Zero)?.to_string(),
        stops.0,
        stops.1,
    ];
    Ok(FACTS.map(str::to_string).into_iter().zip(values).collect())
}

/// A ko has no value that could be certified; reports its means and temperatures with their
/// assumption.
fn ko(position: &Position, limits: Limits) -> (String, Fields) {
    let Position::Go(board) = position else {
        return (REPEATS.to_string(), Vec::new());
    };
    let mut endgames = Endgames::new(Suicide::Forbidden, limits.positions, limits.steps);
    let mut fields = Vec::new();
    for komaster in Komaster::ALL {
        if let Ok(graph) = endgames.ko_thermograph(board, komaster) {
            let values = [graph.mean.to_string(), graph.temperature.to_string()];
            fields.extend(ko_keys(komaster).into_iter().zip(values));
        }
    }
    (KO.to_string(), fields)
}

/// The columns of a mean and a temperature.
pub(crate) fn ko_keys(komaster: Komaster) -> [String; 2] {
    let whose = match komaster {
        Komaster::Neither => "",
        Komaster::Black => "_black_komaster",
        Komaster::White => "_white_komaster",
    };
    [format!("mean{whose}"), format!("temperature{whose}")]
}

/// Why a position may have no value, in words.
pub(crate) fn unvalued_words(limits: Limits) -> Vec<String> {
    let exhausted = Exhausted { limit: limits.steps };
    let too_large = Unvalued::TooLarge { limit: limits.positions };
    let reasons = [Unvalued::Loopy, too_large, Unvalued::Exhausted(exhausted)];
    reasons.iter().map(ToString::to_string).chain([REPEATS.to_string()]).collect()
}

#[cfg(test)]
mod tests;
