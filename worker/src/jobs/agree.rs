//! Two answers of ours about one question must agree. Where they do not, at least one of them is wrong and nobody
//! knows which: none is told, and no certificate of the run is left behind.

use std::path::{Path, PathBuf};

use hasami_andor::{ProblemId, Verdict};
use hasami_games::{Game, Params};

use super::JobError;
use super::settle::{Stage, bad_params};

/// What the stages of one run have come to.
#[derive(Default)]
pub(super) struct Answers {
    verdicts: Vec<(ProblemId, Verdict)>,
    files: Vec<PathBuf>,
}

impl Answers {
    /// Takes note of the verdict on a stage of `params`.
    ///
    /// # Errors
    /// When the game knows otherwise, or the same question has had the other verdict.
    pub(super) fn add<G: Game>(
        &mut self,
        params: &Params,
        stage: &Stage<G>,
        verdict: Verdict,
    ) -> Result<(), JobError> {
        let expected = G::expected(params, &stage.params).map_err(bad_params::<G>)?;
        self.compare(&stage.question, verdict, expected, "the exact search")?;
        let id = stage.game.id();
        let before = self.verdicts.iter().find(|(known, _)| *known == id).map(|known| known.1);
        self.compare(&stage.question, verdict, before, "an earlier stage")?;
        self.verdicts.push((id, verdict));
        Ok(())
    }

    /// Takes note of a certificate that was made.
    pub(super) fn certified(&mut self, file: &Path) {
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
        self.files.iter().for_each(|file| removed(file));
        Err(JobError::Contradiction(format!(
            "{question}: {} by the search, {} by {whose}; no answer",
            found.word(),
            other.word()
        )))
    }
}

/// Takes away a certificate whose claim does not hold.
pub(super) fn removed(file: &Path) {
    if let Err(error) = std::fs::remove_file(file) {
        tracing::error!(file = %file.display(), %error, "a certificate that nobody may trust stays");
    }
}

/// What the check of a file says; the file goes if it contradicts what it was made for.
pub(super) fn or_removed<T>(file: &Path, checked: Result<T, JobError>) -> Result<T, JobError> {
    if let Err(JobError::Contradiction(_)) = checked {
        removed(file);
    }
    checked
}

#[cfg(test)]
mod tests;
