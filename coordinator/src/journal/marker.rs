//! A note outside RocksDB of what the journal has held. RocksDB takes a list of its files that was
//! cut short for a shorter history, and a missing one for a new database; without this note the
//! coordinator would start with fewer runs, or none, and say nothing.

use std::io;
use std::path::{Path, PathBuf};

use super::FORMAT;

/// What the journal had when the note was written. All but `runs` only rise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// Tells one journal from another.
    pub id: u64,
    pub epoch: u64,
    pub last_run: u64,
    /// For people.
    pub runs: u64,
}

impl Marker {
    /// Where the note of a journal is: beside its directory.
    pub fn file(journal: &Path) -> PathBuf {
        journal.with_extension("marker")
    }

    /// Reads the note; `None` if there is none.
    pub fn read(journal: &Path) -> io::Result<Option<Self>> {
        let text = match std::fs::read_to_string(Self::file(journal)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let wrong =
            || io::Error::new(io::ErrorKind::InvalidData, "it is not the note of a journal");
        Self::parse(&text).map(Some).ok_or_else(wrong)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        lines.next()?.strip_prefix("hasami-journal ")?;
        let mut number = |name: &str, radix| {
            let value = lines.next()?.strip_prefix(name)?.strip_prefix(' ')?;
            u64::from_str_radix(value, radix).ok()
        };
        Some(Self {
            id: number("id", 16)?,
            epoch: number("epoch", 10)?,
            last_run: number("last-run", 10)?,
            runs: number("runs", 10)?,
        })
    }

    fn text(&self) -> String {
        let Self { id, epoch, last_run, runs } = self;
        format!("{FORMAT}\nid {id:016x}\nepoch {epoch}\nlast-run {last_run}\nruns {runs}\n")
    }

    /// Writes the note; it is on disk when this returns. Always after the journal itself, so that
    /// the journal is never behind its note.
    pub fn write(&self, journal: &Path) -> io::Result<()> {
        hasami_files::write_whole(&Self::file(journal), self.text().as_bytes())
    }

    /// What a journal with these numbers lacks; `None` if nothing.
    pub fn missing(&self, id: u64, epoch: u64, last_run: u64) -> Option<String> {
        if id != self.id {
            Some(format!("it is another journal than before (id {id:016x}, not {:016x})", self.id))
        } else if epoch < self.epoch {
            Some(format!("it is from start {epoch}, but there were {}", self.epoch))
        } else if last_run < self.last_run {
            Some(format!("its last run is {last_run}, but there was a run {}", self.last_run))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_as_it_was_written_and_nothing_else_is_taken_for_one() {
        let directory = tempfile::tempdir().unwrap();
        let journal = directory.path().join("journal");
        assert_eq!(Marker::read(&journal).unwrap(), None);
        let marker = Marker { id: 0xab, epoch: 3, last_run: 12, runs: 9 };
        marker.write(&journal).unwrap();
        assert_eq!(Marker::read(&journal).unwrap().as_ref(), Some(&marker));
        let text = marker.text();
        for cut in 0..text.len() - 1 {
            std::fs::write(Marker::file(&journal), &text[..cut]).unwrap();
            let read = Marker::read(&journal);
            assert!(!matches!(&read, Ok(Some(found)) if *found == marker), "{cut}: {read:?}");
        }
    }

    #[test]
    fn only_less_than_before_is_missing() {
        let marker = Marker { id: 1, epoch: 3, last_run: 12, runs: 9 };
        assert_eq!(marker.missing(1, 3, 12), None);
        assert_eq!(marker.missing(1, 4, 13), None);
        assert!(marker.missing(2, 3, 12).unwrap().contains("another journal"));
        assert!(marker.missing(1, 2, 12).unwrap().contains("start 2"));
        assert!(marker.missing(1, 3, 11).unwrap().contains("run 12"));
    }
}
