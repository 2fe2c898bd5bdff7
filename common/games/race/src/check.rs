//! Checks a database by local consistency: whether each value follows from the values of the
//! positions after its moves, by the rules alone. No position repeats, so a database all of whose
//! values follow is right (`docs/certificates-values.md` has the proof).
//!
//! This is a second way: rules, numbers of positions and values are written here plainly from that
//! page, and share nothing with the tables of the builder.

mod mancala;
mod pyonpyon;

use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hasami_database::{DatabaseError, Reader};
use hasami_game::race::QueryError;

/// What a game's rules say about a value.
trait Plainly: Send + Sync {
    /// The number of positions.
    fn count(&self) -> u64;

    /// The value of a position by those of the positions after its moves; `None` if they allow none.
    fn follows(&self, number: u64, value: &dyn Fn(u64) -> u8) -> Option<u8>;

    /// The position as `hasami database query` reads it.
    fn spell(&self, number: u64) -> String;
}

/// A database with all its values in memory.
pub struct Checker {
    about: String,
    digest: String,
    values: Vec<u8>,
    game: Box<dyn Plainly>,
}

/// A value that does not follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the position.
    pub number: u64,
    /// The position.
    pub position: String,
    /// Its value in the file.
    pub found: u8,
    /// The value that follows; `None` if the values after its moves allow none.
    pub follows: Option<u8>,
}

/// Which values are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Every one.
    All,
    /// So many, drawn at random with replacement.
    Sample {
        /// How many.
        count: u64,
        /// Where the draws begin.
        seed: u64,
    },
}

/// How a check runs.
pub struct Run<'a> {
    /// Number of threads.
    pub threads: usize,
    /// Set to stop it.
    pub stop: &'a AtomicBool,
    /// Called now and then with the number of values checked.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Values that a thread checks before it looks up.
const CHUNK: u64 = 4096;

impl Checker {
    /// Opens a database and reads all its values, which checks every block of the file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is about something else.
    pub fn open(path: &Path) -> Result<Self, QueryError> {
        let reader = Reader::open(path)?;
        let header = reader.header();
        let game: Option<Box<dyn Plainly>> = match header.game.as_str() {
            "pyonpyon" => pyonpyon::Plain::new(&header.rules).map(|game| Box::new(game) as _),
            "mancala" => mancala::Plain::new(&header.rules).map(|game| Box::new(game) as _),
            other => return Err(QueryError::Game(other.to_string())),
        };
        let damaged = |what: String| DatabaseError::Damaged { file: path.to_owned(), what };
        let about = format!("{} {}", header.game, header.rules);
        let game = game.ok_or_else(|| damaged(format!("{about}: not the rules of a database")))?;
        if game.count() != header.values {
            let (found, expected) = (header.values, game.count());
            return Err(damaged(format!("{about}: {found} values; expected {expected}")).into());
        }
        let mut values = Vec::new();
        let room = usize::try_from(header.values).ok().map(|count| values.try_reserve_exact(count));
        if !matches!(room, Some(Ok(()))) {
            return Err(DatabaseError::NoMemory { bytes: header.values }.into());
        }
        reader.for_each_block(|block| values.extend_from_slice(block))?;
        let digest = reader.checksum()?;
        Ok(Self { about, digest, values, game })
    }

    /// The game and its rules.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The BLAKE3 of the file.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.values.len() as u64
    }

    /// The value of this number, unless it follows.
    #[must_use]
    pub fn fault(&self, number: u64) -> Option<Fault> {
        let value = |number: u64| self.values[number as usize];
        let (found, follows) = (value(number), self.game.follows(number, &value));
        let position = || self.game.spell(number);
        (follows != Some(found)).then(|| Fault { number, position: position(), found, follows })
    }

    /// Checks values: the first one that does not follow, if any.
    ///
    /// # Errors
    /// If it was stopped.
    pub fn run(&self, which: Which, how: &Run<'_>) -> Result<Option<Fault>, DatabaseError> {
        let total = match which {
            Which::All => self.count(),
            Which::Sample { count, .. } => count,
        };
        let number = |at: u64| match which {
            Which::All => at,
            Which::Sample { seed, .. } => drawn(seed, at, self.count()),
        };
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let first: Mutex<Option<(u64, Fault)>> = Mutex::new(None);
        let work = || -> Result<(), DatabaseError> {
            loop {
                // Chunks are taken in order, so that no earlier fault is missed after one is found.
                let found = first.lock().unwrap_or_else(PoisonError::into_inner).is_some();
                let from = next.fetch_add(CHUNK, Ordering::Relaxed);
                if from >= total || found {
                    return Ok(());
                }
                if how.stop.load(Ordering::Relaxed) {
                    return Err(DatabaseError::Stopped);
                }
                let to = total.min(from + CHUNK);
                let fault = (from..to).find_map(|at| Some((at, self.fault(number(at))?)));
                if let Some((at, fault)) = fault {
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(earlier, _)| at < *earlier) {
                        *first = Some((at, fault));
                    }
                }
                (how.progress)(done.fetch_add(to - from, Ordering::Relaxed) + to - from);
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..how.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let joined = others.into_iter().map(|other| other.join().expect("a checking thread"));
            joined.fold(own, Result::and)
        })?;
        let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(first.map(|(_, fault)| fault))
    }
}

/// The draw of this index: splitmix64, scaled to the number of values.
fn drawn(seed: u64, at: u64, count: u64) -> u64 {
    let mut mixed = seed.wrapping_add((at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    ((u128::from(mixed) * u128::from(count)) >> 64) as u64
}

/// The numbers in rules like `pits=6 goal=own up-to=9`, with these keys in this order.
fn words<'a, const N: usize>(rules: &'a str, keys: [&str; N]) -> Option<[&'a str; N]> {
    let mut found = [""; N];
    let mut rest = rules.split(' ');
    for (word, key) in found.iter_mut().zip(keys) {
        *word = rest.next()?.strip_prefix(key)?.strip_prefix('=')?;
    }
    rest.next().is_none().then_some(found)
}

/// A number in its one spelling, within a range.
fn number(word: &str, range: std::ops::RangeInclusive<usize>) -> Option<usize> {
    let number: usize = word.parse().ok()?;
    (number.to_string() == word && range.contains(&number)).then_some(number)
}
