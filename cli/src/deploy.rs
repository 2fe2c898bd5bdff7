//! `hasami deploy`: workers on other machines, by what is there already: ssh, or a batch system.

mod elf;
mod quote;
mod slurm;
mod ssh;
mod tokens;

use crate::tree::{self, Entry};

/// The launchers.
pub fn group() -> Entry {
    tree::group(
        "deploy",
        "Start workers on other machines: ssh, slurm",
        "Workers get an access file of their own. Only operators may use these commands.\n\n\
         Examples:\n  hasami deploy ssh start hosts.txt\n  hasami deploy slurm start --workers 10 --submit",
        vec![ssh::group(), slurm::group()],
    )
}
