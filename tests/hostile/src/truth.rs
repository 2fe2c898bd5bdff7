//! True answers, as material for lies: the best lie is a real certificate in the wrong place.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::Control;
use hasami_answer::{Place, answer};
use hasami_proto::v1;
use hasami_spec::Question;

/// Nodes for a true answer; questions that take more are lied about without one.
const NODES: u64 = 100_000;
/// Answers that are remembered.
const MOST: usize = 64;

/// An answer that holds, and the bytes of its certificates.
#[derive(Clone)]
pub(crate) struct True {
    pub(crate) answer: v1::Answer,
    pub(crate) certificates: Vec<Vec<u8>>,
}

/// Answers by question.
pub(crate) struct Truth {
    directory: tempfile::TempDir,
    known: HashMap<String, Option<True>>,
}

impl Truth {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self { directory: tempfile::tempdir()?, known: HashMap::new() })
    }

    /// The answer to a question that was handed out, if it is quickly found.
    pub(crate) fn of(&mut self, question: &v1::Question) -> Option<True> {
        let question = Question::try_from(question.clone()).ok()?;
        let key = question.spelled();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let found = self.find(question);
        self.known.insert(key, found.clone());
        found
    }

    /// Some answer to another question.
    pub(crate) fn of_another(&self) -> Vec<&True> {
        self.known.values().flatten().collect()
    }

    fn find(&self, mut question: Question) -> Option<True> {
        question.search.budget = Some(question.search.budget.unwrap_or(NODES).min(NODES));
        let place: PathBuf = self.directory.path().join(self.known.len().to_string());
        let place = Place::alone(place, 16);
        let answered = answer(&question, &place, &Arc::new(Control::unlimited())).ok()?;
        let read = |file: &PathBuf| std::fs::read(file).ok();
        let certificates = answered.files.iter().map(read).collect::<Option<_>>()?;
        Some(True { answer: answered.answer.into(), certificates })
    }
}
