//! What goes wrong in a simulated cluster: leases that expire, reports that come late or twice.

use hasami_game::random::{Chance, SplitMix};

/// How often what goes wrong; all from one seed.
#[derive(Clone, Debug)]
pub struct Faults {
    random: SplitMix,
    lose: Chance,
    repeat: Chance,
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
        Self { random: SplitMix::new(seed), lose, repeat, jitter }
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
}
