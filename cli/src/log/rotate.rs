//! A file that is replaced by a new one when it has grown: `log`, `log.1`, `log.2`, the oldest
//! last.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A log file that rotates by size.
pub struct Rotating {
    path: PathBuf,
    file: File,
    written: u64,
    most: u64,
    keep: u16,
}

impl Rotating {
    /// Goes on with the file, or makes it. It rotates before it would pass `most` bytes; `keep` old
    /// files stay.
    pub fn open(path: &Path, most: u64, keep: u16) -> io::Result<Self> {
        if let Some(directory) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::create_dir_all(directory)?;
        }
        let file = append_to(path)?;
        let written = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file, written, most, keep })
    }

    /// Writes one complete line into one file.
    pub fn line(&mut self, line: &[u8]) -> io::Result<()> {
        if self.written > 0 && self.written + line.len() as u64 > self.most {
            self.rotate()?;
        }
        self.file.write_all(line)?;
        self.written += line.len() as u64;
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        for age in (1..=self.keep).rev() {
            let younger = if age == 1 { self.path.clone() } else { self.old(age - 1) };
            match std::fs::rename(younger, self.old(age)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        if self.keep == 0 {
            std::fs::remove_file(&self.path)?;
        }
        self.file = append_to(&self.path)?;
        self.written = 0;
        Ok(())
    }

    fn old(&self, age: u16) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{age}"));
        name.into()
    }
}

fn append_to(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_newest_lines_stay_and_every_line_is_whole() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep").join("log");
        let mut log = Rotating::open(&path, 20, 2).unwrap();
        for number in 0..10 {
            log.line(format!("line {number}\n").as_bytes()).unwrap();
        }
        // Seven bytes a line: two fit into a file.
        let read = |name: &str| std::fs::read_to_string(path.with_file_name(name)).unwrap();
        assert_eq!(read("log"), "line 8\nline 9\n");
        assert_eq!(read("log.1"), "line 6\nline 7\n");
        assert_eq!(read("log.2"), "line 4\nline 5\n");
        assert_eq!(names(path.parent().unwrap()), ["log", "log.1", "log.2"]);
    }

    #[test]
    fn a_file_that_was_there_is_continued_and_none_need_be_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        for _ in 0..2 {
            Rotating::open(&path, 20, 0).unwrap().line(b"12345678\n").unwrap();
        }
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 18);
        Rotating::open(&path, 20, 0).unwrap().line(b"12345678\n").unwrap();
        assert_eq!(names(directory.path()), ["log"]);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 9);
    }

    #[test]
    fn a_line_longer_than_a_file_is_written_all_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let mut log = Rotating::open(&path, 4, 1).unwrap();
        log.line(b"much too long\n").unwrap();
        log.line(b"again\n").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"again\n");
    }
}
