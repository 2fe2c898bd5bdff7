//! Who may write: the coordinator whose epoch is in the table. An advisory lock tells at once that
//! a leader's session has ended; a time that the leader renews tells that it hangs. Neither is
//! trusted for more than that: every commit checks the epoch itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio_postgres::Client;

use super::database::{Database, Trouble, lock_key};
use super::schema;
use crate::journal::JournalError;

/// How often a leader is seen, and a standby looks.
const BEAT: Duration = Duration::from_millis(500);
/// A leader that has lost its session has this long to come back with another.
const GRACE: Duration = Duration::from_millis(1500);
/// A coordinator that does not stand by waits this long for the session of one that was killed.
const CLEARING: Duration = Duration::from_secs(3);
/// A scheduler that does not go round for this long hangs: its leader is no longer renewed.
const HANGS: Duration = Duration::from_secs(10);
/// How long one look may take.
const LIMIT: Duration = Duration::from_secs(10);

/// How a coordinator wants to lead.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Machine and data directory, for messages, and to recognise itself after a restart.
    pub holder: String,
    /// Waits until there is no leader. Otherwise another leader is an error.
    pub standby: bool,
    /// A leader that was not seen for this long is deposed.
    pub takeover: Duration,
}

/// The row of `leader`.
struct Seen {
    epoch: i64,
    holder: String,
    seen: String,
    age: f64,
}

/// Leadership that was won: its number, and the session that holds the lock.
pub struct Won {
    pub epoch: u64,
    session: Client,
}

/// Waits for leadership; `None` if `go_on` says to stop.
pub fn win(
    database: &Database,
    candidate: &Candidate,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Won>, JournalError> {
    let began = Instant::now();
    let mut session = None;
    let mut waiting = false;
    while go_on() {
        let looked = database.run(LIMIT, look(database, candidate, session.take()));
        match looked {
            Ok(Look::Won(won)) => return Ok(Some(won)),
            Ok(Look::Led { by, session: kept }) => {
                if !candidate.standby && began.elapsed() > CLEARING + GRACE {
                    return Err(JournalError::Led { path: database.place(), by });
                }
                if candidate.standby && !waiting {
                    tracing::info!(journal = database.place(), leader = by, "standing by");
                    waiting = true;
                }
                session = Some(kept);
            }
            Err(Trouble::Lasting(message)) => return Err(database.io(message)),
            Err(Trouble::Passing(message)) => {
                if !candidate.standby && began.elapsed() > database.patience {
                    return Err(database.io(message));
                }
                tracing::warn!(journal = database.place(), "looking for a leader: {message}");
            }
        }
        std::thread::sleep(BEAT);
    }
    Ok(None)
}

enum Look {
    Won(Won),
    Led { by: String, session: Client },
}

async fn look(
    database: &Database,
    candidate: &Candidate,
    session: Option<Client>,
) -> Result<Look, Trouble> {
    let session = match session.filter(|session| !session.is_closed()) {
        Some(session) => session,
        None => database.connect().await?,
    };
    let name = &database.address.name;
    let locked = lock(&session, name).await?;
    let seen = seen(&session, name).await?;
    let ours = seen.holder == candidate.holder;
    let free = if locked {
        // A leader may have lost its session alone. One that was here has died: this is its machine.
        seen.holder.is_empty() || ours || {
            tokio::time::sleep(GRACE).await;
            self::seen(&session, name).await?.seen == seen.seen
        }
    } else {
        candidate.standby && seen.age > candidate.takeover.as_secs_f64()
    };
    if !free {
        if locked {
            session.execute("SELECT pg_advisory_unlock($1)", &[&lock_key(name)]).await?;
        }
        return Ok(Look::Led { by: seen.holder, session });
    }
    if !locked {
        tracing::warn!(
            leader = seen.holder,
            seconds = seen.age,
            "the leader was not seen for too long: taking over"
        );
        // A session that is stuck in a commit would hold up the next statement.
        end_others(&session, name).await?;
    }
    let raised = session
        .query_opt(
            &format!(
                "UPDATE \"{name}\".leader SET epoch = epoch + 1, batch = 0, holder = $2, \
                 seen = clock_timestamp() WHERE epoch = $1 RETURNING epoch"
            ),
            &[&seen.epoch, &candidate.holder],
        )
        .await?;
    let Some(raised) = raised else {
        return Ok(Look::Led { by: seen.holder, session });
    };
    let epoch = raised.get::<_, i64>(0) as u64;
    // From here on nobody else writes. The lock follows, for those who stand by.
    session.batch_execute(&schema::functions(name)).await?;
    Ok(Look::Won(Won { epoch, session }))
}

async fn lock(session: &Client, name: &str) -> Result<bool, Trouble> {
    let key = lock_key(name);
    // A session may take a lock more than once: it must not count up.
    let held = session
        .query_one(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted \
             AND pid = pg_backend_pid() AND ((classid::bigint << 32) | objid::bigint) = $1)",
            &[&key],
        )
        .await?
        .get(0);
    if held {
        return Ok(true);
    }
    Ok(session.query_one("SELECT pg_try_advisory_lock($1)", &[&key]).await?.get(0))
}

async fn seen(session: &Client, name: &str) -> Result<Seen, Trouble> {
    let row = session
        .query_one(
            &format!(
                "SELECT epoch, holder, seen::text, \
                 extract(epoch FROM clock_timestamp() - seen)::float8 FROM \"{name}\".leader"
            ),
            &[],
        )
        .await?;
    Ok(Seen { epoch: row.get(0), holder: row.get(1), seen: row.get(2), age: row.get(3) })
}

/// Ends the sessions of a leader that hangs.
async fn end_others(session: &Client, name: &str) -> Result<(), Trouble> {
    let key = lock_key(name);
    session
        .execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks l \
             WHERE l.pid <> pg_backend_pid() AND l.granted \
             AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND (\
                 (l.locktype = 'advisory' AND ((l.classid::bigint << 32) | l.objid::bigint) = $1) \
                 OR (l.relation = to_regclass($2) AND l.mode = 'RowExclusiveLock'))",
            &[&key, &format!("{name}.leader")],
        )
        .await?;
    Ok(())
}

/// What the leader's thread and its scheduler tell each other.
pub struct Pulse {
    started: Instant,
    /// When the scheduler was last seen, in milliseconds; 0: it has not begun.
    scheduler: AtomicU64,
    writing: AtomicBool,
    deposed: AtomicBool,
    stop: AtomicBool,
}

impl Pulse {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            scheduler: AtomicU64::new(0),
            writing: AtomicBool::new(false),
            deposed: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        }
    }

    /// The scheduler goes round; `writing`: it begins to write.
    pub fn round(&self, writing: bool) {
        let now = self.started.elapsed().as_millis() as u64;
        self.scheduler.store(now.max(1), Ordering::Relaxed);
        self.writing.store(writing, Ordering::Relaxed);
    }

    /// Another leads.
    pub fn is_deposed(&self) -> bool {
        self.deposed.load(Ordering::Relaxed)
    }

    fn hangs(&self) -> bool {
        let seen = self.scheduler.load(Ordering::Relaxed);
        let now = self.started.elapsed().as_millis() as u64;
        seen > 0
            && !self.writing.load(Ordering::Relaxed)
            && now.saturating_sub(seen) > HANGS.as_millis() as u64
    }
}

/// Renews the leader's time on a thread of its own, until it is stopped or deposed.
pub struct Renewal {
    pub pulse: Arc<Pulse>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Renewal {
    /// Starts the thread.
    pub fn start(database: Arc<Database>, won: Won) -> std::io::Result<Self> {
        let pulse = Arc::new(Pulse::new());
        let ours = Arc::clone(&pulse);
        let thread = std::thread::Builder::new()
            .name("leader".to_string())
            .spawn(move || renew(&database, won, &ours))?;
        Ok(Self { pulse, thread: Some(thread) })
    }

    /// Lets the next leader begin at once.
    pub fn stop(&mut self) {
        self.pulse.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that has panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

fn renew(database: &Database, won: Won, pulse: &Pulse) {
    let Won { epoch, session } = won;
    let mut session = Some(session);
    let name = &database.address.name;
    let mut troubled = false;
    loop {
        let stop = pulse.stop.load(Ordering::Relaxed);
        if !stop && pulse.hangs() {
            std::thread::park_timeout(BEAT);
            continue;
        }
        let kept = session.take().filter(|session| !session.is_closed());
        let renewed = database.run(LIMIT, async {
            let session = match kept {
                Some(session) => session,
                None => database.connect().await?,
            };
            let holder = if stop { ", holder = ''" } else { "" };
            let update = format!(
                "UPDATE \"{name}\".leader SET seen = clock_timestamp(){holder} WHERE epoch = $1"
            );
            let rows = session.execute(&update, &[&(epoch as i64)]).await?;
            // After a lost session the lock may be with one that stands by, for a moment.
            lock(&session, name).await?;
            Ok((session, rows))
        });
        match renewed {
            Ok((_, 0)) => return pulse.deposed.store(true, Ordering::Relaxed),
            Ok((kept, _)) => {
                session = Some(kept);
                troubled = false;
            }
            Err(Trouble::Passing(message) | Trouble::Lasting(message)) => {
                if !troubled {
                    tracing::warn!(journal = database.place(), "not renewed as leader: {message}");
                }
                troubled = true;
            }
        }
        if stop {
            return;
        }
        std::thread::park_timeout(BEAT);
    }
}
