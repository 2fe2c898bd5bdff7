//! `hasami coordinator restore`: a data directory from a checkpoint, once the checkpoint is known to be whole.

mod journal;

use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_coordinator::journal::Journal;
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
    after_help = "Example:\n  hasami coordinator restore /backup/monday --data hasami-data\n  hasami coordinator --data hasami-data"
)]
pub struct Restore {
    /// The checkpoint: a directory that `hasami coordinator checkpoint` has made
    pub checkpoint: PathBuf,
    /// Where the data goes; must not exist yet
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Restore {
    fn run(self) -> Result<(), Failure> {
        restore(&self)
    }
}

/// Copies, checks the copy, and only then renames it into place.
fn restore(options: &Restore) -> Result<(), Failure> {
    let (from, to) = (&options.checkpoint, &options.data);
    if to.exists() {
        return Err(Failure::Usage(format!(
            "--data {}: it exists already; expected a directory to be made",
            to.display()
        )));
    }
    for part in ["journal", "certificates", MARK] {
        if !from.join(part).exists() {
            return Err(Failure::Usage(format!(
                "{}: no {part} in it; expected a whole checkpoint of `hasami coordinator checkpoint`",
                from.display()
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
    let found = whole.and_then(|()| journal::check(draft.path())).map_err(|why| {
        Failure::Usage(format!("{}: {why}; this checkpoint is not whole", from.display()))
    })?;
    // Do not wait for the workers of the old place: their units are handed out again at once, and
    // not counted as lost with a worker.
    Journal::open(&draft.path().join("journal"))
        .and_then(|journal| journal.forget_workers())
        .map_err(|error| Failure::Failed(error.to_string()))?;
    // The data is in use from here on: it is no longer a checkpoint.
    std::fs::remove_file(draft.path().join(MARK)).map_err(io(to))?;
    sync(draft.path()).map_err(io(to))?;
    hasami_files::rename(&draft.keep(), to).map_err(io(to))?;
    let human = format!(
        "{}: restored from {}: {}, {} answers, {} certificates, all checked\n  \
         hasami coordinator --data {}",
        to.display(),
        from.display(),
        counted(found.runs, "run"),
        grouped(found.answers),
        grouped(found.certificates),
        to.display(),
    );
    let json = json!({
        "from": from.display().to_string(), "to": to.display().to_string(), "runs": found.runs,
        "answers": found.answers, "certificates": found.certificates,
    });
    output::print(options.answer.output, &human, &json, &to.display().to_string())
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
