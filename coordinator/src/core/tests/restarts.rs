//! What must survive a restart: cost, attempts, and workers.

use super::*;
use hasami_answer::CATALOG;

/// A search unit that has settled nothing.
fn unsettled(nodes: u64) -> Outcome {
    let report = SearchReport {
        numbers: Numbers::open(3, 4),
        turn: Turn::Or,
        nodes,
        seconds: 0.5,
        stopped: Stopped::Budget,
        children: Vec::new(),
        store_hits: 2,
    };
    Outcome::Search(report)
}

#[test]
fn what_a_split_search_has_spent_and_tried_outlives_a_restart() {
    let text = search_sweep().text().replace("[search]\n", "[search]\nbudget = 100\n");
    let mut book = Book::default();
    let mut core = core();
    core.submit(Arc::new(Sweep::parse(CATALOG, &text, "test").unwrap()), &[], false, 0);
    let mut names = std::collections::BTreeSet::new();
    for round in 1..=5 {
        let a = join(&mut core, "a", 0);
        let lease = take_one(&mut core, a, 0);
        assert!(names.insert(lease), "a lease from before a restart has the name {lease}");
        let run = core.runs().next_back().unwrap();
        assert_eq!(run.item(ItemNo(0)).unwrap().1, round);
        // The last one is handed out and lost with the coordinator.
        if round < 5 {
            core.report(a, lease, unsettled(20), Millis(0), 0).unwrap();
            assert_eq!(core.runs().next_back().unwrap().nodes(), 20 * u64::from(round));
        }
        book.write(core.take_effects().0);
        let mut saved = book.saved();
        saved.forget_workers();
        core = Core::restore(core.settings(), saved, Millis(0));
        let run = core.runs().next_back().unwrap();
        assert_eq!(run.item(ItemNo(0)).unwrap().1, round, "attempts only rise");
        assert_eq!(run.nodes(), 20 * u64::from(round.min(4)));
        assert_eq!(run.store_hits(), 2 * u64::from(round.min(4)));
    }
    let a = join(&mut core, "a", 0);
    let lease = take_one(&mut core, a, 0);
    core.report(a, lease, unsettled(20), Millis(0), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Open, "the budget is used up");
    let cost = core.take_effects().0.into_iter().find_map(|change| match change {
        Change::Answer(_, answer) => Some(answer.measures),
        _ => None,
    });
    let cost = cost.unwrap();
    assert_eq!((cost.nodes, cost.seconds, cost.store_hits), (100, 2.5, 10));
    core.tick(Millis(1), 55);
    let run = core.runs().next_back().unwrap();
    assert_eq!((run.state, run.finished_ms), (RunState::Finished, 55));
}

#[test]
fn a_restart_knows_what_ended_items_have_cost() {
    let mut book = Book::default();
    let mut before = core();
    before.submit(sweep(2), &[], false, 0);
    let a = join(&mut before, "a", 0);
    let lease = take_one(&mut before, a, 0);
    let measures = Measures { nodes: 77, seconds: 1.0, store_hits: 5 };
    before.report(a, lease, Outcome::Answer(proven("yes", measures)), Millis(0), 0).unwrap();
    book.write(before.take_effects().0);
    let after = Core::restore(before.settings(), book.saved(), Millis(0));
    let run = after.runs().next_back().unwrap();
    assert_eq!((run.nodes(), run.store_hits()), (77, 5));
}

#[test]
fn a_worker_that_comes_back_is_told_from_one_that_comes() {
    let mut core = core();
    core.submit(sweep(2), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let first = take_one(&mut core, a, 0);
    core.tick(Millis(LEASE), 0);
    let b = join(&mut core, "b", LEASE);
    let second = take_one(&mut core, b, LEASE);
    assert_eq!((first.item, second.attempt), (second.item, Attempt(2)));
    core.take_effects();
    let about = Introduction { threads: 1, ..Introduction::default() };
    core.register(Some((a, 7)), about, &[first], 99, Millis(LEASE));
    let (_, notices) = core.take_effects();
    assert_eq!(
        notices,
        [Notice::Returned { worker: a, held: 1, revoked: 1 }],
        "it holds one unit, which another has now"
    );
    assert_eq!(core.workers_of(first.run), 1);
    let used = core.report(a, first, answer("yes"), Millis(LEASE), 0);
    assert_eq!(used, Err(Rejection::Superseded));
}
