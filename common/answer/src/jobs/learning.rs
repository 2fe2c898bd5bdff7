//! `learning`: a part of a pipeline from game records to evaluations of mates, in a directory that all
//! workers share. The files are made by [`hasami_learning`]; an answer says what they come to.

mod question;

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_learning::trial::Results;
use hasami_learning::{Kind, Plan, Stage, Trouble, draw, fitting, report, trial};
use hasami_sweep::{Measures, Verdict};

use crate::solve::finish;
use crate::{Answered, JobError, Place};

pub use question::{LearningJob, learning_sweep};

fn answer(job: &LearningJob, _: &Place, control: &Arc<Control>) -> Result<Answered, JobError> {
    let started = Instant::now();
    let stop = || control.should_stop();
    let LearningJob { plan, stage, slice } = job;
    let (Outcome { claim, fields }, nodes) = match stage {
        _ if !job.has_work() => (Outcome::nothing(), 0),
        Stage::Draw => {
            let summary = draw::draw(plan, *slice, &stop)?;
            (Outcome::drawn(&summary), summary.nodes)
        }
        Stage::Fit => {
            let fit = fitting::fit(plan, &stop)?;
            (Outcome::fitted(fit.tables.count, &fit.digest), 0)
        }
        Stage::Try => {
            let results = trial::run(plan, *slice, &stop)?;
            let nodes = Kind::ALL.map(|kind| sum(&results, kind, "none").0).iter().sum();
            (Outcome::tried(&ratios(&results)), nodes)
        }
        Stage::Report => {
            let (fit, results) = report::write(plan, env!("CARGO_PKG_VERSION"), &stop)?;
            (Outcome::reported(plan, &fit.digest, &ratios(&results)), 0)
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

/// Positions of each kind, and the nodes with the learned tables as a part of those without; nothing
/// without positions.
pub(crate) type Ratios = [(u64, Option<String>); 2];

fn ratios(results: &Results) -> Ratios {
    Kind::ALL.map(|kind| {
        let ((none, count), (learned, _)) =
            (sum(results, kind, "none"), sum(results, kind, "learned"));
        (count, (none > 0).then(|| format!("{:.3}", learned as f64 / none as f64)))
    })
}

/// The columns of [`Ratios`], by kind.
pub(crate) const POSITIONS: [&str; 2] = ["mate_positions", "no_mate_positions"];
pub(crate) const NODES: [&str; 2] = ["mate_nodes_learned", "no_mate_nodes_learned"];

/// Words and columns of a part.
pub(crate) struct Outcome {
    pub claim: String,
    pub fields: Vec<(String, String)>,
}

impl Outcome {
    /// Of a slice that a stage does not have.
    pub(crate) fn nothing() -> Self {
        Self { claim: "nothing in this slice".to_string(), fields: Vec::new() }
    }

    pub(crate) fn drawn(summary: &draw::Summary) -> Self {
        let draw::Summary { games, broken, mates, no_mates, open, moves, nodes: _ } = summary;
        Self {
            claim: format!("{games} games: {mates} mates and {no_mates} no-mates"),
            fields: vec![
                field("games", games),
                field("broken", broken),
                field("mates", mates),
                field("no_mates", no_mates),
                field("unsettled", open),
                field("moves", moves),
            ],
        }
    }

    pub(crate) fn fitted(moves: u64, digest: &str) -> Self {
        Self {
            claim: format!("fitted to {moves} moves"),
            fields: vec![field("moves", moves), field("weights", digest)],
        }
    }

    pub(crate) fn tried(ratios: &Ratios) -> Self {
        let mut fields = Vec::new();
        for (kind, (count, nodes)) in ratios.iter().enumerate() {
            fields.push(field(POSITIONS[kind], count));
            fields.extend(nodes.as_ref().map(|nodes| field(NODES[kind], nodes)));
        }
        Self { claim: "held-out positions searched".to_string(), fields }
    }

    pub(crate) fn reported(plan: &Plan, digest: &str, ratios: &Ratios) -> Self {
        let mut fields =
            vec![field("report", report::file(plan).display()), field("weights", digest)];
        fields.extend(Self::tried(ratios).fields);
        Self { claim: "report written".to_string(), fields }
    }
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
