//! Outcomes and heartbeats that no correct worker sends, or not at that time.

use hasami_unit::Progress;

use super::*;

#[test]
fn an_outcome_of_another_kind_is_rejected_and_counts_as_a_failed_attempt() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let part = || Outcome::Part(Part::default());
    for attempt in 1..=2 {
        let lease = take_one(&mut core, a, 0);
        assert_eq!(lease.attempt, Attempt(attempt));
        assert_eq!(core.report(a, lease, part(), Millis(0), 0), Err(Rejection::WrongKind));
    }
    assert_eq!(state(&core, 0), ItemState::Failed, "it has a limit of two");
    core.submit(search_sweep(), &[], false, 0);
    let lease = take_one(&mut core, a, 0);
    let wrong = core.report(a, lease, answer("yes"), Millis(0), 0);
    assert_eq!(wrong, Err(Rejection::WrongKind), "no answer without a certificate");
    assert_eq!(state(&core, 0), ItemState::Running);
    take_one(&mut core, a, 0);
}

#[test]
fn whatever_a_worker_names_is_no_reason_to_panic() {
    let mut core = core();
    core.submit(sweep(2), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let real = take_one(&mut core, a, 0);
    let far = u32::MAX;
    let forged = [
        Lease { run: RunId(u64::MAX), ..real },
        Lease { item: ItemNo(far), ..real },
        Lease { unit: UnitNo(far), ..real },
        Lease { attempt: Attempt(far), ..real },
        Lease { attempt: Attempt(0), ..real },
        real,
    ];
    let progress: Vec<Progress> = forged.iter().map(|&lease| Progress::none(lease)).collect();
    core.heartbeat(b, &progress, Millis(1));
    for lease in forged {
        let _ = core.others(lease);
        let outcomes = [answer("no"), Outcome::HandedBack, Outcome::Part(Part::default())];
        for outcome in outcomes {
            assert!(core.report(b, lease, outcome, Millis(1), 0).is_err(), "{lease}");
        }
    }
    let about = Introduction { threads: 1, ..Introduction::default() };
    let back = core.register(Some((b, 7)), about, &forged, 8, Millis(2));
    assert_eq!(back.revoked, forged, "none of them is its own");
    let measures = Measures { nodes: u64::MAX, seconds: 1e300, store_hits: u64::MAX };
    let huge = Outcome::Answer(proven("yes", measures));
    assert_eq!(core.report(a, real, huge.clone(), Millis(3), 0), Ok(()));
    let next = take_one(&mut core, a, 3);
    assert_eq!(core.report(a, next, huge, Millis(3), 0), Ok(()));
    assert_eq!(core.runs().next_back().unwrap().nodes(), u64::MAX);
}

#[test]
fn a_worker_is_as_fast_as_the_nodes_that_it_reports() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    let nodes = |core: &Core| core.workers().next().unwrap().1.nodes;
    for reported in [100, 250, 250] {
        core.heartbeat(a, &[Progress::new(lease, reported, None, Vec::new())], Millis(1));
        assert_eq!(nodes(&core), reported);
    }
    let measures = Measures { nodes: 300, ..Measures::default() };
    core.report(a, lease, Outcome::Answer(proven("yes", measures)), Millis(2), 0).unwrap();
    assert_eq!(nodes(&core), 300, "each node counts once");
}

#[test]
fn a_unit_whose_outcome_came_late_is_not_handed_out_again() {
    let mut core = core();
    core.submit(sweep(2), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let late = take_one(&mut core, a, 0);
    core.tick(Millis(LEASE), 0);
    // The unit is queued again, and no worker has taken it.
    assert_eq!(core.report(a, late, answer("yes"), Millis(LEASE), 0), Ok(()));
    let b = join(&mut core, "b", LEASE);
    let given = core.take(b, 9, Millis(LEASE));
    assert_eq!(given.iter().map(|given| given.lease.item).collect::<Vec<_>>(), [ItemNo(1)]);
    let run = core.runs().next_back().unwrap();
    assert_eq!(run.item(late.item).unwrap().1, 1, "attempts of an item that has ended stay");
}
