//! `hasami deploy slurm`: workers as tasks of array jobs. A directory that all nodes see has the
//! program, an access file and the script; the queue of Slurm itself says what runs.

mod place;
mod queue;
mod scale;
mod script;
mod start;
mod status;
mod stop;

use std::path::PathBuf;

use clap::Args;

use crate::cluster::client::AccessArgs;
use crate::output::OutputArgs;
use crate::tree::{self, Entry, verb};

/// The commands.
pub fn group() -> Entry {
    tree::group(
        "slurm",
        "Workers as tasks of array jobs: start, scale, status, stop",
        "Examples:\n  hasami deploy slurm start --workers 10 --threads 4 --time 4h --submit\n  \
         hasami deploy slurm scale --most 50 --every 1min\n  hasami deploy slurm stop",
        vec![
            verb::<start::Start>(),
            verb::<scale::Scale>(),
            verb::<status::Status>(),
            verb::<stop::Stop>(),
        ],
    )
}

/// Which workers.
#[derive(Clone, Debug, Args)]
pub struct BatchArgs {
    /// What these workers are called: jobs, workers and their token have this name
    #[arg(long, value_name = "NAME", default_value = "workers", value_parser = name)]
    name: String,
    /// A directory that all nodes see, for program, access file, script and logs
    #[arg(long, value_name = "DIR", default_value = "hasami-slurm")]
    directory: PathBuf,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    answer: OutputArgs,
}

impl BatchArgs {
    /// The name of the jobs.
    fn job(&self) -> String {
        format!("hasami-{}", self.name)
    }
}

/// It is in the script and on command lines of Slurm.
fn name(text: &str) -> Result<String, String> {
    let sound = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    if (1..=32).contains(&text.len()) && text.chars().all(sound) && !text.starts_with(['-', '.']) {
        return Ok(text.to_string());
    }
    Err("expected at most 32 letters, digits, -, _ and .".to_string())
}
