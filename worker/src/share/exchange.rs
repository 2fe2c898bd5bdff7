//! The exchange of one problem: sends what its hot table has found, receives what others have
//! found, and notifies the searches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hasami_andor::{Control, Key, ProblemId, Role, SearchTask};
use hasami_proto::Trouble;
use hasami_proto::pack::{MAX_RECORDS, Packer};
use hasami_proto::v1::Records;
use hasami_record::Record;
use hasami_unit::Lease;
use tokio::sync::Notify;
use tracing::{debug, error, trace, warn};

use super::pace::Pace;
use super::store::{BATCH, Store, each, push};
use crate::outage::{Outage, Say};
use hasami_answer::JobError;
use hasami_answer::tables::{HotTable, HotTables};

/// Unsent records are kept up to this number; losing some costs others work, never a verdict.
const MOST_WAITING: usize = 1 << 16;
/// An open record must have cost this many times as much as a verdict to be worth sending: a search
/// that reaches the state has to search it anyway.
const OPEN: u64 = 16;
/// A state searched in less time is cheaper to search again than to send and absorb.
const CHEAP: Duration = Duration::from_micros(2);
/// A state searched in less time is sent to running searches but not written: writing costs many
/// times as much.
const PASSING: Duration = Duration::from_millis(2);
/// Most records received in one call.
const MOST_NEWS: usize = MAX_RECORDS;
/// Records absorbed at a time: their table slots are prefetched together.
const TOGETHER: usize = 64;
/// A unit that has ended waits at most this long for its records to be published.
const FLUSH: Duration = Duration::from_secs(4);

/// The exchange of one problem.
pub struct Exchange {
    problem: ProblemId,
    tables: Arc<HotTables>,
    store: Store,
    /// Wakes the exchange before its pause is over.
    hurry: Notify,
    /// One call at a time.
    line: tokio::sync::Mutex<Line>,
    members: Mutex<Members>,
}

/// State of the conversation with the store.
#[derive(Default)]
struct Line {
    /// Records found here and not acknowledged.
    waiting: Vec<(Key, Record)>,
    /// The same for records that are not written.
    passing: Packer,
    /// The last sequence number received. The numbers of a restarted coordinator are larger than
    /// all before.
    after: u64,
    min_work: u32,
    /// Number of other workers that search this problem.
    others: u32,
    /// When the nodes were last counted, and their number.
    counted: Option<(Instant, u64)>,
    /// Nodes per second of one search.
    speed: f64,
    outage: Outage,
}

impl Line {
    /// Nodes that a search visits in this time.
    fn nodes_in(&self, time: Duration) -> u32 {
        (self.speed * time.as_secs_f64()) as u32
    }

    /// The work a verdict must have cost to be sent. Without other workers, only records worth
    /// writing are sent.
    fn least(&self) -> u32 {
        let worth = if self.others == 0 { PASSING } else { CHEAP };
        self.min_work.max(self.nodes_in(worth))
    }

    /// Collects the records worth sending, and separates those worth writing.
    fn collect(&mut self, tables: &[Arc<dyn HotTable>], tells_numbers: bool) {
        let (least, kept) = (u64::from(self.least()), u64::from(self.nodes_in(PASSING)));
        let mut bytes = Vec::new();
        for table in tables {
            table.drain(&mut |key, record| {
                if !tells_numbers && !record.numbers.settled() {
                    return;
                }
                let cost = if record.numbers.settled() { record.work } else { record.work / OPEN };
                if cost >= least.max(kept) {
                    self.waiting.push((key, record));
                } else if cost >= least && (self.passing.count() as usize) < MOST_WAITING {
                    push(&mut self.passing, &mut bytes, key, &record);
                }
            });
        }
        let excess = self.waiting.len().saturating_sub(MOST_WAITING);
        self.waiting.drain(..excess);
    }
}

/// What a unit exchanges besides verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// It receives the numbers of open states. Those of others would draw a leader away from where
    /// a lone search would go.
    pub hears_numbers: bool,
    /// It sends them. Those of a search with varied first numbers would mislead others.
    pub tells_numbers: bool,
}

impl Terms {
    /// Everything.
    #[cfg(test)]
    pub const ALL: Self = Self { hears_numbers: true, tells_numbers: true };

    /// Those of a task.
    #[must_use]
    pub fn of(task: &SearchTask) -> Self {
        Self { hears_numbers: task.role != Role::Leader, tells_numbers: task.seed == 0 }
    }
}

/// The units that take part in an exchange.
#[derive(Default)]
struct Members {
    controls: BTreeMap<Lease, (Arc<Control>, Terms)>,
    /// A unit that tells no numbers has ended since the last exchange.
    muted: bool,
    /// Final records of units: sent however cheap they were.
    last: Vec<(Key, Record)>,
    /// Units have ended since the last exchange.
    owes: bool,
    /// Those units: their leases are held until their outcomes are handed in.
    ended: BTreeSet<Lease>,
    /// A task runs the exchange.
    running: bool,
    /// The time of the first unit.
    since: Option<Instant>,
    /// Set when the searches of this problem cannot be trusted.
    contradiction: Option<String>,
}

impl Members {
    /// Whether all units since the last exchange tell numbers.
    fn tells_numbers(&mut self) -> bool {
        !std::mem::take(&mut self.muted) && self.agree(|terms| terms.tells_numbers)
    }

    /// Whether all units have these terms.
    fn agree(&self, terms: impl Fn(Terms) -> bool) -> bool {
        self.controls.values().all(|&(_, its)| terms(its))
    }
}

impl Exchange {
    /// An exchange without units.
    pub fn new(problem: ProblemId, tables: &Arc<HotTables>, store: Store) -> Self {
        Self {
            problem,
            tables: Arc::clone(tables),
            store,
            hurry: Notify::new(),
            line: tokio::sync::Mutex::default(),
            members: Mutex::default(),
        }
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a unit; returns whether the caller must now run the exchange. The units share a table:
    /// numbers are exchanged only while all of them agree.
    pub fn enter(&self, lease: Lease, control: Arc<Control>, terms: Terms) -> bool {
        let mut members = self.members();
        members.controls.insert(lease, (control, terms));
        members.since.get_or_insert_with(Instant::now);
        !std::mem::replace(&mut members.running, true)
    }

    /// Removes a unit.
    pub fn leave(&self, lease: Lease) {
        let mut members = self.members();
        let left = members.controls.remove(&lease);
        members.muted |= left.is_some_and(|(_, terms)| !terms.tells_numbers);
    }

    /// Fetches news now if this unit takes part.
    pub fn look(&self, lease: Lease) {
        if self.members().controls.contains_key(&lease) {
            self.hurry.notify_one();
        }
    }

    /// A contradiction between records of others and those known here.
    pub fn contradiction(&self) -> Option<String> {
        self.members().contradiction.clone()
    }

    /// Exchanges until no unit takes part.
    pub async fn run(self: Arc<Self>) {
        let mut pace = Pace::default();
        loop {
            {
                let mut members = self.members();
                if members.controls.is_empty() {
                    members.running = false;
                    return;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(pace.pause()) => {}
                () = self.hurry.notified() => {}
            }
            match self.sync().await {
                Some((records, others)) => pace.moved(records, others),
                None => pace.failed(),
            }
        }
    }

    /// Whether somebody runs the exchange.
    #[cfg(test)]
    pub fn runs(&self) -> bool {
        self.members().running
    }

    /// A unit has ended with these records: they are sent with the next exchange.
    pub fn announce(&self, lease: Lease, last: impl IntoIterator<Item = (Key, Record)>) {
        let mut members = self.members();
        members.ended.insert(lease);
        members.last.extend(last);
        members.owes = true;
    }

    /// Whether results of ended units may be unpublished.
    pub fn owes(&self) -> bool {
        self.members().owes
    }

    /// Publishes everything known here, unless that takes too long.
    pub async fn flush(&self) {
        self.members().owes = false;
        if tokio::time::timeout(FLUSH, self.sync()).await.is_err() {
            debug!(problem = %self.problem, "not published in time");
        }
        self.members().ended.clear();
    }

    /// The units for which this worker may speak about the problem.
    fn leases(&self) -> Vec<Lease> {
        let members = self.members();
        members.controls.keys().chain(&members.ended).copied().collect()
    }

    /// All records of the store. From here on the exchange brings only news.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn load(&self, lease: Lease) -> Result<Vec<(Key, Record)>, Trouble> {
        // Get the start of the news before the load, so that no record falls between them.
        let nothing = Records::default();
        let now = self.store.sync(self.problem, &[lease], &[], nothing, 0, 0).await?.sequence;
        let records = self.store.load(self.problem, lease).await?;
        let mut line = self.line.lock().await;
        if line.after == 0 {
            line.after = now;
        }
        debug!(problem = %self.problem, records = records.len(), "loaded from the store");
        Ok(records)
    }

    /// One exchange: sends and receives everything. Returns how many records moved and how many
    /// other workers there are; `None` if it failed.
    async fn sync(&self) -> Option<(usize, u32)> {
        let mut line = self.line.lock().await;
        self.measure(&mut line);
        let tells_numbers = self.members().tells_numbers();
        line.collect(&self.tables.of(self.problem), tells_numbers);
        line.waiting.append(&mut self.members().last);
        let mut moved = 0;
        loop {
            // Records that are not written are sent once; if that fails they are cheap to find
            // again.
            let (kept, passing) = (line.waiting.len().min(BATCH), line.passing.take());
            let (batch, moving) = (&line.waiting[..kept], passing.count as usize);
            let leases = self.leases();
            let asked =
                self.store.sync(self.problem, &leases, batch, passing, line.after, MOST_NEWS);
            let news = match asked.await {
                Ok(news) => news,
                Err(trouble) => {
                    self.failed(&trouble, &mut line.outage);
                    return None;
                }
            };
            line.waiting.drain(..kept);
            (line.after, line.min_work) = (news.sequence, news.min_work);
            line.others = news.others;
            let least = line.least();
            self.tables.of(self.problem).iter().for_each(|table| table.share_from(least));
            let came = news.records.count;
            trace!(problem = %self.problem, kept, passing = moving, came, least, "exchanged");
            moved += kept + moving + came as usize;
            self.absorb(&news.records);
            if line.waiting.is_empty() && !news.more {
                break;
            }
        }
        if let Some(after) = line.outage.over(Instant::now()) {
            debug!(problem = %self.problem, ?after, "the store answers again");
        }
        Some((moved, line.others))
    }

    /// Measures the speed of the searches, so that fast ones do not flood the store with cheap
    /// records.
    fn measure(&self, line: &mut Line) {
        let members = self.members();
        let nodes: u64 = members.controls.values().map(|(control, _)| control.nodes()).sum();
        let searches = members.controls.len().max(1) as f64;
        let first = members.since.map(|since| (since, 0));
        drop(members);
        let now = Instant::now();
        // Fewer nodes than before: a unit has ended, and another one has begun to count.
        if let Some((before, had)) = line.counted.replace((now, nodes)).or(first)
            && nodes > had
        {
            let seconds = (now - before).as_secs_f64().max(1e-3);
            line.speed = (nodes - had) as f64 / seconds / searches;
        }
    }

    fn absorb(&self, records: &Records) {
        if records.count == 0 {
            return;
        }
        let verdicts_only = !self.members().agree(|terms| terms.hears_numbers);
        let tables = self.tables.of(self.problem);
        let mut some = Vec::with_capacity(TOGETHER);
        for record in each(records) {
            match record {
                Ok((_, record)) if verdicts_only && !record.numbers.settled() => {}
                Ok(record) => some.push(record),
                Err(trouble) => {
                    warn!(problem = %self.problem, "records cannot be read: {trouble}");
                    break;
                }
            }
            if some.len() == TOGETHER {
                self.take_in(&tables, &mut some);
            }
        }
        self.take_in(&tables, &mut some);
        for (control, _) in self.members().controls.values() {
            control.tell_news();
        }
    }

    fn take_in(&self, tables: &[Arc<dyn HotTable>], records: &mut Vec<(Key, Record)>) {
        for table in tables {
            match table.absorb(records) {
                Ok(_) => {}
                Err(JobError::Contradiction(what)) => self.contradicted(what),
                Err(other) => warn!(problem = %self.problem, "records were not used: {other}"),
            }
        }
        records.clear();
    }

    /// Two verdicts on one state: no search of this problem can be trusted.
    fn contradicted(&self, what: String) {
        error!(problem = %self.problem, "contradiction: {what}");
        let mut members = self.members();
        members.contradiction.get_or_insert(what);
        for (control, _) in members.controls.values() {
            control.cancel();
        }
    }

    fn failed(&self, trouble: &Trouble, outage: &mut Outage) {
        if let Trouble::Contradiction(message) = trouble {
            return self.contradicted(message.clone());
        }
        match outage.failed(Instant::now()) {
            // The session logs an unreachable coordinator.
            _ if trouble.passes() || matches!(trouble, Trouble::UnknownWorker(_)) => {
                debug!(problem = %self.problem, "no exchange: {trouble}")
            }
            Say::Begun => {
                warn!(problem = %self.problem, "the store does not answer: {trouble}");
            }
            Say::Lasting(since) => {
                warn!(problem = %self.problem, ?since, "the store still does not answer: {trouble}");
            }
            Say::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use hasami_andor::table::Entry;
    use hasami_andor::{Numbers, Table};

    use super::*;

    #[test]
    fn what_is_dear_is_written_what_is_cheap_passes_and_what_costs_nothing_is_not_told() {
        let open = Numbers { proof: 3, disproof: 4 };
        let sorted_by = |others, work, numbers, tells| {
            let table: Table<()> = Table::with_entries(64, false);
            table.open_outbox(1);
            table.store(Key::mixed(1), &Entry::new(numbers, work));
            // A million nodes a second: one per microsecond.
            let mut line = Line { speed: 1e6, others, min_work: 1, ..Line::default() };
            line.collect(&[Arc::new(table)], tells);
            (line.waiting.len(), line.passing.count())
        };
        let sorted = |others, work, numbers| sorted_by(others, work, numbers, true);
        let verdict = |others, work| sorted(others, work, Numbers::PROVEN);
        assert_eq!(
            [1, 2, 1_999, 2_000].map(|work| verdict(1, work)),
            [(0, 0), (0, 1), (0, 1), (1, 0)]
        );
        assert_eq!(
            [1, 2, 1_999, 2_000].map(|work| verdict(0, work)),
            [(0, 0), (0, 0), (0, 0), (1, 0)]
        );
        // Open numbers must have cost more.
        assert_eq!([31, 32, 32_000].map(|work| sorted(1, work, open)), [(0, 0), (0, 1), (1, 0)]);
        // A search with a seed tells verdicts only.
        let varied = |numbers| sorted_by(1, 32_000, numbers, false);
        assert_eq!([open, Numbers::PROVEN].map(varied), [(0, 0), (1, 0)]);
    }
}
