//! Where certificates go.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Finds out before the search whether a file can be written where the option `name` wants it.
pub fn prepare_place(name: &str, file: &Path) -> Result<(), Failure> {
    let refuse = |what: String| {
        Failure::Usage(format!(
            "{name} {}: {what}; expected a file that can be written",
            file.display()
        ))
    };
    if file.is_dir() {
        return Err(refuse("this is a directory".to_string()));
    }
    match file.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        None => Ok(()),
        Some(directory) => std::fs::create_dir_all(directory)
            .map_err(|error| refuse(format!("no directory {}: {error}", directory.display()))),
    }
}

/// Where certificates go when nobody says where.
pub fn default_place(file_name: &str) -> PathBuf {
    Path::new("hasami-data").join("certificates").join(file_name)
}
