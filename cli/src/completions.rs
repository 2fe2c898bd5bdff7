//! `hasami completions`: the script that completes commands and options in a shell.

use clap::Parser;
use clap_complete::{Shell, generate};

use crate::failure::Failure;
use crate::files;
use crate::tree::{self, Verb};

/// Print the completion script of a shell
#[derive(Clone, Debug, Parser)]
#[command(
    name = "completions",
    after_help = "Examples:\n  hasami completions bash > ~/.local/share/bash-completion/completions/hasami\n  hasami completions zsh > ~/.zfunc/_hasami\n  hasami completions fish > ~/.config/fish/completions/hasami.fish"
)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Verb for Completions {
    fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut tree::command(), "hasami", &mut script);
        files::print(&script)
    }
}
