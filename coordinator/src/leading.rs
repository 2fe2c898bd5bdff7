//! How a coordinator comes to lead a journal that several can reach, and which of its files go with
//! the leadership: the tokens and the authority of TLS, so that callers find the same coordinator on
//! another machine.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hasami_files::Draft;
use tokio::sync::oneshot;

use crate::coordinator::StartError;
use crate::journal::postgres::{Address, Candidate, Reached};
use crate::journal::{Journal, JournalError};
use crate::options::Options;
use crate::server::{ACCESS_FILE, Keys, Listener, Security, TOKENS_FILE, stand_by};

/// How long a database may be away before the coordinator ends.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often one that stands by looks for the authority, which the first leader makes.
const LOOK: Duration = Duration::from_secs(1);
/// How long the socket of the server that stood by may take to be free.
const REBIND: Duration = Duration::from_secs(5);

/// How long that server may take to end.
const CLOSING: Duration = Duration::from_secs(1);

const AUTHORITY: &str = "tls/ca.pem";
/// The files that are kept in the journal, with their modes.
const SHARED: [(&str, u32); 4] = [
    (TOKENS_FILE, 0o600),
    (ACCESS_FILE, 0o400),
    ("tls/ca.key", 0o600),
    // Last: a key alone is made again.
    (AUTHORITY, 0o600),
];
/// What the authority has signed for this machine.
const SIGNED: [&str; 2] = ["tls/server.pem", "tls/server.key"];

/// Opens the journal of a URL once this coordinator leads it; where it listens from then on.
pub(crate) async fn lead(
    url: &str,
    options: &Options,
) -> Result<(Journal, SocketAddr), StartError> {
    let address = Address::parse(url).map_err(|error| StartError::Usage(error.to_string()))?;
    let reached = Arc::new(aside(move || Reached::open(&address, PATIENCE)).await?);
    let stop = Stop::default();
    let candidate = Candidate {
        holder: holder(&options.data),
        standby: options.elsewhere.standby,
        takeover: options.elsewhere.takeover,
    };
    let leading = {
        let (reached, stopped) = (Arc::clone(&reached), Arc::clone(&stop.0));
        aside(move || reached.lead(&candidate, &|| !stopped.load(Ordering::Relaxed)))
    };
    let (led, listen) = if options.elsewhere.standby {
        while_waiting(leading, Arc::clone(&reached), options).await?
    } else {
        (leading.await?, options.listen)
    };
    // Only a dropped future stops the search for leadership.
    let journal = led.ok_or_else(|| StartError::Server("stopped while standing by".to_string()))?;
    let data = options.data.clone();
    let journal = aside(move || {
        fetch(&data, |name| journal.file(name))?;
        Ok(journal)
    })
    .await?;
    Ok((journal, listen))
}

/// Ends the search for leadership when nobody waits for it any more.
#[derive(Default)]
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Answers calls while another leads.
async fn while_waiting(
    leading: impl Future<Output = Result<Option<Journal>, StartError>>,
    reached: Arc<Reached>,
    options: &Options,
) -> Result<(Option<Journal>, SocketAddr), StartError> {
    let listener = bind(options.listen).await?;
    let listen = listener.address();
    let security = Security::for_address(listen.ip(), options.insecure);
    let (end, ended) = oneshot::channel::<()>();
    let (data, names) = (options.data.clone(), options.names.clone());
    let mut serving = tokio::spawn(async move {
        let tls = match security {
            Security::TokensAndTls => loop {
                let (data, names, reached) = (data.clone(), names.clone(), Arc::clone(&reached));
                let prepared = aside(move || {
                    fetch(&data, |name| reached.file(name))?;
                    Ok(data.join(AUTHORITY).exists().then(|| Keys::tls(&data, listen, &names)))
                });
                match prepared.await {
                    Ok(Some(Ok(tls))) => break Some(tls),
                    Ok(Some(Err(error))) => tracing::warn!("standing by without TLS: {error}"),
                    Ok(None) => {}
                    Err(error) => tracing::warn!("standing by without TLS: {error}"),
                }
                tokio::time::sleep(LOOK).await;
            },
            Security::Open | Security::Tokens => None,
        };
        tracing::info!(address = %listen, "this coordinator does not lead yet: calls are told so");
        let stop = async {
            // A dropped sender means the same.
            let _ = ended.await;
        };
        if let Err(error) = stand_by(listener, tls, stop).await {
            tracing::warn!("standing by without a server: {error}");
        }
    });
    let led = leading.await;
    drop(end);
    // It may still look for an authority, or have callers that do not hang up.
    if tokio::time::timeout(CLOSING, &mut serving).await.is_err() {
        serving.abort();
        let _ = serving.await;
    }
    Ok((led?, listen))
}

/// Binds an address that may just have been left.
pub(crate) async fn bind(address: SocketAddr) -> Result<Listener, StartError> {
    let began = tokio::time::Instant::now();
    loop {
        match Listener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && began.elapsed() < REBIND => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(StartError::Listen { address, error }),
        }
    }
}

/// Who leads, for messages: the machine and its data directory.
fn holder(data: &Path) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let data = data.canonicalize().unwrap_or_else(|_| data.to_owned());
    format!("{} {}", host.trim(), data.display())
}

/// Writes the files of the journal into the data directory, where they differ.
fn fetch(
    data: &Path,
    read: impl Fn(&str) -> Result<Option<Vec<u8>>, JournalError>,
) -> Result<(), JournalError> {
    let failed = |path: &Path, error: io::Error| JournalError::Io {
        path: path.display().to_string(),
        message: error.to_string(),
    };
    for (name, mode) in SHARED {
        let Some(bytes) = read(name)? else { continue };
        let path = data.join(name);
        if std::fs::read(&path).is_ok_and(|found| found == bytes) {
            continue;
        }
        write(&path, mode, &bytes).map_err(|error| failed(&path, error))?;
        if name == AUTHORITY {
            // Signed by another authority.
            for signed in SIGNED.map(|name| data.join(name)) {
                match std::fs::remove_file(&signed) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(failed(&signed, error));
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn write(path: &Path, mode: u32, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    if let Some(parent) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    }
    let mut draft = Draft::with_mode(path, mode)?;
    draft.write_all(bytes)?;
    draft.finish()
}

/// Keeps the files of the data directory in the journal, where they differ.
///
/// # Errors
/// If the journal cannot be written.
pub(crate) fn keep(data: &Path, journal: &Journal) -> Result<(), JournalError> {
    for (name, _) in SHARED {
        let path = data.join(name);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                let (path, message) = (path.display().to_string(), error.to_string());
                return Err(JournalError::Io { path, message });
            }
        };
        if journal.file(name)?.as_ref() != Some(&bytes) {
            journal.keep_file(name, &bytes)?;
        }
    }
    Ok(())
}

/// Runs something that waits.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, JournalError> + Send + 'static,
) -> Result<T, StartError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| StartError::Server(error.to_string()))??)
}
