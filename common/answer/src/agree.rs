//! Two answers of ours about one question must agree. Where they do not, at least one of them is wrong and nobody
//! knows which: none is told, and no certificate of the run is left behind.

use std::path::{Path, PathBuf};

use hasami_andor::{ProblemId, Verdict};

use crate::error::JobError;

/// What the stages of one run have come to.
#[derive(Default)]
pub(crate) struct Answers {
    verdicts: Vec<(ProblemId, Verdict)>,
    files: Vec<PathBuf>,
}

impl Answers {
    /// Takes note of the verdict on a question.
    ///
    /// # Errors
    /// When an exact solver expects the other one, or the same question has had the other one before.
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

    /// Takes note of a certificate that was made.
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

/// Takes away a certificate whose claim nobody may trust.
pub(crate) fn remove(file: &Path) {
    if let Err(error) = std::fs::remove_file(file) {
        tracing::error!(file = %file.display(), %error, "a certificate that contradicts stays");
    }
}

/// What the check of a file says; the file goes if it contradicts what it was made for.
pub(crate) fn or_remove<T>(file: &Path, checked: Result<T, JobError>) -> Result<T, JobError> {
    if let Err(JobError::Contradiction(_)) = checked {
        remove(file);
    }
    checked
}

#[cfg(test)]
mod tests;
