//! What goes wrong in a simulated cluster: leases that expire, reports that come late or twice, and
//! reports that are false.

use hasami_andor::numbers::{INFINITE, LIMIT};
use hasami_andor::{Numbers, SearchReport, Stopped, Turn};
use hasami_game::random::{Chance, SplitMix};

/// How often what goes wrong; all from one seed.
#[derive(Clone, Debug)]
pub struct Faults {
    random: SplitMix,
    lose: Chance,
    repeat: Chance,
    lie: Chance,
    jitter: f64,
}

impl Faults {
    /// Nothing goes wrong.
    #[must_use]
    pub fn none() -> Self {
        Self::new(0, 0.0, 0.0, 0.0)
    }

    /// A lease is lost with the chance `lose` (its report comes anyway, too late), a report comes
    /// twice with the chance `repeat`, and messages are up to `jitter` seconds late.
    #[must_use]
    pub fn new(seed: u64, lose: f64, repeat: f64, jitter: f64) -> Self {
        let (lose, repeat) = (Chance::new(lose), Chance::new(repeat));
        Self { random: SplitMix::new(seed), lose, repeat, lie: Chance::new(0.0), jitter }
    }

    /// The same, and a report on a state other than the root is false with the chance `lie`.
    #[must_use]
    pub fn with_lies(self, lie: f64) -> Self {
        Self { lie: Chance::new(lie), ..self }
    }

    pub(super) fn loses(&mut self) -> bool {
        self.random.happens(self.lose)
    }

    pub(super) fn repeats(&mut self) -> bool {
        self.random.happens(self.repeat)
    }

    /// How much later than usual a message comes.
    pub(super) fn delay(&mut self) -> f64 {
        if self.jitter == 0.0 {
            return 0.0;
        }
        self.jitter * f64::from(self.random.below(1 << 16)) / f64::from(1 << 16)
    }

    /// Makes a report false, by chance: other numbers, verdicts that are not true, children under
    /// the keys of others.
    pub(super) fn distort(&mut self, report: &mut SearchReport) {
        if !self.random.happens(self.lie) {
            return;
        }
        report.numbers = self.numbers();
        report.turn = [Turn::Or, Turn::And][self.random.below(2) as usize];
        report.nodes = [0, 20, 1 << 20, u64::MAX][self.random.below(4) as usize];
        report.seconds = [0.0, 0.1, 1e300, f64::NAN][self.random.below(4) as usize];
        report.stopped = [Stopped::Target, Stopped::Budget][self.random.below(2) as usize];
        let count = report.children.len();
        for i in 0..count {
            let other = self.random.below(count as u32) as usize;
            report.children[i].key = report.children[other].key;
            report.children[i].numbers = self.numbers();
            report.children[i].work = self.random.word();
        }
    }

    fn numbers(&mut self) -> Numbers {
        let mut number = || [0, 1, 7, LIMIT, INFINITE][self.random.below(5) as usize];
        Numbers { proof: number(), disproof: number() }
    }
}
