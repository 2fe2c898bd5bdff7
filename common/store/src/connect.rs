//! Chooses the engine of a store by the prefix of its name.

use std::path::Path;
use std::sync::Arc;

use crate::Store;
use crate::error::StoreError;
use crate::layout::OpenOptions;
use crate::redis::RedisStore;
use crate::rocks::RocksStore;

const EXPECTED: &str = "a directory, rocks:DIRECTORY, redis://host:port[,host:port...] or \
                        redis+single://host:port (with TLS rediss://, rediss+single://)";

/// An open store of either engine.
#[derive(Debug)]
pub enum Engine {
    /// In a directory.
    Rocks(Arc<RocksStore>),
    /// On servers.
    Redis(Arc<RedisStore>),
}

impl Engine {
    /// The store, whichever engine it has.
    #[must_use]
    pub fn store(&self) -> Arc<dyn Store> {
        match self {
            Self::Rocks(store) => Arc::clone(store) as Arc<dyn Store>,
            Self::Redis(store) => Arc::clone(store) as Arc<dyn Store>,
        }
    }

    /// The store, if it is in a directory: only those can make checkpoints.
    #[must_use]
    pub fn rocks(&self) -> Option<Arc<RocksStore>> {
        match self {
            Self::Rocks(store) => Some(Arc::clone(store)),
            Self::Redis(_) => None,
        }
    }

    /// Where the store is, without a password.
    #[must_use]
    pub fn place(&self) -> &Path {
        match self {
            Self::Rocks(store) => store.path(),
            Self::Redis(store) => store.place(),
        }
    }

    /// Opens the store in a directory.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn directory(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Ok(Self::Rocks(Arc::new(RocksStore::open(path, OpenOptions::default())?)))
    }
}

/// Opens a store; creates it if there is none. A directory or `rocks:DIRECTORY` is a
/// [`RocksStore`]; `redis://…`, `redis+single://…`, `rediss://…` and `rediss+single://…` are a
/// [`RedisStore`].
///
/// ```
/// let dir = std::env::temp_dir().join(format!("hasami-connect-{}", std::process::id()));
/// let engine = hasami_store::connect(&format!("rocks:{}", dir.display()))?;
/// engine.store().sync()?;
/// # drop(engine);
/// # std::fs::remove_dir_all(dir).ok();
/// # Ok::<(), hasami_store::StoreError>(())
/// ```
///
/// # Errors
/// If the name fits no engine, or the store cannot be opened.
pub fn connect(name: &str) -> Result<Engine, StoreError> {
    if let Some(path) = name.strip_prefix("rocks:") {
        return Engine::directory(path);
    }
    if ["redis:", "redis+", "rediss:", "rediss+"].iter().any(|scheme| name.starts_with(scheme)) {
        return Ok(Engine::Redis(Arc::new(RedisStore::open(name)?)));
    }
    match name.split_once("://") {
        None if !name.is_empty() => Engine::directory(name),
        None => Err(StoreError::Url { found: "nothing".to_owned(), expected: EXPECTED }),
        Some((scheme, _)) => {
            Err(StoreError::Url { found: format!("{scheme}://"), expected: EXPECTED })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_a_store_on_the_disk_with_and_without_the_word() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("redis").display().to_string();
        drop(connect(&path).unwrap());
        drop(connect(&format!("rocks:{path}")).unwrap());
        assert!(RocksStore::open(&path, OpenOptions::default()).is_ok());
    }

    #[test]
    fn a_name_of_no_engine_is_refused() {
        for (name, found) in [
            ("", "found nothing, expected a directory, rocks:DIRECTORY"),
            ("http://me:secret@host:1", "found http://, expected a directory"),
            ("redis:host:1", "found no scheme, expected redis://"),
            ("redis+other://host:1", "found redis+other://, expected redis://"),
            ("rediss+other://host:1", "found rediss+other://, expected redis://"),
            ("rediss://host:1?ca=/nowhere.pem", "/nowhere.pem"),
        ] {
            let error = connect(name).err().unwrap().to_string();
            assert!(error.contains(found) && !error.contains("secret"), "{error}");
        }
    }
}
