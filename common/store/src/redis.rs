//! The engine on servers that speak the Redis protocol: one server or a cluster. Relies on `merge`
//! to combine records and on the servers to store what they acknowledge.

mod address;
mod client;
mod durable;
mod format;
mod link;
mod notes;
mod round;
mod scan;
mod slots;
mod swap;
mod tls;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hasami_andor::{Key, ProblemId};
use redis::{TlsCertificates, Value};

use crate::Store;
use crate::alarm::Alarm;
use crate::error::StoreError;
use crate::layout;
use crate::marker::{self, FORMAT};
use address::Address;
use client::{Client, Trouble};
use hasami_record::Record;
use hasami_record::merge;
use round::Request;

/// How long to retry an unreachable server.
const LIMIT: Duration = Duration::from_secs(10);
/// Maximum number of requests in flight.
const BATCH: usize = 1000;

/// A [`Store`] on servers that speak the Redis protocol (Apache Kvrocks, Valkey, Redis), shared by
/// any number of processes.
///
/// Publish returns once the servers have acknowledged: the data is as safe as their configuration.
/// With `appendonly yes` and `appendfsync always` the crash of a server loses nothing. With
/// `appendfsync everysec` it may lose the last second, back to the last [`Store::sync`] if the
/// server supports `WAITAOF` (Redis 7.2, Valkey); if it does not, a sync confirms no more than the
/// publish did. Without `appendonly` everything is lost when a server ends. A replica that takes
/// over may lack what its primary acknowledged last. Servers must never evict (`maxmemory-policy
/// noeviction`): an evicted record is lost, even a contradiction.
pub struct RedisStore {
    address: Arc<Address>,
    /// Trusted certificates, if the url asks for encryption.
    certificates: Option<Arc<TlsCertificates>>,
    /// The url without its password, for errors that need a path.
    place: PathBuf,
    limit: Duration,
    /// Idle clients; as many as were ever used at once.
    idle: Mutex<Vec<Client>>,
    alarm: Alarm,
}

impl RedisStore {
    /// Opens the store on the servers of `url`; creates it if there is none. The servers in
    /// `redis://[user:password@]host:port[,host:port...]` are members of a cluster, which names the
    /// others. `redis+single://[user:password@]host:port` is one server without a cluster. With
    /// `rediss://` and `rediss+single://` everything is encrypted: `?ca=FILE` at the end is the
    /// authority to trust (else those of this machine), `&cert=FILE&key=FILE` the client
    /// certificate. An unreachable server is retried for ten seconds.
    ///
    /// # Errors
    /// If the url is invalid, no server answers, or the servers hold another format.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_within(url, LIMIT)
    }

    /// Like [`RedisStore::open`], with another time limit for retrying an unreachable server, now
    /// and later.
    ///
    /// # Errors
    /// As [`RedisStore::open`].
    pub fn open_within(url: &str, limit: Duration) -> Result<Self, StoreError> {
        let address = Arc::new(Address::parse(url)?);
        let certificates = address.tls.as_ref().map(|tls| tls.load().map(Arc::new)).transpose()?;
        let store = Self {
            place: PathBuf::from(address.to_string()),
            address,
            certificates,
            limit,
            idle: Mutex::default(),
            alarm: Alarm::default(),
        };
        let found = store.with(format::find_or_write)?;
        if found == FORMAT.to_string() {
            Ok(store)
        } else {
            Err(marker::format(&store.place, &found))
        }
    }

    /// The url, without its password.
    #[must_use]
    pub fn place(&self) -> &std::path::Path {
        &self.place
    }

    /// Lends a client to `work`. It is reused only after success: otherwise answers may still
    /// arrive that no request waits for.
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Client) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut client = taken
            .unwrap_or_else(|| Client::new(&self.address, self.certificates.clone(), self.limit));
        let done = work(&mut client).map_err(|trouble| match trouble {
            Trouble::Lost(detail) => {
                StoreError::Unreachable { url: self.address.to_string(), detail }
            }
            Trouble::Refused(detail) => StoreError::Io { path: self.place.clone(), detail },
        })?;
        idle().push(client);
        Ok(done)
    }
}

impl Store for RedisStore {
    fn lookup(
        &self,
        problem: ProblemId,
        keys: &[Key],
        out: &mut Vec<Option<Record>>,
    ) -> Result<(), StoreError> {
        out.clear();
        self.alarm.check(&self.place, problem)?;
        let mut found = Vec::with_capacity(keys.len());
        for batch in keys.chunks(BATCH) {
            let values = self.with(|client| get(client, problem, batch))?;
            for (&key, value) in batch.iter().zip(values) {
                found.push(
                    value
                        .map(|bytes| self.alarm.read(&self.place, problem, key, &bytes))
                        .transpose()?,
                );
            }
        }
        *out = found;
        Ok(())
    }

    fn publish(&self, problem: ProblemId, records: &[(Key, Record)]) -> Result<(), StoreError> {
        self.alarm.check(&self.place, problem)?;
        // One entry per key: two entries of one batch must not race.
        let mut entries = BTreeMap::<Key, Vec<u8>>::new();
        for &(key, record) in records {
            let mut bytes = Vec::with_capacity(64);
            record.encode(&mut bytes).map_err(|source| StoreError::Record {
                problem,
                key,
                source,
            })?;
            let entry = entries.entry(key).or_default();
            let both = [entry.as_slice(), &bytes].into_iter().skip(usize::from(entry.is_empty()));
            *entry = merge(both).expect("an operand").to_vec();
        }
        let entries: Vec<_> = entries.into_iter().collect();
        for batch in entries.chunks(BATCH) {
            for (key, fault) in self.with(|client| swap::publish(client, problem, batch))? {
                self.alarm.raise(problem, key, fault);
            }
        }
        self.alarm.check(&self.place, problem)
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.with(|client| durable::sync(client, self.limit / 4))
    }

    fn scan(
        &self,
        problem: ProblemId,
        min_work: u64,
        visit: &mut dyn FnMut(Key, Record),
    ) -> Result<(), StoreError> {
        self.alarm.check(&self.place, problem)?;
        for server in self.with(scan::servers)? {
            let mut cursor = Some(b"0".to_vec());
            while let Some(from) = cursor {
                let found = self.with(|client| scan::step(client, &server, problem, &from))?;
                let values = self.with(|client| get(client, problem, &found.keys))?;
                for (&key, value) in found.keys.iter().zip(values) {
                    let record = value
                        .map(|bytes| self.alarm.read(&self.place, problem, key, &bytes))
                        .transpose()?;
                    if let Some(record) = record.filter(|record| record.work >= min_work) {
                        visit(key, record);
                    }
                }
                cursor = found.cursor;
            }
        }
        Ok(())
    }

    fn faults(&self) -> Vec<StoreError> {
        self.alarm.all(&self.place)
    }

    fn forget(&self, problem: ProblemId) -> Result<(), StoreError> {
        for server in self.with(scan::servers)? {
            let mut cursor = Some(b"0".to_vec());
            while let Some(from) = cursor {
                let found = self.with(|client| scan::step(client, &server, problem, &from))?;
                self.with(|client| remove(client, problem, &found.keys))?;
                cursor = found.cursor;
            }
        }
        self.alarm.clear(problem);
        Ok(())
    }

    fn notes(&self, family: ProblemId, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let mut found = Vec::with_capacity(keys.len());
        for batch in keys.chunks(BATCH) {
            found.extend(self.with(|client| notes::find(client, family, batch))?);
        }
        Ok(found)
    }

    fn keep_notes(&self, family: ProblemId, notes: &[(Key, Vec<u8>)]) -> Result<(), StoreError> {
        for batch in notes.chunks(BATCH) {
            self.with(|client| notes::keep(client, family, batch))?;
        }
        Ok(())
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").field("url", &self.place).finish_non_exhaustive()
    }
}

/// The key of a state on the servers. The empty braces make the whole key choose the slot, whatever
/// bytes follow, so that a problem spreads over all servers.
fn position(problem: ProblemId, key: Key) -> Vec<u8> {
    [b"hasami:{}p:".as_slice(), &layout::position(problem, key)].concat()
}

fn get(
    client: &mut Client,
    problem: ProblemId,
    keys: &[Key],
) -> Result<Vec<Option<Vec<u8>>>, Trouble> {
    get_all(client, keys.iter().map(|&key| position(problem, key)))
}

/// Removes records.
fn remove(client: &mut Client, problem: ProblemId, keys: &[Key]) -> Result<(), Trouble> {
    let request = |&key: &Key| {
        let position = position(problem, key);
        let mut command = redis::cmd("DEL");
        command.arg(&position);
        Request::new(&position, vec![command])
    };
    let requests: Vec<_> = keys.iter().map(request).collect();
    for answer in client.exchange(&requests)? {
        match answer.into_iter().next() {
            Some(Value::Int(_)) => {}
            other => return Err(Trouble::unexpected("DEL", other.as_ref())),
        }
    }
    Ok(())
}

/// The values of these keys on the servers.
fn get_all(
    client: &mut Client,
    keys: impl Iterator<Item = Vec<u8>>,
) -> Result<Vec<Option<Vec<u8>>>, Trouble> {
    let requests: Vec<_> = keys
        .map(|position| {
            let mut command = redis::cmd("GET");
            command.arg(&position);
            Request::new(&position, vec![command])
        })
        .collect();
    client
        .exchange(&requests)?
        .into_iter()
        .map(|answer| match answer.into_iter().next() {
            Some(Value::Nil) => Ok(None),
            Some(Value::BulkString(bytes)) => Ok(Some(bytes)),
            other => Err(Trouble::unexpected("GET", other.as_ref())),
        })
        .collect()
}
