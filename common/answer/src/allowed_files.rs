//! Which files a question may name. A sweep comes from somebody else: its paths are opened only
//! under directories that the owner of this process has allowed.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use hasami_spec::{Params, Question};

use crate::JobError;

/// The directories under which questions may name files.
#[derive(Clone, Debug, Default)]
pub struct AllowedFiles {
    /// Absolute, without symbolic links.
    directories: Vec<PathBuf>,
}

impl AllowedFiles {
    /// Allows what is under these directories, which must be there.
    ///
    /// # Errors
    /// The first one that is no directory, with the reason.
    pub fn under(directories: &[PathBuf]) -> Result<Self, (PathBuf, std::io::Error)> {
        let resolve = |path: &PathBuf| {
            let found = path.canonicalize().and_then(|found| {
                if found.is_dir() { Ok(found) } else { Err(ErrorKind::NotADirectory.into()) }
            });
            found.map_err(|error| (path.clone(), error))
        };
        let directories = directories.iter().map(resolve).collect::<Result<_, _>>()?;
        Ok(Self { directories })
    }

    /// Checks every file and directory that a question names, before any is opened.
    ///
    /// # Errors
    /// If one is not allowed: the question asks for what this process does not do.
    pub fn check(&self, question: &Question) -> Result<(), JobError> {
        // A question that cannot be read fails where it is answered, with a better message.
        let Ok(entry) = crate::entry(&question.problem) else { return Ok(()) };
        let Ok(params) = Params::new(entry.spec.params, &question.params) else { return Ok(()) };
        for file in entry.spec.files(&params) {
            self.check_path(Path::new(&file)).map_err(|why| {
                JobError::Question(format!(
                    "{}: {file}: {why}; its owner allows directories with --allow-files",
                    question.problem
                ))
            })?;
        }
        Ok(())
    }

    fn check_path(&self, path: &Path) -> Result<(), String> {
        let resolved = resolved(path)?;
        if !self.directories.iter().any(|allowed| resolved.starts_with(allowed)) {
            return Err("not under a directory that is allowed here".to_string());
        }
        match resolved.metadata() {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                Err("neither a file nor a directory".to_string())
            }
            _ => Ok(()),
        }
    }
}

/// The path without symbolic links. The end of it may not exist yet; it has no `..` then.
fn resolved(path: &Path) -> Result<PathBuf, String> {
    let absolute = std::path::absolute(path).map_err(|error| error.to_string())?;
    let mut there = absolute.as_path();
    loop {
        match there.canonicalize() {
            Ok(found) => {
                let rest = absolute.strip_prefix(there).unwrap_or(Path::new(""));
                let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
                return if rest.components().all(plain) {
                    // Joining nothing would add a slash, which only a directory may have.
                    Ok(if rest.as_os_str().is_empty() { found } else { found.join(rest) })
                } else {
                    Err("a path with .. below a directory that is not there".to_string())
                };
            }
            // A link that leads nowhere yet is there: what it leads to could appear.
            Err(error) if error.kind() == ErrorKind::NotFound && !there.is_symlink() => {
                there = there.parent().ok_or("no such path")?;
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use hasami_spec::SearchSettings;

    use super::*;

    /// A directory `allowed` with a file in it, and a directory `other` beside it.
    fn place() -> (tempfile::TempDir, AllowedFiles) {
        let place = tempfile::tempdir().unwrap();
        for name in ["allowed", "other"] {
            std::fs::create_dir(place.path().join(name)).unwrap();
            std::fs::write(place.path().join(name).join("file"), "x").unwrap();
        }
        let allowed = AllowedFiles::under(&[place.path().join("allowed")]).unwrap();
        (place, allowed)
    }

    fn check(allowed: &AllowedFiles, place: &Path, path: &str) -> Result<(), String> {
        allowed.check_path(&place.join(path))
    }

    #[test]
    fn what_is_under_an_allowed_directory_may_be_named_also_before_it_is_there() {
        let (place, allowed) = place();
        for path in
            ["allowed", "allowed/", "allowed/file", "allowed/new/deep", "other/../allowed/x"]
        {
            assert_eq!(check(&allowed, place.path(), path), Ok(()), "{path}");
        }
    }

    #[test]
    fn nothing_leads_out_of_it() {
        let (place, allowed) = place();
        symlink(place.path().join("other"), place.path().join("allowed/link")).unwrap();
        symlink(place.path().join("other/new"), place.path().join("allowed/dangling")).unwrap();
        for path in [
            "other/file",
            "",
            "allowed/../other/file",
            "allowed/link/file",
            "allowed/link/new",
            "allowed/dangling",
            "allowed/dangling/below",
            "allowed/new/../../other/file",
            "allowedly",
        ] {
            assert!(check(&allowed, place.path(), path).is_err(), "{path}");
        }
        assert!(AllowedFiles::default().check_path(Path::new("/etc/passwd")).is_err());
    }

    #[test]
    fn pipes_and_sockets_are_no_files() {
        let (place, allowed) = place();
        let socket = place.path().join("allowed/socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let refused = allowed.check_path(&socket).unwrap_err();
        assert_eq!(refused, "neither a file nor a directory");
    }

    #[test]
    fn files_are_found_in_every_parameter_that_names_one() {
        let (place, allowed) = place();
        let other = place.path().join("other/file").display().to_string();
        let question = |problem: &str, words: &[(&str, &str)]| Question {
            problem: problem.to_string(),
            params: words.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
            search: SearchSettings::default(),
        };
        let rules = format!("database={other}");
        let two = format!("{};{other}", place.path().join("allowed/file").display());
        for asked in [
            question("mancala", &[("database", &other)]),
            question(
                "mancala-database",
                &[
                    ("pits", "2"),
                    ("seeds", "2"),
                    ("directory", &other),
                    ("slices", "1"),
                    ("stage", "0"),
                    ("slice", "0"),
                ],
            ),
            question("puzzles", &[("game", "mancala"), ("rules", &rules)]),
            question("puzzles", &[("game", "pyonpyon"), ("database", &two)]),
        ] {
            let error = allowed.check(&asked).unwrap_err();
            assert!(error.permanent() && error.to_string().contains(&other), "{error}");
        }
        for asked in [
            question("mancala", &[]),
            question("puzzles", &[("game", "quarto")]),
            question("chomp", &[("rows", "3")]),
        ] {
            assert_eq!(allowed.check(&asked), Ok(()), "{}", asked.spelled());
        }
    }

    #[test]
    fn a_directory_that_is_not_there_cannot_be_allowed() {
        let (place, _) = place();
        let file = place.path().join("allowed/file");
        assert_eq!(AllowedFiles::under(std::slice::from_ref(&file)).unwrap_err().0, file);
        assert!(AllowedFiles::under(&[place.path().join("missing")]).is_err());
    }
}
