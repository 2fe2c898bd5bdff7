//! Connections to servers. Nothing waits longer than its deadline. Drop a link after an error:
//! answers may still arrive that no request waits for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redis::{
    Client, Connection, ConnectionAddr, ErrorKind, IntoConnectionInfo, RedisError, RedisResult,
    TlsCertificates, Value,
};

use super::address::{Address, Node};
use super::client::Trouble;

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    limit: Duration,
    end: Instant,
}

impl Deadline {
    pub(crate) fn after(limit: Duration) -> Self {
        Self { limit, end: Instant::now() + limit }
    }

    /// The time left.
    pub(crate) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// The limit on a single wait: a part of the whole limit, so that there is time to try another
    /// server.
    pub(crate) fn step(&self) -> Duration {
        self.limit / 3
    }

    fn wait(&self) -> RedisResult<Duration> {
        match self.left().min(self.step()) {
            Duration::ZERO => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
            wait => Ok(wait),
        }
    }
}

/// One connection to one server.
pub(crate) struct Link {
    connection: Connection,
}

impl Link {
    fn open(
        node: &Node,
        address: &Address,
        certificates: Option<&TlsCertificates>,
        deadline: &Deadline,
    ) -> RedisResult<Self> {
        let (host, port) = (node.host.clone(), node.port);
        let place = match certificates {
            None => ConnectionAddr::Tcp(host, port),
            Some(_) => ConnectionAddr::TcpTls { host, port, insecure: false, tls_params: None },
        };
        let info = place.into_connection_info()?;
        let mut settings = info.redis_settings().clone().set_skip_set_lib_name();
        if let Some((user, password)) = &address.login {
            settings = settings.set_password(password);
            if !user.is_empty() {
                settings = settings.set_username(user);
            }
        }
        let info = info.set_redis_settings(settings);
        let client = match certificates {
            None => Client::open(info)?,
            Some(certificates) => Client::build_with_tls(info, certificates.clone())?,
        };
        Ok(Self { connection: client.get_connection_with_timeout(deadline.wait()?)? })
    }

    /// Sends packed commands.
    pub(crate) fn send(&mut self, commands: &[u8], deadline: &Deadline) -> RedisResult<()> {
        self.connection.set_write_timeout(Some(deadline.wait()?))?;
        // The TLS handshake is an exchange: sending waits for answers there.
        self.connection.set_read_timeout(Some(deadline.wait()?))?;
        self.connection.send_packed_command(commands)
    }

    /// The next answer. A refusal is an answer too: [`Value::ServerError`].
    pub(crate) fn receive(&mut self, deadline: &Deadline) -> RedisResult<Value> {
        self.connection.set_read_timeout(Some(deadline.wait()?))?;
        self.connection.recv_response()
    }
}

/// The links of one client.
pub(crate) struct Links {
    address: Arc<Address>,
    certificates: Option<Arc<TlsCertificates>>,
    open: HashMap<Node, Link>,
    turn: usize,
}

impl Links {
    pub(crate) fn new(address: Arc<Address>, certificates: Option<Arc<TlsCertificates>>) -> Self {
        Self { address, certificates, open: HashMap::new(), turn: 0 }
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// The servers to ask about the cluster: connected ones first, in rotation, because one of them
    /// may know less than the others.
    pub(crate) fn servers(&mut self) -> Vec<Node> {
        let mut nodes: Vec<_> = self.open.keys().cloned().collect();
        nodes.sort();
        let turn = self.turn % nodes.len().max(1);
        nodes.rotate_left(turn);
        self.turn += 1;
        let seeds = self.address.seeds.iter().filter(|seed| !self.open.contains_key(seed));
        nodes.extend(seeds.cloned());
        nodes
    }

    pub(crate) fn get(&mut self, node: &Node, deadline: &Deadline) -> RedisResult<&mut Link> {
        match self.open.entry(node.clone()) {
            Entry::Occupied(link) => Ok(link.into_mut()),
            Entry::Vacant(place) => {
                let certificates = self.certificates.as_deref();
                Ok(place.insert(Link::open(node, &self.address, certificates, deadline)?))
            }
        }
    }

    /// Drops a failed link. Returns the description, or gives up if a retry would fail again.
    pub(crate) fn lose(&mut self, node: &Node, error: &RedisError) -> Result<String, Trouble> {
        self.open.remove(node);
        let what = if error.is_timeout() { "no answer".to_owned() } else { error.to_string() };
        let what = format!("{node}: {what}");
        match error.kind() {
            ErrorKind::AuthenticationFailed => Err(Trouble::Refused(what)),
            // A failed TLS handshake will not succeed later.
            _ if of_tls(error) => Err(Trouble::Refused(what)),
            _ => Ok(what),
        }
    }
}

/// Whether TLS is the cause: an untrusted certificate, or a server that wants a client certificate.
/// Other broken connections have no such error. The crate stores the cause in an [`Arc`].
fn of_tls(error: &RedisError) -> bool {
    type Shared = Arc<dyn Error + Send + Sync>;
    let shared = error.source().and_then(|cause| cause.downcast_ref::<Shared>());
    let Some(cause) = shared.map(|shared| &**shared as &(dyn Error + 'static)) else {
        return false;
    };
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    cause.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>())
}
