//! Files in an object store: a directory that several machines share (`file:///dir`), or a bucket
//! (`s3://bucket/prefix`). What was put is durable when the call returns.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt as _, RetryConfig, WriteMultipart};
use tokio_stream::StreamExt as _;
use url::Url;

use crate::waiting::Waiting;

/// Bytes of one part of a large object.
const PART: usize = 8 << 20;
/// Parts that are sent at the same time.
const PARTS: usize = 4;
/// How long one call may take, without the time for its bytes.
const LIMIT: Duration = Duration::from_secs(30);
/// The slowest store that is waited for, in bytes a second.
const SLOWEST: u64 = 1 << 20;
/// Says that a directory is the one that was meant, and not the place where it was mounted.
const MARKER: &str = ".hasami-objects";

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// There is no such object.
    #[error("{0}: it is not there")]
    Missing(String),
    /// The store is away, full or slow: try again later.
    #[error("{0}")]
    Unavailable(String),
    /// A local file failed.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        error: std::io::Error,
    },
}

/// An object as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name, below the prefix that was asked for.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// When it was written.
    pub modified: SystemTime,
}

/// An object store, from a prefix on.
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    prefix: Key,
    shown: String,
    /// The directory, with its marker.
    directory: Option<PathBuf>,
    waiting: Waiting,
}

impl Objects {
    /// Opens the store of a URL. Nothing is sent to a bucket yet; a directory is created. Credentials
    /// of a bucket come from the environment (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`, …).
    ///
    /// # Errors
    /// If the URL cannot be used.
    pub fn open(url: &str) -> Result<Self, String> {
        let wrong = |why: &dyn std::fmt::Display| format!("{url}: {why}");
        let expected = "expected file:///directory or s3://bucket/prefix";
        let parsed = Url::parse(url).map_err(|error| wrong(&format!("{error}; {expected}")))?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(
                "a URL of objects has no password; expected credentials in the environment \
                        (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)"
                    .to_string(),
            );
        }
        let (store, prefix, directory): (Arc<dyn ObjectStore>, _, _) = match parsed.scheme() {
            "file" => {
                let directory = parsed.to_file_path().map_err(|()| wrong(&expected))?;
                prepare(&directory).map_err(|error| wrong(&error))?;
                let store = LocalFileSystem::new_with_prefix(&directory)
                    .map_err(|error| wrong(&error))?
                    .with_fsync(true);
                (Arc::new(store), Key::default(), Some(directory))
            }
            "s3" => {
                // The process has one provider of cryptography; a second call changes nothing.
                let _ = rustls::crypto::ring::default_provider().install_default();
                let retry =
                    RetryConfig { max_retries: 5, retry_timeout: LIMIT, ..RetryConfig::default() };
                let bucket = format!("s3://{}", parsed.host_str().unwrap_or_default());
                let store = AmazonS3Builder::from_env()
                    .with_url(bucket)
                    .with_retry(retry)
                    .build()
                    .map_err(|error| wrong(&error))?;
                let prefix = Key::from_url_path(parsed.path()).map_err(|error| wrong(&error))?;
                (Arc::new(store), prefix, None)
            }
            other => return Err(wrong(&format!("found \"{other}\"; {expected}"))),
        };
        Self::new(store, prefix, url.to_string(), directory)
    }

    /// A store of the caller's.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub fn over(store: Arc<dyn ObjectStore>, shown: &str) -> Result<Self, String> {
        Self::new(store, Key::default(), shown.to_string(), None)
    }

    fn new(
        store: Arc<dyn ObjectStore>,
        prefix: Key,
        shown: String,
        directory: Option<PathBuf>,
    ) -> Result<Self, String> {
        let waiting = Waiting::start("objects").map_err(|error| error.to_string())?;
        Ok(Self { store, prefix, shown, directory, waiting })
    }

    /// The URL.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    fn key(&self, name: &str) -> Key {
        name.split('/').fold(self.prefix.clone(), |key, part| key.join(part))
    }

    /// Whether the directory is still the one that was opened.
    fn is_there(&self) -> Result<(), ObjectError> {
        match &self.directory {
            Some(directory) if !directory.join(MARKER).exists() => {
                Err(ObjectError::Unavailable(format!(
                    "{}: {MARKER} is not there: the directory is gone, or not mounted",
                    directory.display()
                )))
            }
            _ => Ok(()),
        }
    }

    fn call<T>(
        &self,
        name: &str,
        bytes: u64,
        work: impl Future<Output = Result<T, object_store::Error>>,
    ) -> Result<T, ObjectError> {
        self.is_there()?;
        let limit = LIMIT + Duration::from_secs(bytes / SLOWEST);
        let done = self.waiting.run(async { tokio::time::timeout(limit, work).await });
        let at = |why: &dyn std::fmt::Display| format!("{}/{name}: {why}", self.shown);
        match done {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(object_store::Error::NotFound { .. })) => {
                Err(ObjectError::Missing(format!("{}/{name}", self.shown)))
            }
            Ok(Err(error)) => Err(ObjectError::Unavailable(at(&error))),
            Err(_) => Err(ObjectError::Unavailable(at(&format!("no reply within {limit:?}")))),
        }
    }

    /// Stores bytes.
    ///
    /// # Errors
    /// If the store does not take them.
    pub fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), ObjectError> {
        let size = bytes.len() as u64;
        self.call(name, size, self.store.put(&self.key(name), bytes.into())).map(drop)
    }

    /// Stores a file.
    ///
    /// # Errors
    /// If it cannot be read, or the store does not take it.
    pub fn put_file(&self, name: &str, path: &Path) -> Result<(), ObjectError> {
        let failed = |error| ObjectError::File { path: path.to_owned(), error };
        let mut file = std::fs::File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        if size <= PART as u64 {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(failed)?;
            return self.put(name, bytes);
        }
        let mut broken = None;
        let key = self.key(name);
        self.call(name, size, async {
            let upload = self.store.put_multipart(&key).await?;
            let mut parts = WriteMultipart::new_with_chunk_size(upload, PART);
            let mut piece = vec![0; PART];
            loop {
                match file.read(&mut piece) {
                    Ok(0) => return parts.finish().await,
                    Ok(read) => {
                        parts.wait_for_capacity(PARTS).await?;
                        parts.write(&piece[..read]);
                    }
                    Err(error) => {
                        let why = error.to_string();
                        broken = Some(error);
                        parts.abort().await?;
                        return Err(object_store::Error::Generic {
                            store: "file",
                            source: why.into(),
                        });
                    }
                }
            }
        })
        .map(drop)
        .map_err(|error| match broken {
            Some(broken) => failed(broken),
            None => error,
        })
    }

    /// The bytes of a small object.
    ///
    /// # Errors
    /// If it is not there, or the store does not give it.
    pub fn get(&self, name: &str) -> Result<Vec<u8>, ObjectError> {
        let key = self.key(name);
        let get = async { self.store.get(&key).await?.bytes().await };
        self.call(name, 0, get).map(|bytes| bytes.to_vec())
    }

    /// Writes an object of `bytes` bytes to `target`.
    ///
    /// # Errors
    /// If it is not there, the store does not give it, or the target fails.
    pub fn get_into(
        &self,
        name: &str,
        bytes: u64,
        target: &mut impl Write,
    ) -> Result<(), ObjectError> {
        let key = self.key(name);
        let mut broken = None;
        self.call(name, bytes, async {
            let mut pieces = self.store.get(&key).await?.into_stream();
            while let Some(piece) = pieces.next().await {
                if let Err(error) = target.write_all(&piece?) {
                    broken = Some(error);
                    break;
                }
            }
            Ok(())
        })?;
        match broken {
            Some(error) => Err(ObjectError::File { path: PathBuf::from(name), error }),
            None => Ok(()),
        }
    }

    /// The length of an object; `None` if it is not there.
    ///
    /// # Errors
    /// If the store does not say.
    pub fn size(&self, name: &str) -> Result<Option<u64>, ObjectError> {
        match self.call(name, 0, self.store.head(&self.key(name))) {
            Ok(about) => Ok(Some(about.size)),
            Err(ObjectError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All objects below a prefix.
    ///
    /// # Errors
    /// If the store does not say.
    pub fn list(&self, under: &str) -> Result<Vec<Listed>, ObjectError> {
        let key = self.key(under);
        self.call(under, 1 << 30, async {
            let mut found = Vec::new();
            let mut all = self.store.list(Some(&key));
            while let Some(one) = all.next().await {
                let one = one?;
                let Some(parts) = one.location.prefix_match(&key) else { continue };
                let name: Vec<_> = parts.map(|part| part.as_ref().to_string()).collect();
                let modified = SystemTime::from(one.last_modified);
                found.push(Listed { name: name.join("/"), bytes: one.size, modified });
            }
            Ok(found)
        })
    }

    /// Removes an object, if it is there.
    ///
    /// # Errors
    /// If the store does not do it.
    pub fn remove(&self, name: &str) -> Result<(), ObjectError> {
        match self.call(name, 0, self.store.delete(&self.key(name))) {
            Err(ObjectError::Missing(_)) => Ok(()),
            other => other,
        }
    }
}

/// Creates the directory, and marks it if it is empty.
fn prepare(directory: &Path) -> Result<(), String> {
    use std::os::unix::fs::DirBuilderExt;
    let failed = |error: std::io::Error| error.to_string();
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed)?;
    let marker = directory.join(MARKER);
    if marker.exists() {
        return Ok(());
    }
    if std::fs::read_dir(directory).map_err(failed)?.next().is_some() {
        return Err(format!(
            "it is neither empty nor a directory of objects (no {MARKER}); expected one or the other"
        ));
    }
    hasami_files::write_whole(&marker, b"hasami-objects 1\n").map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_listed_read_and_removed() {
        let home = tempfile::tempdir().unwrap();
        let url = format!("file://{}/objects", home.path().display());
        let objects = Objects::open(&url).unwrap();
        let large = home.path().join("large");
        std::fs::write(&large, vec![7; PART * 2 + 5]).unwrap();
        objects.put("a/small", b"one".to_vec()).unwrap();
        objects.put_file("a/large", &large).unwrap();
        objects.put("b/other", Vec::new()).unwrap();
        let mut names: Vec<_> =
            objects.list("a").unwrap().into_iter().map(|one| (one.name, one.bytes)).collect();
        names.sort();
        assert_eq!(names, [("large".into(), PART as u64 * 2 + 5), ("small".into(), 3)]);
        assert_eq!(objects.get("a/small").unwrap(), b"one");
        let mut read = Vec::new();
        objects.get_into("a/large", 0, &mut read).unwrap();
        assert_eq!(read, std::fs::read(&large).unwrap());
        assert_eq!(objects.size("a/small").unwrap(), Some(3));
        objects.remove("a/small").unwrap();
        objects.remove("a/small").unwrap();
        assert_eq!(objects.size("a/small").unwrap(), None);
        assert!(matches!(objects.get("a/small"), Err(ObjectError::Missing(_))));
        // Another process finds the same.
        assert_eq!(Objects::open(&url).unwrap().list("a").unwrap().len(), 1);
    }

    #[test]
    fn a_directory_that_is_gone_or_another_one_is_not_written() {
        let home = tempfile::tempdir().unwrap();
        let place = home.path().join("mounted");
        let objects = Objects::open(&format!("file://{}", place.display())).unwrap();
        objects.put("x", b"1".to_vec()).unwrap();
        // The file system is gone; the place where it was mounted is still there.
        std::fs::rename(&place, home.path().join("away")).unwrap();
        std::fs::create_dir(&place).unwrap();
        for failed in [objects.put("y", Vec::new()).err(), objects.size("x").err()] {
            assert!(matches!(failed, Some(ObjectError::Unavailable(_))), "{failed:?}");
        }
        std::fs::write(place.join("mine"), "").unwrap();
        let refused = Objects::open(&format!("file://{}", place.display())).err().unwrap();
        assert!(refused.contains("neither empty nor"), "{refused}");
    }

    #[test]
    fn a_url_that_cannot_be_used_is_refused_without_its_secret() {
        for url in ["objects", "ftp://x/y", "file://host/x", "s3://key:secret@bucket/x", "s3:///x"]
        {
            let error = Objects::open(url).err().unwrap_or_else(|| panic!("{url}"));
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
