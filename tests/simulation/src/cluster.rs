//! The virtual clock and the queue of events: workers, messages, and a coordinator that serves one
//! message at a time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use hasami_andor::{Outcome, Problem, SearchProgress, SearchReport, Table, Verdict};
use hasami_spec::Partitioner;

use super::shared::Shared;
use super::worker::{Doing, Worker};
use super::{Baseline, Calibration, Faults, Point};
use hasami_coordinator::partition::{Directive, OtherWorkers, Partition, Task, UnitNo, partition};

/// Virtual nanoseconds: whole numbers, so that every run is the same.
pub(super) type Time = u64;

fn time(seconds: f64) -> Time {
    (seconds * 1e9) as Time
}

/// A simulation that came to no good end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// Everybody waits for work and there is none.
    #[error("after {seconds} s all workers wait and the search is not settled")]
    Idle {
        /// Virtual time.
        seconds: u64,
    },
    /// Far more nodes than the search should take.
    #[error("the search goes on after {nodes} nodes")]
    Endless {
        /// How many there were.
        nodes: u64,
    },
    /// Another verdict than that of the sequential search.
    #[error("the split search says {found:?}, the sequential one does not")]
    Contradiction {
        /// The verdict.
        found: Verdict,
    },
}

/// A simulated run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What it found.
    pub verdict: Verdict,
    /// When.
    pub seconds: f64,
    /// Nodes of all workers, finished or not.
    pub nodes: u64,
    /// Time of all workers spent waiting, talking and searching.
    pub spent: [f64; 3],
    /// The coordinator's time spent serving.
    pub served: f64,
    /// Units given out.
    pub units: u64,
}

impl Run {
    pub(super) fn against(
        &self,
        partitioner: Partitioner,
        workers: usize,
        calibration: &Calibration,
        baseline: &Baseline,
    ) -> Point {
        let [idle, talk, search] = self.spent.map(|spent| spent / (self.seconds * workers as f64));
        Point {
            partitioner,
            workers,
            seconds: self.seconds,
            speedup: baseline.nodes as f64 / calibration.speed / self.seconds,
            nodes: self.nodes,
            overhead: self.nodes as f64 / baseline.nodes as f64,
            search,
            idle,
            talk,
            coordinator: self.served / self.seconds,
            units: self.units,
        }
    }
}

/// Something that happens at a time.
enum Event {
    /// A worker asks for work, with the report of its last unit.
    Ask(usize, Option<(UnitNo, SearchReport)>),
    /// A worker gets work.
    Begin(usize, Task),
    /// A worker comes to the end of a slice.
    Slice(usize, Outcome),
    /// A worker's next slice.
    Go(usize),
    /// A heartbeat reaches the coordinator.
    Heartbeat(UnitNo, SearchProgress),
    /// A worker hears that its unit is cancelled.
    Cancel(usize, UnitNo),
    /// A worker hears that it should look into the store.
    Look(usize, UnitNo),
    /// A worker hears where the others are.
    Others(usize, UnitNo, OtherWorkers),
    /// A report that was sent twice.
    Again(UnitNo, SearchReport),
}

/// Nodes after which a simulation is given up.
const ENDLESS: u64 = 20_000_000_000;
/// Events after which it is.
const MOST_EVENTS: u64 = 100_000_000;

struct Cluster<'a, 'f, P: Problem> {
    calibration: Calibration,
    faults: &'f mut Faults,
    partition: Box<dyn Partition>,
    workers: Vec<Worker<'a, P>>,
    shared: Shared<P::Reason>,
    events: BinaryHeap<Reverse<(Time, u64)>>,
    what: HashMap<u64, Event>,
    sequence: u64,
    /// When the coordinator has served what came so far.
    served_until: Time,
    served: Time,
    waiting: VecDeque<usize>,
    holders: HashMap<UnitNo, usize>,
    units: u64,
    verdict: Option<Verdict>,
}

/// Runs a search on a simulated cluster until its root is settled.
///
/// # Errors
/// When it does not end.
pub fn simulate<P: Problem>(
    kind: Partitioner,
    problem: &P,
    workers: usize,
    calibration: &Calibration,
    faults: &mut Faults,
) -> Result<Run, Stuck> {
    let tables: Vec<Table<P::Reason>> = (0..workers)
        .map(|_| {
            let table = Table::with_entries(calibration.table_entries, false);
            table.open_outbox(calibration.share_work);
            table
        })
        .collect();
    let mut cluster = Cluster {
        calibration: *calibration,
        faults,
        partition: partition(kind, calibration.settings()),
        workers: tables.iter().map(|table| Worker::new(problem, table)).collect(),
        shared: Shared::new(workers),
        events: BinaryHeap::new(),
        what: HashMap::new(),
        sequence: 0,
        served_until: 0,
        served: 0,
        waiting: VecDeque::new(),
        holders: HashMap::new(),
        units: 0,
        verdict: None,
    };
    (0..workers).for_each(|worker| cluster.send(0, Event::Ask(worker, None)));
    cluster.run()
}

impl<P: Problem> Cluster<'_, '_, P> {
    fn run(&mut self) -> Result<Run, Stuck> {
        let mut now = 0;
        while let Some(Reverse((at, number))) = self.events.pop() {
            now = at;
            if let Some(event) = self.what.remove(&number) {
                self.happen(now, event);
            }
            if let Some(verdict) = self.verdict {
                return Ok(self.finish(self.served_until, verdict));
            }
            if number % 4096 == 0 {
                let nodes = self.workers.iter().map(|worker| worker.nodes).sum();
                if nodes > ENDLESS || number > MOST_EVENTS {
                    return Err(Stuck::Endless { nodes });
                }
            }
        }
        Err(Stuck::Idle { seconds: now / 1_000_000_000 })
    }

    fn finish(&mut self, now: Time, verdict: Verdict) -> Run {
        let mut spent = [0.0; 3];
        for worker in &mut self.workers {
            worker.turn_to(Doing::Waiting, now);
            (0..3).for_each(|i| spent[i] += worker.spent[i] as f64 / 1e9);
        }
        Run {
            verdict,
            seconds: now as f64 / 1e9,
            nodes: self.workers.iter().map(|worker| worker.nodes).sum(),
            spent,
            served: self.served as f64 / 1e9,
            units: self.units,
        }
    }

    fn at(&mut self, at: Time, event: Event) {
        self.sequence += 1;
        self.events.push(Reverse((at, self.sequence)));
        self.what.insert(self.sequence, event);
    }

    /// A message that leaves now.
    fn send(&mut self, now: Time, event: Event) {
        let latency = self.calibration.latency + self.faults.delay();
        self.at(now + time(latency), event);
    }

    /// The coordinator takes a message; when it has dealt with it.
    fn serve(&mut self, now: Time) -> Time {
        let service = time(self.calibration.service);
        self.served += service;
        self.served_until = self.served_until.max(now) + service;
        self.served_until
    }

    fn happen(&mut self, now: Time, event: Event) {
        match event {
            Event::Ask(worker, report) => {
                let mut done = self.serve(now);
                if let Some((unit, report)) = report {
                    done = self.report(done, unit, report);
                }
                self.waiting.push_front(worker);
                self.hand_out(done, Some(worker));
            }
            Event::Again(unit, report) => {
                let done = self.serve(now);
                self.report(done, unit, report);
                self.hand_out(done, None);
            }
            Event::Heartbeat(unit, progress) => {
                let done = self.serve(now);
                let said = self.partition.progress(unit, &progress);
                self.tell(done, &said);
                self.hand_out(done, None);
            }
            Event::Begin(worker, task) => {
                self.shared.advance(now);
                let options = self.calibration.options;
                let batches = self.workers[worker].begin(task, options, &self.shared, now);
                let pulled = time(self.calibration.store_latency * f64::from(batches));
                self.at(now + pulled, Event::Go(worker));
            }
            Event::Go(worker) => self.go(now, worker),
            Event::Slice(worker, outcome) => self.slice_over(now, worker, &outcome),
            Event::Cancel(worker, unit) => {
                if let Some(work) = self.workers[worker].work.as_mut()
                    && work.unit == unit
                {
                    work.cancelled = true;
                }
            }
            Event::Others(worker, unit, others) => {
                if let Some(work) = &self.workers[worker].work
                    && work.unit == unit
                {
                    work.control.tell_others(others.keys, others.depth as usize);
                }
            }
            Event::Look(worker, unit) => {
                let works = self.workers[worker].work.as_ref();
                if works.is_some_and(|work| work.unit == unit) {
                    self.shared.advance(now);
                    self.workers[worker].look(&self.shared);
                }
            }
        }
    }

    /// A report reaches the coordinator; the lease may have been lost before.
    fn report(&mut self, now: Time, unit: UnitNo, report: SearchReport) -> Time {
        self.holders.remove(&unit);
        if self.faults.loses() {
            self.partition.lost(unit);
        }
        let said = self.partition.finished(unit, &report);
        self.tell(now, &said);
        if self.faults.repeats() {
            self.send(now, Event::Again(unit, report));
        }
        now
    }

    fn tell(&mut self, now: Time, said: &[Directive]) {
        for directive in said {
            match *directive {
                Directive::Settled(verdict) => self.verdict = Some(verdict),
                Directive::Cancel(unit) => {
                    if let Some(&worker) = self.holders.get(&unit) {
                        self.send(now, Event::Cancel(worker, unit));
                    }
                }
                Directive::Look(unit) => {
                    if let Some(&worker) = self.holders.get(&unit) {
                        self.send(now, Event::Look(worker, unit));
                    }
                }
            }
        }
    }

    /// Gives work to those who wait, to the one who asked first of all.
    fn hand_out(&mut self, mut now: Time, asked: Option<usize>) {
        while let Some(&worker) = self.waiting.front() {
            let Some(task) = self.partition.next() else {
                break;
            };
            self.waiting.pop_front();
            if Some(worker) != asked {
                now = self.serve(now);
            }
            self.units += 1;
            self.holders.insert(task.unit, worker);
            self.workers[worker].turn_to(Doing::Talking, now);
            self.send(now, Event::Begin(worker, task));
        }
        if let Some(asked) = asked.filter(|asked| self.waiting.front() == Some(asked)) {
            self.workers[asked].turn_to(Doing::Waiting, now);
        }
        if let Some(unit) = self.partition.moved()
            && let Some(&worker) = self.holders.get(&unit)
        {
            self.send(now, Event::Others(worker, unit, self.partition.others()));
        }
    }

    /// Runs a worker up to its next heartbeat.
    fn go(&mut self, now: Time, worker: usize) {
        self.workers[worker].turn_to(Doing::Searching, now);
        let nodes = (self.calibration.heartbeat * self.calibration.speed).max(1.0) as u64;
        let (took, outcome) = self.workers[worker].slice(nodes);
        let seconds = took as f64 / self.calibration.speed;
        self.at(now + time(seconds), Event::Slice(worker, outcome));
    }

    fn slice_over(&mut self, now: Time, worker: usize, outcome: &Outcome) {
        let over = self.workers[worker].is_over(outcome);
        let Some(work) = &self.workers[worker].work else { return };
        let (unit, task, began) = (work.unit, work.task.clone(), work.began);
        let share = task.share;
        let mut basis = Vec::new();
        let sent = if over {
            let seconds = now.saturating_sub(began) as f64 / 1e9;
            let mut report =
                self.workers[worker].report(outcome, seconds, self.calibration.options);
            self.workers[worker].turn_to(Doing::Talking, now);
            basis = self.workers[worker].basis(&task, &report);
            // Only an honest verdict ends the search: certificates are no part of the simulation.
            if !task.state.is_empty() {
                self.faults.distort(&mut report);
            }
            Event::Ask(worker, Some((unit, report)))
        } else {
            let Some(progress) = self.workers[worker].progress(outcome) else { return };
            Event::Heartbeat(unit, progress)
        };
        let mut found = self.workers[worker].drain();
        // Numbers that rest on varied first numbers would mislead the others.
        if task.seed != 0 {
            found.retain(|(_, entry)| entry.numbers.settled());
        }
        if share {
            // A worker publishes before it reports: whoever is given work because of the report
            // must find in the store what the report rests on.
            let delay = if over { 0.0 } else { self.calibration.store_delay };
            self.shared.publish(now, now + time(delay), found, basis);
        }
        self.send(now, sent);
        if !over {
            self.shared.advance(now);
            let news = self.workers[worker].look(&self.shared);
            let taken_in = time(self.calibration.absorb * news as f64);
            self.workers[worker].turn_to(Doing::Talking, now);
            self.at(now + taken_in, Event::Go(worker));
        }
    }
}
