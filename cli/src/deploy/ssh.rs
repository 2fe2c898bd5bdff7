//! `hasami deploy ssh`: workers on the hosts of a file, by the user's own `ssh`.
//!
//! A host needs an ssh server, a POSIX shell and nothing installed. Each gets the program, an access
//! file of its own, and a small supervisor for each worker, all in one directory.

pub mod binary;
mod converge;
mod facts;
mod fleet;
mod hosts;
mod logs;
pub mod registered;
mod remote;
mod start;
mod status;
mod stop;
mod upgrade;

use std::path::PathBuf;

use clap::Args;

use crate::cluster::client::AccessArgs;
use crate::failure::Failure;
use crate::output::OutputArgs;
use crate::tree::{self, Entry, verb};
use hosts::Host;
use remote::Ssh;

/// The commands.
pub fn group() -> Entry {
    tree::group(
        "ssh",
        "Workers on the hosts of a file: start, status, logs, stop, restart, scale, upgrade",
        "HOSTS has one host a line: [user@]host[:port], then any of workers=N, threads=N, cores=N,\n\
         memory=SIZE, nice=N and label=KEY=VALUE; # begins a remark. Keys, jump hosts and names are\n\
         those of your ssh config. No password is asked for.\n\n\
         Examples:\n  hasami deploy ssh start hosts.txt\n  hasami deploy ssh status hosts.txt\n  \
         hasami deploy ssh stop hosts.txt --remove",
        vec![
            verb::<start::Start>(),
            verb::<status::Status>(),
            verb::<logs::Logs>(),
            verb::<stop::Stop>(),
            verb::<start::Restart>(),
            verb::<start::Scale>(),
            verb::<upgrade::Upgrade>(),
        ],
    )
}

/// Which hosts, and how to reach them.
#[derive(Clone, Debug, Args)]
pub struct FleetArgs {
    /// The file of hosts, one a line
    #[arg(value_name = "HOSTS")]
    file: PathBuf,
    /// Only this host of the file, as it is written there; may be given several times
    #[arg(long = "host", value_name = "HOST")]
    only: Vec<String>,
    /// An option for ssh, as after its -o; may be given several times
    #[arg(long = "ssh-option", value_name = "OPTION")]
    options: Vec<String>,
    /// The directory on each host, from the home of its user
    #[arg(long, value_name = "DIR", default_value = ".hasami-worker", value_parser = directory)]
    remote_directory: String,
    /// Hosts at a time
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u16).range(1..=256))]
    at_a_time: u16,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    answer: OutputArgs,
}

/// It is removed at the end, so it must be one that nothing else is in.
fn directory(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    let strange = text.chars().any(char::is_control) || text.starts_with(['-', '~']);
    if parts.is_empty() || parts.iter().any(|part| matches!(*part, "." | "..")) || strange {
        return Err("expected a path like .hasami-worker, without . and .. in it".to_string());
    }
    Ok(text.to_string())
}

impl FleetArgs {
    fn hosts(&self) -> Result<Vec<Host>, Failure> {
        let mut hosts = hosts::read(&self.file)?;
        for name in &self.only {
            if !hosts.iter().any(|host| host.name == *name) {
                let place = self.file.display();
                return Err(Failure::Usage(format!("--host {name}: no such line in {place}")));
            }
        }
        hosts.retain(|host| self.only.is_empty() || self.only.contains(&host.name));
        Ok(hosts)
    }

    fn ssh(&self) -> Ssh {
        Ssh { options: self.options.clone(), directory: self.remote_directory.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_one_of_its_own() {
        for sound in [".hasami-worker", "/scratch/ann/hasami", "a b"] {
            assert!(directory(sound).is_ok(), "{sound}");
        }
        for wrong in ["", "/", ".", "..", "a/../..", "~", "~ann", "-x", "a\nb"] {
            assert!(directory(wrong).is_err(), "{wrong:?}");
        }
    }
}
