//! A part of a cluster as a process: its log goes to a file, so that a test that does not read
//! holds nobody up. It does not outlive the test.

use std::fs::{File, OpenOptions};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Hasami, Run};

/// Longer than anything takes that works at all, on the slowest machine.
const LIMIT: Duration = Duration::from_secs(240);

/// Asks again and again until there is an answer.
///
/// # Panics
/// When there is none for minutes: then there never will be.
#[track_caller]
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < LIMIT, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that is at work, or was.
pub struct Process {
    line: String,
    child: Child,
    out: PathBuf,
    log: PathBuf,
}

impl Hasami {
    /// Starts the program; `name` is that of its files. `before` are words in front of it, like
    /// those that enter a namespace.
    #[must_use]
    pub fn spawn(&self, name: &str, before: &[&str], line: &str) -> Process {
        let mut command = self.command_after(before, line);
        let (out, log) = (self.path(format!("{name}.out")), self.path(format!("{name}.log")));
        let stderr = OpenOptions::new().create(true).append(true).open(&log);
        command.stdin(Stdio::null());
        command.stdout(File::create(&out).expect("a file for standard output"));
        command.stderr(stderr.expect("a file for the log"));
        let child = command.spawn().expect("the program starts");
        Process { line: line.to_string(), child, out, log }
    }

    /// Runs the program to its end, which must come.
    #[must_use]
    pub fn run_after(&self, before: &[&str], line: &str) -> Run {
        let limit = LIMIT.as_secs().to_string();
        let words = [before, &["timeout", "-k", "5", &limit]].concat();
        let output = self.command_after(&words, line).output().expect("the program starts");
        Run::new(line, output)
    }

    fn command_after(&self, before: &[&str], line: &str) -> Command {
        let plain = self.command(line);
        let Some((first, rest)) = before.split_first() else { return plain };
        let mut command = Command::new(first);
        command.args(rest).arg(plain.get_program()).args(plain.get_args());
        self.settle(&mut command);
        command
    }
}

impl Process {
    /// Everything in its log so far, also that of earlier ones of this name.
    #[must_use]
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned()
    }

    /// Its standard output so far.
    #[must_use]
    pub fn out(&self) -> String {
        std::fs::read_to_string(&self.out).unwrap_or_default()
    }

    /// Waits until its log says this.
    ///
    /// # Panics
    /// When the process ends without saying it.
    #[track_caller]
    pub fn wait_for(&mut self, words: &str) {
        until(words, || {
            let ended = self.ended();
            let said = self.log().contains(words);
            assert!(
                said || ended.is_none(),
                "{}: {ended:?} without {words:?}: {}",
                self.line,
                self.log()
            );
            said.then_some(())
        });
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("the process can be asked")
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(mut self) -> Run {
        let status = until(&format!("the end of {}", self.line), || self.ended());
        let (stdout, stderr) = (self.out().into_bytes(), self.log().into_bytes());
        Run::new(&self.line, std::process::Output { status, stdout, stderr })
    }

    /// Sends a signal by its name: `INT`, `KILL`, `STOP`, `CONT`.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status().expect("kill starts");
        assert!(status.success(), "kill -s {name} {id}: {status}");
    }

    /// The most memory that it has had, in MiB.
    #[must_use]
    pub fn peak_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("the process is there");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let words = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
        words.expect("a size in KiB") / 1024
    }

    /// Ends it as a power cut would.
    pub fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is waited for");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
