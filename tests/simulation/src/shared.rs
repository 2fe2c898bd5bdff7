//! The simulated store: what workers publish, told to all others a little later, as the exchange of
//! real workers does it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Duration;

use hasami_andor::table::Entry;
use hasami_andor::{Key, Options, Problem, Reason, Table, children};

use super::cluster::Time;
use hasami_coordinator::positions::Pace;

/// Keys are mixed already: their low half is the hash.
#[derive(Default)]
pub(super) struct Low(u64);

impl Hasher for Low {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed here")
    }
    fn write_u128(&mut self, value: u128) {
        self.0 = value as u64;
    }
}

/// What is open must have cost so many times as much as a verdict, as in the exchange of real workers.
const OPEN: u32 = 16;

type ByLow = BuildHasherDefault<Low>;

pub(super) struct Shared<R> {
    entries: HashMap<Key, Entry<R>, ByLow>,
    /// Everything that was news to the store, in the order in which it came.
    feed: Vec<(Key, Entry<R>)>,
    /// Published, and not to be seen yet.
    pending: BTreeMap<Time, Vec<(Key, Entry<R>)>>,
    /// What a record must have cost, as the coordinator decides it.
    pace: Pace,
    workers: usize,
}

impl<R: Reason> Shared<R> {
    pub fn new(workers: usize) -> Self {
        Self {
            workers,
            entries: HashMap::default(),
            feed: Vec::new(),
            pending: BTreeMap::new(),
            pace: Pace::new(Duration::ZERO),
        }
    }

    /// Publishes entries that the others see from `visible` on: those that are dear enough, and in
    /// any case what a report rests on.
    pub fn publish(
        &mut self,
        now: Time,
        visible: Time,
        found: Vec<(Key, Entry<R>)>,
        basis: Vec<(Key, Entry<R>)>,
    ) {
        let now = Duration::from_nanos(now);
        let least = self.pace.min_work(self.workers, now);
        let worth = |entry: &Entry<R>| match entry.numbers.settled() {
            true => entry.work >= least,
            false => entry.work >= least.saturating_mul(OPEN),
        };
        let dear = found.into_iter().filter(|(_, entry)| worth(entry));
        let told = self.pending.entry(visible).or_default();
        let before = told.len();
        told.extend(dear.chain(basis));
        self.pace.published(told.len() - before, now);
    }

    /// Makes everything visible that should be by now.
    pub fn advance(&mut self, now: Time) {
        let later = self.pending.split_off(&(now + 1));
        for (key, entry) in std::mem::replace(&mut self.pending, later).into_values().flatten() {
            self.merge(key, entry);
        }
    }

    /// Settled beats unsettled, more work beats less.
    fn merge(&mut self, key: Key, entry: Entry<R>) {
        let known = self.entries.get(&key);
        let (old, new) = (known.and_then(|old| old.numbers.verdict()), entry.numbers.verdict());
        assert!(old.is_none() || new.is_none() || old == new, "contradiction at {key}");
        if old.is_none() && (new.is_some() || known.is_none_or(|known| entry.work > known.work)) {
            self.entries.insert(key, entry);
            self.feed.push((key, entry));
        }
    }

    /// Tells a table all news after number `read`, or the verdicts among them; how many there were.
    pub fn tell_news(&self, read: &mut usize, table: &Table<R>, verdicts_only: bool) -> usize {
        let news = &self.feed[*read..];
        let wanted = |(_, entry): &&(Key, Entry<R>)| !verdicts_only || entry.numbers.settled();
        news.iter().filter(wanted).for_each(|(key, entry)| table.absorb(*key, entry));
        *read = self.feed.len();
        news.len()
    }

    /// Before a lease: what is known of its state and of the children, and of those that settled
    /// children have opened. How many batches were asked for.
    pub fn pull<P: Problem<Reason = R>>(
        &self,
        problem: &P,
        options: Options,
        state: &P::State,
        table: &Table<R>,
    ) -> u32 {
        let mut asked: HashSet<Key, ByLow> = HashSet::default();
        let mut batches = 0;
        loop {
            let below = children(problem, table, options, state);
            let mut fresh = 0;
            for key in below.iter().map(|child| child.key).chain([problem.key(state)]) {
                if asked.insert(key) {
                    fresh += 1;
                    if let Some(entry) = self.entries.get(&key) {
                        table.absorb(key, entry);
                    }
                }
            }
            if fresh == 0 {
                return batches;
            }
            batches += 1;
        }
    }
}
