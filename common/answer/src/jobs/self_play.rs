//! `self-play`: a batch of games of shogi that a small searcher plays against itself, for those who
//! have no records.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use hasami_andor::Control;
use hasami_learning::self_play;
use hasami_spec::{Kind, Param, ParamError, Params, Question, Spec};
use hasami_sweep::{Measures, Verdict};

use super::Job;
use crate::recheck::{Checked, Claimed, Doubt, refused};
use crate::solve::finish;
use crate::{Answered, JobError, Place};

/// A batch of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayJob {
    directory: PathBuf,
    games: usize,
    seed: u64,
    batch: u64,
}

static PARAMS: &[Param] = &[
    Param::path("directory", "a directory for the games, one file a batch"),
    Param::number("games", "games in a batch, 1 to 10000").or("100"),
    Param::number("seed", "where chance begins").or("0"),
    Param::number("batch", "the number of the batch").or("0"),
];

impl Job for SelfPlayJob {
    const SPEC: Spec = Spec::job(
        "self-play",
        "Games of shogi that a small searcher plays against itself until mate",
        "self-play directory=games games=10 batch=3",
        PARAMS,
        &[Kind::Map],
    )
    .never_reused()
    .checks(|params| Self::read(params).map(drop));

    fn read(params: &Params) -> Result<Self, ParamError> {
        let directory = params.text("directory")?;
        if directory.is_empty() {
            return Err(ParamError::bad("directory", directory, "the path of a directory"));
        }
        Ok(Self {
            directory: directory.into(),
            games: params.number("games", 1..=10_000)?,
            seed: params.number("seed", 0..=u64::MAX)?,
            batch: params.number("batch", 0..=99_999)?,
        })
    }

    fn answer(self, _: &Question, _: &Place, control: &Arc<Control>) -> Result<Answered, JobError> {
        let started = Instant::now();
        let Self { directory, games, seed, batch } = self;
        let stop = || control.should_stop();
        let (file, mates) = self_play::play(&directory, (seed, batch), games, &stop)?;
        let (claim, fields) = words(games, mates, &file);
        let seconds = started.elapsed().as_secs_f64();
        let measures = Measures { nodes: 0, seconds, store_hits: 0 };
        finish(Verdict::Answered, claim, fields, Vec::new(), measures)
    }

    /// How many games ended in mate, only the sender knows.
    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
        claimed.without_certificates()?;
        let mates: usize = claimed.number("mates")?;
        if mates > self.games {
            return Err(refused(format!("{mates} of {} games ended in mate", self.games)));
        }
        let file = self_play::file(&self.directory, (self.seed, self.batch));
        let (claim, fields) = words(self.games, mates, &file);
        claimed.says(Verdict::Answered, &claim, &fields)?;
        Ok(Checked::unproved(&["mates"]))
    }
}

fn words(games: usize, mates: usize, file: &Path) -> (String, Vec<(String, String)>) {
    let fields = vec![
        ("mates".to_string(), mates.to_string()),
        ("file".to_string(), file.display().to_string()),
    ];
    (format!("{games} games played"), fields)
}
