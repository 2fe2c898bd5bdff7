//! Who is connected. A connection is a guest until it has made a call with a token. Guests
//! compete only with each other: there are few of them, few from one address, and none for long.
//! Those who are known share the rest, and whoever has the most makes room for others.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hasami_proto::limits;
use tokio::sync::oneshot;

use super::complaints::Complaints;

/// How often connections are looked through.
const ROUND: Duration = Duration::from_millis(250);

/// How long callers may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until a connection must have made a call with a token.
    pub guest: Duration,
    /// Until a reply must have been read further.
    pub unread: Duration,
    /// Until a request must have gone on.
    pub upload: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            guest: Duration::from_secs(limits::GUEST_SECONDS),
            unread: Duration::from_secs(limits::UNREAD_SECONDS),
            upload: Duration::from_secs(limits::UPLOAD_SECONDS),
        }
    }
}

/// One connection.
#[derive(Debug)]
pub struct Connection {
    id: u64,
    pub(super) address: SocketAddr,
    opened: Instant,
    /// Closes it.
    cut: Mutex<Option<oneshot::Sender<()>>>,
    /// The tokens that were used on it.
    tokens: Mutex<Vec<u64>>,
    /// Replies that wait for their reader, and since when.
    unread: Mutex<Vec<(u64, Instant)>>,
    refused: AtomicU32,
}

impl Connection {
    /// A message of reply `call` was passed on.
    pub(super) fn passed_on(&self, call: u64) {
        lock(&self.unread).push((call, Instant::now()));
    }

    /// The reader of reply `call` wants more, or is gone.
    pub(super) fn went_on(&self, call: u64) {
        lock(&self.unread).retain(|(other, _)| *other != call);
    }

    /// A call was refused; too many, and the connection ends.
    pub(super) fn was_refused(&self) {
        if self.refused.fetch_add(1, Ordering::Relaxed) + 1 >= limits::REFUSALS {
            self.close();
        }
    }

    /// Closes it, with all its calls.
    pub(super) fn close(&self) {
        if let Some(cut) = lock(&self.cut).take() {
            // It may have ended by itself.
            let _ = cut.send(());
        }
    }

    fn is_known_to(&self, token: u64) -> bool {
        lock(&self.tokens).contains(&token)
    }

    fn oldest_unread(&self) -> Option<Instant> {
        lock(&self.unread).iter().map(|(_, since)| *since).min()
    }
}

/// Where a connection comes from: an address, or a network that one machine may have alone.
type Source = IpAddr;

fn source(address: SocketAddr) -> Source {
    match address.ip().to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        four => four,
    }
}

#[derive(Default)]
struct Table {
    next: u64,
    all: BTreeMap<u64, Arc<Connection>>,
    guests: BTreeMap<u64, Source>,
    /// The guests of a source, oldest first.
    sources: HashMap<Source, BTreeSet<u64>>,
    /// The connections of a token, oldest first. One with several tokens counts for the first.
    known: HashMap<u64, BTreeSet<u64>>,
}

impl Table {
    fn forget_guest(&mut self, id: u64) {
        let Some(source) = self.guests.remove(&id) else { return };
        if let Some(of_source) = self.sources.get_mut(&source) {
            of_source.remove(&id);
            if of_source.is_empty() {
                self.sources.remove(&source);
            }
        }
    }

    fn forget(&mut self, id: u64) {
        self.forget_guest(id);
        if let Some(connection) = self.all.remove(&id) {
            for token in lock(&connection.tokens).iter() {
                if let Some(of_token) = self.known.get_mut(token) {
                    of_token.remove(&id);
                    if of_token.is_empty() {
                        self.known.remove(token);
                    }
                }
            }
        }
    }

    /// Closes a connection; its place is free at once.
    fn close(&mut self, id: u64) {
        if let Some(connection) = self.all.get(&id).cloned() {
            self.forget(id);
            connection.close();
        }
    }
}

/// Keeps the list of connections.
pub struct Doorman {
    table: Mutex<Table>,
    room: usize,
    guests: usize,
    patience: Patience,
    complaints: Complaints,
    refused: AtomicU64,
}

impl Doorman {
    /// At most `room` connections.
    #[must_use]
    pub fn new(room: usize, patience: Patience) -> Arc<Self> {
        // Most of the room is for those who are known.
        let guests = limits::GUESTS.min(room / 4).max(1);
        let table = Mutex::default();
        let complaints = Complaints::default();
        Arc::new(Self { table, room, guests, patience, complaints, refused: AtomicU64::new(0) })
    }

    /// Counts a call that was refused.
    pub(super) fn count_refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Calls that were refused since the start.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Open connections: all, and those without a token.
    #[must_use]
    pub fn connections(&self) -> (usize, usize) {
        let table = lock(&self.table);
        (table.all.len(), table.guests.len())
    }

    pub(super) fn patience(&self) -> Patience {
        self.patience
    }

    /// Lets a new connection in, and an old guest out if there are too many. The receiver tells
    /// when it has to end.
    pub(super) fn enter(&self, address: SocketAddr) -> (Arc<Connection>, oneshot::Receiver<()>) {
        let (cut, told) = oneshot::channel();
        let mut table = lock(&self.table);
        let source = source(address);
        let of_source = table.sources.get(&source);
        let crowded = of_source.filter(|all| all.len() >= limits::GUESTS_OF_ADDRESS);
        let oldest = match crowded {
            Some(of_source) => of_source.first().copied(),
            None if table.guests.len() >= self.guests => table.guests.keys().next().copied(),
            None => None,
        };
        if let Some(oldest) = oldest {
            if let Some(left_out) = self.complaints.next() {
                let address = table.all.get(&oldest).map(|old| old.address.to_string());
                tracing::warn!(
                    address,
                    left_out,
                    "too many connections without a token: the oldest ends"
                );
            }
            table.close(oldest);
        }
        let id = table.next;
        table.next += 1;
        let connection = Arc::new(Connection {
            id,
            address,
            opened: Instant::now(),
            cut: Mutex::new(Some(cut)),
            tokens: Mutex::default(),
            unread: Mutex::default(),
            refused: AtomicU32::new(0),
        });
        table.all.insert(id, Arc::clone(&connection));
        table.guests.insert(id, source);
        table.sources.entry(source).or_default().insert(id);
        (connection, told)
    }

    /// A connection has ended.
    pub(super) fn left(&self, connection: &Connection) {
        lock(&self.table).forget(connection.id);
    }

    /// A connection has made a call with this token. If there is no room for another one that is
    /// known, the token with the most connections loses one; false if that is this one.
    pub(super) fn know(&self, connection: &Connection, token: u64) -> bool {
        if connection.is_known_to(token) {
            return true;
        }
        let mut table = lock(&self.table);
        // It was closed meanwhile.
        if !table.all.contains_key(&connection.id) {
            return false;
        }
        let first = table.guests.contains_key(&connection.id);
        if first && table.all.len() - table.guests.len() >= self.room - self.guests {
            let own = table.known.get(&token).map_or(0, BTreeSet::len);
            let most = table.known.iter().max_by_key(|(_, all)| all.len());
            let newest = most.filter(|(_, all)| all.len() > own + 1);
            let Some(newest) = newest.and_then(|(_, all)| all.last().copied()) else {
                return false;
            };
            table.close(newest);
        }
        table.forget_guest(connection.id);
        table.known.entry(token).or_default().insert(connection.id);
        lock(&connection.tokens).push(token);
        true
    }

    /// Closes everything that a token has open.
    pub fn close_all_of(&self, token: u64) {
        let mut table = lock(&self.table);
        for id in table.known.get(&token).cloned().unwrap_or_default() {
            table.close(id);
        }
    }

    /// How many connections a token has open.
    #[must_use]
    pub fn connections_of(&self, token: u64) -> usize {
        lock(&self.table).known.get(&token).map_or(0, BTreeSet::len)
    }

    /// Closes who has been silent for too long, for as long as it is polled.
    pub(super) async fn look_after(self: Arc<Self>) {
        let round = ROUND.min(self.patience.guest / 4).min(self.patience.unread / 4);
        loop {
            tokio::time::sleep(round).await;
            self.round(Instant::now());
        }
    }

    fn round(&self, now: Instant) {
        let mut table = lock(&self.table);
        let silent = table.guests.keys().copied().take_while(|id| {
            let opened = table.all.get(id).map(|connection| connection.opened);
            opened.is_some_and(|opened| now.duration_since(opened) >= self.patience.guest)
        });
        let mut ends: Vec<u64> = silent.collect();
        for connection in table.all.values() {
            let waits =
                connection.oldest_unread().map(|since| now.saturating_duration_since(since));
            if waits.is_some_and(|waits| waits >= self.patience.unread) {
                if let Some(left_out) = self.complaints.next() {
                    tracing::warn!(address = %connection.address, left_out,
                        "a reply is not read: the connection ends");
                }
                ends.push(connection.id);
            }
        }
        ends.into_iter().for_each(|id| table.close(id));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is whole before the lock is released.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> SocketAddr {
        ([10, 0, 0, n], 1).into()
    }

    type Door = (Arc<Connection>, oneshot::Receiver<()>);

    fn is_open((_, told): &mut Door) -> bool {
        matches!(told.try_recv(), Err(oneshot::error::TryRecvError::Empty))
    }

    fn doorman(room: usize) -> Arc<Doorman> {
        Doorman::new(room, Patience::default())
    }

    #[test]
    fn guests_make_room_for_guests_and_for_nobody_else() {
        let doorman = doorman(8192);
        let mut friend = doorman.enter(address(1));
        assert!(doorman.know(&friend.0, 7));
        // One address fills its own place only.
        let mut quiet = doorman.enter(address(2));
        let mut crowd: Vec<Door> = (0..1000).map(|_| doorman.enter(address(3))).collect();
        assert!(is_open(&mut friend) && is_open(&mut quiet));
        let open: usize = crowd.iter_mut().map(|door| usize::from(is_open(door))).sum();
        assert_eq!(open, limits::GUESTS_OF_ADDRESS);
        assert!(is_open(&mut crowd[999]), "the newest stays");
        // Many addresses fill that of all guests.
        for n in 4..=255 {
            for _ in 0..4 {
                doorman.enter(address(n));
            }
        }
        assert!(is_open(&mut friend) && !is_open(&mut quiet));
        assert_eq!(lock(&doorman.table).guests.len(), limits::GUESTS);
    }

    #[test]
    fn a_network_of_one_machine_is_one_source() {
        let of = |text: &str| source(text.parse().unwrap());
        assert_eq!(of("[2001:db8:1:2::5]:1"), of("[2001:db8:1:2:ffff::9]:7"));
        assert_ne!(of("[2001:db8:1:2::5]:1"), of("[2001:db8:1:3::5]:1"));
        assert_eq!(of("[::ffff:10.0.0.1]:1"), of("10.0.0.1:9"));
        assert_ne!(of("10.0.0.1:1"), of("10.0.0.2:1"));
    }

    #[test]
    fn whoever_has_the_most_connections_makes_room() {
        let doorman = doorman(16);
        let most = 16 - doorman.guests;
        let mut greedy: Vec<Door> = Vec::new();
        for _ in 0..most {
            greedy.push(doorman.enter(address(1)));
            assert!(doorman.know(&greedy.last().unwrap().0, 1));
        }
        let another = doorman.enter(address(1));
        assert!(!doorman.know(&another.0, 1), "no room, and it has the most itself");
        let mut modest = doorman.enter(address(2));
        assert!(doorman.know(&modest.0, 2));
        assert!(is_open(&mut modest) && !is_open(&mut greedy[most - 1]));
        assert_eq!(doorman.connections_of(1), most - 1);
    }

    #[test]
    fn a_token_that_ends_takes_its_connections_along() {
        let doorman = doorman(64);
        let (mut one, mut other) = (doorman.enter(address(1)), doorman.enter(address(1)));
        doorman.know(&one.0, 1);
        doorman.know(&one.0, 2);
        doorman.know(&other.0, 2);
        doorman.close_all_of(1);
        assert!(!is_open(&mut one) && is_open(&mut other));
        assert!(!doorman.know(&one.0, 3), "a closed connection does not come back");
        doorman.left(&other.0);
        assert!(lock(&doorman.table).all.is_empty() && lock(&doorman.table).known.is_empty());
    }

    #[test]
    fn who_is_silent_or_does_not_read_ends() {
        let doorman = doorman(64);
        let patience = doorman.patience;
        let (mut silent, mut reader) = (doorman.enter(address(1)), doorman.enter(address(2)));
        let mut stuck = doorman.enter(address(3));
        doorman.know(&reader.0, 1);
        doorman.know(&stuck.0, 1);
        for connection in [&reader.0, &stuck.0] {
            connection.passed_on(5);
        }
        reader.0.went_on(5);
        let now = Instant::now();
        doorman.round(now);
        assert!(is_open(&mut silent) && is_open(&mut reader) && is_open(&mut stuck));
        doorman.round(now + patience.guest);
        assert!(!is_open(&mut silent) && is_open(&mut reader) && is_open(&mut stuck));
        doorman.round(now + patience.unread);
        assert!(is_open(&mut reader) && !is_open(&mut stuck));
    }

    #[test]
    fn guessing_ends_the_connection() {
        let doorman = doorman(64);
        let mut door = doorman.enter(address(1));
        (1..limits::REFUSALS).for_each(|_| door.0.was_refused());
        assert!(is_open(&mut door));
        door.0.was_refused();
        assert!(!is_open(&mut door));
    }
}
