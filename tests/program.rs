//! The program as a user has it: words in; exit code, standard output and standard error out.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program in a fresh directory, which is gone at the end of the test.
pub struct Hasami {
    directory: TempDir,
    binary: PathBuf,
}

impl Default for Hasami {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasami {
    /// A fresh directory.
    ///
    /// # Panics
    /// When the program has not been built.
    #[must_use]
    pub fn new() -> Self {
        Self::of(binary())
    }

    /// Another program of the workspace in a fresh directory.
    ///
    /// # Panics
    /// When there is no space for a directory.
    #[must_use]
    pub fn of(binary: impl Into<PathBuf>) -> Self {
        let directory = tempfile::tempdir().expect("a directory for the test");
        Self { directory, binary: binary.into() }
    }

    /// Where a file of this name is, or would be.
    #[must_use]
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file into the directory.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).expect("a file of the test is written");
    }

    /// Reads a file of the directory.
    #[must_use]
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The command for a line of words, ready to start.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(line.split_whitespace().map(OsStr::new));
        self.settle(&mut command);
        command
    }

    /// The user of the tests has a home of their own, and no settings.
    pub(crate) fn settle(&self, command: &mut Command) {
        let set = std::env::vars_os().map(|(name, _)| name);
        for name in set.filter(|name| name.to_string_lossy().starts_with("HASAMI_")) {
            command.env_remove(name);
        }
        for name in ["RUST_LOG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        command.env("HOME", self.path("home")).current_dir(self.path(""));
    }

    /// Runs the program to its end with these variables set.
    #[must_use]
    pub fn run_in(&self, variables: &[(&str, &str)], line: &str) -> Run {
        let mut command = self.command(line);
        command.envs(variables.iter().copied());
        Run::new(line, command.output().expect("the program starts"))
    }

    /// Runs a line of a shell, where `hasami` is the program.
    #[must_use]
    pub fn shell(&self, line: &str) -> Run {
        let mut command = Command::new("sh");
        let mut path = self.binary.parent().unwrap_or(Path::new(".")).as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        command.args(["-c", line]).stdin(Stdio::null());
        self.settle(&mut command);
        command.env("PATH", path);
        Run::new(line, command.output().expect("a shell starts"))
    }

    /// Runs the program to its end.
    #[must_use]
    pub fn run(&self, line: &str) -> Run {
        let output = self.command(line).output().expect("the program starts");
        Run::new(line, output)
    }

    /// As [`Hasami::run`], with further words that may have spaces.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn run_words(&self, line: &str, words: &[String]) -> Run {
        let output = self.command(line).args(words).output().expect("the program starts");
        Run::new(line, output)
    }

    /// Runs the program to its end and well; the most memory that it had at a time, in MiB.
    ///
    /// # Panics
    /// When it ends otherwise.
    #[must_use]
    pub fn peak_mib(&self, line: &str) -> u64 {
        // A child's own figure begins with the size of whoever started it, and this process may be
        // large: a small one in between starts it.
        const SMALL: &str = "import resource, subprocess, sys\n\
            null = subprocess.DEVNULL\n\
            ran = subprocess.run(sys.argv[1:], stdin=null, stdout=null, stderr=null)\n\
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n\
            sys.exit(ran.returncode)";
        let asked = self.command(line);
        let mut command = Command::new("python3");
        command.args(["-c", SMALL]).arg(asked.get_program()).args(asked.get_args());
        command.current_dir(asked.get_current_dir().expect("the directory of the test"));
        for (name, value) in asked.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let output = command.output().expect("Python starts the program");
        assert!(output.status.success(), "{line}: {output:?}");
        let kib = String::from_utf8_lossy(&output.stdout).trim().parse::<u64>();
        kib.expect("a size in KiB") >> 10
    }

    /// Runs the program to its end with this on its standard input.
    #[must_use]
    pub fn run_with(&self, line: &str, input: &str) -> Run {
        let mut command = self.command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut pipe = child.stdin.take().expect("a pipe to standard input");
        // A program that ends early reads no further.
        let _ = pipe.write_all(input.as_bytes());
        drop(pipe);
        Run::new(line, child.wait_with_output().expect("the program ends"))
    }

    /// Runs the program where no file can grow beyond so many bytes, rounded down to blocks of
    /// 512. Writing more fails as it does on a full disk, and no privileges are needed.
    #[must_use]
    pub fn run_in_little_space(&self, bytes: u64, line: &str) -> Run {
        let mut command = Command::new("sh");
        let script = "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"";
        command.args(["-c", script, "sh", &(bytes / 512).to_string()]).arg(&self.binary);
        command.args(line.split_whitespace());
        self.settle(&mut command);
        Run::new(line, command.output().expect("a shell starts"))
    }

    /// Solves with a small table and expects a verdict; gives the answer in JSON.
    #[track_caller]
    pub fn solve(&self, line: &str) -> Value {
        self.run(&format!("solve {line} --table 1MiB --output json")).expect(0).json()
    }
}

/// The program lies beside the directory of the test executables, where `cargo build` puts it.
#[must_use]
pub fn binary() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test.parent().and_then(Path::parent).expect("deps/ in the build directory");
    let binary = profile.join(format!("hasami{}", std::env::consts::EXE_SUFFIX));
    assert!(
        binary.is_file(),
        "{} is missing: run `cargo build --release` before these tests",
        binary.display()
    );
    binary
}

/// How a run ended and what it said.
#[derive(Debug)]
pub struct Run {
    /// The words of the command line.
    pub line: String,
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    pub(crate) fn new(line: &str, output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Self {
            line: line.to_string(),
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Goes on only with this exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Goes on only if standard error says all of this.
    #[track_caller]
    pub fn complains(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} on standard error: {self:#?}");
        }
        self
    }

    /// Bad input or wrong usage: exit code 2, all of these words on standard error, and nothing on
    /// standard output.
    #[track_caller]
    pub fn is_bad_input(self, words: &[&str]) -> Self {
        let run = self.expect(2).complains(words);
        assert_eq!(run.stdout, "", "{}", run.line);
        run
    }

    /// Standard output as one JSON value.
    ///
    /// # Panics
    /// When it is anything else.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
