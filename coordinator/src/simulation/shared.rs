//! The simulated store: what workers publish, visible to the others a little later.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use hasami_andor::table::Entry;
use hasami_andor::{Expansion, Key, Moves, Problem, Reason, Table};

use super::cluster::Time;

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

type ByLow = BuildHasherDefault<Low>;

/// States of a lease that a worker asks about before it begins, at most.
const MOST_PULLED: usize = 1 << 14;

pub(super) struct Shared<R> {
    entries: HashMap<Key, Entry<R>, ByLow>,
    /// Published, and not to be seen yet.
    pending: BTreeMap<Time, Vec<(Key, Entry<R>)>>,
}

impl<R: Reason> Shared<R> {
    pub fn new() -> Self {
        Self { entries: HashMap::default(), pending: BTreeMap::new() }
    }

    /// Publishes entries that the others see from `visible` on.
    pub fn publish(&mut self, visible: Time, entries: Vec<(Key, Entry<R>)>) {
        if !entries.is_empty() {
            self.pending.entry(visible).or_default().extend(entries);
        }
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
        let known = self.entries.entry(key).or_insert(entry);
        let (old, new) = (known.numbers.verdict(), entry.numbers.verdict());
        assert!(old.is_none() || new.is_none() || old == new, "contradiction at {key}");
        if old.is_none() && (new.is_some() || entry.work > known.work) {
            *known = entry;
        }
    }

    /// Copies what is known of one state into a table. Whether it was news there.
    fn tell(&self, key: Key, table: &Table<R>) -> Option<Entry<R>> {
        let entry = self.entries.get(&key)?;
        let news = match table.lookup(key) {
            Some(known) => {
                !known.numbers.settled() && (entry.numbers.settled() || entry.work > known.work)
            }
            None => true,
        };
        news.then(|| {
            table.absorb(key, entry);
            *entry
        })
    }

    /// Before a lease: what is known of its state, of the children, of theirs, and so on as long as
    /// there is news. How many batches were asked for, one for each level.
    pub fn pull<P: Problem<Reason = R>>(
        &self,
        problem: &P,
        state: &P::State,
        table: &Table<R>,
    ) -> u32 {
        self.tell(problem.key(state), table);
        let (mut batches, mut pulled) = (0, 0);
        let mut level = vec![state.clone()];
        let mut seen: HashSet<Key, ByLow> = HashSet::default();
        let mut moves = Moves::new();
        while !level.is_empty() && pulled < MOST_PULLED {
            batches += 1;
            let mut next = Vec::new();
            for state in level {
                moves.clear();
                if problem.expand(&state, &mut moves) != Expansion::Open {
                    continue;
                }
                for mv in moves.iter() {
                    let key = problem.key_after(&state, mv);
                    if !seen.insert(key) {
                        continue;
                    }
                    if let Some(entry) = self.tell(key, table) {
                        pulled += 1;
                        if !entry.numbers.settled() {
                            next.push(problem.play(&state, mv));
                        }
                    }
                }
            }
            level = next;
        }
        batches
    }

    /// During a lease: what is known of these states and their children. Whether there was news.
    pub fn look<P: Problem<Reason = R>>(
        &self,
        problem: &P,
        path: &[P::State],
        table: &Table<R>,
    ) -> bool {
        let mut news = false;
        let mut moves = Moves::new();
        for state in path {
            news |= self.tell(problem.key(state), table).is_some();
            moves.clear();
            if problem.expand(state, &mut moves) == Expansion::Open {
                for mv in moves.iter() {
                    news |= self.tell(problem.key_after(state, mv), table).is_some();
                }
            }
        }
        news
    }
}
