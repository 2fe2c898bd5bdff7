//! `hasami man`: a manual page for every command, made from the tree.

use std::path::PathBuf;

use clap::Parser;
use serde_json::json;

use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::{self, Verb};

/// Write the manual pages into a directory
#[derive(Clone, Debug, Parser)]
#[command(
    name = "man",
    after_help = "Example:\n  hasami man ~/.local/share/man/man1 && man hasami-solve"
)]
pub struct Man {
    /// The directory; it is made if it is missing
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    answer: OutputArgs,
}

impl Verb for Man {
    fn run(self) -> Result<(), Failure> {
        let place = self.directory.display().to_string();
        let refused = |error: std::io::Error| Failure::Failed(format!("{place}: {error}"));
        std::fs::create_dir_all(&self.directory).map_err(refused)?;
        clap_mangen::generate_to(tree::command(), &self.directory).map_err(refused)?;
        let human = format!("{place}: manual pages; `man {place}/hasami.1`");
        output::print(self.answer.output, &human, &json!({ "directory": place }), &place)
    }
}
