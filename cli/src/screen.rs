//! Standard error, shared by the progress bar and the lines printed above it.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use hasami_sweep::text::shown;
use indicatif::ProgressBar;

static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// From here on lines are printed above this bar; `None`: there is no bar.
pub fn share_with(bar: Option<&ProgressBar>) {
    if let Ok(mut shown) = BAR.lock() {
        *shown = bar.cloned();
    }
}

/// Prints a line for the user.
pub fn say(line: &str) {
    // If standard error is closed, the line is lost.
    let _ = Stderr.write_all(format!("{}\n", shown(line)).as_bytes());
}

/// How long a line may take to be read before it is dropped.
const PATIENCE: Duration = Duration::from_secs(1);

/// As [`say`], at the end of the process: a blocked standard error must not delay the exit.
pub fn say_soon(line: String) {
    let (done, said) = channel();
    std::thread::spawn(move || {
        say(&line);
        // The caller may have stopped waiting.
        let _ = done.send(());
    });
    let _ = said.recv_timeout(PATIENCE);
}

/// Standard error; every write consists of whole lines.
#[derive(Clone, Copy, Default)]
pub struct Stderr;

impl Write for Stderr {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let bar = BAR.lock().ok().and_then(|bar| bar.clone());
        match bar {
            Some(bar) => bar.suspend(|| io::stderr().write_all(lines))?,
            None => io::stderr().write_all(lines)?,
        }
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
