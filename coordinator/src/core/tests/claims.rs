//! What workers say is a claim: nothing is settled, and nothing fails for good, on the word of one.

use hasami_sweep::Basis;

use super::*;

fn verifying() -> Core {
    Core::new(Settings { lease_ms: LEASE, ..Settings::default() })
}

fn join_with_token(core: &mut Core, token: &str) -> WorkerId {
    let token = token.to_string();
    let about = Introduction { threads: 1, token, ..Introduction::default() };
    core.register(None, about, &[], 7, Millis(0)).worker
}

fn holds() -> Found {
    Found::Holds { basis: Basis::Proved, unproved: vec!["nodes".to_string()] }
}

fn refuted() -> Found {
    Found::Refuted("the proof has a hole".to_string())
}

/// Takes a unit and answers it.
fn claim(core: &mut Core, worker: WorkerId) -> Lease {
    let lease = take_one(core, worker, 0);
    core.report(worker, lease, answer("yes"), Millis(0), 0).unwrap();
    lease
}

fn stored(core: &mut Core) -> Option<Answer> {
    core.take_effects().0.into_iter().find_map(|change| match change {
        // Beside an open answer its cost is kept.
        Change::Answer(_, answer) if !answer.claim.is_empty() => Some(answer),
        _ => None,
    })
}

#[test]
fn an_answer_settles_its_item_when_it_is_verified() {
    let mut core = verifying();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = claim(&mut core, a);
    assert_eq!(state(&core, 0), ItemState::Running);
    assert!(core.run(lease.run).unwrap().is_verifying(ItemNo(0)));
    assert!(core.take(a, 1, Millis(0)).is_empty(), "nobody computes it meanwhile");
    let again = core.report(a, lease, answer("no"), Millis(0), 0);
    assert_eq!(again, Err(Rejection::AlreadyCounted));
    let (_, notices) = core.take_effects();
    assert!(notices.contains(&Notice::Claimed(lease)));
    assert_eq!(core.claim(lease).unwrap().answer.claim, "yes");
    core.verified(lease, "the judge", holds(), 0);
    assert_eq!(state(&core, 0), ItemState::Settled);
    let check = stored(&mut core).unwrap().check.unwrap();
    assert_eq!((check.by.as_str(), check.sender.as_str()), ("the judge", "worker 1 (a)"));
    assert_eq!((check.basis, check.unproved), (Basis::Proved, vec!["nodes".to_string()]));
    core.verified(lease, "the judge", refuted(), 0);
    assert_eq!(state(&core, 0), ItemState::Settled, "too late");
}

#[test]
fn a_worker_cannot_say_that_its_answer_was_checked() {
    let mut core = verifying();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    let check = hasami_sweep::Check {
        sender: "x".to_string(),
        by: "x".to_string(),
        basis: Basis::Proved,
        unproved: Vec::new(),
        note: String::new(),
    };
    let lie = Answer { check: Some(check), ..proven("yes", Measures::default()) };
    core.report(a, lease, Outcome::Answer(lie), Millis(0), 0).unwrap();
    assert_eq!(core.claim(lease).unwrap().answer.check, None);
}

#[test]
fn a_claim_outlives_a_restart_and_is_verified_then() {
    for sweep in [sweep(1), search_sweep()] {
        let mut book = Book::default();
        let mut core = verifying();
        core.submit(sweep, &[], false, 0);
        let a = join(&mut core, "a", 0);
        let mut lease = take_one(&mut core, a, 0);
        if core.report(a, lease, answer("yes"), Millis(0), 0).is_err() {
            // A split search: its root is settled first.
            lease = take_one(&mut core, a, 0);
            let report = SearchReport {
                numbers: Numbers::PROVEN,
                turn: Turn::Or,
                nodes: 10,
                seconds: 0.1,
                stopped: Stopped::Settled,
                children: Vec::new(),
                store_hits: 3,
            };
            core.report(a, lease, Outcome::Search(report), Millis(0), 0).unwrap();
            lease = claim(&mut core, a);
        }
        book.write(core.take_effects().0);
        let mut saved = book.saved();
        saved.forget_workers();
        let mut core = Core::restore(core.settings(), saved, Millis(0));
        assert!(core.take_effects().1.contains(&Notice::Claimed(lease)));
        assert_eq!(core.claim(lease).unwrap().answer.claim, "yes");
        let b = join(&mut core, "b", 0);
        assert!(core.take(b, 1, Millis(0)).is_empty(), "it is not computed again");
        core.verified(lease, "the judge", holds(), 0);
        assert_eq!(state(&core, 0), ItemState::Settled);
    }
}

#[test]
fn a_refuted_answer_goes_to_another_worker_and_its_sender_soon_gets_nothing() {
    let mut core = verifying();
    core.submit(sweep(4), &[], false, 0);
    let (liar, honest) = (join_with_token(&mut core, "liar"), join_with_token(&mut core, "h"));
    for round in 0..3 {
        // A new process is still the same sender.
        let again = join_with_token(&mut core, "liar");
        let lease = claim(&mut core, if round == 1 { again } else { liar });
        assert_eq!(lease.item, ItemNo(round), "never one that it was refuted with");
        core.verified(lease, "the judge", refuted(), 0);
        assert_eq!(state(&core, round), ItemState::Running);
    }
    assert!(core.take(liar, 9, Millis(0)).is_empty());
    let (_, notices) = core.take_effects();
    assert!(notices.iter().any(|notice| matches!(notice, Notice::Alarm(_))));
    for item in 0..4 {
        let lease = claim(&mut core, honest);
        core.verified(lease, "the judge", holds(), 0);
        assert_eq!(state(&core, item), ItemState::Settled);
    }
}

#[test]
fn one_sender_cannot_fail_an_item_while_others_are_there() {
    let kinds = [FailureKind::Question, FailureKind::Contradiction, FailureKind::Machine];
    for kind in kinds {
        let mut core = verifying();
        core.submit(sweep(2), &[], false, 0);
        let (liar, honest) = (join_with_token(&mut core, "liar"), join_with_token(&mut core, "h"));
        let failure = || Outcome::Failure(Failure::new(kind, "no"));
        for _ in 0..2 {
            let lease = take_one(&mut core, liar, 0);
            core.report(liar, lease, failure(), Millis(0), 0).unwrap();
        }
        assert!(core.take(liar, 9, Millis(0)).is_empty(), "these are for others");
        assert_eq!((state(&core, 0), state(&core, 1)), (ItemState::Running, ItemState::Running));
        let lease = claim(&mut core, honest);
        core.verified(lease, "the judge", holds(), 0);
        assert_eq!(state(&core, 0), ItemState::Settled);
        // A second one agrees.
        let lease = take_one(&mut core, honest, 0);
        core.report(honest, lease, failure(), Millis(0), 0).unwrap();
        assert_eq!(state(&core, 1), ItemState::Failed, "{kind:?}");
    }
}

/// As [`sweep`], and no number of crashes fails an item.
fn lasting_sweep() -> Arc<Sweep> {
    let text = sweep(1).text().replace("crash-limit = 2", "crash-limit = 1000");
    Arc::new(Sweep::parse(CATALOG, &text, "test").unwrap())
}

/// Takes a unit and says that nobody can answer it.
fn deny(core: &mut Core, worker: WorkerId, now: u64) {
    let lease = take_one(core, worker, now);
    let failure = Outcome::Failure(Failure::new(FailureKind::Question, "no such question"));
    core.report(worker, lease, failure, Millis(now), 0).unwrap();
}

#[test]
fn a_worker_that_was_lost_does_not_agree_with_one_that_says_it_is_impossible() {
    let mut core = verifying();
    core.submit(lasting_sweep(), &[], false, 0);
    let lost = join_with_token(&mut core, "lost");
    take_one(&mut core, lost, 0);
    let (liar, honest) = (join_with_token(&mut core, "liar"), join_with_token(&mut core, "h"));
    for worker in [liar, honest] {
        core.heartbeat(worker, &[], Millis(LEASE / 2));
    }
    core.tick(Millis(LEASE), 0);
    deny(&mut core, liar, LEASE);
    assert_eq!(state(&core, 0), ItemState::Running);
    assert!(core.take(liar, 1, Millis(LEASE)).is_empty(), "it is for the other");
    let lease = claim(&mut core, honest);
    core.verified(lease, "the judge", holds(), 0);
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn whoever_registers_twice_with_a_shared_token_is_one() {
    let mut core = verifying();
    core.submit(lasting_sweep(), &[], false, 0);
    let (one, two) = (join(&mut core, "liar", 0), join(&mut core, "liar", 0));
    let honest = join(&mut core, "honest", 0);
    deny(&mut core, one, 0);
    deny(&mut core, two, 0);
    assert_eq!(state(&core, 0), ItemState::Running);
    assert!(core.take(one, 1, Millis(0)).is_empty() && core.take(two, 1, Millis(0)).is_empty());
    deny(&mut core, honest, 0);
    assert_eq!(state(&core, 0), ItemState::Failed, "nobody is left who could");
}

#[test]
fn after_a_restart_the_first_to_return_is_not_alone() {
    let mut book = Book::default();
    let mut core = verifying();
    core.submit(lasting_sweep(), &[], false, 0);
    let (liar, honest) = (join(&mut core, "liar", 0), join(&mut core, "honest", 0));
    book.write(core.take_effects().0);
    let again = |core: &mut Core, worker, now| {
        let about = Introduction { threads: 1, ..Introduction::default() };
        core.register(Some((worker, 7)), about, &[], 8, Millis(now));
    };
    let restored = || Core::restore(verifying().settings(), book.saved(), Millis(0));
    let mut core = restored();
    again(&mut core, liar, 1);
    deny(&mut core, liar, 1);
    assert_eq!(state(&core, 0), ItemState::Running);
    assert!(core.take(liar, 1, Millis(1)).is_empty(), "the other may return");
    again(&mut core, honest, 2);
    let lease = claim(&mut core, honest);
    core.verified(lease, "the judge", holds(), 0);
    assert_eq!(state(&core, 0), ItemState::Settled);
    // If it does not, the first is alone when the time of a lease has passed.
    let mut core = restored();
    again(&mut core, liar, LEASE / 2);
    deny(&mut core, liar, LEASE / 2);
    core.take_effects();
    core.tick(Millis(LEASE), 0);
    assert!(core.take_effects().1.contains(&Notice::WorkAvailable));
    deny(&mut core, liar, LEASE);
    assert_eq!(state(&core, 0), ItemState::Failed);
}

#[test]
fn a_sender_that_vanishes_again_and_again_costs_no_item() {
    let mut core = verifying();
    core.submit(sweep(1), &[], false, 0);
    let honest = join_with_token(&mut core, "h");
    let mut now = 0;
    for round in 0..5 {
        let about = Introduction { threads: 1, token: "t".to_string(), ..Introduction::default() };
        let liar = core.register(None, about, &[], 7, Millis(now)).worker;
        assert_eq!(core.take(liar, 1, Millis(now)).len(), usize::from(round == 0));
        now += LEASE / 2;
        core.heartbeat(honest, &[], Millis(now));
        now += LEASE / 2;
        core.tick(Millis(now), 0);
    }
    assert_eq!(state(&core, 0), ItemState::Running);
    assert_eq!(core.take(honest, 1, Millis(now)).len(), 1);
}

#[test]
fn only_the_worker_that_was_given_a_lease_may_use_it() {
    let mut core = verifying();
    core.submit(sweep(1), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let lease = take_one(&mut core, a, 0);
    core.heartbeat(b, &[], Millis(900));
    core.tick(Millis(LEASE), 0);
    // Nobody holds it now.
    let stolen = core.report(b, lease, answer("yes"), Millis(LEASE), 0);
    assert_eq!(stolen, Err(Rejection::HeldByAnother));
    let about = Introduction { threads: 1, ..Introduction::default() };
    let back = core.register(Some((b, 7)), about.clone(), &[lease], 9, Millis(LEASE));
    assert_eq!(back.revoked, [lease]);
    let back = core.register(Some((a, 7)), about, &[lease], 9, Millis(LEASE));
    assert!(back.revoked.is_empty());
    assert_eq!(core.report(a, lease, answer("yes"), Millis(LEASE), 0), Ok(()));
}

#[test]
fn an_answer_that_cannot_be_checked_leaves_its_item_open() {
    let mut core = verifying();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = claim(&mut core, a);
    core.verified(lease, "the judge", Found::Unable("no such database".to_string()), 0);
    assert_eq!(state(&core, 0), ItemState::Open);
    let answer = stored(&mut core).unwrap();
    assert_eq!(answer.verdict, Verdict::Open);
    assert_eq!(answer.claim, "open: not verified (no such database): yes");
}

#[test]
fn nothing_is_handed_out_while_the_coordinator_is_in_trouble() {
    let mut core = verifying();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    core.set_trouble(Some("the disk is full".to_string()));
    assert!(core.take(a, 1, Millis(0)).is_empty());
    core.set_trouble(None);
    assert!(core.take_effects().1.contains(&Notice::WorkAvailable));
    assert_eq!(core.take(a, 1, Millis(0)).len(), 1);
}

#[test]
fn a_certificate_that_cannot_be_checked_is_a_reason_to_ask_another() {
    let mut core = verifying();
    core.submit(sweep(1), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let lease = claim(&mut core, a);
    core.verified(lease, "the judge", Found::Unable("too large".to_string()), 0);
    assert!(core.take(a, 1, Millis(0)).is_empty(), "it has had its turn");
    let lease = claim(&mut core, b);
    core.verified(lease, "the judge", holds(), 0);
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn the_word_of_a_stranger_counts_only_where_nobody_else_can_answer() {
    let unproved = || Found::Holds { basis: Basis::Unproved, unproved: Vec::new() };
    let mut core = verifying();
    core.submit(sweep(3), &[], false, 0);
    let about = Introduction {
        threads: 1,
        token: "s".to_string(),
        stranger: true,
        ..Introduction::default()
    };
    let stranger = core.register(None, about, &[], 7, Millis(0)).worker;
    let lease = claim(&mut core, stranger);
    core.verified(lease, "the judge", unproved(), 0);
    assert_eq!(state(&core, lease.item.0), ItemState::Settled, "there is nobody else");
    let known = join(&mut core, "known", 0);
    let lease = claim(&mut core, stranger);
    core.verified(lease, "the judge", holds(), 0);
    assert_eq!(state(&core, lease.item.0), ItemState::Settled, "a proof needs no trust");
    let lease = claim(&mut core, stranger);
    core.verified(lease, "the judge", unproved(), 0);
    assert_eq!(state(&core, lease.item.0), ItemState::Running);
    assert!(core.take(stranger, 1, Millis(0)).is_empty());
    let again = claim(&mut core, known);
    assert_eq!(again.item, lease.item);
    core.verified(again, "the judge", unproved(), 0);
    assert_eq!(state(&core, lease.item.0), ItemState::Settled);
}

#[test]
fn strangers_are_not_asked_to_count() {
    let mut core = verifying();
    let text = "name = \"t\"\nproblem = \"pavings\"\nkind = \"enumerate\"\n\
                [parameters]\nshapes = \"I\"\nperiod = \"2x2\"\n";
    core.submit(Arc::new(Sweep::parse(CATALOG, text, "t").unwrap()), &[], false, 0);
    let about = Introduction { threads: 1, stranger: true, ..Introduction::default() };
    let stranger = core.register(None, about, &[], 7, Millis(0)).worker;
    assert!(core.take(stranger, 1, Millis(0)).is_empty());
    let known = join(&mut core, "known", 0);
    assert_eq!(core.take(known, 1, Millis(0)).len(), 1);
}
