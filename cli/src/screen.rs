//! Standard error, shared by the bar that shows progress and the lines that pass above it.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use indicatif::ProgressBar;

static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// From here on lines are printed above this bar; `None`: there is no bar any more.
pub fn share_with(bar: Option<&ProgressBar>) {
    if let Ok(mut shown) = BAR.lock() {
        *shown = bar.cloned();
    }
}

/// Prints a line that a person should read now.
pub fn say(line: &str) {
    // Where standard error is closed, nobody listens.
    let _ = Stderr.write_all(format!("{line}\n").as_bytes());
}

/// How long somebody may take to read a line before it is given up.
const PATIENCE: Duration = Duration::from_secs(1);

/// As [`say`], at the end of the process: whoever does not read our standard error must not keep us
/// from ending.
pub fn say_soon(line: String) {
    let (done, said) = channel();
    std::thread::spawn(move || {
        say(&line);
        // Nobody waits for it any more: fine.
        let _ = done.send(());
    });
    let _ = said.recv_timeout(PATIENCE);
}

/// Standard error; a write is whole lines.
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
