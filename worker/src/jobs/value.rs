//! What a position is worth, as a job: a canonical form with its certificate, or the thermograph of a ko.

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_cgt::{Convention, Exhausted, Games, Value};
use hasami_games::go::{Endgames, Komaster, Suicide, Unvalued};
use hasami_games::value::certificate::Claim;
use hasami_games::value::{self, Limits, Position, Proof};
use hasami_sweep::{Measures, Question, ValueJob, Verdict};

use super::solve::finish;
use super::{Answered, JobError, Place, certify_value, job};

type Fields = Vec<(String, String)>;

pub(super) fn answer(
    question: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let ValueJob { family, text, position, limits } = job(question)?;
    if control.is_cancelled() {
        return Err(JobError::Stopped);
    }
    let name = format!("{} {text}", family.name());
    let measures =
        |nodes| Measures { nodes, seconds: started.elapsed().as_secs_f64(), ..Measures::default() };
    let open = |what: String, fields: Fields| {
        finish(Verdict::Open, format!("{name}: {what}"), fields, Vec::new(), measures(0))
    };
    let (mut games, worth) = match value::value(&position, limits) {
        Ok(found) => found,
        Err(Unvalued::Loopy) => {
            let (what, fields) = ko(&position, limits);
            return open(what, fields);
        }
        Err(error) => return open(error.to_string(), Vec::new()),
    };
    let fields = match facts(&mut games, worth) {
        Ok(fields) => fields,
        Err(error) => return open(error.to_string(), Vec::new()),
    };
    let claim = Claim { family, position: text, value: games.show(worth) };
    if claim.value.ends_with('…') {
        return open("its canonical form is too long to be written down".to_string(), fields);
    }
    let file = place.certificates.join(claim.file_name());
    let verified = certify_value(&claim, &file)?;
    let nodes = match verified.proof {
        Proof::Play(claims) => claims as u64,
        Proof::Anew => games.spent(),
    };
    let said = format!("{name}: {}", games.show_within(worth, 200));
    finish(Verdict::Answered, said, fields, vec![file], measures(nodes))
}

/// The columns of a table.
fn facts(games: &mut Games, worth: Value) -> Result<Fields, Exhausted> {
    let chilled = games.chill(worth)?;
    let (left, right) = games.stops(worth);
    let stops = (left.to_string(), right.to_string());
    let field = |name: &str, value: String| (name.to_string(), value);
    Ok(vec![
        field("value", games.show(worth)),
        field("chilled", games.show(chilled)),
        field("mean", games.mean(worth)?.to_string()),
        field("temperature", games.temperature(worth, Convention::Zero)?.to_string()),
        field("left_stop", stops.0),
        field("right_stop", stops.1),
    ])
}

/// A ko has no value that could be certified; its means and temperatures are told with their
/// assumption.
fn ko(position: &Position, limits: Limits) -> (String, Fields) {
    let Position::Go(board) = position else {
        return ("play can repeat".to_string(), Vec::new());
    };
    let mut endgames = Endgames::new(Suicide::Forbidden, limits.positions, limits.steps);
    let mut fields = Vec::new();
    for (komaster, key) in Komaster::ALL.into_iter().zip(["", "_black_komaster", "_white_komaster"])
    {
        if let Ok(graph) = endgames.ko_thermograph(board, komaster) {
            fields.push((format!("mean{key}"), graph.mean.to_string()));
            fields.push((format!("temperature{key}"), graph.temperature.to_string()));
        }
    }
    let what = "ko: play can repeat; mean and temperature are those without ko threats";
    (what.to_string(), fields)
}
