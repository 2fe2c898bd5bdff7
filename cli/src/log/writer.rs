//! The way to the log file: lines are queued and written by a thread of their own, so that a slow
//! disk never holds up a search. Lines that find the queue full are dropped, and counted in the log.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use super::LogFormat;
use super::rotate::Rotating;
use crate::words::{now_ms, utc};

/// Lines that may wait.
const QUEUE: usize = 8192;

/// Takes log lines; one write is one line.
#[derive(Clone)]
pub struct LogFile {
    lines: SyncSender<Option<Vec<u8>>>,
    dropped: Arc<AtomicU64>,
}

/// Waits for the lines that are queued when it is dropped.
pub struct Finish {
    lines: SyncSender<Option<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl LogFile {
    /// Starts the thread.
    pub fn start(file: Rotating, format: LogFormat) -> (Self, Finish) {
        Self::with_queue(file, format, QUEUE)
    }

    fn with_queue(mut file: Rotating, format: LogFormat, queue: usize) -> (Self, Finish) {
        let (lines, waiting) = sync_channel(queue);
        let dropped = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&dropped);
        let thread = std::thread::spawn(move || write_all(&mut file, format, &waiting, &counted));
        let finish = Finish { lines: lines.clone(), thread: Some(thread) };
        (Self { lines, dropped }, finish)
    }
}

impl Write for LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self.lines.try_send(Some(line.to_vec())) {
            Err(TrySendError::Full(_)) => {
                self.dropped.fetch_add(1, Relaxed);
            }
            // After the end nobody reads the log.
            Ok(()) | Err(TrySendError::Disconnected(_)) => {}
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Finish {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A thread that is gone has nothing left to write.
            let _ = self.lines.send(None);
            let _ = thread.join();
        }
    }
}

fn write_all(
    file: &mut Rotating,
    format: LogFormat,
    waiting: &Receiver<Option<Vec<u8>>>,
    dropped: &AtomicU64,
) {
    let mut lost = 0;
    let mut complained = false;
    while let Ok(Some(line)) = waiting.recv() {
        lost += dropped.swap(0, Relaxed);
        match tell(file, format, &mut lost).and_then(|()| file.line(&line)) {
            Ok(()) => complained = false,
            Err(error) => {
                lost += 1;
                // Once for each time of trouble: a full disk is no reason to fill the terminal.
                if !complained {
                    eprintln!("warning: the log file cannot be written: {error}");
                }
                complained = true;
            }
        }
    }
    lost += dropped.swap(0, Relaxed);
    // This was the last word: there is nobody to tell that it could not be said.
    let _ = tell(file, format, &mut lost);
}

/// Says in the log how many lines are missing here.
fn tell(file: &mut Rotating, format: LogFormat, lost: &mut u64) -> io::Result<()> {
    if *lost > 0 {
        let now = utc(now_ms());
        let line = match format {
            LogFormat::Human => format!("{now}  WARN log lines were dropped here dropped={lost}"),
            LogFormat::Json => serde_json::json!({
                "timestamp": now, "level": "WARN",
                "fields": { "message": "log lines were dropped here", "dropped": *lost },
            })
            .to_string(),
        };
        file.line(format!("{line}\n").as_bytes())?;
        *lost = 0;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_arrives_or_is_counted() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let file = Rotating::open(&path, 1 << 20, 1).unwrap();
        let (log, finish) = LogFile::with_queue(file, LogFormat::Json, 4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let mut log = log.clone();
                scope.spawn(move || (0..500).for_each(|_| log.write_all(b"a line\n").unwrap()));
            }
        });
        drop(finish);
        let text = std::fs::read_to_string(&path).unwrap();
        let arrived = text.lines().filter(|line| *line == "a line").count() as u64;
        let dropped: u64 = text
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter_map(|value| value["fields"]["dropped"].as_u64())
            .sum();
        assert_eq!(arrived + dropped, 2000);
    }
}
