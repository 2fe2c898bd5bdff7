//! Chance from a seed: numbers, texts and bytes that nobody would send in good faith.

/// Chance.
#[derive(Clone, Debug)]
pub(crate) struct Dice(fastrand::Rng);

/// Texts that must not reach a terminal, a file name or a table as they are.
const TEXTS: &[&str] = &[
    "",
    " ",
    "\0",
    "\u{1b}[2J\u{1b}]0;owned\u{7}",
    "\u{202e}txt.exe",
    "\u{feff}\u{200b}",
    "../../../../etc/passwd",
    "/dev/zero",
    "a/b",
    "..",
    ".",
    "=cmd|'/c calc'!A0",
    "\"; DROP TABLE runs; --",
    "line\nline\r\nline",
    "<script>alert(1)</script>",
    "%s%s%s%n",
    "\u{1d173}\u{e0001}",
    "proven",
    "not settled within 18446744073709551615 nodes",
];

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0.u64(..end.max(1))
    }

    pub(crate) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        (!list.is_empty()).then(|| &list[self.0.usize(..list.len())])
    }

    /// A number: small, a power, or absurd.
    pub(crate) fn number(&mut self) -> u64 {
        match self.below(6) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << self.below(64),
            3 => u64::from(u32::MAX) + self.below(3) - 1,
            _ => self.below(20),
        }
    }

    pub(crate) fn small(&mut self) -> u32 {
        self.number() as u32
    }

    /// Seconds, or what is none.
    pub(crate) fn float(&mut self) -> f64 {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300, -0.0, 1.5];
        odd[self.0.usize(..odd.len())]
    }

    pub(crate) fn bytes(&mut self, most: u64) -> Vec<u8> {
        let length = self.below(most + 1) as usize;
        (0..length).map(|_| self.0.u8(..)).collect()
    }

    /// Bytes, at most two to this power of them.
    pub(crate) fn up_to_power(&mut self, power: u64) -> Vec<u8> {
        let most = 1 << self.below(power);
        self.bytes(most)
    }

    pub(crate) fn text(&mut self) -> String {
        match self.below(12) {
            0 => "x".repeat(1 << self.below(17)),
            1 => String::from_utf8_lossy(&self.bytes(40)).into_owned(),
            _ => TEXTS[self.0.usize(..TEXTS.len())].to_string(),
        }
    }

    /// How many of something: mostly few, at times very many.
    pub(crate) fn many(&mut self) -> usize {
        match self.below(200) {
            0 => 20_000,
            1..10 => 300,
            _ => self.below(4) as usize,
        }
    }
}
