//! Checkpoints that leave the machine: made at regular times, and uploaded to an object store. Files
//! are named by the hash of their bytes, so a checkpoint only sends what has changed; a list says
//! which files it has. A checkpoint counts once its list is there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::certificates::hash;
use crate::engine::wall_ms;
use crate::objects::{ObjectError, Objects};
use crate::server::{ACCESS_FILE, TOKENS_FILE};

/// The format of a list.
const FORMAT: &str = "hasami-shipped-checkpoint 1";
/// Lists of checkpoints.
const LISTS: &str = "checkpoints";
/// Files of checkpoints, by their digests.
const FILES: &str = "files";
/// Files of no list that are younger may belong to a checkpoint that is being uploaded.
const YOUNG: Duration = Duration::from_secs(3600);
/// The directory of tokens and of the authority in a shipped checkpoint.
pub const KEYS: &str = "keys";
/// What is in it.
const KEPT: [&str; 4] = [TOKENS_FILE, ACCESS_FILE, "tls/ca.key", "tls/ca.pem"];

/// Where checkpoints go, and how often.
#[derive(Clone, Debug)]
pub struct Shipping {
    /// The URL of an object store.
    pub to: String,
    /// Between the beginnings of two checkpoints.
    pub every: Duration,
    /// The latest ones that stay.
    pub keep: usize,
}

#[derive(Serialize, Deserialize)]
struct List {
    format: String,
    made_ms: u64,
    files: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    path: String,
    bytes: u64,
    blake3: String,
}

/// What was uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The name of the checkpoint.
    pub name: String,
    /// Its files.
    pub files: usize,
    /// Files that were not there yet.
    pub sent: usize,
    /// Older checkpoints that were removed.
    pub removed: usize,
}

/// Adds tokens and authority to a checkpoint that leaves the machine: whoever restores it serves the
/// same callers.
pub(crate) fn add_keys(data: &Path, checkpoint: &Path) -> std::io::Result<()> {
    for name in KEPT {
        let (from, to) = (data.join(name), checkpoint.join(KEYS).join(name));
        if from.exists() {
            to.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// Uploads the directory of a checkpoint, and removes the oldest beyond `keep`.
///
/// # Errors
/// If a file cannot be read or the store does not take it: earlier checkpoints are untouched.
pub fn ship(objects: &Objects, directory: &Path, keep: usize) -> Result<Shipped, ObjectError> {
    let made_ms = wall_ms();
    let mut paths = Vec::new();
    walk(directory, &mut paths)
        .map_err(|error| ObjectError::File { path: directory.to_owned(), error })?;
    paths.sort();
    let there: HashSet<String> = objects.list(FILES)?.into_iter().map(|one| one.name).collect();
    let (mut files, mut sent) = (Vec::new(), 0);
    for path in paths {
        let failed = |error| ObjectError::File { path: path.clone(), error };
        let bytes = std::fs::metadata(&path).map_err(failed)?.len();
        let digest = hash(&path).map_err(failed)?;
        let blake3 = blake3::Hash::from_bytes(digest).to_hex().to_string();
        if !there.contains(&blake3) {
            objects.put_file(&format!("{FILES}/{blake3}"), &path)?;
            sent += 1;
        }
        let below = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
        files.push(Entry { path: below, bytes, blake3 });
    }
    // Numbers of one length sort by time.
    let name = format!("{made_ms:015}");
    let count = files.len();
    let list = List { format: FORMAT.to_string(), made_ms, files };
    let text = serde_json::to_vec_pretty(&list).unwrap_or_default();
    objects.put(&format!("{LISTS}/{name}.json"), text)?;
    let removed = prune(objects, keep.max(1))?;
    Ok(Shipped { name, files: count, sent, removed })
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// The names of all checkpoints, the oldest first.
///
/// # Errors
/// If the store does not say.
pub fn shipped(objects: &Objects) -> Result<Vec<String>, ObjectError> {
    let all = objects.list(LISTS)?.into_iter();
    let mut names: Vec<String> =
        all.filter_map(|one| Some(one.name.strip_suffix(".json")?.to_string())).collect();
    names.sort();
    Ok(names)
}

/// Removes the oldest lists, and then files that no list names.
fn prune(objects: &Objects, keep: usize) -> Result<usize, ObjectError> {
    let mut names = shipped(objects)?;
    let kept = names.split_off(names.len().saturating_sub(keep));
    for name in &names {
        objects.remove(&format!("{LISTS}/{name}.json"))?;
    }
    let mut needed = HashSet::new();
    for name in &kept {
        // A list that cannot be read keeps everything.
        let Ok(list) = read(objects, name)? else { return Ok(names.len()) };
        needed.extend(list.files.into_iter().map(|file| file.blake3));
    }
    let before = SystemTime::now().checked_sub(YOUNG).unwrap_or(SystemTime::UNIX_EPOCH);
    for one in objects.list(FILES)? {
        if !needed.contains(&one.name) && one.modified < before {
            objects.remove(&format!("{FILES}/{}", one.name))?;
        }
    }
    Ok(names.len())
}

fn read(objects: &Objects, name: &str) -> Result<Result<List, String>, ObjectError> {
    let bytes = objects.get(&format!("{LISTS}/{name}.json"))?;
    let list: Result<List, _> = serde_json::from_slice(&bytes);
    Ok(list.map_err(|error| format!("checkpoint {name}: {error}")).and_then(|list| {
        if list.format == FORMAT {
            Ok(list)
        } else {
            let found = list.format;
            Err(format!("checkpoint {name}: found format {found:?}; expected {FORMAT:?}"))
        }
    }))
}

/// Brings a checkpoint into an empty directory; `None`: the latest. Every file is compared with its
/// digest. Returns its name.
///
/// # Errors
/// If there is none, or it is not whole.
pub fn bring(objects: &Objects, name: Option<&str>, to: &Path) -> Result<String, String> {
    let told = |error: ObjectError| error.to_string();
    let all = shipped(objects).map_err(told)?;
    let name = match name {
        Some(name) if all.iter().any(|one| one == name) => name.to_string(),
        Some(name) => {
            let latest: Vec<_> = all.iter().rev().take(5).map(String::as_str).collect();
            return Err(format!(
                "{}: there is no checkpoint {name}; the latest are {}",
                objects.shown(),
                latest.join(", ")
            ));
        }
        None => {
            let none = || format!("{}: there is no checkpoint in it", objects.shown());
            all.last().cloned().ok_or_else(none)?
        }
    };
    for file in read(objects, &name).map_err(told)??.files {
        let below = Path::new(&file.path);
        let plain = |part| matches!(part, std::path::Component::Normal(_));
        if !below.components().all(plain) || file.blake3.contains('/') {
            return Err(format!("checkpoint {name}: {:?} is no path of a checkpoint", file.path));
        }
        let path = to.join(below);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
        let mut target = std::fs::File::create(&path).map_err(failed)?;
        objects
            .get_into(&format!("{FILES}/{}", file.blake3), file.bytes, &mut target)
            .map_err(told)?;
        let found = blake3::Hash::from_bytes(hash(&path).map_err(failed)?).to_hex().to_string();
        if found != file.blake3 {
            return Err(format!("checkpoint {name}: {} is damaged in the store", file.path));
        }
    }
    Ok(name)
}

/// Makes checkpoints until it is dropped. One that fails is made again at the next time.
pub(crate) async fn keep_shipping(
    objects: Arc<Objects>,
    plan: Shipping,
    make: impl Fn() -> Result<PathBuf, String> + Send + Sync + 'static,
) {
    let make = Arc::new(make);
    let mut times = tokio::time::interval(plan.every);
    times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        times.tick().await;
        let (objects, make, keep) = (Arc::clone(&objects), Arc::clone(&make), plan.keep);
        let done = tokio::task::spawn_blocking(move || {
            let directory = make()?;
            let shipped = ship(&objects, &directory, keep).map_err(|error| error.to_string());
            // It was made to be sent: the store has it, or the next one will be sent.
            if let Err(error) = std::fs::remove_dir_all(&directory) {
                tracing::warn!(directory = %directory.display(), %error, "not removed");
            }
            shipped
        });
        match done.await {
            Ok(Ok(Shipped { name, files, sent, removed })) => {
                tracing::info!(to = plan.to, name, files, sent, removed, "checkpoint shipped");
            }
            Ok(Err(error)) => tracing::error!(to = plan.to, "no checkpoint was shipped: {error}"),
            Err(error) => tracing::error!(to = plan.to, "no checkpoint was shipped: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(home: &Path) -> Objects {
        Objects::open(&format!("file://{}", home.join("objects").display())).unwrap()
    }

    fn checkpoint(home: &Path, name: &str, parts: &[(&str, &str)]) -> PathBuf {
        let directory = home.join(name);
        for (path, text) in parts {
            let path = directory.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        directory
    }

    #[test]
    fn only_what_has_changed_is_sent_and_the_oldest_goes() {
        let home = tempfile::tempdir().unwrap();
        let objects = store(home.path());
        let mut names = Vec::new();
        for round in 0..3 {
            let log = format!("log {round}");
            let parts = [("journal/1.sst", "same"), ("journal/2.log", &log), ("COMPLETE", "x")];
            let made = checkpoint(home.path(), &format!("c{round}"), &parts);
            let done = ship(&objects, &made, 2).unwrap();
            assert_eq!((done.files, done.sent), (3, if round == 0 { 3 } else { 1 }));
            assert_eq!(done.removed, usize::from(round == 2));
            names.push(done.name);
            // Names are times.
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(shipped(&objects).unwrap(), names[1..]);
        for (name, text) in [(Some(&*names[1]), "log 1"), (None, "log 2")] {
            let to = home.path().join(format!("to {text}"));
            bring(&objects, name, &to).unwrap();
            assert_eq!(std::fs::read_to_string(to.join("journal/2.log")).unwrap(), text);
            assert_eq!(std::fs::read_to_string(to.join("journal/1.sst")).unwrap(), "same");
        }
        let missing = bring(&objects, Some(&names[0]), home.path()).unwrap_err();
        assert!(missing.contains("there is no checkpoint"), "{missing}");
    }

    #[test]
    fn what_is_damaged_or_leads_elsewhere_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let objects = store(home.path());
        assert!(bring(&objects, None, home.path()).unwrap_err().contains("no checkpoint in it"));
        let made = checkpoint(home.path(), "c", &[("a", "text")]);
        let name = ship(&objects, &made, 1).unwrap().name;
        let file = format!("files/{}", blake3::hash(b"text").to_hex());
        objects.put(&file, b"test".to_vec()).unwrap();
        let refused = bring(&objects, None, &home.path().join("x")).unwrap_err();
        assert!(refused.contains("a is damaged"), "{refused}");
        objects.put(&file, b"text".to_vec()).unwrap();
        let list =
            String::from_utf8(objects.get(&format!("{LISTS}/{name}.json")).unwrap()).unwrap();
        for path in ["../out", "/tmp/out"] {
            let forged = list.replace("\"a\"", &format!("{path:?}"));
            assert_ne!(forged, list);
            objects.put(&format!("{LISTS}/{name}.json"), forged.into_bytes()).unwrap();
            let refused = bring(&objects, None, &home.path().join("y")).unwrap_err();
            assert!(refused.contains("is no path of a checkpoint"), "{refused}");
        }
    }
}
