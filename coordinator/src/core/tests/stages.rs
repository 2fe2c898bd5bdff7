//! Items that wait for others.

use hasami_answer::CATALOG;
use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn staged(parameters: &str) -> Arc<Sweep> {
    let text = format!(
        "name = \"test\"\nproblem = \"chomp\"\nkind = \"map\"\ncrash-limit = 2\nstages = \"columns\"\n\
         [parameters]\n{parameters}\n"
    );
    Arc::new(Sweep::parse(CATALOG, &text, "test").unwrap())
}

fn items(given: &[hasami_unit::Assignment]) -> Vec<u32> {
    given.iter().map(|assignment| assignment.lease.item.0).collect()
}

#[test]
fn an_item_begins_when_all_of_the_stages_below_have_ended() {
    let mut core = core();
    // Items 0 and 2 are of stage 5, items 1 and 3 of stage 3.
    let run = core.submit(staged("rows = [1, 2]\ncolumns = [5, 3]"), &[], false, 0);
    let worker = join(&mut core, "a", 0);
    let low = core.take(worker, 10, Millis(0));
    assert_eq!(items(&low), [1, 3]);
    let view = core.run(run).unwrap().stage().unwrap();
    assert_eq!((view.number, view.place, view.of, view.items, view.ended), (3, 1, 2, 2, 0));
    core.report(worker, low[0].lease, answer("yes"), Millis(1), 0).unwrap();
    assert!(core.take(worker, 10, Millis(1)).is_empty(), "one of stage 3 is out");
    let now = crate::explain::explain(&core, core.run(run).unwrap(), ItemNo(0));
    assert_eq!(now, "it is in stage 5 and waits for stage 3, of which 1 of 2 items are done");
    core.take_effects();
    core.report(worker, low[1].lease, answer("yes"), Millis(2), 0).unwrap();
    assert!(core.take_effects().1.contains(&Notice::WorkAvailable), "those who wait are woken");
    assert_eq!(core.run(run).unwrap().stage().unwrap().number, 5);
    let high = core.take(worker, 10, Millis(2));
    assert_eq!(items(&high), [0, 2]);
    for assignment in high {
        core.report(worker, assignment.lease, answer("yes"), Millis(3), 0).unwrap();
    }
    assert_eq!(core.run(run).unwrap().state, RunState::Finished);
}

#[test]
fn what_waits_for_a_failed_item_fails_and_says_why() {
    let mut core = core();
    let run = core.submit(staged("rows = [1, 2]\ncolumns = [3, 4, 5]"), &[], false, 0);
    let worker = join(&mut core, "a", 0);
    let low = core.take(worker, 10, Millis(0));
    assert_eq!(items(&low), [0, 3]);
    let failed = Outcome::Failure(Failure::new(FailureKind::Question, "no disk"));
    core.report(worker, low[0].lease, failed, Millis(1), 0).unwrap();
    assert_eq!(state(&core, 3), ItemState::Running, "its own stage goes on");
    for waiting in [1, 2, 4, 5] {
        assert_eq!(state(&core, waiting), ItemState::Failed);
    }
    let why = core.take_effects().0.into_iter().find_map(|change| match change {
        Change::Item(_, ItemNo(5), record) => Some(record.failure),
        _ => None,
    });
    assert_eq!(why.unwrap(), "it waits for stage 3, where item 0 failed: worker 1 (a): no disk");
    core.report(worker, low[1].lease, answer("yes"), Millis(2), 9).unwrap();
    let run = core.run(run).unwrap();
    assert_eq!((run.state, run.finished_ms), (RunState::Finished, 9));
}

#[test]
fn a_stage_is_divided_among_those_who_are_there() {
    let mut core = core();
    core.submit(staged("rows = [1, 2, 3, 4, 5, 6, 7, 8]\ncolumns = [3, 4]"), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    // One for each thread, and one ahead; the last four go to whoever is idle first.
    assert_eq!(core.take(a, 100, Millis(0)).len(), 2);
    assert_eq!(core.take(b, 100, Millis(0)).len(), 2);
    assert!(core.take(b, 100, Millis(0)).is_empty());
}

#[test]
fn known_answers_of_lower_stages_open_the_next() {
    let mut core = core();
    let sweep = staged("rows = [1, 2]\ncolumns = [3, 4]");
    let known: Vec<_> =
        [0, 2].map(|item| (ItemNo(item), sweep.item(item as usize).settled_key(), true)).into();
    core.submit(sweep, &known, false, 0);
    let worker = join(&mut core, "a", 0);
    assert_eq!(items(&core.take(worker, 10, Millis(0))), [1, 3]);
}

/// Events in a cluster.
#[derive(Clone, Debug)]
enum Event {
    Take { worker: usize, want: u32 },
    Answer(usize),
    HandBack(usize),
    Fail { lease: usize, permanent: bool },
    Silence,
    Restart,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (0..3usize, 1..5u32).prop_map(|(worker, want)| Event::Take { worker, want }),
        6 => (0..8usize).prop_map(Event::Answer),
        1 => (0..8usize).prop_map(Event::HandBack),
        1 => (0..8usize, prop::bool::weighted(0.1))
            .prop_map(|(lease, permanent)| Event::Fail { lease, permanent }),
        1 => Just(Event::Silence),
        1 => Just(Event::Restart),
    ]
}

/// A cluster driven by a script of events.
struct Cluster {
    core: Core,
    book: Book,
    workers: Vec<WorkerId>,
    held: Vec<(WorkerId, Lease)>,
    now: u64,
}

impl Cluster {
    fn happen(&mut self, event: &Event, sweep: &Sweep) {
        match *event {
            Event::Take { worker, want } => {
                let worker = self.workers[worker];
                for given in self.core.take(worker, want, Millis(self.now)) {
                    self.held.push((worker, given.lease));
                    let stage = sweep.stage(given.lease.item.0 as usize);
                    for below in 0..sweep.len() as u32 {
                        let ended = matches!(state(&self.core, below), ItemState::Settled);
                        let lower = sweep.stage(below as usize) < stage;
                        assert!(!lower || ended, "item {below} of a lower stage has not ended");
                    }
                }
            }
            Event::Answer(at) => self.report(at, answer("yes")),
            Event::HandBack(at) => self.report(at, Outcome::HandedBack),
            Event::Fail { lease, permanent } => {
                let kind = if permanent { FailureKind::Question } else { FailureKind::Machine };
                self.report(lease, Outcome::Failure(Failure::new(kind, "no")));
            }
            Event::Silence => {
                self.now += LEASE;
                self.core.tick(Millis(self.now), 0);
                self.workers = (0..3).map(|_| join(&mut self.core, "again", self.now)).collect();
            }
            Event::Restart => {
                let settings = Settings { lease_ms: LEASE, verifies: false, ..Settings::default() };
                self.core = Core::restore(settings, self.book.saved(), Millis(self.now));
                self.workers = (0..3).map(|_| join(&mut self.core, "again", self.now)).collect();
            }
        }
        let (changes, _) = self.core.take_effects();
        self.book.write(changes);
    }

    fn report(&mut self, at: usize, outcome: Outcome) {
        if self.held.is_empty() {
            return;
        }
        let (worker, lease) = self.held.remove(at % self.held.len());
        // The script does not know which leases are still wanted.
        let _ = self.core.report(worker, lease, outcome, Millis(self.now), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_happens_no_stage_begins_before_its_time_and_every_run_ends(
        events in prop::collection::vec(event(), 0..60),
        columns in prop::sample::subsequence(vec![2, 3, 5, 7], 1..4).prop_shuffle(),
        rows in 1..4usize,
        first in any::<bool>(),
    ) {
        let rows: Vec<usize> = (1..=rows).collect();
        let parameters = if first {
            format!("columns = {columns:?}\nrows = {rows:?}")
        } else {
            format!("rows = {rows:?}\ncolumns = {columns:?}")
        };
        let sweep = staged(&parameters);
        let mut core = core();
        core.submit(Arc::clone(&sweep), &[], false, 0);
        let workers = (0..3).map(|_| join(&mut core, "w", 0)).collect();
        let mut cluster =
            Cluster { core, book: Book::default(), workers, held: Vec::new(), now: 0 };
        let (changes, _) = cluster.core.take_effects();
        cluster.book.write(changes);
        for event in &events {
            cluster.happen(event, &sweep);
        }
        // From here on nothing fails.
        for round in 0..200 {
            cluster.happen(&Event::Silence, &sweep);
            cluster.happen(&Event::Take { worker: round % 3, want: 2 }, &sweep);
            while !cluster.held.is_empty() {
                cluster.happen(&Event::Answer(0), &sweep);
            }
        }
        let run = cluster.core.runs().next_back().unwrap();
        prop_assert_eq!(run.state, RunState::Finished);
        let failed = (0..sweep.len()).filter(|&item| state(&cluster.core, item as u32) == ItemState::Failed);
        let stages: BTreeSet<Option<i64>> = failed.map(|item| sweep.stage(item)).collect();
        if let Some(&lowest) = stages.first() {
            for item in 0..sweep.len() {
                if sweep.stage(item) > lowest {
                    prop_assert_eq!(state(&cluster.core, item as u32), ItemState::Failed);
                }
            }
        }
    }
}
