//! Workers of different speed and units of very different cost: nobody waits while there is work.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::*;

fn with_threads(core: &mut Core, threads: u32) -> WorkerId {
    let about = Introduction { threads, ..Introduction::default() };
    core.register(None, about, &[], 7, Millis(0)).worker
}

/// The worker returns what it was asked for, but for those it has begun.
fn obey(core: &mut Core, worker: WorkerId, begun: &[Lease], now: u64) -> usize {
    let asked = core.commands(worker).unbegun;
    let unbegun: Vec<Lease> = asked.into_iter().filter(|lease| !begun.contains(lease)).collect();
    for &lease in &unbegun {
        core.report(worker, lease, Outcome::HandedBack, Millis(now), 0).unwrap();
    }
    unbegun.len()
}

fn items(given: &[hasami_unit::Assignment]) -> Vec<u32> {
    given.iter().map(|assignment| assignment.lease.item.0).collect()
}

#[test]
fn a_worker_beside_others_gets_no_more_than_half_of_its_fair_share_ahead() {
    let mut core = core();
    core.submit(sweep(66), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    // One for its thread; of the other 65, one is for the thread of b, and a quarter for it.
    assert_eq!(core.take(a, 1000, Millis(0)).len(), 1 + 13);
    assert_eq!(core.take(b, 1000, Millis(0)).len(), 1 + 10);
    assert!(core.take(a, 1000, Millis(0)).is_empty(), "it has enough ahead");
}

#[test]
fn the_last_units_go_to_threads_that_are_idle() {
    let mut core = core();
    core.submit(sweep(4), &[], false, 0);
    let (a, b) = (with_threads(&mut core, 2), with_threads(&mut core, 2));
    assert_eq!(core.take(a, 1000, Millis(0)).len(), 2);
    assert_eq!(core.take(b, 1000, Millis(0)).len(), 2);
}

#[test]
fn an_idle_worker_gets_what_another_has_not_begun() {
    let mut core = core();
    core.submit(sweep(9), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let given = core.take(a, 100, Millis(0));
    assert_eq!(given.len(), 9, "nobody else is there");
    let b = join(&mut core, "b", 1);
    assert!(core.take(b, 1, Millis(1)).is_empty());
    core.tick(Millis(1), 0);
    assert!(core.take_effects().1.contains(&Notice::Wake(a)));
    assert_eq!(obey(&mut core, a, &[given[0].lease], 2), 4, "half of its queue, from the end");
    assert!(core.take_effects().1.contains(&Notice::WorkAvailable), "b is woken");
    let taken = core.take(b, 100, Millis(2));
    assert!(taken.len() < 4 && taken[0].lease.attempt == Attempt(2), "{taken:?}");
    assert_eq!(items(&taken)[0], 5, "those that a would have begun last");
    let run = core.runs().next_back().unwrap();
    assert_eq!(run.counts().of(ItemState::Failed), 0);
}

#[test]
fn a_unit_that_was_begun_stays_and_others_are_asked_for_at_the_next_heartbeat() {
    let mut core = core();
    core.submit(sweep(3), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let given = core.take(a, 100, Millis(0));
    let leases: Vec<Lease> = given.iter().map(|given| given.lease).collect();
    let b = join(&mut core, "b", 1);
    assert!(core.take(b, 1, Millis(1)).is_empty());
    core.tick(Millis(1), 0);
    // It is faster than the question: only the unit that was not asked for is left.
    assert_eq!(core.commands(a).unbegun, BTreeSet::from([leases[2]]));
    core.tick(Millis(2), 0);
    assert!(core.commands(a).is_empty(), "one unit for one thread");
    let progress: Vec<Progress> = leases.iter().map(|&lease| Progress::none(lease)).collect();
    core.heartbeat(a, &progress, Millis(3));
    core.tick(Millis(3), 0);
    assert_eq!(core.commands(a).unbegun, BTreeSet::from([leases[1]]), "that one was begun");
    assert_eq!(obey(&mut core, a, &leases, 4), 0);
    core.heartbeat(a, &progress, Millis(5));
    core.heartbeat(a, &progress, Millis(6));
    core.tick(Millis(6), 0);
    assert_eq!(core.commands(a).unbegun.len(), 1, "a reply may get lost: it is asked again");
}

#[test]
fn a_call_that_waits_is_woken_when_its_worker_has_less() {
    let mut core = core();
    core.submit(sweep(40), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let given = core.take(a, 1000, Millis(0));
    core.take(b, 1000, Millis(0));
    assert!(core.take(a, 1000, Millis(0)).is_empty(), "this call waits now");
    core.tick(Millis(0), 0);
    core.take_effects();
    let mut woken = 0;
    for (left, given) in (0..given.len()).rev().zip(&given) {
        core.report(a, given.lease, answer("yes"), Millis(1), 0).unwrap();
        core.tick(Millis(1), 0);
        if core.take_effects().1.contains(&Notice::WorkAvailable) {
            woken += 1;
            assert_eq!(left, 4, "half of its queue");
        }
    }
    assert_eq!(woken, 1, "told once");
    assert!(!core.take(a, 1000, Millis(2)).is_empty());
}

#[test]
fn a_worker_that_becomes_idle_while_its_call_waits_gets_what_others_have_not_begun() {
    let mut core = core();
    core.submit(sweep(9), &[], false, 0);
    let a = join(&mut core, "a", 0);
    let given = core.take(a, 8, Millis(0));
    let b = join(&mut core, "b", 0);
    let last = take_one(&mut core, b, 1);
    assert!(core.take(b, 5, Millis(1)).is_empty(), "this call waits now");
    core.tick(Millis(1), 0);
    assert!(core.commands(a).is_empty(), "nobody is idle");
    core.report(b, last, answer("yes"), Millis(2), 0).unwrap();
    core.tick(Millis(2), 0);
    assert_eq!(obey(&mut core, a, &[given[0].lease], 3), 4);
}

#[test]
fn nothing_is_called_back_for_a_worker_without_the_labels() {
    let mut core = core();
    let text = "name = \"t\"\nproblem = \"synthetic\"\nkind = \"map\"\n[labels]\nbig = \"yes\"\n\
                [parameters]\nseed = [1, 2, 3]\n";
    core.submit(Arc::new(Sweep::parse(CATALOG, text, "t").unwrap()), &[], false, 0);
    let labels = vec![("big".to_string(), "yes".to_string())];
    let about = Introduction { threads: 1, labels, ..Introduction::default() };
    let big = core.register(None, about, &[], 7, Millis(0)).worker;
    assert_eq!(core.take(big, 9, Millis(0)).len(), 3);
    let small = join(&mut core, "small", 0);
    assert!(core.take(small, 1, Millis(1)).is_empty());
    core.tick(Millis(1), 0);
    assert!(core.commands(big).is_empty());
}

#[test]
fn a_unit_without_progress_goes_to_an_idle_worker_and_patience_doubles() {
    let stall_ms = 100_000;
    let mut core = Core::new(Settings {
        stall_ms,
        lease_ms: 1 << 40,
        long_ms: u64::MAX,
        ..Settings::default()
    });
    core.submit(sweep(1), &[], false, 0);
    let (a, b) = (join(&mut core, "a", 0), join(&mut core, "b", 0));
    let stuck = take_one(&mut core, a, 0);
    let nodes = |nodes| [Progress::new(stuck, nodes, None, Vec::new())];
    core.heartbeat(a, &nodes(5), Millis(50_000));
    assert!(core.take(b, 1, Millis(60_000)).is_empty());
    core.heartbeat(a, &nodes(5), Millis(149_000));
    core.tick(Millis(149_000), 0);
    assert!(core.take(b, 1, Millis(149_000)).is_empty(), "it has moved since");
    core.tick(Millis(150_000), 0);
    assert!(core.commands(a).cancelled.contains(&stuck));
    let again = take_one(&mut core, b, 150_000);
    assert_eq!(again.attempt, Attempt(2));
    assert_eq!(
        core.report(a, stuck, answer("late"), Millis(151_000), 0),
        Err(Rejection::Superseded)
    );
    assert!(core.take(a, 1, Millis(151_000)).is_empty());
    core.tick(Millis(349_000), 0);
    assert!(core.commands(b).is_empty(), "twice as long this time");
    core.tick(Millis(350_000), 0);
    assert!(core.commands(b).cancelled.contains(&again));
    assert_eq!(state(&core, 0), ItemState::Running, "nobody is blamed");
}

/// Workers that compute units of given costs, with a counted clock in milliseconds. A worker knows
/// which units it has begun; what it is asked for arrives at once.
struct Simulation {
    core: Core,
    /// Of each item, in milliseconds.
    costs: Vec<u64>,
    queues: BTreeMap<WorkerId, Vec<Lease>>,
    computing: BTreeMap<WorkerId, Lease>,
    /// When units end.
    ends: BinaryHeap<Reverse<(u64, WorkerId, Lease)>>,
    now: u64,
}

impl Simulation {
    fn new(workers: usize, costs: Vec<u64>) -> Self {
        let mut core = Core::new(Settings {
            lease_ms: 1 << 50,
            long_ms: u64::MAX,
            verifies: false,
            ..Settings::default()
        });
        core.submit(sweep(costs.len()), &[], false, 0);
        let (queues, computing, ends) = Default::default();
        let mut simulation = Self { core, costs, queues, computing, ends, now: 0 };
        for worker in 0..workers {
            let worker = join(&mut simulation.core, &worker.to_string(), 0);
            simulation.queues.insert(worker, Vec::new());
        }
        simulation
    }

    /// Asks for as much as a worker that has seen short units does.
    fn take(&mut self, worker: WorkerId) {
        let given = self.core.take(worker, 1000, Millis(self.now));
        let queue = self.queues.get_mut(&worker).unwrap();
        queue.extend(given.into_iter().map(|given| given.lease));
        self.begin(worker);
    }

    fn begin(&mut self, worker: WorkerId) {
        let queue = self.queues.get_mut(&worker).unwrap();
        if !self.computing.contains_key(&worker) && !queue.is_empty() {
            let lease = queue.remove(0);
            self.computing.insert(worker, lease);
            let end = self.now + self.costs[lease.item.0 as usize];
            self.ends.push(Reverse((end, worker, lease)));
        }
    }

    /// Lets commands arrive, and idle workers ask, until nothing changes.
    fn settle(&mut self) {
        loop {
            self.core.tick(Millis(self.now), 0);
            let mut changed = false;
            for worker in self.queues.keys().copied().collect::<Vec<_>>() {
                let asked = self.core.commands(worker).unbegun;
                for lease in asked {
                    let queue = self.queues.get_mut(&worker).unwrap();
                    let Some(at) = queue.iter().position(|queued| *queued == lease) else {
                        continue;
                    };
                    queue.remove(at);
                    let back = Outcome::HandedBack;
                    self.core.report(worker, lease, back, Millis(self.now), 0).unwrap();
                    changed = true;
                }
                let held = self.queues[&worker].iter().chain(self.computing.get(&worker));
                let held: Vec<Progress> = held.map(|&lease| Progress::none(lease)).collect();
                self.core.heartbeat(worker, &held, Millis(self.now));
            }
            let woken = self.core.take_effects().1.contains(&Notice::WorkAvailable);
            for worker in self.queues.keys().copied().collect::<Vec<_>>() {
                if (woken || changed) && !self.computing.contains_key(&worker) {
                    self.take(worker);
                }
            }
            if !changed && !woken {
                return;
            }
        }
    }

    /// Runs to the end; returns the time that it took.
    fn run(mut self) -> u64 {
        for worker in self.queues.keys().copied().collect::<Vec<_>>() {
            self.take(worker);
        }
        self.settle();
        while let Some(Reverse((end, worker, lease))) = self.ends.pop() {
            self.now = end;
            self.computing.remove(&worker);
            let seconds = self.costs[lease.item.0 as usize] as f64 / 1000.0;
            let measures = Measures { seconds, ..Measures::default() };
            let outcome = Outcome::Answer(proven("yes", measures));
            self.core.report(worker, lease, outcome, Millis(end), 0).unwrap();
            self.begin(worker);
            self.take(worker);
            self.settle();
            let unbegun: usize = self.queues.values().map(Vec::len).sum();
            let idle = self.queues.len() - self.computing.len();
            assert!(unbegun == 0 || idle == 0, "{idle} idle beside {unbegun} unbegun");
        }
        assert_eq!(self.core.runs().next_back().unwrap().state, RunState::Finished);
        self.now
    }
}

/// Costs by a power law, the same for a seed: the mean is that of the few longest.
fn heavy_tailed(items: usize, power: f64, seed: u64) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..items).map(|_| 1 + random().max(1e-6).powf(-power) as u64).collect()
}

/// No schedule is faster: the longest item, or the sum divided among all.
fn bound(costs: &[u64], workers: usize) -> f64 {
    let longest = costs.iter().copied().max().unwrap_or(0);
    (longest as f64).max(costs.iter().sum::<u64>() as f64 / workers as f64)
}

fn ratio(workers: usize, costs: Vec<u64>) -> f64 {
    bound(&costs, workers) / Simulation::new(workers, costs).run() as f64
}

#[test]
fn sixty_four_workers_come_near_the_bound_though_nothing_is_known_of_the_items() {
    for seed in 1..=4 {
        // The longest is far longer than a 64th of all.
        let found = ratio(64, heavy_tailed(2000, 1.5, seed));
        assert!(found >= 0.9, "seed {seed}: {found}");
        // All are far shorter.
        let found = ratio(64, heavy_tailed(3000, 0.3, seed));
        assert!(found >= 0.9, "seed {seed}: {found}");
    }
}

#[test]
fn sixty_four_workers_come_near_the_bound_though_the_longest_comes_last() {
    for seed in 1..=4 {
        let mut costs = heavy_tailed(2000, 1.0, seed);
        costs.sort_unstable();
        let found = ratio(64, costs);
        assert!(found >= 0.9, "seed {seed}: {found}");
    }
}

#[test]
fn sixty_four_workers_come_near_the_bound_with_the_costs_of_an_earlier_run() {
    for seed in 1..=4 {
        let costs = heavy_tailed(2000, 1.0, seed);
        let mut simulation = Simulation::new(64, costs.clone());
        let known: Vec<(ItemNo, Weight)> = (0..)
            .zip(&costs)
            .map(|(item, ms)| {
                // The earlier budget was smaller: nothing took longer than a second.
                let seconds = (*ms as f64 / 1000.0).min(1.0);
                (ItemNo(item), Weight::of(Measures { seconds, ..Measures::default() }))
            })
            .collect();
        let run = simulation.core.runs().next_back().unwrap().id;
        simulation.core.weigh(run, &known);
        let found = bound(&costs, 64) / simulation.run() as f64;
        assert!(found >= 0.9, "seed {seed}: {found}");
    }
}

#[test]
fn two_workers_share_a_sweep_whose_longest_items_come_last() {
    let found = ratio(2, (0..66).map(|n| 1 + 1.2_f64.powi(n) as u64).collect());
    assert!(found >= 0.95, "{found}");
}
