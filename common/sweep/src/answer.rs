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

/// What an answer rests on, as found by somebody other than its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// Its certificates prove it by the rules alone.
    Proved,
    /// It was computed again and came out equal.
    Recomputed,
    /// Only its sender's word: this kind of answer has no certificate.
    Unproved,
}

impl Basis {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Proved, Self::Recomputed, Self::Unproved];

    /// The word in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Recomputed => "recomputed",
            Self::Unproved => "unproved",
        }
    }
}

/// Who checked an answer, and what came out. Only the coordinator writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Who computed the answer.
    pub sender: String,
    /// Who checked it.
    pub by: String,
    /// What the answer rests on.
    pub basis: Basis,
    /// Statements of the answer that no certificate proves, by name.
    pub unproved: Vec<String>,
    /// Why the certificates could not be checked, if they could not.
    pub note: String,
}

/// A certificate, identified by its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The file name that its maker chose, for people.
    pub name: String,
    /// BLAKE3 hash of the file.
    pub digest: [u8; 32],
    /// Its size in bytes.
    pub bytes: u64,
}

impl Certificate {
    /// The name of its file: the digest, so that no two certificates share one.
    #[must_use]
    pub fn file_name(&self) -> String {
        let digits = self.digest.iter().map(|byte| format!("{byte:02x}"));
        format!("{}.cert", digits.collect::<String>())
    }
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

impl Answer {
    /// An open answer that says only what the question has cost.
    #[must_use]
    pub fn cost_alone(&self) -> Self {
        Self {
            verdict: Verdict::Open,
            claim: String::new(),
            fields: Vec::new(),
            certificates: Vec::new(),
            measures: self.measures,
            check: None,
        }
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
    /// What proves it.
    pub certificates: Vec<Certificate>,
    /// Its cost.
    pub measures: Measures,
    /// How it was checked; `None` for an answer that nobody but its sender has checked.
    pub check: Option<Check>,
}
