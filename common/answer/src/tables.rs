//! Hot tables: one transposition table per problem, shared by all threads of a worker and kept from
//! unit to unit, within one memory limit.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hasami_andor::table::Entry;
use hasami_andor::{Key, ProblemId, Reason, Table};
use hasami_record::{Record, Words};

use crate::{JobError, caught};

/// A result that cost fewer nodes than this is cheaper to search again than to send.
pub const SHARE_WORK: u32 = 256;
/// Number of records whose table slots are prefetched together.
const AHEAD: usize = 16;
/// Smallest table, even beyond the limit: a search must make progress.
const LEAST_MIB: u64 = 8;

/// A table with its reason type erased: what the exchange with other workers needs.
pub trait HotTable: Any + Send + Sync {
    /// Shows the results since the last call that other workers should know.
    fn drain(&self, show: &mut dyn FnMut(Key, Record));

    /// Sets the fewest nodes that a result must have cost to be shared.
    fn share_from(&self, min_work: u32);

    /// Merges results of other workers; returns how many records fit this problem.
    ///
    /// # Errors
    /// If a record contradicts what is known here.
    fn absorb(&self, records: &[(Key, Record)]) -> Result<u64, JobError>;

    /// Shows every record of the table.
    fn each(&self, show: &mut dyn FnMut(Key, Record));

    /// Its size.
    fn size(&self) -> TableSize;

    /// Whether its entries have links.
    fn links(&self) -> bool;
}

/// How large a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Number of states that fit.
    pub capacity: usize,
    /// Bytes per state.
    pub entry_bytes: usize,
    /// Number of collections that evicted cheap states.
    pub collections: u64,
}

impl<R: Reason> HotTable for Table<R> {
    fn drain(&self, show: &mut dyn FnMut(Key, Record)) {
        let mut news = Vec::new();
        Self::drain(self, &mut news);
        news.iter().for_each(|(key, entry)| show(*key, record(entry)));
    }

    fn share_from(&self, min_work: u32) {
        self.open_outbox(min_work.max(1));
    }

    fn absorb(&self, records: &[(Key, Record)]) -> Result<u64, JobError> {
        caught(|| {
            let mut fitting = 0;
            for (at, (key, record)) in records.iter().enumerate() {
                if at % AHEAD == 0 {
                    let next = &records[at..records.len().min(at + AHEAD)];
                    next.iter().for_each(|(key, _)| self.prefetch(*key));
                }
                if let Some(reason) = record.reason.load::<R>() {
                    let work = u32::try_from(record.work).unwrap_or(u32::MAX);
                    let entry = Entry::new(record.numbers, work);
                    Self::absorb(self, *key, &Entry { best: record.best, reason, ..entry });
                    fitting += 1;
                }
            }
            Ok(fitting)
        })
    }

    fn each(&self, show: &mut dyn FnMut(Key, Record)) {
        self.for_each(|key, entry| show(key, record(&entry)));
    }

    fn size(&self) -> TableSize {
        TableSize {
            capacity: self.capacity(),
            entry_bytes: Self::entry_bytes(self.links()),
            collections: self.collections(),
        }
    }

    fn links(&self) -> bool {
        Self::links(self)
    }
}

/// The store's record of an entry.
pub(crate) fn record<R: Reason>(entry: &Entry<R>) -> Record {
    let reason = Words::of(entry.reason);
    Record { reason, ..Record::new(entry.numbers, u64::from(entry.work), entry.best) }
}

/// A table to search with.
pub struct Hot<R> {
    /// The table.
    pub table: Arc<Table<R>>,
    /// Whether the table is new: it holds nothing from the store yet.
    pub fresh: bool,
}

/// The tables of a worker.
pub struct HotTables {
    memory_mib: u64,
    share_work: u32,
    slots: Mutex<Vec<Slot>>,
}

struct Slot {
    problem: ProblemId,
    links: bool,
    mib: u64,
    table: Arc<dyn HotTable>,
}

impl HotTables {
    /// No tables yet; `memory_mib` limits all of them together. [`HotTable::drain`] yields results
    /// that cost at least `share_work` nodes.
    #[must_use]
    pub fn new(memory_mib: u64, share_work: u32) -> Self {
        Self { memory_mib, share_work, slots: Mutex::default() }
    }

    /// The table of a problem. Creates it with `mib` MiB (or what is left of the memory) if there
    /// is none. Unused tables are evicted, least recently used first.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn get<R: Reason>(
        &self,
        problem: ProblemId,
        mib: u32,
        links: bool,
    ) -> Result<Hot<R>, JobError> {
        let mut slots = self.slots();
        let place = slots.iter().position(|slot| slot.problem == problem && slot.links == links);
        if let Some(place) = place {
            // The last slot is the most recently used.
            let slot = slots.remove(place);
            let table: Arc<dyn Any + Send + Sync> = Arc::<dyn HotTable>::clone(&slot.table);
            slots.push(slot);
            let other =
                |_| JobError::Panicked(format!("problem {problem} has two kinds of reason"));
            return Ok(Hot { table: table.downcast().map_err(other)?, fresh: false });
        }
        let wanted = u64::from(mib).min(self.memory_mib);
        while used(&slots) + wanted > self.memory_mib
            && let Some(idle) = slots.iter().position(|slot| Arc::strong_count(&slot.table) == 1)
        {
            slots.remove(idle);
        }
        let left = self.memory_mib.saturating_sub(used(&slots));
        let mib = wanted.min(left).max(LEAST_MIB);
        let table: Arc<Table<R>> = Arc::new(Table::with_mib(mib as usize, links)?);
        table.open_outbox(self.share_work);
        slots.push(Slot { problem, links, mib, table: Arc::<Table<R>>::clone(&table) });
        Ok(Hot { table, fresh: true })
    }

    /// Keeps the table of a search that was stopped, for units that go on with it. It is dropped if
    /// the problem has a table already, or if there is no room beside the tables in use.
    pub fn adopt(&self, problem: ProblemId, table: Arc<dyn HotTable>, mib: u32) {
        let (links, mib) = (table.links(), u64::from(mib));
        let mut slots = self.slots();
        if slots.iter().any(|slot| slot.problem == problem && slot.links == links) {
            return;
        }
        let in_use = |slot: &&Slot| Arc::strong_count(&slot.table) > 1;
        let busy: u64 = slots.iter().filter(in_use).map(|slot| slot.mib).sum();
        if busy + mib > self.memory_mib {
            return;
        }
        while used(&slots) + mib > self.memory_mib
            && let Some(idle) = slots.iter().position(|slot| Arc::strong_count(&slot.table) == 1)
        {
            slots.remove(idle);
        }
        table.share_from(self.share_work);
        slots.push(Slot { problem, links, mib, table });
    }

    /// All tables, for an exchange with others.
    #[must_use]
    pub fn all(&self) -> Vec<(ProblemId, Arc<dyn HotTable>)> {
        self.slots().iter().map(|slot| (slot.problem, Arc::clone(&slot.table))).collect()
    }

    /// The tables of one problem: one, or two if searches with and without links are running.
    #[must_use]
    pub fn of(&self, problem: ProblemId) -> Vec<Arc<dyn HotTable>> {
        let all = self.all().into_iter();
        all.filter(|(other, _)| *other == problem).map(|(_, table)| table).collect()
    }

    /// The memory of all tables.
    #[must_use]
    pub fn mib(&self) -> u64 {
        used(&self.slots())
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        // A panic under the lock leaves a list of whole slots.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn used(slots: &[Slot]) -> u64 {
    slots.iter().map(|slot| slot.mib).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_andor::Numbers;

    const ONE: ProblemId = ProblemId(1);
    const TWO: ProblemId = ProblemId(2);
    const THREE: ProblemId = ProblemId(3);

    #[test]
    fn a_problem_keeps_its_table_and_others_have_their_own() {
        let tables = HotTables::new(100, SHARE_WORK);
        let first: Hot<()> = tables.get(ONE, 10, false).unwrap();
        let again: Hot<()> = tables.get(ONE, 10, false).unwrap();
        let other: Hot<u64> = tables.get(TWO, 10, false).unwrap();
        assert!(first.fresh && !again.fresh && other.fresh);
        assert!(Arc::ptr_eq(&first.table, &again.table));
        assert_eq!(tables.mib(), 20);
        assert!(tables.get::<u128>(ONE, 10, false).is_err(), "reasons of another kind");
    }

    #[test]
    fn the_idle_table_used_longest_ago_makes_room() {
        let tables = HotTables::new(30, SHARE_WORK);
        drop(tables.get::<()>(ONE, 10, false).unwrap());
        drop(tables.get::<()>(TWO, 10, false).unwrap());
        drop(tables.get::<()>(ONE, 10, false).unwrap());
        let big: Hot<()> = tables.get(THREE, 20, false).unwrap();
        assert!(!tables.get::<()>(ONE, 10, false).unwrap().fresh, "used since");
        assert_eq!(tables.mib(), 30);
        // The large table is in use: the next one gets what is left.
        let next: Hot<()> = tables.get(TWO, 25, false).unwrap();
        assert_eq!((next.fresh, tables.mib()), (true, 30));
        drop(big);
    }

    #[test]
    fn the_table_of_a_stopped_search_is_kept_if_there_is_room() {
        let tables = HotTables::new(30, SHARE_WORK);
        let searched = || {
            let table: Table<()> = Table::with_mib(8, false).unwrap();
            table.store(Key::mixed(1), &Entry::new(Numbers::PROVEN, 9));
            Arc::new(table)
        };
        tables.adopt(ONE, searched(), 20);
        let hot: Hot<()> = tables.get(ONE, 20, false).unwrap();
        assert!(!hot.fresh && hot.table.lookup(Key::mixed(1)).is_some());
        tables.adopt(TWO, searched(), 20);
        assert!(tables.of(TWO).is_empty(), "the first one is in use");
        drop(hot);
        tables.adopt(TWO, searched(), 20);
        assert_eq!((tables.of(TWO).len(), tables.of(ONE).len(), tables.mib()), (1, 0, 20));
    }

    #[test]
    fn what_one_table_finds_another_learns_and_does_not_send_back() {
        let tables = [HotTables::new(20, 5), HotTables::new(20, 5)];
        let [one, two] = tables.each_ref().map(|all| all.get::<u64>(ONE, 10, false).unwrap().table);
        let (dear, cheap) = (Key::mixed(1), Key::mixed(2));
        let entry = |work| Entry { reason: 7, ..Entry::new(Numbers::PROVEN, work) };
        one.store(dear, &entry(9));
        one.store(cheap, &entry(4));
        let drained = |tables: &HotTables| {
            let mut news = Vec::new();
            tables.of(ONE)[0].drain(&mut |key, record| news.push((key, record)));
            news
        };
        let news = drained(&tables[0]);
        assert_eq!(news.len(), 1);
        assert_eq!(tables[1].of(ONE)[0].absorb(&news), Ok(1));
        assert_eq!(two.lookup(dear).map(|entry| entry.reason), Some(7));
        assert!(drained(&tables[1]).is_empty());
        let misfit = (dear, Record::new(Numbers::PROVEN, 9, 0));
        assert_eq!(tables[1].of(ONE)[0].absorb(&[misfit]), Ok(0));
    }

    #[test]
    fn a_record_that_contradicts_is_told_loudly() {
        let tables = HotTables::new(20, 5);
        let table = tables.get::<()>(ONE, 10, false).unwrap().table;
        table.store(Key::mixed(1), &Entry::new(Numbers::PROVEN, 9));
        let wrong = (Key::mixed(1), Record::new(Numbers::DISPROVEN, 9, 0));
        let absorbed = tables.of(ONE)[0].absorb(&[wrong]);
        assert!(matches!(absorbed, Err(JobError::Contradiction(_))), "{absorbed:?}");
    }
}
