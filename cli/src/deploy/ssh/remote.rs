//! One call on a host: the user's own `ssh` runs a script there that it reads from its standard
//! input. So nothing but a fixed text is on a command line, here or there: no secret, and no word
//! that a login shell could read in its own way.

use std::path::Path;
use std::process::Stdio;

use hasami_sweep::text::shown;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

use super::hosts::Host;
use crate::deploy::quote::quoted;
use crate::deploy::tokens;

/// What runs on the host.
const AGENT: &str = include_str!("agent.sh");
/// The most that is read of an answer.
const LONGEST: u64 = 1 << 20;
/// What an answer begins its lines with.
const MARK: &str = "hasami: ";

/// How to reach hosts.
#[derive(Clone, Debug)]
pub struct Ssh {
    /// Further options, as for `ssh -o`.
    pub options: Vec<String>,
    /// The directory of workers; each host has its own in it.
    pub directory: String,
}

/// A variable of the script.
pub type Variable<'v> = (&'static str, &'v str);

impl Ssh {
    /// Starts a call; its answer is read by the caller.
    pub fn start(
        &self,
        host: &Host,
        action: &str,
        variables: &[Variable<'_>],
    ) -> Result<(Child, String), String> {
        let mut script = String::new();
        // A directory for each host: several may share the homes of their users.
        let directory = format!("{}/{}", self.directory, tokens::name("ssh", &host.name));
        let own = [("ACTION", action), ("DIR", directory.as_str())];
        for (name, value) in own.iter().chain(variables) {
            script.push_str(&format!("{name}={}\n", quoted(value)));
        }
        script.push_str(AGENT);
        let mut command = Command::new("ssh");
        command.args(["-T", "-o", "BatchMode=yes"]);
        // The first value of an option counts, so those of the user go first.
        for option in &self.options {
            command.args(["-o", option]);
        }
        for option in ["ConnectTimeout=10", "ServerAliveInterval=15", "ServerAliveCountMax=4"] {
            command.args(["-o", option]);
        }
        if let Some(user) = &host.user {
            command.args(["-l", user]);
        }
        if let Some(port) = host.port {
            command.args(["-p", &port.to_string()]);
        }
        // `dd` takes exactly the script; what follows it is for the script to read.
        let length = script.len();
        let remote = format!("exec sh -c 'eval \"$(dd bs=1 count={length} 2>/dev/null)\"'");
        command.args(["--", &host.address, &remote]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.kill_on_drop(true).spawn();
        let child = child.map_err(|error| format!("ssh cannot be started: {error}"))?;
        Ok((child, script))
    }

    /// Makes a call and gives the lines of its answer. `file` is sent after the script.
    pub async fn call(
        &self,
        host: &Host,
        action: &str,
        variables: &[Variable<'_>],
        file: Option<&Path>,
    ) -> Result<Vec<String>, String> {
        let (mut child, script) = self.start(host, action, variables)?;
        let mut stdin = child.stdin.take().expect("a pipe to ssh");
        let stdout = child.stdout.take().expect("a pipe from ssh");
        let stderr = child.stderr.take().expect("a pipe from ssh");
        let send = async move {
            stdin.write_all(script.as_bytes()).await?;
            if let Some(file) = file {
                let mut file = tokio::fs::File::open(file).await?;
                tokio::io::copy(&mut file, &mut stdin).await?;
            }
            stdin.shutdown().await
        };
        // If ssh ends early its own words say more than the broken pipe.
        let (_, answer, words, status) = tokio::join!(send, all(stdout), all(stderr), child.wait());
        let status = status.map_err(|error| format!("ssh: {error}"))?;
        let mut lines: Vec<String> =
            answer.lines().filter_map(|line| line.strip_prefix(MARK)).map(String::from).collect();
        if status.success() {
            return Ok(lines);
        }
        if let Some(error) = lines.iter_mut().find_map(|line| line.strip_prefix("error ")) {
            return Err(error.to_string());
        }
        Err(match status.code() {
            Some(255) => unreachable(&words),
            _ => format!("the script ended with {status}: {}", last(&words)),
        })
    }
}

/// Everything that comes, within limits and without what moves the cursor.
async fn all(from: impl AsyncRead + Unpin) -> String {
    let mut bytes = Vec::new();
    // What was read until an error is what there is.
    let _ = from.take(LONGEST).read_to_end(&mut bytes).await;
    shown(&String::from_utf8_lossy(&bytes)).into_owned()
}

fn last(words: &str) -> &str {
    words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message").trim()
}

/// What ssh says, and what to do about it.
fn unreachable(words: &str) -> String {
    let told = last(words);
    let hint = if words.contains("Host key verification failed") {
        "connect once with `ssh` and compare the key, or put it into known_hosts"
    } else if words.contains("Permission denied") {
        "no key is accepted without a password: `ssh-copy-id`, or an agent"
    } else if words.contains("resolve") {
        "there is no such name; see the ssh config of this user"
    } else {
        "check that the machine is up and that `ssh` works"
    };
    format!("{told} ({hint})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_ssh_come_with_advice() {
        let text = unreachable("ann@lab: Permission denied (publickey).\r\n");
        assert!(text.contains("publickey") && text.contains("ssh-copy-id"), "{text}");
        let text = unreachable("Warning: x\n\nHost key verification failed.\n");
        assert!(text.starts_with("Host key") && text.contains("known_hosts"), "{text}");
        assert!(unreachable("").contains("machine is up"));
    }
}
