//! Long items at the tail: idle workers search them together, and whoever is first answers.

use super::*;

const LONG: u64 = 10_000;

fn patient_core() -> Core {
    Core::new(Settings { lease_ms: 100 * LONG, verifies: false, ..Settings::default() })
}

/// A map of one item of several questions in turn, with these settings of its search.
fn one_item(search: &str) -> Arc<Sweep> {
    let text = format!(
        "name = \"test\"\nproblem = \"quarto\"\nkind = \"map\"\n[parameters]\n\
         position = \"...0.fd1...2....,c\"\nwithin = \"shortest\"\n[search]\n{search}"
    );
    Arc::new(Sweep::parse(CATALOG, &text, "test").unwrap())
}

/// A worker computes the item, and another has become idle.
fn one_of_two_is_idle(search: &str) -> (Core, WorkerId, Lease, WorkerId) {
    let mut core = patient_core();
    core.submit(one_item(search), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let lease = take_one(&mut core, a, 0);
    assert!(core.take(b, 1, Millis(1)).is_empty());
    core.tick(Millis(LONG - 1), 0);
    assert!(core.take(b, 1, Millis(LONG - 1)).is_empty(), "it may end soon");
    core.tick(Millis(2 * LONG), 0);
    (core, a, lease, b)
}

fn settled(numbers: Numbers) -> Outcome {
    Outcome::Search(SearchReport {
        numbers,
        turn: Turn::Or,
        nodes: 10,
        seconds: 0.1,
        stopped: Stopped::Settled,
        children: Vec::new(),
        store_hits: 0,
    })
}

#[test]
fn an_idle_worker_joins_and_the_first_to_answer_answers() {
    let (mut core, a, lease, b) = one_of_two_is_idle("");
    let given = core.take(b, 1, Millis(2 * LONG)).pop().unwrap();
    assert!(matches!(given.task, Task::Search(_)), "{given:?}");
    let within = |question: &hasami_spec::Question| {
        question.params.iter().find(|(key, _)| key == "within").unwrap().1.clone()
    };
    assert_eq!(within(&given.question), "1", "a split search goes question by question");
    core.report(a, lease, answer("yes"), Millis(2 * LONG + 1), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
    assert!(core.commands(b).cancelled.contains(&given.lease), "nobody needs it any more");
    let late = core.report(b, given.lease, settled(Numbers::PROVEN), Millis(2 * LONG + 2), 0);
    assert_eq!(late, Err(Rejection::RunOver));
}

#[test]
fn those_who_search_together_may_be_first() {
    let (mut core, a, lease, b) = one_of_two_is_idle("");
    let mut now = 2 * LONG;
    let mut search = |core: &mut Core, numbers| {
        now += 1;
        let given = core.take(b, 1, Millis(now)).pop().unwrap();
        assert!(matches!(given.task, Task::Search(_)), "{given:?}");
        core.report(b, given.lease, settled(numbers), Millis(now), 0).unwrap();
        assert!(!core.commands(a).cancelled.contains(&lease), "a question in turn is not the item");
    };
    search(&mut core, Numbers::DISPROVEN);
    search(&mut core, Numbers::PROVEN);
    let given = core.take(b, 1, Millis(now + 1)).pop().unwrap();
    assert!(matches!(given.task, Task::Certify(hasami_andor::Verdict::Proven)), "{given:?}");
    core.report(b, given.lease, answer("yes"), Millis(now + 2), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
    assert!(core.commands(a).cancelled.contains(&lease));
}

#[test]
fn after_a_restart_the_worker_of_the_whole_item_goes_on_and_no_lease_has_an_old_name() {
    let (mut core, a, lease, b) = one_of_two_is_idle("");
    let mut book = Book::default();
    let before: Vec<Lease> =
        core.take(b, 1, Millis(2 * LONG)).iter().map(|given| given.lease).collect();
    assert_eq!(before.len(), 1);
    book.write(core.take_effects().0);
    let mut core = Core::restore(core.settings(), book.saved(), Millis(0));
    let held = |core: &mut Core, worker, held: &[Lease]| {
        let about = Introduction { threads: 1, ..Introduction::default() };
        core.register(Some((worker, 7)), about, held, 99, Millis(1)).revoked
    };
    assert!(held(&mut core, a, &[lease]).is_empty(), "it keeps its unit");
    assert_eq!(held(&mut core, b, &before), before, "the search begins anew");
    assert!(core.take(b, 1, Millis(2)).is_empty());
    core.tick(Millis(2 * LONG), 0);
    let again = take_one(&mut core, b, 2 * LONG);
    assert!(!before.contains(&again), "{again} was the name of another lease");
    core.report(a, lease, answer("yes"), Millis(3 * LONG), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn a_claim_of_those_who_searched_together_outlives_a_restart() {
    let (mut core, _, _, b) = one_of_two_is_idle("");
    core.settings.verifies = true;
    for numbers in [Numbers::DISPROVEN, Numbers::PROVEN] {
        let lease = take_one(&mut core, b, 2 * LONG);
        core.report(b, lease, settled(numbers), Millis(2 * LONG), 0).unwrap();
    }
    let lease = take_one(&mut core, b, 2 * LONG);
    core.report(b, lease, answer("yes"), Millis(2 * LONG), 0).unwrap();
    let asked = core.claim(lease).unwrap().question;
    let mut book = Book::default();
    book.write(core.take_effects().0);
    let core = Core::restore(core.settings(), book.saved(), Millis(0));
    assert_eq!(core.claim(lease).map(|claim| claim.question), Some(asked));
}

#[test]
fn an_item_with_a_budget_stays_with_its_worker() {
    let (mut core, _, _, b) = one_of_two_is_idle("budget = 1000000\n");
    assert!(core.take(b, 1, Millis(2 * LONG)).is_empty());
}

/// A map of one item that asks one question.
fn one_question() -> (Core, WorkerId, Lease, WorkerId) {
    let text = "name = \"test\"\nproblem = \"chomp\"\nkind = \"map\"\n[parameters]\n\
                rows = 4\ncolumns = 5\n";
    let mut core = patient_core();
    core.submit(Arc::new(Sweep::parse(CATALOG, text, "test").unwrap()), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let lease = take_one(&mut core, a, 0);
    assert!(core.take(b, 1, Millis(1)).is_empty());
    core.tick(Millis(2 * LONG), 0);
    (core, a, lease, b)
}

#[test]
fn a_worker_that_is_asked_for_its_item_goes_on_as_the_first_of_all() {
    let (mut core, a, lease, b) = one_question();
    assert!(core.commands(a).recalled.contains(&lease), "it is asked");
    let now = 2 * LONG + 1;
    assert!(core.take(b, 1, Millis(now)).is_empty(), "nobody begins before it has answered");
    core.report(a, lease, Outcome::HandedBack, Millis(now), 0).unwrap();
    assert!(core.take(b, 1, Millis(now)).is_empty(), "it comes first");
    let first = core.take(a, 1, Millis(now)).pop().unwrap();
    assert!(matches!(first.task, Task::Search(_)), "{first:?}");
    let second = core.take(b, 1, Millis(now)).pop().unwrap();
    assert!(matches!(second.task, Task::Search(_)), "{second:?}");
    // Nobody computes the whole, and what is said of it late has no effect.
    let again = core.report(a, lease, Outcome::HandedBack, Millis(now + 1), 0);
    assert_eq!(again, Err(Rejection::Superseded));
    assert!(!core.take(b, 1, Millis(now + 2)).iter().any(|given| given.task == Task::Answer));
    core.report(a, first.lease, settled(Numbers::PROVEN), Millis(now + 3), 0).unwrap();
    let given = core.take(a, 1, Millis(now + 4)).pop().unwrap();
    assert!(matches!(given.task, Task::Certify(_)), "{given:?}");
    core.report(a, given.lease, answer("yes"), Millis(now + 5), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn a_worker_that_finishes_before_it_hands_back_answers() {
    let (mut core, a, lease, b) = one_question();
    core.report(a, lease, answer("yes"), Millis(2 * LONG + 1), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
    assert!(core.take(b, 1, Millis(2 * LONG + 2)).is_empty());
}

#[test]
fn nobody_waits_long_for_a_worker_that_does_not_answer() {
    let (mut core, a, lease, b) = one_question();
    core.tick(Millis(2 * LONG + 5_000), 0);
    let given = core.take(b, 1, Millis(2 * LONG + 5_001)).pop().unwrap();
    assert!(matches!(given.task, Task::Search(_)), "{given:?}");
    // It goes on alone, and may be first.
    core.report(a, lease, answer("yes"), Millis(2 * LONG + 6_000), 0).unwrap();
    assert_eq!(state(&core, 0), ItemState::Settled);
}

#[test]
fn nobody_waits_long_for_a_worker_that_does_not_come_back() {
    let (mut core, a, lease, b) = one_question();
    core.report(a, lease, Outcome::HandedBack, Millis(2 * LONG + 1), 0).unwrap();
    assert!(core.take(b, 1, Millis(2 * LONG + 2)).is_empty());
    core.tick(Millis(2 * LONG + 4_000), 0);
    let given = core.take(b, 1, Millis(2 * LONG + 4_001)).pop().unwrap();
    assert!(matches!(given.task, Task::Search(_)), "{given:?}");
}

#[test]
fn after_a_restart_an_item_that_was_shared_is_computed_whole_again() {
    let (mut core, a, lease, _) = one_question();
    core.report(a, lease, Outcome::HandedBack, Millis(2 * LONG + 1), 0).unwrap();
    let mut book = Book::default();
    book.write(core.take_effects().0);
    let mut core = Core::restore(core.settings(), book.saved(), Millis(0));
    let about = Introduction { threads: 1, ..Introduction::default() };
    core.register(Some((a, 7)), about, &[], 99, Millis(1));
    let again = core.take(a, 1, Millis(2)).pop().unwrap();
    assert_eq!(again.task, Task::Answer);
    assert!(again.lease.attempt > lease.attempt);
}

#[test]
fn attempts_at_an_item_that_was_searched_together_only_rise() {
    let (mut core, a, _, b) = one_of_two_is_idle("");
    let mut book = Book::default();
    let tried = |core: &Core| core.runs().next_back().unwrap().item(ItemNo(0)).unwrap().1;
    take_one(&mut core, b, 2 * LONG);
    assert_eq!(tried(&core), 2);
    for attempts in 3..=5 {
        // The worker of the whole item does not have it any more, and takes it again.
        let about = Introduction { threads: 1, ..Introduction::default() };
        core.register(Some((a, 7)), about, &[], 99, Millis(2 * LONG));
        let given = core.take(a, 1, Millis(2 * LONG)).pop().unwrap();
        assert_eq!((given.task, tried(&core)), (Task::Answer, attempts));
        book.write(core.take_effects().0);
        core = Core::restore(core.settings(), book.saved(), Millis(0));
        assert_eq!(tried(&core), attempts, "a restart forgets no attempt");
    }
}
