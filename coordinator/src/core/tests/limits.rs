//! Limits on time, and the order of items by their cost.

use super::*;

fn parsed(text: &str) -> Arc<Sweep> {
    Arc::new(Sweep::parse(CATALOG, text, "test").unwrap())
}

#[test]
fn a_run_whose_time_is_over_is_cancelled_with_a_note() {
    let mut core = core();
    let text = "name = \"t\"\nproblem = \"chomp\"\nkind = \"map\"\ntime-limit = \"2s\"\n\
                [parameters]\nrows = [3, 4]\n";
    let run = core.submit(parsed(text), &[], false, 1_000);
    let worker = join(&mut core, "a", 0);
    let lease = take_one(&mut core, worker, 0);
    core.tick(Millis(1), 2_999);
    assert_eq!(core.run(run).unwrap().state, RunState::Running);
    core.tick(Millis(2), 3_000);
    let ended = core.run(run).unwrap();
    assert_eq!((ended.state, ended.finished_ms), (RunState::Cancelled, 3_000));
    assert_eq!(ended.note, "its time limit of 2s is over");
    assert!(core.commands(worker).cancelled.contains(&lease));
}

#[test]
fn a_search_over_many_workers_ends_open_when_its_time_is_over() {
    let mut core = core();
    let text = "name = \"t\"\nproblem = \"chomp\"\nkind = \"search\"\n[parameters]\nrows = 3\n\
                columns = 4\n[search]\ntime-limit = \"500ms\"\n";
    core.submit(parsed(text), &[], false, 0);
    let worker = join(&mut core, "a", 100);
    take_one(&mut core, worker, 100);
    core.tick(Millis(599), 0);
    assert_eq!(state(&core, 0), ItemState::Running);
    core.tick(Millis(600), 7);
    assert_eq!(state(&core, 0), ItemState::Open);
    let claim = core.take_effects().0.into_iter().find_map(|change| match change {
        Change::Answer(_, answer) if !answer.claim.is_empty() => Some(answer.claim),
        _ => None,
    });
    assert!(claim.unwrap().ends_with("is not settled within 500ms"));
    assert_eq!(core.runs().next_back().unwrap().state, RunState::Finished);
}

fn cost(seconds: f64) -> Weight {
    Weight::of(Measures { seconds, ..Measures::default() })
}

fn items(given: &[hasami_unit::Assignment]) -> Vec<u32> {
    given.iter().map(|assignment| assignment.lease.item.0).collect()
}

#[test]
fn items_that_are_known_to_be_long_begin_first_and_unknown_ones_count_as_the_mean() {
    let mut core = core();
    let run = core.submit(sweep(5), &[], false, 0);
    let known = [(ItemNo(1), cost(0.01)), (ItemNo(2), cost(100.0)), (ItemNo(4), cost(1.0))];
    core.weigh(run, &known);
    let worker = join(&mut core, "a", 0);
    assert_eq!(items(&core.take(worker, 9, Millis(0))), [2, 0, 3, 4, 1]);
}

#[test]
fn what_is_learned_of_the_cost_later_loses_no_item() {
    let mut core = core();
    let run = core.submit(sweep(6), &[], false, 0);
    let worker = join(&mut core, "a", 0);
    let begun = items(&core.take(worker, 3, Millis(0)));
    assert_eq!(begun, [0, 1, 2]);
    // As after a restart, when workers may be first.
    core.weigh(run, &[(ItemNo(0), cost(0.01)), (ItemNo(4), cost(100.0)), (ItemNo(5), cost(1.0))]);
    assert_eq!(items(&core.take(worker, 9, Millis(0))), [4, 3, 5]);
}

#[test]
fn after_a_restart_the_cost_of_a_stage_still_orders_the_next() {
    let mut core = core();
    let text = "name = \"t\"\nproblem = \"chomp\"\nkind = \"map\"\nstages = \"columns\"\n\
                [parameters]\nrows = [1, 2, 3]\ncolumns = [3, 4]\n";
    core.submit(parsed(text), &[], false, 0);
    let worker = join(&mut core, "a", 0);
    for (given, seconds) in core.take(worker, 9, Millis(0)).into_iter().zip([1.0, 0.1, 50.0]) {
        let measures = Measures { seconds, ..Measures::default() };
        let outcome = Outcome::Answer(proven("yes", measures));
        core.report(worker, given.lease, outcome, Millis(1), 0).unwrap();
    }
    let mut book = Book::default();
    book.write(core.take_effects().0);
    let mut core = Core::restore(core.settings(), book.saved(), Millis(0));
    let worker = join(&mut core, "b", 0);
    assert_eq!(items(&core.take(worker, 9, Millis(2))), [5, 1, 3]);
}

#[test]
fn the_cost_of_a_stage_orders_the_next_but_never_mixes_them() {
    let mut core = core();
    let text = "name = \"t\"\nproblem = \"chomp\"\nkind = \"map\"\nstages = \"columns\"\n\
                [parameters]\nrows = [1, 2, 3]\ncolumns = [3, 4]\n";
    core.submit(parsed(text), &[], false, 0);
    let worker = join(&mut core, "a", 0);
    let low = core.take(worker, 9, Millis(0));
    assert_eq!(items(&low), [0, 2, 4]);
    for (given, seconds) in low.into_iter().zip([1.0, 0.1, 50.0]) {
        let measures = Measures { seconds, ..Measures::default() };
        let outcome = Outcome::Answer(proven("yes", measures));
        core.report(worker, given.lease, outcome, Millis(1), 0).unwrap();
    }
    assert_eq!(items(&core.take(worker, 9, Millis(2))), [5, 1, 3]);
}

#[test]
fn the_cost_of_an_open_answer_is_kept_for_the_next_run() {
    let mut core = core();
    core.submit(sweep(1), &[], false, 0);
    let worker = join(&mut core, "a", 0);
    let given = core.take(worker, 1, Millis(0)).remove(0);
    let measures = Measures { nodes: 9, seconds: 4.0, store_hits: 0 };
    let open = Answer { verdict: Verdict::Open, ..proven("not within 9 nodes", measures) };
    core.report(worker, given.lease, Outcome::Answer(open.clone()), Millis(1), 0).unwrap();
    let key = given.question.cost_key();
    let kept = core.take_effects().0.into_iter().find_map(|change| match change {
        Change::Answer(found, answer) if found == key => Some(answer),
        _ => None,
    });
    assert_eq!(kept.unwrap().measures, measures);
}
