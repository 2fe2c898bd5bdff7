//! Deterministic randomness: a seed gives the same game on every machine, permanently. SplitMix64
//! (Steele, Lea & Flood 2014); not for cryptography.

/// The distance between two states of the generator: the golden ratio, as in the paper.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64-bit words that looks random.
#[must_use]
pub fn scramble(word: u64) -> u64 {
    let mut x = word;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A stream of random words.
#[derive(Clone, Debug)]
pub struct SplitMix {
    state: u64,
}

impl SplitMix {
    /// The stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        scramble(self.state)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.word() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// [`Self::below`] for larger bounds.
    pub fn below_long(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// True with this probability.
    pub fn happens(&mut self, chance: Chance) -> bool {
        chance.hit(self.word())
    }
}

/// A probability, in a form that compares with random words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance(u64);

impl Chance {
    /// The probability `fraction`, from 0 (never) to 1 (always).
    #[must_use]
    pub fn new(fraction: f64) -> Self {
        Self((fraction.clamp(0.0, 1.0) * (1u64 << 32) as f64) as u64)
    }

    /// Whether a random word is a hit; only its upper half counts.
    #[must_use]
    pub fn hit(self, word: u64) -> bool {
        (word >> 32) < self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // First words of SplitMix64 for seed 1234567, as in the Rosetta Code test.
        let mut random = SplitMix::new(1_234_567);
        let words = [random.word(), random.word(), random.word()];
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(words, published);
    }

    #[test]
    fn chances_are_met() {
        let mut random = SplitMix::new(1);
        for fraction in [0.0, 0.25, 0.9, 1.0] {
            let chance = Chance::new(fraction);
            let hits = (0..100_000).filter(|_| random.happens(chance)).count();
            assert!((hits as f64 - fraction * 1e5).abs() < 1e3, "{hits}");
        }
    }
}
