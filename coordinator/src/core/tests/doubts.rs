//! A worker that reports a false verdict of a split search: the search goes on without it.

use super::*;

fn report(numbers: Numbers) -> Outcome {
    Outcome::Search(SearchReport {
        numbers,
        turn: Turn::Or,
        nodes: 10,
        seconds: 0.1,
        stopped: if numbers.settled() { Stopped::Settled } else { Stopped::Budget },
        children: Vec::new(),
        store_hits: 0,
    })
}

fn no_certificate() -> Outcome {
    let what = "the verdict does not hold";
    Outcome::Failure(Failure::new(FailureKind::Contradiction, what))
}

/// A liar and two others; the liar has reported that the root is proven.
fn lied_to() -> (Core, [WorkerId; 3]) {
    let mut core = core();
    core.submit(search_sweep(), &[], false, 0);
    let all = ["liar", "a", "b"].map(|name| join(&mut core, name, 0));
    let lease = take_one(&mut core, all[0], 0);
    core.report(all[0], lease, report(Numbers::PROVEN), Millis(0), 0).unwrap();
    (core, all)
}

fn take_task(core: &mut Core, worker: WorkerId) -> Option<(Lease, Task)> {
    core.take(worker, 1, Millis(0)).pop().map(|given| (given.lease, given.task))
}

#[test]
fn a_verdict_without_a_certificate_is_dropped_and_the_search_goes_on_without_its_sender() {
    let (mut core, [liar, a, b]) = lied_to();
    let (lease, task) = take_task(&mut core, a).unwrap();
    assert!(matches!(task, Task::Certify(hasami_andor::Verdict::Proven)));
    core.report(a, lease, no_certificate(), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Running);
    assert_eq!(take_task(&mut core, liar), None, "it is believed no more");
    let (lease, task) = take_task(&mut core, b).unwrap();
    assert!(matches!(task, Task::Search(_)));
    core.report(b, lease, report(Numbers::DISPROVEN), Millis(0), 0).unwrap();
    let (lease, task) = take_task(&mut core, a).unwrap();
    assert!(matches!(task, Task::Certify(hasami_andor::Verdict::Disproven)));
    core.report(a, lease, answer("the first player loses"), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn whoever_reported_the_verdict_cannot_refute_it_alone() {
    let (mut core, [liar, a, _]) = lied_to();
    let (lease, _) = take_task(&mut core, liar).unwrap();
    core.report(liar, lease, no_certificate(), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Running);
    let (lease, task) = take_task(&mut core, a).unwrap();
    assert!(matches!(task, Task::Certify(_)), "another one tries");
    core.report(a, lease, answer("yes"), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn what_a_doubted_worker_still_reports_counts_for_nothing() {
    let (mut core, [liar, a, b]) = lied_to();
    let (lease, _) = take_task(&mut core, a).unwrap();
    core.report(a, lease, no_certificate(), Millis(0), 0).unwrap();
    core.leave(a);
    core.leave(b);
    // Alone, it may search: its verdict has to be certified anyway.
    let (lease, task) = take_task(&mut core, liar).unwrap();
    assert!(matches!(task, Task::Search(_)));
    let c = join(&mut core, "c", 0);
    core.report(liar, lease, report(Numbers::PROVEN), Millis(0), 0).unwrap();
    let (_, task) = take_task(&mut core, c).unwrap();
    assert!(matches!(task, Task::Search(_)), "no certificate is asked for");
}

#[test]
fn a_lone_worker_that_contradicts_itself_fails_the_item() {
    let mut core = core();
    core.submit(search_sweep(), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    core.report(a, lease, report(Numbers::PROVEN), Millis(0), 0).unwrap();
    let lease = take_one(&mut core, a, 0);
    core.report(a, lease, no_certificate(), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Failed);
}
