//! A batch of puzzles: `hasami puzzles`, as a job.

mod question;

use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_spec::Question;
use hasami_sweep::{Measures, Verdict};

use crate::puzzles::puzzle_json;
use crate::registry::entry;
use crate::solve::finish;
use crate::{Answered, JobError, Place};
pub use question::PuzzlesJob;

fn answer(
    job: PuzzlesJob,
    _: &Question,
    place: &Place,
    control: &Arc<Control>,
) -> Result<Answered, JobError> {
    let started = Instant::now();
    let maker = entry(&job.game)?.puzzles.expect("a game of puzzles, as was checked");
    let mut generator = maker.generator(&job.rules, job.order, &job.databases)?;
    let (mut lines, mut files) = (Vec::new(), Vec::new());
    while lines.len() < job.count as usize && generator.attempts() < job.attempts {
        if control.should_stop() {
            return Err(JobError::Stopped);
        }
        let made = generator.attempt();
        if let Some(error) = generator.trouble() {
            return Err(error.into());
        }
        let Some(made) = made else { continue };
        control.note(1);
        let certificate = if job.certificates {
            let file = |name: &str| place.certificates.join(name);
            maker.certificate(&made, &file, job.order.nodes, control)?
        } else {
            None
        };
        lines.push(puzzle_json(&made, certificate.as_ref()).to_string());
        files.extend(certificate);
    }
    let (count, attempts) = (lines.len(), generator.attempts());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let fields = batch_fields(count, attempts, &lines);
    let seconds = started.elapsed().as_secs_f64();
    let measures = Measures { nodes: attempts, seconds, store_hits: 0 };
    finish(Verdict::Answered, batch_words(count), fields, files, measures)
}

pub(crate) fn batch_words(count: usize) -> String {
    format!("{count} puzzles")
}

pub(crate) fn batch_fields(count: usize, positions: u64, lines: &[&str]) -> Vec<(String, String)> {
    vec![
        ("puzzles".to_string(), count.to_string()),
        ("positions".to_string(), positions.to_string()),
        ("list".to_string(), lines.join("\n")),
    ]
}
