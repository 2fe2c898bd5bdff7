//! All files of a directory at one moment, to see that nothing has changed.

use std::collections::BTreeMap;
use std::path::Path;

/// Names and contents.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The files of a directory that has no directories in it.
#[must_use]
pub fn files(directory: &Path) -> Files {
    let place = directory.display();
    let entries = std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{place}: {error}"));
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Ok((name, std::fs::read(entry.path())?))
    };
    let all: std::io::Result<Files> = entries.map(file).collect();
    all.unwrap_or_else(|error| panic!("{place}: {error}"))
}
