//! The sign and the colour of a cell in a matrix.

use super::Row;
use hasami_sweep::Verdict;

impl Row {
    /// The sign of a row: the answer's own mark, or one for its verdict.
    #[must_use]
    pub fn mark(&self) -> &str {
        if let Some(mark) = self.field("mark") {
            return mark;
        }
        match (&self.answer, self.state.as_str()) {
            (Some(answer), _) => match answer.verdict {
                Verdict::Proven => "✓",
                Verdict::Disproven => "✗",
                Verdict::Answered => "•",
                Verdict::Open => "?",
            },
            (None, "open") => "?",
            (None, "failed") => "!",
            (None, "cancelled") => "–",
            (None, "running") => "▸",
            (None, _) => "…",
        }
    }

    /// The colour class of a row: one of `yes`, `no`, `open`, `unsettled`, `told`, `failed`,
    /// `none`.
    #[must_use]
    pub fn tone(&self) -> &'static str {
        match (self.field("class"), self.verdict()) {
            (Some("winner"), _) | (None, "proven") => "yes",
            (Some("loser"), _) | (None, "disproven") => "no",
            (Some("paving-winner"), _) => "open",
            (Some("unsettled"), _) | (None, "open") => "unsettled",
            (_, "failed") => "failed",
            (_, "answered" | "proven" | "disproven" | "open") => "told",
            _ => "none",
        }
    }
}
