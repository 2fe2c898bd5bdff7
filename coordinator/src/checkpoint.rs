//! Copies everything that a coordinator keeps, while it runs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasami_store::RocksStore;

use crate::certificates::Certificates;
use crate::checkpoints;
use crate::journal::Journal;
use crate::services::{Checkpoint, Shared};
use crate::shipping::add_keys;

/// The journal first: the items it calls settled have their certificates on disk already.
pub(crate) fn checkpoint(
    base: PathBuf,
    journal: Arc<Journal>,
    store: Option<Arc<RocksStore>>,
    certificates: Certificates,
) -> Checkpoint {
    Box::new(move |name| {
        let directory = checkpoints::make(&base, name)?;
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", directory.display());
        journal.checkpoint(&directory.join("journal")).map_err(|error| at(&error))?;
        if let Some(store) = &store {
            store.checkpoint(directory.join("store")).map_err(|error| at(&error))?;
        }
        if certificates.objects().is_some() {
            // The directory is a cache: bring what is missing.
            let mut failed = None;
            let all = journal.each_certificate(&HashSet::new(), |certificate| {
                if failed.is_none() {
                    failed = certificates.find(certificate).err();
                }
            });
            all.map_err(|error| at(&error))?;
            failed.map_or(Ok(()), |error| Err(at(&error)))?;
        }
        let copies = directory.join("certificates");
        std::fs::create_dir(&copies).map_err(|error| at(&error))?;
        for entry in std::fs::read_dir(certificates.directory()).map_err(|error| at(&error))? {
            let entry = entry.map_err(|error| at(&error))?;
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let copy = copies.join(&name);
            std::fs::hard_link(entry.path(), &copy)
                .or_else(|_| std::fs::copy(entry.path(), &copy).map(drop))
                .map_err(|error| at(&error))?;
        }
        let list = contents(&directory.join("journal")).map_err(|error| at(&error))?;
        std::fs::write(directory.join("COMPLETE"), list).map_err(|error| at(&error))?;
        tracing::info!(directory = %directory.display(), "checkpoint made");
        Ok(directory.display().to_string())
    })
}

/// A checkpoint that leaves the machine: it has the tokens too.
pub(crate) fn for_shipping(shared: &Shared, data: &Path) -> Result<PathBuf, String> {
    let name = format!("shipping-{}", crate::engine::wall_ms());
    let directory = PathBuf::from((shared.checkpoint)(&name)?);
    add_keys(data, &directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    Ok(directory)
}

/// The mark of a complete checkpoint: the journal files and their lengths. RocksDB accepts a
/// truncated list of its tables as if it ended there, and would silently restore less. Tables are
/// checked by their own checksums, certificates by their digests.
fn contents(journal: &Path) -> std::io::Result<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(journal)? {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    files.sort_unstable();
    let mut list = format!("hasami checkpoint 2, {} files\n", files.len());
    for (name, bytes) in files {
        list.push_str(&format!("{bytes} {name}\n"));
    }
    Ok(list)
}
