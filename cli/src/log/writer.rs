//! The log writer: lines are queued and written by a separate thread, so that neither a slow disk
//! nor a blocked standard error delays the work. Lines that do not fit into the queue are dropped,
//! and counted in the log.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel,
};
use std::time::{Duration, Instant};

use hasami_sweep::text::shown;

use super::LogFormat;
use super::rotate::Rotating;
use crate::screen::Stderr;
use crate::words::{now_ms, utc};

/// Capacity of the queue, in lines.
const QUEUE: usize = 8192;
/// At the end, lines that cannot be written within this time are dropped.
const PATIENCE: Duration = Duration::from_secs(2);

/// The destination of lines.
pub trait Place: Send {
    /// Writes one complete line.
    fn line(&mut self, line: &[u8]) -> io::Result<()>;

    /// The message when writing fails, once per outage.
    fn complain(&self, _: &io::Error) {}
}

impl Place for Rotating {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        Rotating::line(self, line)
    }

    fn complain(&self, error: &io::Error) {
        eprintln!("warning: the log file cannot be written: {error}");
    }
}

impl Place for Stderr {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        self.write_all(line)
    }
}

enum Message {
    Line(Vec<u8>),
    /// Acknowledged once all earlier lines are written.
    Written(Sender<()>),
}

/// Takes log lines; one write is one line.
#[derive(Clone)]
pub struct Lines {
    queue: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
    /// Lines cannot be written: waiting once is enough.
    stuck: Arc<AtomicBool>,
    format: LogFormat,
}

impl Lines {
    /// Starts the thread.
    pub fn start(place: impl Place + 'static, format: LogFormat) -> Self {
        Self::with_queue(place, format, QUEUE)
    }

    fn with_queue(mut place: impl Place + 'static, format: LogFormat, queue: usize) -> Self {
        let (queue, waiting) = sync_channel(queue);
        let dropped = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&dropped);
        std::thread::spawn(move || write_all(&mut place, format, &waiting, &counted));
        Self { queue, dropped, stuck: Arc::default(), format }
    }

    /// Waits until the queued lines are written, or the time limit has passed.
    pub fn finish(&self) {
        if self.stuck.load(Relaxed) {
            return;
        }
        let end = Instant::now() + PATIENCE;
        let (tell, told) = channel();
        let mut message = Message::Written(tell);
        while let Err(TrySendError::Full(back)) = self.queue.try_send(message) {
            if Instant::now() > end {
                self.stuck.store(true, Relaxed);
                return;
            }
            message = back;
            std::thread::sleep(Duration::from_millis(1));
        }
        let left = end.saturating_duration_since(Instant::now());
        // A thread that has ended has nothing left to write.
        if told.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
            self.stuck.store(true, Relaxed);
        }
    }
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let shown = match self.format {
            // Made fit field by field; the rest may be colours.
            LogFormat::Human => line.to_vec(),
            LogFormat::Json => shown(&String::from_utf8_lossy(line)).into_owned().into_bytes(),
        };
        match self.queue.try_send(Message::Line(shown)) {
            Err(TrySendError::Full(_)) => {
                self.dropped.fetch_add(1, Relaxed);
            }
            // The log is no longer written after the end.
            Ok(()) | Err(TrySendError::Disconnected(_)) => {}
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_all(
    place: &mut dyn Place,
    format: LogFormat,
    waiting: &Receiver<Message>,
    dropped: &AtomicU64,
) {
    let mut lost = 0;
    let mut complained = false;
    while let Ok(message) = waiting.recv() {
        lost += dropped.swap(0, Relaxed);
        let (line, written) = match message {
            Message::Line(line) => (line, None),
            Message::Written(tell) => (Vec::new(), Some(tell)),
        };
        match tell(place, format, &mut lost).and_then(|()| place.line(&line)) {
            Ok(()) => complained = false,
            Err(error) => {
                lost += u64::from(written.is_none());
                // A full disk must not fill the terminal.
                if !complained {
                    place.complain(&error);
                }
                complained = true;
            }
        }
        if let Some(written) = written {
            // The caller may have stopped waiting.
            let _ = written.send(());
        }
    }
}

/// Logs how many lines are missing here.
fn tell(place: &mut dyn Place, format: LogFormat, lost: &mut u64) -> io::Result<()> {
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
        place.line(format!("{line}\n").as_bytes())?;
        *lost = 0;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that arrived, and the sum of those that the log says are missing.
    fn count(text: &str) -> (u64, u64) {
        let arrived = text.lines().filter(|line| *line == "a line").count() as u64;
        let dropped = text
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter_map(|value| value["fields"]["dropped"].as_u64())
            .sum();
        (arrived, dropped)
    }

    #[test]
    fn every_line_arrives_or_is_counted() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let file = Rotating::open(&path, 1 << 20, 1).unwrap();
        let log = Lines::with_queue(file, LogFormat::Json, 4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let mut log = log.clone();
                scope.spawn(move || (0..500).for_each(|_| log.write_all(b"a line\n").unwrap()));
            }
        });
        log.finish();
        let (arrived, dropped) = count(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(arrived + dropped, 2000);
    }

    #[test]
    fn a_reader_who_does_not_read_holds_nobody_up() {
        struct Stuck(Receiver<()>, Sender<Vec<u8>>);
        impl Place for Stuck {
            fn line(&mut self, line: &[u8]) -> io::Result<()> {
                let _ = self.0.recv();
                self.1.send(line.to_vec()).map_err(io::Error::other)
            }
        }
        let ((go, wait), (out, text)) = (channel(), channel());
        let mut log = Lines::with_queue(Stuck(wait, out), LogFormat::Json, 10);
        // More than the queue holds, and no reader: every one of these returns.
        (0..100).for_each(|_| log.write_all(b"a line\n").unwrap());
        drop(go);
        log.finish();
        let text: Vec<u8> = text.try_iter().flatten().collect();
        let (arrived, dropped) = count(std::str::from_utf8(&text).unwrap());
        assert!(dropped > 0 && arrived >= 10, "{arrived} arrived, {dropped} dropped");
        assert_eq!(arrived + dropped, 100);
    }
}
