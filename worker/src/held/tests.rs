use hasami_andor::{Role, SearchTask};
use hasami_spec::{Question, SearchSettings};
use hasami_sweep::{Answer, Measures, Verdict};
use hasami_unit::{Attempt, ItemNo, RunId, Task, UnitNo};

use super::*;

fn lease(item: u32) -> Lease {
    Lease { run: RunId(1), item: ItemNo(item), unit: UnitNo(0), attempt: Attempt(1) }
}

/// Of the units that are added in order.
fn ticket(item: u32) -> Ticket {
    Ticket { lease: lease(item), number: u64::from(item) + 1 }
}

fn unit(item: u32) -> Assignment {
    let search = SearchSettings::default();
    let question = Question { problem: "any".to_string(), params: Vec::new(), search };
    Assignment { lease: lease(item), question, task: Task::Answer }
}

fn answer(certificates: &[&str]) -> Outcome {
    let named = |name: &&str| Certificate { name: name.to_string(), digest: [0; 32], bytes: 0 };
    Outcome::Answer(Answer {
        verdict: Verdict::Proven,
        claim: String::new(),
        fields: Vec::new(),
        certificates: certificates.iter().map(named).collect(),
        measures: Measures::default(),
        check: None,
    })
}

fn done(certificates: &[&str]) -> Computed {
    let files = certificates.iter().map(PathBuf::from).collect();
    Computed::Done { outcome: answer(certificates), files }
}

fn next(held: &mut Held) -> Option<Lease> {
    held.next().map(|(ticket, _, _)| ticket.lease)
}

/// Units 0 and 1 on threads, unit 2 in the queue.
fn three() -> Held {
    let mut held = Held::default();
    for item in 0..3 {
        assert!(held.add(unit(item)));
    }
    assert_eq!([next(&mut held), next(&mut held)], [Some(lease(0)), Some(lease(1))]);
    held
}

fn outcomes(held: &Held) -> Vec<(u32, Outcome)> {
    held.outcomes(99).into_iter().map(|(ticket, outcome)| (ticket.lease.item.0, outcome)).collect()
}

#[test]
fn a_unit_is_named_until_its_receipt_has_come() {
    let mut held = three();
    assert_eq!(held.left(ticket(0), done(&[])), Left::Finished);
    assert_eq!(held.names(), [lease(0), lease(1), lease(2)]);
    let named: Vec<Lease> = held.progress().iter().map(|progress| progress.lease).collect();
    assert_eq!(named, held.names());
    assert_eq!((held.unfinished(), held.len()), (2, 3));
    assert_eq!(held.acknowledge(ticket(0)), Some(answer(&[])));
    assert_eq!(held.acknowledge(ticket(0)), None, "a second receipt is of no use");
    assert_eq!(held.acknowledge(ticket(1)), None, "there is nothing to acknowledge yet");
    assert_eq!(held.names(), [lease(1), lease(2)]);
}

#[test]
fn an_outcome_is_offered_again_until_it_is_acknowledged() {
    let mut held = three();
    held.left(ticket(0), done(&[]));
    assert_eq!(held.outcomes(99), held.outcomes(99));
    assert_eq!(outcomes(&held), [(0, answer(&[]))]);
    held.left(ticket(1), done(&[]));
    assert_eq!(held.outcomes(1).len(), 1);
}

#[test]
fn what_is_held_is_not_taken_twice() {
    let mut held = three();
    for item in 0..3 {
        assert!(!held.add(unit(item)));
    }
    held.left(ticket(0), done(&[]));
    assert!(!held.add(unit(0)));
    assert_eq!([next(&mut held), next(&mut held)], [Some(lease(2)), None]);
}

#[test]
fn what_is_cancelled_leaves_nothing_behind() {
    let mut held = three();
    held.left(ticket(1), done(&[]));
    let control = Arc::clone(held.control(lease(0)).unwrap());
    for item in 0..3 {
        assert_eq!(held.cancel(lease(item)), Some(ticket(item)));
    }
    assert!(control.is_cancelled());
    assert!(held.names().is_empty() && held.progress().is_empty() && next(&mut held).is_none());
    // Its thread is busy until it notices the cancellation.
    assert_eq!((held.unfinished(), held.len()), (1, 1));
    assert_eq!(held.left(ticket(0), done(&[])), Left::Dropped);
    assert_eq!((held.len(), outcomes(&held).len()), (0, 0));
    assert_eq!(held.cancel(lease(0)), None);
}

#[test]
fn what_is_recalled_goes_back_unless_it_is_finished() {
    let mut held = three();
    held.left(ticket(0), done(&[]));
    for item in 0..3 {
        assert!(held.recall(lease(item)));
    }
    assert!(next(&mut held).is_none());
    assert_eq!(outcomes(&held), [(0, answer(&[])), (2, Outcome::HandedBack)]);
    assert_eq!(held.left(ticket(1), Computed::Stopped), Left::HandedBack);
    assert_eq!(
        outcomes(&held),
        [(0, answer(&[])), (1, Outcome::HandedBack), (2, Outcome::HandedBack)]
    );
}

#[test]
fn a_recalled_unit_that_ends_all_the_same_is_not_wasted() {
    let mut held = three();
    held.recall(lease(0));
    assert_eq!(held.left(ticket(0), done(&[])), Left::Finished);
    assert_eq!(outcomes(&held), [(0, answer(&[]))]);
}

#[test]
fn a_recalled_unit_that_is_cancelled_after_that_is_dropped() {
    let mut held = three();
    held.recall(lease(0));
    held.cancel(lease(0));
    held.recall(lease(0));
    assert_eq!(held.left(ticket(0), Computed::Stopped), Left::Dropped);
}

#[test]
fn certificates_go_before_the_answer_that_names_them() {
    let mut held = three();
    held.left(ticket(0), done(&["a", "b"]));
    assert_eq!(outcomes(&held), []);
    let [upload] = &held.uploads()[..] else { panic!("one upload") };
    let names: Vec<&str> = upload.files.iter().map(|(named, _)| named.name.as_str()).collect();
    assert_eq!((upload.ticket, names), (ticket(0), vec!["a", "b"]));
    assert!(held.uploads().is_empty(), "somebody is sending them");
    held.sent(ticket(0));
    assert_eq!(outcomes(&held), [(0, answer(&["a", "b"]))]);
}

#[test]
fn certificates_that_cannot_be_sent_make_a_failure() {
    let mut held = three();
    held.left(ticket(0), done(&["a"]));
    held.uploads();
    held.fail(ticket(0), "the file is gone".to_string());
    let failure = Failure::new(FailureKind::Delivery, "the file is gone");
    assert_eq!(outcomes(&held), [(0, Outcome::Failure(failure))]);
    held.cancel(lease(0));
    held.fail(ticket(0), "too late".to_string());
    assert!(outcomes(&held).is_empty());
}

#[test]
fn a_leader_is_asked_for_its_path() {
    let mut held = Held::default();
    let search = SearchTask { role: Role::Leader, ..SearchTask::default() };
    held.add(Assignment { task: Task::Search(search), ..unit(0) });
    next(&mut held);
    assert!(held.units[&lease(0)].leader);
    let progress = &held.progress()[0].search;
    assert!(progress.path.is_empty(), "it has not told one yet");
    assert_eq!(progress.numbers, Numbers::UNKNOWN, "nor any numbers");
}

#[test]
fn a_unit_that_cannot_be_read_fails_and_is_computed_by_nobody() {
    let mut held = three();
    let failure = Failure::new(FailureKind::UnknownTask, "from the future");
    held.add_unreadable(lease(7), failure.clone());
    assert_eq!(outcomes(&held), [(7, Outcome::Failure(failure))]);
    assert_eq!([next(&mut held), next(&mut held)], [Some(lease(2)), None]);
}

/// A coordinator that was restored from an older checkpoint uses names again.
#[test]
fn a_name_that_is_given_again_does_not_meet_the_unit_that_had_it_before() {
    let mut held = three();
    held.left(ticket(1), done(&["old"]));
    let [upload] = &held.uploads()[..] else { panic!("one upload") };
    for item in 0..3 {
        held.cancel(lease(item));
    }
    for item in 0..3 {
        assert!(held.add(unit(item)), "unit {item} is not the one that is being dropped");
    }
    // The upload of the old one ends in one way or another, and its receipt comes late.
    held.fail(upload.ticket, "the file is gone".to_string());
    held.sent(upload.ticket);
    assert_eq!(held.acknowledge(upload.ticket), None);
    assert!(!held.has(upload.ticket));
    assert_eq!(held.left(ticket(0), done(&[])), Left::Dropped);
    assert_eq!(outcomes(&held), []);
    let begun = [next(&mut held), next(&mut held), next(&mut held)];
    assert_eq!(begun, [Some(lease(0)), Some(lease(1)), Some(lease(2))]);
    let again = Ticket { lease: lease(0), number: 4 };
    assert_eq!(held.left(again, done(&[])), Left::Finished);
    assert_eq!(held.acknowledge(again), Some(answer(&[])));
}
