//! The figures of simulated runs as text.

use std::fmt::Write as _;

use super::Point;

/// One line for each point, with a heading.
#[must_use]
pub fn csv(points: &[Point]) -> String {
    let mut text = String::from(
        "partitioner,workers,seconds,speedup,efficiency,nodes,overhead,search,idle,talk,\
         coordinator,units\n",
    );
    for point in points {
        let _ = writeln!(
            text,
            "{},{},{:.3},{:.3},{:.4},{},{:.4},{:.4},{:.4},{:.4},{:.4},{}",
            point.partitioner,
            point.workers,
            point.seconds,
            point.speedup,
            point.efficiency(),
            point.nodes,
            point.overhead,
            point.search,
            point.idle,
            point.talk,
            point.coordinator,
            point.units
        );
    }
    text
}

/// Speed-ups as a Markdown table: a line for each number of workers, a column for each partitioner.
#[must_use]
pub fn markdown(points: &[Point]) -> String {
    let (mut kinds, mut counts) = (Vec::new(), Vec::new());
    for point in points {
        if !kinds.contains(&point.partitioner) {
            kinds.push(point.partitioner);
        }
        if !counts.contains(&point.workers) {
            counts.push(point.workers);
        }
    }
    let mut text = String::from("| workers |");
    for kind in &kinds {
        let _ = write!(text, " {kind} |");
    }
    text.push_str("\n|---:|");
    kinds.iter().for_each(|_| text.push_str("---:|"));
    for count in counts {
        let _ = write!(text, "\n| {count} |");
        for &kind in &kinds {
            let of = |point: &&Point| point.workers == count && point.partitioner == kind;
            let _ = match points.iter().find(of) {
                Some(point) => write!(text, " {:.2} |", point.speedup),
                None => write!(text, " |"),
            };
        }
    }
    text.push('\n');
    text
}
