//! Two answers to one question must agree. If they differ, at least one is wrong and it is not
//! known which: neither is reported, and every certificate of the run is removed.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use hasami_andor::{ProblemId, Verdict};

use crate::error::JobError;

/// Verdicts and certificates of the stages of one run.
#[derive(Default)]
pub(crate) struct Answers {
    verdicts: Vec<(ProblemId, Verdict)>,
    files: Vec<PathBuf>,
}

impl Answers {
    /// Records the verdict on a question.
    ///
    /// # Errors
    /// If an exact solver expects the opposite verdict, or the same question got the opposite
    /// verdict before.
    pub(crate) fn add(
        &mut self,
        question: &str,
        problem: ProblemId,
        verdict: Verdict,
        expected: Option<Verdict>,
    ) -> Result<(), JobError> {
        self.compare(question, verdict, expected, "the exact solver")?;
        let before = self.verdicts.iter().find(|(known, _)| *known == problem);
        self.compare(question, verdict, before.map(|(_, verdict)| *verdict), "an earlier stage")?;
        self.verdicts.push((problem, verdict));
        Ok(())
    }

    /// Records a certificate that was written.
    pub(crate) fn certified(&mut self, file: &Path) {
        self.files.push(file.to_owned());
    }

    fn compare(
        &self,
        question: &str,
        found: Verdict,
        other: Option<Verdict>,
        whose: &str,
    ) -> Result<(), JobError> {
        let Some(other) = other.filter(|other| *other != found) else { return Ok(()) };
        self.files.iter().for_each(|file| remove(file));
        Err(JobError::Contradiction(format!(
            "{question}: the search says {}, and {whose} {}; no answer",
            found.word(),
            other.word()
        )))
    }
}

/// Removes a certificate whose claim must not be trusted.
pub(crate) fn remove(file: &Path) {
    let removed = std::fs::remove_file(file);
    if let Some(error) = removed.err().filter(|error| error.kind() != ErrorKind::NotFound) {
        tracing::error!(file = %file.display(), %error, "a certificate that contradicts stays");
    }
}

/// Returns the result of checking a file, and removes the file if it contradicts what it was made
/// for.
pub(crate) fn or_remove<T>(file: &Path, checked: Result<T, JobError>) -> Result<T, JobError> {
    if let Err(JobError::Contradiction(_)) = checked {
        remove(file);
    }
    checked
}

#[cfg(test)]
mod tests;
