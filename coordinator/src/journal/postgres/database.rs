//! Connections to the database. What fails because the database cannot be reached is tried again
//! for a while; what fails for any other reason is an error at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

use super::address::Address;
use super::schema;
use crate::journal::JournalError;
use crate::waiting::Waiting;

/// Readers that are kept open.
const READERS: usize = 4;
/// Pauses between attempts.
const PAUSES: [u64; 6] = [20, 50, 100, 200, 300, 500];
/// How long connecting may take, with everything that a session needs.
const CONNECT: Duration = Duration::from_secs(8);

/// A database. Calls come from threads that may wait.
pub struct Database {
    pub(super) address: Address,
    waiting: Waiting,
    /// How long it may be away.
    pub(super) patience: Duration,
    readers: Mutex<Vec<Arc<Client>>>,
}

/// What a failed attempt means.
pub enum Trouble {
    /// It may work again.
    Passing(String),
    /// It will not.
    Lasting(String),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        let text = cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
        let Some(code) = error.code() else {
            return if is_certificate(&error) { Self::Lasting(text) } else { Self::Passing(text) };
        };
        let lasting = [
            SqlState::INVALID_PASSWORD,
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
            SqlState::INVALID_CATALOG_NAME,
            SqlState::INSUFFICIENT_PRIVILEGE,
            SqlState::UNDEFINED_TABLE,
            SqlState::UNDEFINED_FUNCTION,
            SqlState::INVALID_SCHEMA_NAME,
            SqlState::SYNTAX_ERROR,
            SqlState::PROGRAM_LIMIT_EXCEEDED,
        ];
        if lasting.contains(code) { Self::Lasting(text) } else { Self::Passing(text) }
    }
}

/// Whether the server showed a certificate that is not trusted: trying again cannot help.
fn is_certificate(error: &Error) -> bool {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(rustls::Error::InvalidCertificate(_)) = error.downcast_ref() {
            return true;
        }
        // The error inside an io::Error is not its source.
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    false
}

impl Database {
    /// Reaches a database, and makes the tables of the journal if they are missing.
    ///
    /// # Errors
    /// If it refuses, cannot be reached for `patience`, or the tables are of another format.
    pub fn open(address: &Address, patience: Duration) -> Result<Self, JournalError> {
        let io = |message: String| JournalError::Io { path: address.shown().to_string(), message };
        let waiting = Waiting::start("journal").map_err(|error| io(error.to_string()))?;
        let database =
            Self { address: address.clone(), waiting, patience, readers: Mutex::default() };
        database.prepare()?;
        Ok(database)
    }

    fn prepare(&self) -> Result<(), JournalError> {
        let name = &self.address.name;
        let found = self.read(async |client| {
            let there = client
                .query_one("SELECT to_regclass($1) IS NOT NULL", &[&format!("{name}.leader")])
                .await?
                .get::<_, bool>(0);
            if !there {
                // Two that begin at once must not both create.
                let all = format!(
                    "BEGIN; SELECT pg_advisory_xact_lock({}); {} COMMIT;",
                    lock_key(name) ^ 1,
                    schema::create(name)
                );
                client.batch_execute(&all).await?;
            }
            let row =
                client.query_one(&format!("SELECT format FROM \"{name}\".leader"), &[]).await?;
            Ok(row.get::<_, String>(0))
        })?;
        if found != schema::FORMAT {
            return Err(self.io(format!(
                "its tables have the format \"{found}\"; expected \"{}\": use the release of hasami \
                 that made them, or another journal=NAME",
                schema::FORMAT
            )));
        }
        Ok(())
    }

    /// Runs something on this database's runtime, with a limit.
    pub(super) fn run<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, Trouble>>,
    ) -> Result<T, Trouble> {
        self.waiting.run(async {
            tokio::time::timeout(limit, work)
                .await
                .unwrap_or_else(|_| Err(Trouble::Passing(format!("no reply within {limit:?}"))))
        })
    }

    /// A new session.
    pub(super) async fn connect(&self) -> Result<Client, Trouble> {
        let connecting = async {
            let (client, connection) =
                self.address.config.connect(self.address.tls.0.clone()).await?;
            tokio::spawn(async move {
                // Its end is seen by the calls.
                let _ = connection.await;
            });
            // The server must notice soon that this machine is gone; and a session that it holds
            // for us must not wait in a transaction for ever.
            client
                .batch_execute(
                    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; \
                     SET tcp_keepalives_count = 3; \
                     SET idle_in_transaction_session_timeout = '20s'; \
                     SET default_transaction_isolation = 'read committed'; \
                     SELECT set_config('synchronous_commit', 'on', false) \
                     WHERE current_setting('synchronous_commit') = 'off'",
                )
                .await?;
            Ok(client)
        };
        tokio::time::timeout(CONNECT, connecting)
            .await
            .unwrap_or_else(|_| Err(Trouble::Passing(format!("no session within {CONNECT:?}"))))
    }

    /// Reads something; tries again while the database is away.
    pub(super) fn read<T>(
        &self,
        mut query: impl AsyncFnMut(&Client) -> Result<T, Trouble>,
    ) -> Result<T, JournalError> {
        self.patiently("reading", || {
            let kept = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            // Reading everything at a start takes as long as it takes.
            let limit = Duration::from_secs(24 * 3600);
            let (client, value) = self.run(limit, async {
                let client = match kept.filter(|client| !client.is_closed()) {
                    Some(client) => client,
                    None => Arc::new(self.connect().await?),
                };
                let value = query(&client).await?;
                Ok((client, value))
            })?;
            let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
            if readers.len() < READERS {
                readers.push(client);
            }
            Ok(value)
        })
    }

    /// Tries until it works, cannot work, or the patience is at an end.
    pub(super) fn patiently<T>(
        &self,
        what: &str,
        mut attempt: impl FnMut() -> Result<T, Trouble>,
    ) -> Result<T, JournalError> {
        let began = Instant::now();
        let mut tries = 0;
        loop {
            match attempt() {
                Ok(value) => {
                    if tries > 0 {
                        let away = began.elapsed();
                        tracing::info!(journal = self.place(), ?away, "the journal is there again");
                    }
                    return Ok(value);
                }
                Err(Trouble::Lasting(message)) => return Err(self.io(message)),
                Err(Trouble::Passing(message)) => {
                    if began.elapsed() >= self.patience {
                        let away = self.patience;
                        return Err(self.io(format!("{message} (tried again for {away:?})")));
                    }
                    if tries == 0 {
                        tracing::warn!(
                            journal = self.place(),
                            "{what} the journal failed, trying again: {message}"
                        );
                    }
                    pause(tries);
                    tries += 1;
                }
            }
        }
    }

    /// Where it is.
    pub(super) fn place(&self) -> String {
        self.address.shown().to_string()
    }

    pub(super) fn io(&self, message: String) -> JournalError {
        JournalError::Io { path: self.place(), message }
    }
}

/// Waits before the next attempt.
pub fn pause(tries: usize) {
    std::thread::sleep(Duration::from_millis(PAUSES[tries.min(PAUSES.len() - 1)]));
}

/// The number of a journal among the advisory locks of its database.
pub fn lock_key(name: &str) -> i64 {
    let hash = blake3::hash(format!("hasami journal {name}").as_bytes());
    let (bytes, _) = hash.as_bytes().split_first_chunk().expect("32 bytes");
    i64::from_le_bytes(*bytes)
}
