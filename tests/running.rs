//! A program that is still at work: its log as it comes, and signals. It does not outlive the test.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, Command, Output, Stdio};

use crate::program::{Hasami, Run};

/// A program that was started and has not been waited for.
pub struct Running {
    line: String,
    child: Child,
    log: BufReader<ChildStderr>,
    said: String,
}

impl Hasami {
    /// Starts the program and leaves it at work.
    #[must_use]
    pub fn start(&self, line: &str) -> Running {
        let mut command = self.command(line);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let log = BufReader::new(child.stderr.take().expect("a pipe from standard error"));
        Running { line: line.to_string(), child, log, said: String::new() }
    }
}

impl Running {
    /// Waits until the log says this.
    ///
    /// # Panics
    /// When the program ends without saying it.
    #[track_caller]
    pub fn wait_for(&mut self, words: &str) {
        loop {
            let before = self.said.len();
            self.log.read_line(&mut self.said).expect("the log can be read");
            let line = &self.said[before..];
            assert!(!line.is_empty(), "{}: ended without {words:?}: {}", self.line, self.said);
            if line.contains(words) {
                return;
            }
        }
    }

    /// Sends a signal by its name: `INT`, `KILL`.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status().expect("kill starts");
        assert!(status.success(), "kill -s {name} {id}: {status}");
    }

    /// Waits for the end. The answer is short: it fits into the pipe while the log is read.
    pub fn finish(mut self) -> (Run, Option<i32>) {
        self.log.read_to_string(&mut self.said).expect("the log can be read");
        let mut stdout = Vec::new();
        let mut pipe = self.child.stdout.take().expect("a pipe from standard output");
        pipe.read_to_end(&mut stdout).expect("the answer can be read");
        let status = self.child.wait().expect("the program is waited for");
        let stderr = std::mem::take(&mut self.said).into_bytes();
        (Run::new(&self.line, Output { status, stdout, stderr }), status.signal())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
