//! Removes files of certificates that no answer refers to.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use hasami_sweep::Certificate;

use crate::certificates::{PREFIX, key};
use crate::objects::{ObjectError, Objects};

/// The names that the file of a certificate may have: by its digest, or, from earlier releases, as
/// its maker called it.
#[must_use]
pub fn file_names(certificate: &Certificate) -> [String; 2] {
    [certificate.file_name(), certificate.name.clone()]
}

/// What was removed, or would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Files.
    pub files: u64,
    /// Their length.
    pub bytes: u64,
    /// Files that stay, because an answer that refers to them may be on its way.
    pub young: u64,
}

/// Removes the files of a directory that are not `kept` and have not changed since `before`. Hidden
/// files are drafts of uploads and stay. With `dry_run` all stay.
///
/// # Errors
/// If the directory cannot be read, or a file cannot be removed.
pub fn collect(
    directory: &Path,
    kept: &HashSet<String>,
    before: SystemTime,
    dry_run: bool,
) -> io::Result<Collected> {
    let mut found = Collected::default();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let about = entry.metadata()?;
        if !about.is_file() || kept.contains(name) {
            continue;
        }
        if about.modified()? >= before {
            found.young += 1;
            continue;
        }
        found.files += 1;
        found.bytes += about.len();
        if !dry_run {
            std::fs::remove_file(entry.path())?;
        }
    }
    if found.files > 0 && !dry_run {
        hasami_files::sync(directory)?;
    }
    Ok(found)
}

/// The same in an object store. `still` is asked before each removal whether this coordinator still
/// leads: one that was deposed must not remove what the next one relies on.
///
/// # Errors
/// If the store fails, or `still` does.
pub fn collect_objects<E: From<ObjectError>>(
    objects: &Objects,
    kept: &HashSet<String>,
    before: SystemTime,
    dry_run: bool,
    still: impl Fn() -> Result<(), E>,
) -> Result<Collected, E> {
    let mut found = Collected::default();
    for one in objects.list(PREFIX)? {
        if kept.contains(&one.name) {
            continue;
        }
        if one.modified >= before {
            found.young += 1;
            continue;
        }
        found.files += 1;
        found.bytes += one.bytes;
        if !dry_run {
            still()?;
            objects.remove(&key(&one.name))?;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_old_files_that_no_answer_names_go() {
        let directory = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for (name, hours) in [("kept", 9), ("gone", 9), ("young", 0), (".draft", 9)] {
            let path = directory.path().join(name);
            std::fs::write(&path, name).unwrap();
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(now - Duration::from_secs(3600 * hours)).unwrap();
        }
        let kept = HashSet::from(["kept".to_string()]);
        let before = now - Duration::from_secs(60);
        let expected = Collected { files: 1, bytes: 4, young: 1 };
        let there = || {
            let names = std::fs::read_dir(directory.path()).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(collect(directory.path(), &kept, before, true).unwrap(), expected);
        assert_eq!(there().len(), 4, "nothing goes in a trial");
        assert_eq!(collect(directory.path(), &kept, before, false).unwrap(), expected);
        assert_eq!(there(), [".draft", "kept", "young"].map(String::from).into());
    }
}
