//! What is kept: cancelled runs in one record, runs that cannot be read, deletion, and runs that
//! wait for a contradiction to be cleared.

use hasami_andor::ProblemId;
use hasami_spec::Catalog;

use super::*;
use crate::core::Refused;

const ONE: ProblemId = ProblemId(1);
const TWO: ProblemId = ProblemId(2);

fn restart(core: &mut Core, book: &mut Book) -> Core {
    book.write(core.take_effects().0);
    Core::restore(core.settings(), book.saved(), Millis(0))
}

#[test]
fn a_cancelled_run_needs_one_record_whatever_its_size() {
    let (mut core, mut book) = (core(), Book::default());
    let run = core.submit(sweep(1000), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let given = core.take(a, 3, Millis(0));
    core.report(a, given[0].lease, answer("yes"), Millis(0), 0).unwrap();
    book.write(core.take_effects().0);
    core.cancel(run, "enough", 9).unwrap();
    let (changes, notices) = core.take_effects();
    assert!(changes.len() < 10, "{} changes", changes.len());
    assert!(notices.len() < 20, "{} notices", notices.len());
    book.write(changes);
    let counts = core.run(run).unwrap().counts();
    assert_eq!((counts.of(ItemState::Settled), counts.of(ItemState::Cancelled)), (1, 999));
    let after = restart(&mut core, &mut book);
    let run = after.run(run).unwrap();
    assert_eq!((run.counts(), run.state), (counts, RunState::Cancelled));
    assert_eq!(run.item(ItemNo(500)).unwrap().0, ItemState::Cancelled);
    assert_eq!((run.note.as_str(), run.finished_ms), ("enough", 9));
    assert!(run.active.is_empty() && run.ready.is_empty());
}

/// A sweep as it was stored, under a catalog that no longer has its game.
fn without_game(sweep: &Sweep) -> Arc<Sweep> {
    let stored = Sweep::from_stored(Catalog(&[]), sweep.stored(), sweep.text());
    Arc::new(stored.unwrap())
}

#[test]
fn a_run_whose_game_is_gone_waits_and_everything_else_goes_on() {
    let (mut core, mut book) = (core(), Book::default());
    let gone = core.submit(sweep(2), &[], false, 0);
    let other = core.submit(sweep(3), &[], false, 0);
    book.write(core.take_effects().0);
    let mut saved = book.saved();
    saved.runs[0].1 = without_game(&saved.runs[0].1);
    let mut after = Core::restore(core.settings(), saved, Millis(0));
    let run = after.run(gone).unwrap();
    assert_eq!(run.state, RunState::Unreadable);
    assert!(run.note.contains("synthetic"), "{}", run.note);
    let a = join(&mut after, "a", 0);
    let given = after.take(a, 10, Millis(0));
    assert!(given.iter().all(|given| given.lease.run == other), "{given:?}");
    assert_eq!(given.len(), 3);
    assert!(after.resume(gone).is_err() && after.pause(gone).is_err());
    assert!(after.cancel(gone, "", 0).is_err());
    after.tick(Millis(1), 1);
    let touched = after.take_effects().0.iter().any(|change| match change {
        Change::Run(record) => record.run == gone,
        _ => false,
    });
    assert!(!touched, "its record is left as it is");
    // With the game back, it is as before.
    let back = Core::restore(core.settings(), book.saved(), Millis(0));
    assert_eq!(back.run(gone).unwrap().state, RunState::Running);
}

#[test]
fn a_finished_run_needs_no_rules_to_be_shown() {
    let (mut core, mut book) = (core(), Book::default());
    let id = core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    core.report(a, lease, answer("yes"), Millis(0), 5).unwrap();
    book.write(core.take_effects().0);
    let mut saved = book.saved();
    saved.runs[0].1 = without_game(&saved.runs[0].1);
    let after = Core::restore(core.settings(), saved, Millis(0));
    let run = after.run(id).unwrap();
    assert_eq!((run.state, run.counts().of(ItemState::Settled)), (RunState::Finished, 1));
    assert_eq!(run.sweep.item(0).spelled(), sweep(1).item(0).spelled());
}

#[test]
fn items_and_units_that_cannot_be_read_fail_and_the_rest_goes_on() {
    let (mut core, mut book) = (core(), Book::default());
    let id = core.submit(sweep(4), &[], false, 0);
    book.write(core.take_effects().0);
    let mut restoring = Restoring::new(core.settings(), book.saved(), Millis(0));
    restoring.unreadable_item(id, ItemNo(0));
    restoring.unreadable_item(id, ItemNo(77));
    restoring.unreadable_unit(id, ItemNo(1), "no bytes");
    let mut after = restoring.finish();
    let (changes, _) = after.take_effects();
    let written = |item| {
        changes.iter().find_map(|change| match change {
            Change::Item(_, found, record) if *found == ItemNo(item) => {
                Some(record.failure.clone())
            }
            _ => None,
        })
    };
    assert_eq!(written(0), None, "a record that cannot be read is not overwritten");
    assert!(written(1).unwrap().contains("no bytes"));
    let a = join(&mut after, "a", 0);
    let given: Vec<u32> =
        after.take(a, 10, Millis(0)).iter().map(|given| given.lease.item.0).collect();
    assert_eq!(given, [2, 3]);
    assert_eq!(after.run(id).unwrap().counts().of(ItemState::Failed), 2);
}

#[test]
fn only_runs_that_have_ended_are_deleted() {
    let mut core = core();
    let (ended, running) =
        (core.submit(sweep(2), &[], false, 0), core.submit(sweep(2), &[], false, 0));
    core.cancel(ended, "", 1).unwrap();
    core.take_effects();
    let refused = core.begin_delete(&[ended, running]).unwrap_err();
    assert!(refused.contains("run 2 is running"), "{refused}");
    assert!(core.begin_delete(&[RunId(9)]).unwrap_err().contains("no run 9"));
    core.begin_delete(&[ended]).unwrap();
    assert_eq!(core.delete(&[ended], Vec::new()), 0);
    assert_eq!(core.take_effects().0, [Change::DropRun(ended)]);
    assert!(core.run(ended).is_none() && core.run(running).is_some());
    assert_eq!(core.submit(sweep(1), &[], false, 0), RunId(3), "numbers are not used again");
}

#[test]
fn answers_given_while_a_deletion_is_prepared_stay() {
    let mut core = core();
    let old = core.submit(sweep(3), &[], false, 0);
    core.cancel(old, "", 0).unwrap();
    core.submit(sweep(3), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let given = core.take(a, 3, Millis(0));
    let key = |item: usize| sweep(3).item(item).settled_key();
    core.begin_delete(&[old]).unwrap();
    // One is written before the deletion, one waits to be written together with it.
    core.report(a, given[0].lease, answer("yes"), Millis(0), 0).unwrap();
    core.take_effects();
    core.report(a, given[1].lease, answer("yes"), Millis(0), 0).unwrap();
    assert_eq!(core.delete(&[old], vec![key(0), key(1), key(2)]), 1);
    let (changes, _) = core.take_effects();
    assert!(changes.contains(&Change::DropAnswers(vec![key(2)])), "{changes:?}");
}

/// A split search with two workers on it, and a run of another kind.
fn searched() -> (Core, WorkerId, Lease, RunId, RunId) {
    let mut core = core();
    let searched = core.submit(search_sweep(), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    let other = core.submit(sweep(1), &[], false, 0);
    (core, a, lease, searched, other)
}

#[test]
fn a_worker_speaks_about_the_problem_of_its_units_only() {
    let (mut core, a, lease, ..) = searched();
    let b = join(&mut core, "b", 0);
    assert_eq!(core.bind(a, 8, &[lease], ONE), Err(Refused::UnknownWorker));
    assert_eq!(core.bind(WorkerId(99), 7, &[lease], ONE), Err(Refused::UnknownWorker));
    assert_eq!(core.bind(b, 7, &[lease], ONE), Err(Refused::NoLease));
    assert_eq!(core.bind(a, 7, &[], ONE), Err(Refused::NoLease));
    assert_eq!(core.bind(a, 7, &[lease], ONE), Ok(()));
    assert_eq!(core.bind(a, 7, &[lease], ONE), Ok(()));
    assert_eq!(core.bind(a, 7, &[lease], TWO), Err(Refused::OtherProblem { lease, bound: ONE }));
    assert_eq!(core.problem_of(lease), Some(ONE));
    core.leave(a);
    assert_eq!(core.bind(a, 7, &[lease], ONE), Err(Refused::UnknownWorker));
}

#[test]
fn a_contradiction_pauses_the_runs_of_its_problem_until_it_is_cleared() {
    let (mut core, a, lease, searched, other) = searched();
    core.bind(a, 7, &[lease], ONE).unwrap();
    assert_eq!(core.fault(TWO, "nobody searches this"), []);
    assert_eq!(core.fault(ONE, "a and b disagree"), [searched]);
    let run = core.run(searched).unwrap();
    assert_eq!((run.state, run.note.as_str()), (RunState::Paused, "a and b disagree"));
    assert_eq!(core.run(other).unwrap().state, RunState::Running);
    assert!(core.commands(a).recalled.contains(&lease));
    let refused = core.resume(searched).unwrap_err();
    assert!(refused.contains("clear-fault"), "{refused}");
    // It waits over a restart, too.
    let mut book = Book::default();
    let mut after = restart(&mut core, &mut book);
    assert_eq!(after.run(searched).unwrap().fault, Some(ONE));
    assert_eq!(after.clear_fault(TWO), []);
    assert_eq!(after.clear_fault(ONE), [searched]);
    let run = after.run(searched).unwrap();
    assert_eq!((run.state, run.note.as_str(), run.fault), (RunState::Running, "", None));
}

#[test]
fn problems_of_leases_that_are_gone_are_forgotten() {
    let mut core = core();
    core.submit(sweep(300), &[], false, 0);
    let a = join(&mut core, "a", 0);
    for _ in 0..300 {
        let lease = take_one(&mut core, a, 0);
        core.bind(a, 7, &[lease], ONE).unwrap();
        core.report(a, lease, answer("yes"), Millis(0), 0).unwrap();
    }
    let run = core.submit(sweep(1), &[], true, 0);
    let lease = take_one(&mut core, a, 0);
    core.bind(a, 7, &[lease], ONE).unwrap();
    assert!(core.problems.leases() < 80, "{}", core.problems.leases());
    assert_eq!(core.fault(ONE, ""), [run]);
}
