//! `learning`: a part of a pipeline from game records to evaluations of mates, in a directory that all
//! workers share. The files are made by [`hasami_learning`]; an answer says what they come to.

mod question;

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_learning::trial::Results;
use hasami_learning::{Kind, Stage, Trouble, draw, fitting, report, trial};
use hasami_sweep::{Measures, Verdict};

use crate::solve::finish;
use crate::{Answered, JobError, Place};

pub use question::{LearningJob, learning_sweep};

fn answer(job: &LearningJob, _: &Place, control: &Arc<Control>) -> Result<Answered, JobError> {
    let started = Instant::now();
    let stop = || control.should_stop();
    let LearningJob { plan, stage, slice } = job;
    let (claim, fields, nodes) = match stage {
        _ if !stage.is_sliced() && *slice > 0 => {
            ("nothing in this slice".to_string(), Vec::new(), 0)
        }
        Stage::Draw => {
            let draw::Summary { games, broken, mates, no_mates, open, moves, nodes } =
                draw::draw(plan, *slice, &stop)?;
            let fields = vec![
                field("games", games),
                field("broken", broken),
                field("mates", mates),
                field("no_mates", no_mates),
                field("unsettled", open),
                field("moves", moves),
            ];
            (format!("{games} games: {mates} mates and {no_mates} no-mates"), fields, nodes)
        }
        Stage::Fit => {
            let fit = fitting::fit(plan, &stop)?;
            let fields = vec![field("moves", fit.tables.count), field("weights", &fit.digest)];
            (format!("fitted to {} moves", fit.tables.count), fields, 0)
        }
        Stage::Try => {
            let results = trial::run(plan, *slice, &stop)?;
            let nodes = Kind::ALL.map(|kind| sum(&results, kind, "none").0).iter().sum();
            ("held-out positions searched".to_string(), ratios(&results), nodes)
        }
        Stage::Report => {
            let (fit, results) = report::write(plan, env!("CARGO_PKG_VERSION"), &stop)?;
            let file = report::file(plan);
            let mut fields = vec![field("report", file.display()), field("weights", fit.digest)];
            fields.extend(ratios(&results));
            ("report written".to_string(), fields, 0)
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let measures = Measures { nodes, seconds, store_hits: 0 };
    finish(Verdict::Answered, claim, fields, Vec::new(), measures)
}

fn field(name: &str, value: impl ToString) -> (String, String) {
    (name.to_string(), value.to_string())
}

/// Nodes and positions of an evaluation.
fn sum(results: &Results, kind: Kind, name: &str) -> (u64, u64) {
    let found = results.sums.get(kind.word()).and_then(|sums| sums.get(name));
    found.map_or((0, 0), |sums| (sums.nodes, sums.count))
}

/// What the learned tables saved.
fn ratios(results: &Results) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for kind in Kind::ALL {
        let ((none, count), (learned, _)) =
            (sum(results, kind, "none"), sum(results, kind, "learned"));
        let name = kind.word().replace('-', "_");
        fields.push(field(&format!("{name}_positions"), count));
        if none > 0 {
            let ratio = format!("{:.3}", learned as f64 / none as f64);
            fields.push(field(&format!("{name}_nodes_learned"), ratio));
        }
    }
    fields
}

impl From<Trouble> for JobError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Stopped => Self::Stopped,
            Trouble::Contradiction(why) => Self::Contradiction(why),
            Trouble::Memory(error) => Self::Memory(error.to_string()),
            Trouble::TooLittle(why) => Self::Question(why),
            Trouble::Io { .. } | Trouble::Bad { .. } => Self::File(trouble.to_string()),
        }
    }
}
