//! The latest log lines, for the page.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use hasami_page::LogLine;
use hasami_sweep::text;

/// Lines that are kept.
const KEPT: usize = 4096;
/// The longest line.
const LONGEST: usize = 2048;

/// The latest log lines. Clones share them.
#[derive(Clone, Default)]
pub struct LogLines(Arc<Inner>);

#[derive(Default)]
struct Inner {
    lines: Mutex<VecDeque<LogLine>>,
    count: AtomicU64,
}

impl LogLines {
    /// Adds a line, and drops the oldest if there are many.
    pub fn push(&self, time_ms: u64, level: &'static str, line: &str) {
        let line = LogLine { time_ms, level, text: text::line(line, LONGEST) };
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
        self.0.count.fetch_add(1, Relaxed);
    }

    /// How many lines there have been: changes when there is a new one.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.count.load(Relaxed)
    }

    /// The latest lines with all these words and this level or a more serious one, newest first;
    /// and how many are kept.
    #[must_use]
    pub fn latest(&self, words: &str, level: &str, most: usize) -> (Vec<LogLine>, usize) {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let levels: &[&str] = match level {
            "ERROR" => &["ERROR"],
            "WARN" => &["ERROR", "WARN"],
            _ => &["ERROR", "WARN", "INFO", "DEBUG", "TRACE"],
        };
        let lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |line: &&LogLine| {
            let text = line.text.to_lowercase();
            levels.contains(&line.level) && words.iter().all(|word| text.contains(word))
        };
        (lines.iter().rev().filter(fits).take(most).cloned().collect(), lines.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_latest_lines_stay_and_are_found_by_words_and_level() {
        let lines = LogLines::default();
        for number in 0..KEPT + 10 {
            let level = if number % 100 == 0 { "WARN" } else { "INFO" };
            lines.push(number as u64, level, &format!("Item {number} settled\n\u{1b}[2J"));
        }
        let (latest, kept) = lines.latest("", "", 5);
        assert_eq!((latest.len(), kept, latest[0].time_ms), (5, KEPT, KEPT as u64 + 9));
        assert!(!latest[0].text.contains(['\n', '\u{1b}']), "{:?}", latest[0].text);
        let (found, _) = lines.latest("item 4100 SETTLED", "WARN", 5);
        assert_eq!(found.len(), 1);
        assert_eq!(lines.latest("4101", "WARN", 5).0.len(), 0);
    }
}
