//! The directory that all nodes see. Nodes read the program and the access file from it.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The directory, with its parts.
#[derive(Clone, Debug)]
pub struct Place {
    pub directory: PathBuf,
}

impl Place {
    /// Makes the directory if it is missing; only its owner can enter it.
    pub fn make(directory: &Path) -> Result<Self, Failure> {
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(|error| Failure::reading(directory, &error))?;
        Self::find(directory)
    }

    /// A directory that is there.
    pub fn find(directory: &Path) -> Result<Self, Failure> {
        let whole =
            directory.canonicalize().map_err(|error| Failure::reading(directory, &error))?;
        // Its name stands in lines that Slurm reads, where these have a meaning.
        let strange =
            |sign: char| sign.is_whitespace() || sign.is_control() || "%\\\"'#$`".contains(sign);
        match whole.to_str() {
            Some(text) if !text.contains(strange) => Ok(Self { directory: whole }),
            _ => Err(Failure::Usage(format!(
                "--directory {}: expected a path without spaces and % \\ \" ' # $ `",
                whole.display()
            ))),
        }
    }

    pub fn script(&self) -> PathBuf {
        self.directory.join("job.sh")
    }

    pub fn access(&self) -> PathBuf {
        self.directory.join("access.json")
    }

    /// Puts the program there under this name, unless it is there.
    pub fn program(&self, from: &Path, name: &str) -> Result<PathBuf, Failure> {
        let to = self.directory.join(name);
        if !to.exists() {
            let part = self.directory.join(format!("{name}.part"));
            let copied = std::fs::copy(from, &part)
                .and_then(|_| std::fs::set_permissions(&part, PermissionsExt::from_mode(0o755)))
                .and_then(|()| std::fs::rename(&part, &to));
            copied.map_err(|error| Failure::Failed(format!("{}: {error}", to.display())))?;
        }
        Ok(to)
    }

    /// Removes what was put there, and logs; other files stay.
    pub fn remove(&self, job: &str) -> Result<(), Failure> {
        let failed = |error| Failure::Failed(format!("{}: {error}", self.directory.display()));
        for entry in std::fs::read_dir(&self.directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let ours = matches!(&*name, "job.sh" | "access.json")
                || name.starts_with("bin-")
                || (name.starts_with(&format!("{job}-")) && name.ends_with(".log"));
            if ours {
                std::fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
        // Where something else is in it, it stays.
        let _ = std::fs::remove_dir(&self.directory);
        Ok(())
    }
}
