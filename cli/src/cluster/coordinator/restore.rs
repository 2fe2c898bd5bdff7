//! `hasami coordinator restore`: a data directory from a checkpoint, once the checkpoint is known to be whole.

mod journal;

use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_coordinator::journal::Journal;
use hasami_coordinator::objects::Objects;
use hasami_coordinator::shipping;
use hasami_store::RocksStore;
use serde_json::json;

use crate::failure::Failure;
use crate::output::{self, OutputArgs, grouped};
use crate::tree::Verb;
use crate::words::counted;

/// Written last into a checkpoint: without it the checkpoint is incomplete.
const MARK: &str = "COMPLETE";

/// Make a data directory of a checkpoint, once it is known to be whole
#[derive(Clone, Debug, Parser)]
#[command(
    name = "restore",
    after_help = "\
Examples:
  hasami coordinator restore /backup/monday --data hasami-data
  hasami coordinator restore s3://lab-backup/hasami --data hasami-data
  hasami coordinator --data hasami-data"
)]
pub struct Restore {
    /// The checkpoint: a directory that `hasami coordinator checkpoint` has made, or the URL that
    /// `hasami coordinator --checkpoint-to` has filled
    pub checkpoint: String,
    /// Which checkpoint of a URL [default: the latest]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Where the data goes; must not exist yet
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Restore {
    fn run(self) -> Result<(), Failure> {
        if !self.checkpoint.contains("://") {
            if self.name.is_some() {
                return Err(Failure::Usage(
                    "--name: expected the URL of an object store as the checkpoint".to_string(),
                ));
            }
            let from = PathBuf::from(&self.checkpoint);
            return restore(&self, &from, &self.checkpoint);
        }
        let objects = Objects::open(&self.checkpoint).map_err(Failure::Usage)?;
        let parent = self.data.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let failed =
            |error: std::io::Error| Failure::Failed(format!("{}: {error}", parent.display()));
        std::fs::create_dir_all(parent).map_err(failed)?;
        let brought =
            tempfile::Builder::new().prefix(".hasami-bring-").tempdir_in(parent).map_err(failed)?;
        let name = shipping::bring(&objects, self.name.as_deref(), brought.path())
            .map_err(Failure::Usage)?;
        restore(&self, brought.path(), &format!("{}, checkpoint {name}", self.checkpoint))
    }
}

/// Copies, checks the copy, and only then renames it into place.
fn restore(options: &Restore, from: &Path, shown: &str) -> Result<(), Failure> {
    let to = &options.data;
    if to.exists() {
        return Err(Failure::Usage(format!(
            "--data {}: it exists already; expected a directory to be made",
            to.display()
        )));
    }
    for part in ["journal", "certificates", MARK] {
        if !from.join(part).exists() {
            return Err(Failure::Usage(format!(
                "{shown}: no {part} in it; expected a whole checkpoint of `hasami coordinator checkpoint`"
            )));
        }
    }
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let io = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| Failure::Failed(format!("{path}: {error}"))
    };
    std::fs::create_dir_all(parent).map_err(io(parent))?;
    let draft = tempfile::Builder::new()
        .prefix(".hasami-restore-")
        .tempdir_in(parent)
        .map_err(io(parent))?;
    copy(from, draft.path()).map_err(io(from))?;
    if from.join("store").is_dir() {
        RocksStore::restore(from.join("store"), draft.path().join("store"))?;
    }
    let whole = list(from, &draft.path().join("journal"));
    let found = whole
        .and_then(|()| journal::check(draft.path()))
        .map_err(|why| Failure::Usage(format!("{shown}: {why}; this checkpoint is not whole")))?;
    // Do not wait for the workers of the old place: their units are handed out again at once, and
    // not counted as lost with a worker.
    Journal::open(&draft.path().join("journal"))
        .and_then(|journal| journal.forget_workers())
        .map_err(|error| Failure::Failed(error.to_string()))?;
    keys(draft.path()).map_err(io(to))?;
    // The data is in use from here on: it is no longer a checkpoint.
    std::fs::remove_file(draft.path().join(MARK)).map_err(io(to))?;
    sync(draft.path()).map_err(io(to))?;
    hasami_files::rename(&draft.keep(), to).map_err(io(to))?;
    let human = format!(
        "{}: restored from {}: {}, {} answers, {} certificates, all checked\n  \
         hasami coordinator --data {}",
        to.display(),
        shown,
        counted(found.runs, "run"),
        grouped(found.answers),
        grouped(found.certificates),
        to.display(),
    );
    let json = json!({
        "from": shown, "to": to.display().to_string(), "runs": found.runs,
        "answers": found.answers, "certificates": found.certificates,
    });
    output::print(options.answer.output, &human, &json, &to.display().to_string())
}

/// Puts the tokens of a checkpoint that has left its machine where a coordinator looks for them.
fn keys(data: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let from = data.join(shipping::KEYS);
    if !from.is_dir() {
        return Ok(());
    }
    for name in ["tokens.json", "access.json", "tls"] {
        if from.join(name).exists() {
            std::fs::rename(from.join(name), data.join(name))?;
        }
    }
    let tls = data.join("tls");
    for (path, mode) in [
        (data.join("tokens.json"), 0o600),
        (data.join("access.json"), 0o400),
        (tls.join("ca.key"), 0o600),
        (tls.join("ca.pem"), 0o600),
        (tls, 0o700),
    ] {
        if path.exists() {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
        }
    }
    std::fs::remove_dir(from)
}

/// Whether the copy of the journal has every file that the mark names, in its length: of some that
/// are cut short, the rest is a journal too.
fn list(from: &Path, journal: &Path) -> Result<(), String> {
    let wrong = || format!("its list of files, {MARK}, cannot be read");
    let text = std::fs::read_to_string(from.join(MARK)).map_err(|_| wrong())?;
    let (head, files) = text.split_once('\n').ok_or_else(wrong)?;
    let count = head.strip_prefix("hasami checkpoint 2, ").and_then(|it| it.strip_suffix(" files"));
    if count.and_then(|count| count.parse().ok()) != Some(files.lines().count()) {
        return Err(wrong());
    }
    for line in files.lines() {
        let (bytes, name) = line.split_once(' ').ok_or_else(wrong)?;
        let expected: u64 = bytes.parse().map_err(|_| wrong())?;
        let found = std::fs::metadata(journal.join(name));
        let found = found.map_err(|error| format!("journal/{name}: {error}"))?.len();
        if found != expected {
            return Err(format!("journal/{name}: found {found} bytes; expected {expected}"));
        }
    }
    Ok(())
}

/// Copies everything but the store, which is restored separately.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if !entry.file_type()?.is_dir() {
            std::fs::copy(entry.path(), target)?;
        } else if entry.file_name() != "store" {
            std::fs::create_dir(&target)?;
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Syncs the copy: it does not count until it is on disk.
fn sync(directory: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() { sync(&path)? } else { hasami_files::sync(&path)? }
    }
    hasami_files::sync(directory)
}
