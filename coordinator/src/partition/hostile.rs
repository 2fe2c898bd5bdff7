//! Workers that report anything: random calls from a seed. Nothing may panic, hang or grow without
//! bound.

use hasami_andor::numbers::{INFINITE, LIMIT};
use hasami_andor::{Child, Key, Numbers, PathNode, SearchProgress, SearchReport, Stopped, Turn};
use hasami_game::random::SplitMix;
use hasami_spec::Partitioner;

use super::{Partition, Settings, UnitNo, partition};

/// Few keys, so that children are often their own ancestors.
const KEYS: u32 = 40;

/// A liar with a seed.
pub(super) struct Hostile {
    random: SplitMix,
    /// Units that were handed out, and some that were not.
    units: Vec<UnitNo>,
    /// Whether the root may be reported as settled.
    pub settles: bool,
}

impl Hostile {
    pub fn new(seed: u64, settles: bool) -> Self {
        let units = vec![UnitNo(0), UnitNo(u32::MAX)];
        Self { random: SplitMix::new(seed), units, settles }
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len() as u32) as usize]
    }

    fn number(&mut self) -> u32 {
        let small = 1 + self.random.below(50);
        self.pick(&[0, 1, small, small, small, LIMIT, LIMIT + 1, INFINITE])
    }

    fn numbers(&mut self) -> Numbers {
        Numbers { proof: self.number(), disproof: self.number() }
    }

    fn turn(&mut self) -> Turn {
        self.pick(&[Turn::Or, Turn::And])
    }

    fn key(&mut self) -> Key {
        Key::mixed(self.random.below(KEYS).into())
    }

    fn child(&mut self) -> Child {
        let key = self.key();
        let state = key.0.to_le_bytes()[..2].to_vec();
        let work = self.pick(&[0, 1, 1000, u64::MAX]);
        Child { state, key, turn: self.turn(), numbers: self.numbers(), work }
    }

    fn report(&mut self) -> SearchReport {
        let children = self.random.below(9);
        let (number, nodes) = (self.numbers(), self.random.word());
        let open = Numbers::open(number.proof, number.disproof);
        SearchReport {
            numbers: if self.settles { number } else { open },
            turn: self.turn(),
            nodes: self.pick(&[0, 1, 17, 1000, nodes, u64::MAX]),
            seconds: self.pick(&[0.0, -1.0, 1e-300, 0.5, 1e300, f64::NAN, f64::INFINITY]),
            stopped: self.pick(&[
                Stopped::Settled,
                Stopped::Target,
                Stopped::Budget,
                Stopped::Cancelled,
            ]),
            children: (0..children).map(|_| self.child()).collect(),
            store_hits: u64::MAX,
        }
    }

    fn progress(&mut self) -> SearchProgress {
        let length = self.random.below(12);
        let path = (0..length).map(|_| {
            let Child { state, key, turn, numbers, .. } = self.child();
            PathNode { state, key, turn, numbers, open: self.random.below(3) }
        });
        let path = path.collect();
        SearchProgress { nodes: self.random.word(), numbers: self.numbers(), path }
    }

    /// One random call.
    pub fn call(&mut self, partition: &mut dyn Partition) {
        let at = self.random.below(self.units.len() as u32) as usize;
        let unit = self.units[at];
        match self.random.below(10) {
            0..=3 => self.units.extend(partition.next().map(|task| task.unit)),
            4..=6 => {
                partition.finished(unit, &self.report());
                if self.random.below(4) > 0 {
                    self.units.swap_remove(at);
                }
            }
            7 => {
                partition.progress(unit, &self.progress());
            }
            8 => partition.lost(unit),
            _ => {
                partition.moved();
                partition.others();
                partition.root();
            }
        }
        if self.units.len() > 200 || self.units.is_empty() {
            self.units.truncate(100);
            self.units.push(UnitNo(0));
        }
    }
}

#[test]
fn no_report_does_harm_to_any_partitioner() {
    let mut calls = 0;
    for seed in 0..60 {
        for (_, kind) in Partitioner::NAMES {
            let mut partition = partition(kind, Settings::default());
            let mut hostile = Hostile::new(seed, seed % 3 == 0);
            for _ in 0..500 {
                hostile.call(&mut *partition);
                calls += 1;
            }
        }
    }
    assert!(calls >= 100_000, "{calls}");
}
