//! Disks that fail, clocks that jump, and power that is cut between a write and its sync: a small
//! library put before the system's calls, which does what files in a directory tell it to.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::program::Hasami;

/// Faults of the processes that are started with [`Faults::before`].
pub struct Faults {
    directory: PathBuf,
}

impl Faults {
    /// None yet; `name` tells those of several processes apart.
    #[must_use]
    pub fn new(hasami: &Hasami, name: &str) -> Self {
        let directory = hasami.path(format!("faults-{name}"));
        std::fs::create_dir(&directory).expect("a directory for faults");
        Self { directory }
    }

    /// Words in front of a program that these faults are for.
    #[must_use]
    pub fn before(&self) -> Vec<String> {
        vec![
            "env".to_string(),
            format!("LD_PRELOAD={}", library().display()),
            format!("HASAMI_FAULTS={}", self.directory.display()),
        ]
    }

    /// From the next call on: `clock`, `sync-fails`, `kill-before`, `kill-after`; see `preload.c`.
    pub fn begin(&self, fault: &str, how: &str) {
        // Under another name first: a half-written order would be obeyed too.
        let draft = self.directory.join("draft");
        std::fs::write(&draft, how).expect("a fault is told");
        std::fs::rename(&draft, self.directory.join(fault)).expect("a fault is told");
    }

    /// No longer.
    pub fn end(&self, fault: &str) {
        std::fs::remove_file(self.directory.join(fault)).expect("the fault was told");
    }

    /// The faults that have struck, a line each.
    #[must_use]
    pub fn fired(&self) -> Vec<String> {
        let told = std::fs::read_to_string(self.directory.join("fired")).unwrap_or_default();
        told.lines().map(str::to_string).collect()
    }

    /// Takes from the files below `data` what was written and never synced, as a power cut may;
    /// their writers must have ended. Gives the files that became shorter.
    #[must_use]
    pub fn cut_power(&self, data: &Path) -> Vec<PathBuf> {
        let told = std::fs::read_to_string(self.directory.join("synced")).unwrap_or_default();
        let mut synced: BTreeMap<u64, u64> = BTreeMap::new();
        for line in told.lines() {
            let (inode, bytes) = line.split_once(' ').expect("an inode and a length");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            // A file that was made anew may have the inode of one that is gone: the last counts.
            synced.insert(number(inode), number(bytes));
        }
        let mut cut = Vec::new();
        let mut directories = vec![data.to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                let found = path.symlink_metadata().expect("an entry");
                if found.is_dir() {
                    directories.push(path);
                    continue;
                }
                let kept = synced.get(&found.ino()).copied().unwrap_or(0);
                if found.len() > kept {
                    let file = std::fs::OpenOptions::new().write(true).open(&path);
                    file.and_then(|file| file.set_len(kept)).expect("a file is cut");
                    cut.push(path);
                }
            }
        }
        cut
    }
}

/// Compiled once for all tests of a process, beside their executable. Whoever builds Rust programs has
/// a C compiler: it is what links them.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().expect("the path of this test");
        let draft = test.with_file_name(format!("hasami-preload-{}.so", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("preload.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
        let made = compiler.arg(&draft).arg(source).arg("-ldl").output().expect("cc starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let path = test.with_file_name("hasami-preload.so");
        std::fs::rename(draft, &path).expect("the library gets its name");
        path
    })
}
