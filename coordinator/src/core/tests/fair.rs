//! Several runs at once: by priority, then by share.

use super::*;

fn named(name: &str, items: usize, settings: &str) -> Arc<Sweep> {
    let text = format!(
        "name = \"{name}\"\nproblem = \"synthetic\"\nkind = \"map\"\n{settings}\n\
         [parameters]\nseed = \"1..={items}\"\n"
    );
    Arc::new(Sweep::parse(CATALOG, &text, "test").unwrap())
}

/// One thread that computes items of these lengths, in milliseconds; returns the time that each run
/// has had after `limit` milliseconds.
fn served(core: &mut Core, length: impl Fn(RunId) -> u64, limit: u64) -> Vec<(RunId, u64)> {
    let worker = join(core, "a", 0);
    let mut had: BTreeMap<RunId, u64> = core.runs().map(|run| (run.id, 0)).collect();
    let mut now = 0;
    while now < limit {
        let lease = take_one(core, worker, now);
        let ms = length(lease.run);
        now += ms;
        *had.get_mut(&lease.run).unwrap() += ms;
        let measures = Measures { seconds: ms as f64 / 1000.0, ..Measures::default() };
        let outcome = Outcome::Answer(proven("yes", measures));
        core.report(worker, lease, outcome, Millis(now), 0).unwrap();
    }
    had.into_iter().collect()
}

/// How far `part` is from `share` of `whole`, in percent of the whole.
fn off(part: u64, whole: u64, share: f64) -> f64 {
    100.0 * (part as f64 / whole as f64 - share).abs()
}

#[test]
fn runs_of_one_priority_have_equal_time_whatever_their_items_cost() {
    let mut core = core();
    let first = core.submit(named("long", 1000, ""), &[], false, 0);
    core.submit(named("short", 10_000, ""), &[], false, 0);
    let had = served(&mut core, |run| if run == first { 500 } else { 10 }, 60_000);
    let whole: u64 = had.iter().map(|(_, ms)| ms).sum();
    for (run, ms) in had {
        assert!(off(ms, whole, 0.5) < 2.0, "{run:?}: {ms} of {whole}");
    }
}

#[test]
fn a_share_of_three_has_three_times_the_time() {
    let mut core = core();
    let first = core.submit(named("one", 10_000, ""), &[], false, 0);
    let three = core.submit(named("three", 10_000, "share = 3"), &[], false, 0);
    let had = served(&mut core, |run| if run == first { 20 } else { 50 }, 60_000);
    let whole: u64 = had.iter().map(|(_, ms)| ms).sum();
    let of = |run| had.iter().find(|(id, _)| *id == run).unwrap().1;
    assert!(off(of(first), whole, 0.25) < 2.0 && off(of(three), whole, 0.75) < 2.0, "{had:?}");
}

#[test]
fn workers_are_shared_while_long_units_run() {
    let mut core = core();
    let runs = [(); 2].map(|()| core.submit(named("n", 100, ""), &[], false, 0));
    let workers: Vec<WorkerId> = (0..8).map(|n| join(&mut core, &n.to_string(), 0)).collect();
    for (n, &worker) in workers.iter().enumerate() {
        take_one(&mut core, worker, n as u64);
    }
    assert_eq!(runs.map(|run| core.workers_of(run)), [4, 4]);
}

#[test]
fn many_new_runs_do_not_starve_an_old_one_and_a_new_one_does_not_wait_for_it() {
    let mut core = core();
    let old = core.submit(named("old", 100_000, ""), &[], false, 0);
    served(&mut core, |_| 10, 5_000);
    let new: Vec<RunId> =
        (0..4).map(|_| core.submit(named("new", 10_000, ""), &[], false, 0)).collect();
    let had = served(&mut core, |_| 10, 10_000);
    for (run, ms) in had {
        assert!(off(ms, 10_000, 0.2) < 1.0, "{run:?} of {old:?} and {new:?}: {ms}");
    }
}

#[test]
fn a_run_that_had_nothing_to_hand_out_saves_nothing_up() {
    let mut core = core();
    let busy = core.submit(named("busy", 100_000, ""), &[], false, 0);
    let paused = core.submit(named("paused", 100_000, ""), &[], false, 0);
    served(&mut core, |_| 10, 1_000);
    core.pause(paused).unwrap();
    served(&mut core, |_| 10, 20_000);
    core.resume(paused).unwrap();
    let had = served(&mut core, |_| 10, 10_000);
    let of = |run| had.iter().find(|(id, _)| *id == run).unwrap().1;
    assert!(of(busy) > 4_000, "{had:?}");
}

#[test]
fn a_higher_priority_has_everything_as_long_as_it_has_work() {
    let mut core = core();
    let low = core.submit(named("low", 1000, "share = 1000"), &[], false, 0);
    let high = core.submit(named("high", 50, "priority = 1"), &[], false, 0);
    let had = served(&mut core, |_| 10, 600);
    assert_eq!(had, [(low, 100), (high, 500)]);
}

#[test]
fn a_worker_that_lies_about_its_time_cannot_starve_a_run_for_ever() {
    let mut core = core();
    let runs = [(); 2].map(|()| core.submit(named("n", 1000, ""), &[], false, 0));
    let worker = join(&mut core, "a", 0);
    for seconds in [f64::NAN, f64::INFINITY, -5.0, 1e300] {
        let lease = take_one(&mut core, worker, 0);
        let measures = Measures { seconds, ..Measures::default() };
        let outcome = Outcome::Answer(proven("yes", measures));
        core.report(worker, lease, outcome, Millis(0), 0).unwrap();
    }
    let had = |core: &Core| runs.map(|run| core.run(run).unwrap().counts().of(ItemState::Settled));
    assert!(had(&core).into_iter().all(|settled| settled > 0), "{:?}", had(&core));
}
