//! Where checkpoints may be made: clients name them, so only under one directory that the owner of
//! the coordinator has chosen.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Component, Path, PathBuf};

use hasami_proto::limits;
use hasami_sweep::text::{is_shown, line};

/// Only the owner can enter: a checkpoint has everything that the data directory has.
const MODE: u32 = 0o700;

/// Makes the empty directory of a checkpoint under `base`; returns its path. A relative name is
/// relative to `base`, an absolute one must lie in it. Nothing that exists is used or followed.
///
/// # Errors
/// If the name leads elsewhere, or to something that exists.
pub fn make(base: &Path, name: &str) -> Result<PathBuf, String> {
    let shown = line(name, limits::QUOTED);
    if name.is_empty() || name.len() > limits::CHECKPOINT || !name.chars().all(is_shown) {
        return Err(format!(
            "checkpoint {shown:?}: expected a name of 1 to {} bytes that can be shown",
            limits::CHECKPOINT
        ));
    }
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let build = |path: &Path| DirBuilder::new().mode(MODE).create(path);
    DirBuilder::new().recursive(true).mode(MODE).create(base).map_err(|error| at(base, error))?;
    let real = base.canonicalize().map_err(|error| at(base, error))?;
    let outside = || {
        format!(
            "checkpoint {shown}: this coordinator makes them under {} only; give a name in it, or \
             start the coordinator with --checkpoints DIR",
            real.display()
        )
    };
    let asked = Path::new(name);
    let below = match asked.is_absolute() {
        false => asked,
        true => asked
            .strip_prefix(&real)
            .or_else(|_| asked.strip_prefix(base))
            .map_err(|_| outside())?,
    };
    let mut names = Vec::new();
    for component in below.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => return Err(outside()),
        }
    }
    let Some((last, parents)) = names.split_last() else { return Err(outside()) };
    let mut path = real.clone();
    for parent in parents {
        path.push(parent);
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(format!("{}: it is no directory", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                build(&path).map_err(|error| at(&path, error))?;
            }
            Err(error) => return Err(at(&path, error)),
        }
    }
    path.push(last);
    match build(&path) {
        Ok(()) => Ok(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(format!("{}: it exists already", path.display()))
        }
        Err(error) => Err(at(&path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_made_below_its_directory_and_nowhere_else() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().canonicalize().unwrap();
        let base = root.join("checkpoints");
        assert_eq!(make(&base, "monday").unwrap(), base.join("monday"));
        assert_eq!(make(&base, "./2026/june").unwrap(), base.join("2026/june"));
        let absolute = base.join("tuesday").display().to_string();
        assert_eq!(make(&base, &absolute).unwrap(), base.join("tuesday"));
        std::os::unix::fs::symlink(&root, base.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("made"), base.join("dangling")).unwrap();
        std::fs::write(base.join("file"), "").unwrap();
        let beside = format!("{}-beside/x", base.display());
        for wrong in [
            "",
            ".",
            "..",
            "../out",
            "a/../../out",
            "/",
            "/tmp",
            "monday",
            "link",
            "link/out",
            "dangling",
            "dangling/out",
            "file",
            "file/out",
            "a\0b",
            "a\x1b[2J",
            "a\nb",
            &"x".repeat(1025),
            &beside,
        ] {
            let error = make(&base, wrong).unwrap_err();
            assert!(error.chars().all(is_shown), "{error:?}");
        }
        let mut names: Vec<_> =
            std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["checkpoints"], "nothing was made elsewhere");
    }
}
