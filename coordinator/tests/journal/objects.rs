//! Certificates in an object store that is full, away, slow or damaged: nothing counts before it is
//! stored, nothing fails for good, and wrong bytes are never taken for a certificate.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use hasami_coordinator::certificates::{CertificateError, Certificates};
use hasami_coordinator::objects::Objects;
use hasami_sweep::Certificate;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use tokio_stream::Stream;

type Boxed<T> = Pin<Box<dyn Stream<Item = Result<T>> + Send>>;

const WELL: u8 = 0;
const FULL: u8 = 1;
const AWAY: u8 = 2;
const SLOW: u8 = 3;

/// A store in memory that fails when it is told to.
#[derive(Debug, Default)]
struct Flaky {
    inner: InMemory,
    state: AtomicU8,
    failed: AtomicUsize,
}

impl fmt::Display for Flaky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("flaky")
    }
}

impl Flaky {
    fn set(&self, state: u8) {
        self.state.store(state, Ordering::SeqCst);
    }

    async fn trouble(&self, writing: bool) -> Result<()> {
        let why = match self.state.load(Ordering::SeqCst) {
            FULL if writing => "no space left",
            AWAY => "connection refused",
            SLOW => {
                tokio::time::sleep(Duration::from_millis(300)).await;
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.failed.fetch_add(1, Ordering::SeqCst);
        Err(Error::Generic { store: "flaky", source: why.into() })
    }
}

#[tonic::async_trait]
impl ObjectStore for Flaky {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        opts: PutOptions,
    ) -> Result<PutResult> {
        self.trouble(true).await?;
        self.inner.put_opts(location, payload, opts).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        opts: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.trouble(true).await?;
        self.inner.put_multipart_opts(location, opts).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.trouble(false).await?;
        self.inner.get_opts(location, options).await
    }

    fn delete_stream(&self, locations: Boxed<Path>) -> Boxed<Path> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> Boxed<ObjectMeta> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

struct Lab {
    flaky: Arc<Flaky>,
    objects: Arc<Objects>,
    home: tempfile::TempDir,
}

impl Lab {
    fn new() -> Self {
        let flaky = Arc::new(Flaky::default());
        let store: Arc<dyn ObjectStore> = Arc::clone(&flaky) as _;
        let objects = Arc::new(Objects::over(store, "memory").unwrap());
        Self { flaky, objects, home: tempfile::tempdir().unwrap() }
    }

    /// The certificates as another machine has them.
    fn machine(&self, name: &str) -> Certificates {
        let here = Certificates::open(&self.home.path().join(name)).unwrap();
        here.keep_in(Arc::clone(&self.objects)).unwrap()
    }
}

fn put(certificates: &Certificates, bytes: &[u8]) -> std::result::Result<Certificate, String> {
    let mut incoming = certificates.begin("a.cert").unwrap();
    incoming.write(bytes).unwrap();
    incoming.finish().map_err(|error| error.to_string())
}

#[test]
fn nothing_is_stored_before_the_store_has_it_and_everything_once_it_is_back() {
    let lab = Lab::new();
    let here = lab.machine("a");
    for state in [FULL, AWAY] {
        lab.flaky.set(state);
        let failed = lab.flaky.failed.load(Ordering::SeqCst);
        let bytes = [state; 9];
        let refused = put(&here, &bytes).expect_err("the store does not take it");
        assert!(refused.contains("no space left") || refused.contains("refused"), "{refused}");
        assert!(lab.flaky.failed.load(Ordering::SeqCst) > failed, "the fault has struck");
        let digest = *blake3::hash(&bytes).as_bytes();
        let wanted = Certificate { name: "a.cert".to_string(), digest, bytes: 9 };
        // It must not look stored here either. Nobody knows while the store is away.
        match here.check(&wanted).err() {
            Some(CertificateError::Missing { .. }) => assert_eq!(state, FULL),
            Some(CertificateError::Away { .. }) => assert_eq!(state, AWAY),
            other => panic!("{other:?}"),
        }
        lab.flaky.set(SLOW);
        assert_eq!(put(&here, &bytes), Ok(wanted.clone()));
        lab.flaky.set(WELL);
        let elsewhere = lab.machine(&format!("b{state}"));
        elsewhere.check(&wanted).unwrap();
        assert_eq!(std::fs::read(elsewhere.find(&wanted).unwrap()).unwrap(), bytes);
    }
}

#[test]
fn damage_in_the_store_is_seen_by_the_digest() {
    let lab = Lab::new();
    let certificate = put(&lab.machine("a"), b"the proof").unwrap();
    lab.objects
        .put(&format!("certificates/{}", certificate.file_name()), b"the spoof".to_vec())
        .unwrap();
    let there = lab.machine("b");
    let refused = there.find(&certificate).expect_err("other bytes").to_string();
    assert!(refused.contains("is damaged"), "{refused}");
    assert!(!there.file(&certificate).exists());
}

#[test]
fn what_was_here_before_goes_to_the_store() {
    let lab = Lab::new();
    let alone = Certificates::open(&lab.home.path().join("a")).unwrap();
    let certificate = put(&alone, b"from earlier").unwrap();
    assert!(lab.machine("b").check(&certificate).is_err());
    drop(lab.machine("a"));
    lab.machine("c").check(&certificate).unwrap();
}
