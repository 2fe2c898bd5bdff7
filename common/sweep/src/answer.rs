//! The answer to a question. Everything but the measures depends on the question alone, so two runs
//! of one sweep can be compared byte for byte.

/// The short form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Yes, with a certificate.
    Proven,
    /// No, with a certificate.
    Disproven,
    /// An answer that is not a verdict on a game: a class, a count, a paving.
    Answered,
    /// Not settled within the budget.
    Open,
}

impl Verdict {
    /// Whether more search cannot change the answer.
    #[must_use]
    pub fn settled(self) -> bool {
        self != Self::Open
    }

    /// The word in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Disproven => "disproven",
            Self::Answered => "answered",
            Self::Open => "open",
        }
    }
}

/// A verified certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Its file name.
    pub name: String,
    /// BLAKE3 hash of the file.
    pub digest: [u8; 32],
    /// Its size in bytes.
    pub bytes: u64,
}

/// The cost of an answer; differs between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// States searched.
    pub nodes: u64,
    /// Computing time in seconds.
    pub seconds: f64,
    /// Number of records used from the shared store.
    pub store_hits: u64,
}

impl Measures {
    /// Adds the cost of other work. The numbers come from workers, so the sums saturate.
    pub fn add(&mut self, more: Self) {
        self.nodes = self.nodes.saturating_add(more.nodes);
        self.seconds += more.seconds;
        self.store_hits = self.store_hits.saturating_add(more.store_hits);
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The short form.
    pub verdict: Verdict,
    /// The answer in the words of the game.
    pub claim: String,
    /// Further columns, by name.
    pub fields: Vec<(String, String)>,
    /// Verified certificates.
    pub certificates: Vec<Certificate>,
    /// Its cost.
    pub measures: Measures,
}
