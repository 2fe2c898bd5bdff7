//! What a question came to. Everything but the measures depends on the question alone, so that two
//! runs of one sweep can be compared byte for byte.

/// The short form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Yes, with a certificate.
    Proven,
    /// No, with a certificate.
    Disproven,
    /// An answer that is no verdict of a game: a class, a count, a paving.
    Answered,
    /// Not settled within the budget.
    Open,
}

impl Verdict {
    /// Whether more search would change nothing.
    #[must_use]
    pub fn settled(self) -> bool {
        self != Self::Open
    }

    /// As tables and JSON spell it.
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

/// A certificate that has been verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Its file name.
    pub name: String,
    /// blake3 of the file.
    pub digest: [u8; 32],
    /// Its size.
    pub bytes: u64,
}

/// What an answer has cost; not the same in two runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// States searched.
    pub nodes: u64,
    /// Time of computing.
    pub seconds: f64,
    /// Records of the shared store that were used.
    pub store_hits: u64,
}

impl Measures {
    /// Adds what something else has cost. The numbers come from workers: they saturate.
    pub fn add(&mut self, more: Self) {
        self.nodes = self.nodes.saturating_add(more.nodes);
        self.seconds += more.seconds;
        self.store_hits = self.store_hits.saturating_add(more.store_hits);
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// In short.
    pub verdict: Verdict,
    /// In the words of the game.
    pub claim: String,
    /// Further columns, by name.
    pub fields: Vec<(String, String)>,
    /// All verified.
    pub certificates: Vec<Certificate>,
    /// What it has cost.
    pub measures: Measures,
}
