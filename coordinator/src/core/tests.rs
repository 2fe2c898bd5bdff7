//! The scheduler alone: scripted workers, explicit times.

mod balance;
mod claims;
mod doubts;
mod fair;
mod hostile;
mod keep;
mod limits;
mod restarts;
mod stages;
mod together;

use hasami_answer::CATALOG;
use std::sync::Arc;

use hasami_andor::{Numbers, SearchReport, Stopped, Turn};
use hasami_sweep::{Answer, Measures, Sweep, Verdict};
use hasami_unit::{
    Failure, FailureKind, ItemState, Outcome, Part, Progress, Rejection, RunState, Task,
};

use super::*;

const LEASE: u64 = 1_000;

fn core() -> Core {
    // Scripted workers know no split searches.
    let long_ms = u64::MAX;
    Core::new(Settings { lease_ms: LEASE, verifies: false, long_ms, ..Settings::default() })
}

fn sweep(items: usize) -> Arc<Sweep> {
    let rows: Vec<String> = (1..=items).map(|n| n.to_string()).collect();
    let text = format!(
        "name = \"test\"\nproblem = \"synthetic\"\nkind = \"map\"\ncrash-limit = 2\n\
         [parameters]\nseed = [{}]\n",
        rows.join(", ")
    );
    Arc::new(Sweep::parse(CATALOG, &text, "test").unwrap())
}

fn search_sweep() -> Arc<Sweep> {
    let text = "name = \"test\"\nproblem = \"chomp\"\nkind = \"search\"\n\
                [parameters]\nrows = 3\ncolumns = 4\n[search]\npartitioner = \"frontier\"\n";
    Arc::new(Sweep::parse(CATALOG, text, "test").unwrap())
}

fn join(core: &mut Core, name: &str, now: u64) -> WorkerId {
    let about = Introduction { name: name.to_string(), threads: 1, ..Introduction::default() };
    core.register(None, about, &[], 7, Millis(now)).worker
}

fn answer(claim: &str) -> Outcome {
    Outcome::Answer(proven(claim, Measures::default()))
}

fn proven(claim: &str, measures: Measures) -> Answer {
    Answer {
        verdict: Verdict::Proven,
        claim: claim.to_string(),
        fields: Vec::new(),
        certificates: Vec::new(),
        measures,
        check: None,
    }
}

fn take_one(core: &mut Core, worker: WorkerId, now: u64) -> Lease {
    let given = core.take(worker, 1, Millis(now));
    assert_eq!(given.len(), 1, "there is work");
    given[0].lease
}

fn state(core: &Core, item: u32) -> ItemState {
    core.runs().next_back().unwrap().item(ItemNo(item)).unwrap().0
}

#[test]
fn work_goes_only_to_workers_with_the_labels_that_its_sweep_asks_for() {
    let mut core = core();
    let text = "name = \"test\"\nproblem = \"chomp\"\n[labels]\nrack = \"3\"\nbig = \"yes\"\n";
    core.submit(Arc::new(Sweep::parse(CATALOG, text, "test").unwrap()), &[], false, 0);
    let mut join = |labels: &[(&str, &str)]| {
        let labels = labels.iter().map(|(key, value)| (key.to_string(), value.to_string()));
        let about =
            Introduction { threads: 1, labels: labels.collect(), ..Introduction::default() };
        let worker = core.register(None, about, &[], 7, Millis(0)).worker;
        core.take(worker, 1, Millis(0)).len()
    };
    assert_eq!(join(&[]), 0);
    assert_eq!(join(&[("rack", "3")]), 0);
    assert_eq!(join(&[("rack", "4"), ("big", "yes")]), 0);
    assert_eq!(join(&[("big", "yes"), ("gpu", "no"), ("rack", "3")]), 1);
}

#[test]
fn a_run_ends_when_every_item_has_an_answer() {
    let mut core = core();
    let run = core.submit(sweep(3), &[], false, 0);
    let worker = join(&mut core, "a", 0);
    let given = core.take(worker, 10, Millis(0));
    assert_eq!(given.len(), 3);
    for assignment in given {
        let used = core.report(worker, assignment.lease, answer("yes"), Millis(1), 5);
        assert_eq!(used, Ok(()));
    }
    let run = core.run(run).unwrap();
    assert_eq!(run.state, RunState::Finished);
    assert_eq!(run.counts().of(ItemState::Settled), 3);
    assert_eq!(run.finished_ms, 5);
    assert!(run.active.is_empty() && run.ready.is_empty());
}

#[test]
fn a_silent_worker_loses_its_lease_and_its_late_outcome_is_refused() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let first = take_one(&mut core, a, 0);
    assert!(core.take(b, 1, Millis(1)).is_empty());
    core.heartbeat(b, &[], Millis(900));
    core.tick(Millis(LEASE), 0);
    let second = take_one(&mut core, b, 1_100);
    assert_eq!((first.attempt, second.attempt), (Attempt(1), Attempt(2)));
    let late = core.report(a, first, answer("yes"), Millis(1_200), 0);
    assert_eq!(late, Err(Rejection::Superseded));
    assert_eq!(core.report(b, second, answer("yes"), Millis(1_300), 0), Ok(()));
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn a_worker_that_comes_back_before_anybody_else_took_over_keeps_its_work_unblamed() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    for round in 0..5 {
        core.tick(Millis((round + 1) * 10 * LEASE), 0);
        assert!(!core.knows(a, 7));
        let back = core.register(
            Some((a, 7)),
            Introduction { threads: 1, ..Introduction::default() },
            &[lease],
            99,
            Millis((round + 1) * 10 * LEASE + 1),
        );
        assert_eq!((back.worker, back.session), (a, 7));
        assert!(back.revoked.is_empty());
    }
    assert_eq!(core.report(a, lease, answer("yes"), Millis(99_999), 0), Ok(()));
}

#[test]
fn an_item_that_costs_too_many_workers_fails_and_the_others_do_not() {
    let mut core = core();
    core.submit(sweep(3), &[], false, 0);
    let mut now = 0;
    for round in 0..2 {
        let worker = join(&mut core, &format!("w{round}"), now);
        let given = core.take(worker, 3, Millis(now));
        // A unit that has cost a worker before is handed out alone.
        assert_eq!(given.len(), if round == 0 { 3 } else { 1 });
        assert_eq!(given[0].lease.item, ItemNo(0));
        now += LEASE;
        core.tick(Millis(now), 0);
    }
    assert_eq!(state(&core, 0), ItemState::Failed);
    let worker = join(&mut core, "last", now);
    let given = core.take(worker, 3, Millis(now));
    assert_eq!(given.len(), 2);
    for assignment in given {
        core.report(worker, assignment.lease, answer("yes"), Millis(now), 0).unwrap();
    }
    let run = core.runs().next_back().unwrap();
    assert_eq!(run.state, RunState::Finished);
    assert_eq!(run.counts().of(ItemState::Failed), 1);
}

#[test]
fn a_run_whose_last_item_costs_too_many_workers_is_over() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    for round in 0..2 {
        let worker = join(&mut core, &format!("w{round}"), round * LEASE);
        take_one(&mut core, worker, round * LEASE);
        core.tick(Millis((round + 1) * LEASE), 77);
    }
    let run = core.runs().next_back().unwrap();
    assert_eq!((run.state, run.finished_ms), (RunState::Finished, 77));
}

#[test]
fn a_grant_that_never_arrived_goes_back_to_the_queue() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lost = take_one(&mut core, a, 0);
    for beat in 1..=30 {
        core.heartbeat(a, &[], Millis(beat));
    }
    assert!(core.take(a, 1, Millis(31)).is_empty(), "it may be on its way");
    core.heartbeat(a, &[], Millis(3 * Settings::default().heartbeat_ms));
    let again = take_one(&mut core, a, 4_000);
    assert_eq!((again.unit, again.attempt), (lost.unit, Attempt(2)));
}

#[test]
fn what_is_handed_back_is_given_again_without_blame() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    for attempt in 1..=10 {
        let lease = take_one(&mut core, a, 0);
        assert_eq!(lease.attempt, Attempt(attempt));
        core.report(a, lease, Outcome::HandedBack, Millis(0), 0).unwrap();
    }
    assert_eq!(state(&core, 0), ItemState::Running);
}

#[test]
fn a_paused_run_recalls_its_work_and_gives_out_none() {
    let mut core = core();
    let run = core.submit(sweep(2), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    core.pause(run).unwrap();
    assert!(core.commands(a).recalled.contains(&lease));
    assert!(core.commands(a).is_empty(), "told once");
    core.report(a, lease, Outcome::HandedBack, Millis(0), 0).unwrap();
    assert!(core.take(a, 5, Millis(0)).is_empty());
    assert!(core.pause(run).unwrap_err().contains("is paused"));
    core.resume(run).unwrap();
    assert_eq!(core.take(a, 5, Millis(0)).len(), 2);
}

#[test]
fn a_cancelled_run_calls_its_work_off() {
    let mut core = core();
    let run = core.submit(sweep(2), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    core.cancel(run, "why not", 9).unwrap();
    assert!(core.commands(a).cancelled.contains(&lease));
    assert_eq!(core.report(a, lease, answer("yes"), Millis(0), 0), Err(Rejection::RunOver));
    let run = core.run(run).unwrap();
    assert_eq!(run.counts().of(ItemState::Cancelled), 2);
    assert_eq!((run.state, run.finished_ms), (RunState::Cancelled, 9));
}

#[test]
fn runs_of_higher_priority_come_first() {
    let mut core = core();
    let low = core.submit(sweep(2), &[], false, 0);
    let text = "name = \"urgent\"\nproblem = \"synthetic\"\nkind = \"map\"\npriority = 5\n\
                [parameters]\nseed = [9]\n";
    let high = core.submit(Arc::new(Sweep::parse(CATALOG, text, "t").unwrap()), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let given = core.take(a, 3, Millis(0));
    let runs: Vec<RunId> = given.iter().map(|assignment| assignment.lease.run).collect();
    assert_eq!(runs, [high, low, low]);
}

#[test]
fn the_runner_of_a_split_search_is_told_when_others_come_and_go() {
    let mut core = core();
    core.submit(search_sweep(), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let runner = take_one(&mut core, a, 0);
    assert!(core.commands(a).is_empty());
    let lease = take_one(&mut core, b, 0);
    assert!(core.commands(a).others.contains(&runner) && core.commands(b).is_empty());
    core.report(b, lease, Outcome::HandedBack, Millis(0), 0).unwrap();
    let lease = take_one(&mut core, b, 0);
    assert!(core.commands(a).others.contains(&runner), "another one");
    assert_eq!(core.others(lease).depth, 0, "it is at the root");
}

#[test]
fn a_split_search_is_certified_before_it_is_settled() {
    let mut core = core();
    core.submit(search_sweep(), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let given = core.take(a, 1, Millis(0));
    assert!(matches!(given[0].task, Task::Search(_)));
    let report = SearchReport {
        numbers: Numbers::PROVEN,
        turn: Turn::Or,
        nodes: 10,
        seconds: 0.1,
        stopped: Stopped::Settled,
        children: Vec::new(),
        store_hits: 3,
    };
    core.report(a, given[0].lease, Outcome::Search(report), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Running);
    let given = core.take(a, 1, Millis(0));
    assert!(matches!(given[0].task, Task::Certify(hasami_andor::Verdict::Proven)));
    core.report(a, given[0].lease, answer("the first player wins"), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
}

/// Writes changes into a journal made of maps, as the real one would.
#[derive(Default)]
struct Book {
    saved: BTreeMap<String, Change>,
}

impl Book {
    fn write(&mut self, changes: Vec<Change>) {
        for change in changes {
            let key = match &change {
                Change::Run(record) => format!("run {}", record.run.0),
                Change::Item(run, item, _) => format!("item {} {}", run.0, item.0),
                Change::Unit(run, item, unit, _) => {
                    format!("unit {} {} {}", run.0, item.0, unit.0)
                }
                Change::DropUnits(run, item) => {
                    let prefix = format!("unit {} {} ", run.0, item.0);
                    self.saved.retain(|key, _| !key.starts_with(&prefix));
                    continue;
                }
                Change::Worker(record) => format!("worker {}", record.worker.0),
                Change::DropWorker(worker) => {
                    self.saved.remove(&format!("worker {}", worker.0));
                    continue;
                }
                Change::DropRun(run) => {
                    let of = |word: &str| format!("{word} {}", run.0);
                    self.saved.remove(&of("run"));
                    let prefixes = [of("item") + " ", of("unit") + " "];
                    self.saved.retain(|key, _| !prefixes.iter().any(|of| key.starts_with(of)));
                    continue;
                }
                Change::Answer(..) | Change::DropAnswers(_) | Change::History(..) => continue,
            };
            self.saved.insert(key, change);
        }
    }

    fn saved(&self) -> Saved {
        let mut saved = Saved::default();
        for change in self.saved.values().cloned() {
            match change {
                Change::Run(record) => {
                    let sweep = Arc::new(Sweep::parse(CATALOG, &record.sweep, "t").unwrap());
                    saved.runs.push((record, sweep));
                }
                Change::Item(run, item, record) => saved.items.push((run, item, record)),
                Change::Unit(run, item, unit, record) => {
                    saved.units.push((run, item, unit, record));
                }
                Change::Worker(record) => saved.workers.push(record),
                _ => {}
            }
        }
        saved
    }
}

#[test]
fn a_restarted_core_takes_what_was_finished_meanwhile_and_recomputes_nothing() {
    let mut book = Book::default();
    let mut before = core();
    before.submit(sweep(4), &[], false, 0);
    let a = join(&mut before, "a", 0);
    let given = before.take(a, 3, Millis(0));
    before.report(a, given[0].lease, answer("yes"), Millis(0), 0).unwrap();
    book.write(before.take_effects().0);
    drop(before);

    let settings = Settings { lease_ms: LEASE, verifies: false, ..Settings::default() };
    let mut after = Core::restore(settings, book.saved(), Millis(0));
    assert_eq!(state(&after, 0), ItemState::Settled);
    assert_eq!(state(&after, 1), ItemState::Running);
    assert!(!after.knows(a, 7), "it must register first");
    let held: Vec<Lease> = given[1..].iter().map(|assignment| assignment.lease).collect();
    let about = Introduction { threads: 1, ..Introduction::default() };
    let back = after.register(Some((a, 7)), about, &held, 99, Millis(10));
    assert_eq!((back.worker, back.revoked.len()), (a, 0));
    for lease in held {
        assert_eq!(after.report(a, lease, answer("yes"), Millis(20), 0), Ok(()));
    }
    let last = take_one(&mut after, a, 30);
    assert_eq!((last.item, last.attempt), (ItemNo(3), Attempt(1)));
    after.report(a, last, answer("yes"), Millis(40), 0).unwrap();
    assert_eq!(after.runs().next_back().unwrap().state, RunState::Finished);
    let attempts: Vec<u32> =
        (0..4).map(|i| after.runs().next_back().unwrap().item(ItemNo(i)).unwrap().1).collect();
    assert_eq!(attempts, [1, 1, 1, 1]);
}

#[test]
fn after_a_restart_attempts_go_on_where_they_were() {
    let mut book = Book::default();
    let mut before = core();
    before.submit(sweep(1), &[], false, 0);
    let a = join(&mut before, "a", 0);
    take_one(&mut before, a, 0);
    book.write(before.take_effects().0);
    let settings = Settings { lease_ms: LEASE, verifies: false, ..Settings::default() };
    let mut after = Core::restore(settings, book.saved(), Millis(0));
    let b = join(&mut after, "b", 0);
    assert!(after.take(b, 1, Millis(0)).is_empty(), "the old holder has time to come back");
    after.heartbeat(b, &[], Millis(LEASE - 1));
    after.tick(Millis(LEASE), 0);
    assert_eq!(take_one(&mut after, b, LEASE).attempt, Attempt(2));
}

#[test]
fn work_of_workers_that_cannot_come_back_is_given_out_at_once_and_without_blame() {
    let mut book = Book::default();
    let mut before = core();
    before.submit(sweep(1), &[], false, 0);
    let a = join(&mut before, "a", 0);
    take_one(&mut before, a, 0);
    for round in 2..10 {
        book.write(before.take_effects().0);
        let mut saved = book.saved();
        saved.forget_workers();
        before = Core::restore(before.settings(), saved, Millis(0));
        let b = join(&mut before, "b", 0);
        assert_ne!(a, b, "numbers are not used again");
        assert_eq!(take_one(&mut before, b, 0).attempt, Attempt(round));
    }
    assert_eq!(state(&before, 0), ItemState::Running);
}

#[test]
fn an_enumeration_adds_up_its_parts_over_a_restart() {
    let text = "name = \"t\"\nproblem = \"pavings\"\nkind = \"enumerate\"\n\
                [parameters]\nshapes = \"I\"\nperiod = \"2x2\"\n";
    let sweep = Arc::new(Sweep::parse(CATALOG, text, "t").unwrap());
    let mut book = Book::default();
    let mut before = core();
    before.submit(sweep, &[], false, 0);
    let a = join(&mut before, "a", 0);
    let lease = take_one(&mut before, a, 0);
    let part = |raw, rest: &[&str]| {
        Outcome::Part(Part {
            raw,
            patterns: 1,
            rest: rest.iter().map(ToString::to_string).collect(),
            ..Part::default()
        })
    };
    before.report(a, lease, part(5, &["0", "1.2"]), Millis(0), 0).unwrap();
    book.write(before.take_effects().0);
    let mut after = Core::restore(before.settings(), book.saved(), Millis(0));
    let b = join(&mut after, "b", 0);
    let given = after.take(b, 5, Millis(0));
    let prefix = |given: &hasami_unit::Assignment| match &given.task {
        Task::Enumerate(part) => (part.prefix.clone(), part.split_ms),
        other => panic!("{other:?}"),
    };
    let parts: Vec<(String, u32)> = given.iter().map(prefix).collect();
    let split_ms = after.settings().split_ms;
    assert_eq!(parts, [("0".to_string(), split_ms), ("1.2".to_string(), split_ms)]);
    for assignment in given {
        after.report(b, assignment.lease, part(10, &[]), Millis(0), 0).unwrap();
    }
    let (changes, _) = after.take_effects();
    let claim = changes.iter().find_map(|change| match change {
        Change::Answer(_, answer) => Some(answer.claim.clone()),
        _ => None,
    });
    assert_eq!(claim.as_deref(), Some("25 pavings, 3 up to symmetry"));
}

#[test]
fn a_sick_worker_does_not_fail_what_others_can_compute() {
    let mut core = core();
    core.submit(sweep(3), &[], false, 0);
    let (sick, well) = (join(&mut core, "sick", 0), join(&mut core, "well", 0));
    let failed = || Outcome::Failure(Failure::new(FailureKind::Machine, "no space"));
    // The worker takes every unit, and fails with all of them at once.
    let mut tried = 0;
    while let Some(given) = core.take(sick, 1, Millis(0)).pop() {
        assert_eq!(core.report(sick, given.lease, failed(), Millis(0), 0), Ok(()));
        tried += 1;
    }
    assert_eq!(tried, 3, "each of them once");
    for _ in 0..3 {
        let lease = take_one(&mut core, well, 1);
        assert_eq!(core.report(well, lease, answer("yes"), Millis(1), 0), Ok(()));
    }
    let run = core.runs().next_back().unwrap();
    assert_eq!((run.state, run.counts().of(ItemState::Settled)), (RunState::Finished, 3));
    // If it is alone, all it can do is retry, up to the limit.
    core.submit(sweep(1), &[], true, 0);
    core.leave(well);
    for _ in 0..2 {
        let lease = take_one(&mut core, sick, 2);
        core.report(sick, lease, failed(), Millis(2), 0).unwrap();
    }
    assert_eq!(state(&core, 0), ItemState::Failed);
}
