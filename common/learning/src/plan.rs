//! What is learned from, and how: the same for all parts.

use std::path::PathBuf;

/// Stages in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Positions are drawn from games and searched.
    Draw,
    /// Weights are fitted.
    Fit,
    /// Evaluations are tried on games that were held out.
    Try,
    /// The report is written.
    Report,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 4] = [Self::Draw, Self::Fit, Self::Try, Self::Report];

    /// Whether a stage is divided into slices.
    #[must_use]
    pub fn is_sliced(self) -> bool {
        matches!(self, Self::Draw | Self::Try)
    }
}

/// The settings of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// A file of games, one a line in USI; or a directory of KIF, CSA and USI files.
    pub records: PathBuf,
    /// Where all parts are kept.
    pub directory: PathBuf,
    /// Into how many slices the work is divided.
    pub slices: usize,
    /// Every how many positions of a game one is taken.
    pub every: usize,
    /// Positions before this ply are left out.
    pub first_ply: usize,
    /// Nodes for a position.
    pub budget: u64,
    /// One game in so many is held out for trials.
    pub held_out: usize,
    /// Mates and no-mates in trials, each at most.
    pub tests: usize,
}

impl Plan {
    /// The size of a table, in MiB: enough for the budgets of this kind of search.
    pub(crate) const TABLE_MIB: usize = 64;
    /// Trials may take this many times the nodes that drawing may.
    pub(crate) const TRIAL: u64 = 10;

    /// What parts depend on: those of another plan in the same directory are not used.
    pub(crate) fn fingerprint(&self) -> String {
        let Self { records, slices, every, first_ply, budget, held_out, tests, directory: _ } =
            self;
        let size = std::fs::metadata(records).map_or(0, |found| found.len());
        let text = format!(
            "{} {size} {slices} {every} {first_ply} {budget} {held_out} {tests} {}",
            records.display(),
            env!("CARGO_PKG_VERSION"),
        );
        blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
    }

    /// Whether a game is held out.
    pub(crate) fn holds_out(&self, game: usize) -> bool {
        game % self.held_out == self.held_out - 1
    }
}
