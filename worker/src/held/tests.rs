use hasami_proto::v1::{Answer, Answering, Role, Searching};

use super::*;

fn lease(item: u32) -> Lease {
    Lease { run: 1, item, unit: 0, attempt: 1 }
}

fn unit(item: u32) -> Assignment {
    let task = Some(assignment::Task::Answer(Answering {}));
    Assignment { lease: Some(lease(item).into()), question: None, task }
}

fn answer(certificates: &[&str]) -> outcome::Kind {
    let named = |name: &&str| Certificate { name: name.to_string(), ..Certificate::default() };
    let certificates = certificates.iter().map(named).collect();
    outcome::Kind::Answer(Answer { certificates, ..Answer::default() })
}

fn done(certificates: &[&str]) -> Computed {
    let files = certificates.iter().map(PathBuf::from).collect();
    Computed::Done { kind: answer(certificates), files }
}

/// Units 0 and 1 on threads, unit 2 in the queue.
fn three() -> Held {
    let mut held = Held::default();
    for item in 0..3 {
        assert!(held.add(lease(item), unit(item)));
    }
    assert_eq!([held.next().unwrap().0, held.next().unwrap().0], [lease(0), lease(1)]);
    held
}

fn kinds(held: &Held) -> Vec<(u32, outcome::Kind)> {
    let told = |outcome: v1::Outcome| (outcome.lease.unwrap().item, outcome.kind.unwrap());
    held.outcomes(99).into_iter().map(told).collect()
}

fn handed_back() -> outcome::Kind {
    outcome::Kind::HandedBack(HandedBack { nodes: 0 })
}

#[test]
fn a_unit_is_named_until_its_receipt_has_come() {
    let mut held = three();
    assert_eq!(held.left(lease(0), done(&[])), Left::Finished);
    assert_eq!(held.names(), [lease(0), lease(1), lease(2)]);
    let running: Vec<bool> = held.progress().iter().map(|progress| progress.running).collect();
    assert_eq!(running, [false, true, false]);
    assert_eq!((held.unfinished(), held.len()), (2, 3));
    assert!(held.acknowledge(lease(0)));
    assert!(!held.acknowledge(lease(0)), "a second receipt is of no use");
    assert!(!held.acknowledge(lease(1)), "there is nothing to acknowledge yet");
    assert_eq!(held.names(), [lease(1), lease(2)]);
}

#[test]
fn an_outcome_is_offered_again_until_it_is_acknowledged() {
    let mut held = three();
    held.left(lease(0), done(&[]));
    assert_eq!(held.outcomes(99), held.outcomes(99));
    assert_eq!(kinds(&held), [(0, answer(&[]))]);
    held.left(lease(1), done(&[]));
    assert_eq!(held.outcomes(1).len(), 1);
}

#[test]
fn what_is_held_is_not_taken_twice() {
    let mut held = three();
    for item in 0..3 {
        assert!(!held.add(lease(item), unit(item)));
    }
    held.left(lease(0), done(&[]));
    assert!(!held.add(lease(0), unit(0)));
    assert_eq!(held.next().map(|next| next.0), Some(lease(2)));
    assert!(held.next().is_none());
}

#[test]
fn what_is_cancelled_leaves_nothing_behind() {
    let mut held = three();
    held.left(lease(1), done(&[]));
    let control = Arc::clone(held.control(lease(0)).unwrap());
    for item in 0..3 {
        assert!(held.cancel(lease(item)));
    }
    assert!(control.is_cancelled());
    assert!(held.names().is_empty() && held.progress().is_empty() && held.next().is_none());
    // Its thread is busy until it has noticed.
    assert_eq!((held.unfinished(), held.len()), (1, 1));
    assert_eq!(held.left(lease(0), done(&[])), Left::Dropped);
    assert_eq!((held.len(), kinds(&held).len()), (0, 0));
    assert!(!held.cancel(lease(0)));
}

#[test]
fn what_is_recalled_goes_back_unless_it_is_finished() {
    let mut held = three();
    held.left(lease(0), done(&[]));
    for item in 0..3 {
        assert!(held.recall(lease(item)));
    }
    assert!(held.next().is_none());
    assert_eq!(kinds(&held), [(0, answer(&[])), (2, handed_back())]);
    assert_eq!(held.left(lease(1), Computed::Stopped), Left::HandedBack);
    assert_eq!(kinds(&held), [(0, answer(&[])), (1, handed_back()), (2, handed_back())]);
}

#[test]
fn a_recalled_unit_that_ends_all_the_same_is_not_wasted() {
    let mut held = three();
    held.recall(lease(0));
    assert_eq!(held.left(lease(0), done(&[])), Left::Finished);
    assert_eq!(kinds(&held), [(0, answer(&[]))]);
}

#[test]
fn a_recalled_unit_that_is_cancelled_after_that_is_dropped() {
    let mut held = three();
    held.recall(lease(0));
    held.cancel(lease(0));
    held.recall(lease(0));
    assert_eq!(held.left(lease(0), Computed::Stopped), Left::Dropped);
}

#[test]
fn certificates_go_before_the_answer_that_names_them() {
    let mut held = three();
    held.left(lease(0), done(&["a", "b"]));
    assert_eq!(kinds(&held), []);
    let [parcel] = &held.parcels()[..] else { panic!("one parcel") };
    let names: Vec<&str> = parcel.files.iter().map(|(told, _)| told.name.as_str()).collect();
    assert_eq!((parcel.lease, names), (lease(0), vec!["a", "b"]));
    assert!(held.parcels().is_empty(), "somebody is sending them");
    held.sent(lease(0));
    assert_eq!(kinds(&held), [(0, answer(&["a", "b"]))]);
}

#[test]
fn certificates_that_cannot_be_sent_make_a_failure() {
    let mut held = three();
    held.left(lease(0), done(&["a"]));
    held.parcels();
    held.fail(lease(0), "the file is gone".to_string());
    let [(0, outcome::Kind::Failure(failure))] = &kinds(&held)[..] else { panic!("a failure") };
    assert_eq!((failure.message.as_str(), failure.permanent), ("the file is gone", false));
    held.cancel(lease(0));
    held.fail(lease(0), "too late".to_string());
    assert!(kinds(&held).is_empty());
}

#[test]
fn a_leader_is_asked_for_its_path() {
    let mut held = Held::default();
    let search = Searching { role: Role::Leader.into(), ..Searching::default() };
    let task = Some(assignment::Task::Search(search));
    held.add(lease(0), Assignment { task, ..unit(0) });
    held.next();
    assert!(is_leader(&held.units[&lease(0)].assignment));
    assert!(held.progress()[0].path.is_empty(), "it has not told one yet");
}
