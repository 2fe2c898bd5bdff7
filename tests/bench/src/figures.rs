//! What the benchmarks find: figures, and where they go.

use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::{Value, json};

/// Why a benchmark could not be run, in words.
#[derive(Debug)]
pub struct Failure(pub String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// The form of the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people.
    Human,
    /// One JSON value.
    Json,
}

/// One figure.
pub struct Figure {
    /// What was measured.
    pub what: String,
    /// Ours and the baseline's, with units.
    pub values: String,
    /// Ours to the baseline's.
    pub ratio: f64,
    /// What the ratio should be, in words, and whether it is.
    pub goal: Option<(&'static str, bool)>,
}

impl Figure {
    /// Something that must not happen, and how often it did.
    pub fn never(what: &str, values: String, count: u64) -> Self {
        Self { what: what.to_string(), values, ratio: count as f64, goal: Some(("0", count == 0)) }
    }
}

/// Where figures go. For people each is printed at once, so that a run cut short keeps what it has
/// measured; JSON is one value at the end.
pub struct Figures {
    output: Output,
    bench: String,
    values: Vec<Value>,
    printed: io::Result<()>,
}

impl Figures {
    /// None yet.
    pub fn new(output: Output) -> Self {
        Self { output, bench: String::new(), values: Vec::new(), printed: Ok(()) }
    }

    /// What follows belongs to this benchmark.
    pub fn begin(&mut self, bench: &str) {
        eprintln!("bench {bench} …");
        self.bench = bench.to_string();
        self.show(bench);
    }

    /// One more is known.
    pub fn push(&mut self, figure: Figure) {
        let goal = match figure.goal {
            None => String::new(),
            Some((goal, true)) => format!("  (goal {goal}: met)"),
            Some((goal, false)) => format!("  (goal {goal}: missed)"),
        };
        self.show(&format!(
            "  {:<44} {:<44} {:>8.3}{goal}",
            figure.what, figure.values, figure.ratio
        ));
        self.values.push(json!({
            "bench": self.bench, "what": figure.what, "values": figure.values,
            "ratio": figure.ratio, "goal": figure.goal.map(|(goal, _)| goal),
            "met": figure.goal.map(|(_, met)| met),
        }));
    }

    /// Prints a line for people. A line that cannot be printed does not stop the benchmarks: the
    /// first such error is reported at the end.
    fn show(&mut self, line: &str) {
        if self.output == Output::Human && self.printed.is_ok() {
            self.printed = print(line);
        }
    }

    /// Prints what is still to be printed.
    pub fn finish(self) -> Result<(), Failure> {
        let printed = match self.output {
            Output::Human => self.printed,
            Output::Json => print(&Value::from(self.values).to_string()),
        };
        match printed {
            // Whoever closed the pipe has read enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure(format!("standard output: {error}")))
            }
            _ => Ok(()),
        }
    }
}

fn print(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", line.trim_end())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_never_happen_meets_its_goal_only_if_it_did_not() {
        assert_eq!(Figure::never("wrong verdicts", String::new(), 0).goal, Some(("0", true)));
        assert_eq!(Figure::never("wrong verdicts", String::new(), 1).goal, Some(("0", false)));
    }
}
