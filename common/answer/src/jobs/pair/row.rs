//! What is known of a pair: a row of the table, converted to the fields of an answer and back.

use std::path::PathBuf;

use hasami_polyomino::polyomino::paper::{PaperClass, class_of};
use hasami_polyomino::polyomino::shape::Shape;
use hasami_sweep::{Answer, Measures, Verdict};

/// Class of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A paving blocks it.
    Loser,
    /// Black wins on the infinite board.
    Winner,
    /// No paving blocks it, and no win was found.
    PavingWinner,
    /// Nothing was found.
    Unsettled,
}

impl Class {
    const ALL: [Self; 4] = [Self::Loser, Self::Winner, Self::PavingWinner, Self::Unsettled];

    /// The word in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Loser => "loser",
            Self::Winner => "winner",
            Self::PavingWinner => "paving-winner",
            Self::Unsettled => "unsettled",
        }
    }
}

/// How a result differs from what the paper says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differs {
    /// Open in the paper, settled here.
    New,
    /// The paper claims more than was found here.
    NotConfirmed(PaperClass),
    /// The paper says the opposite.
    Contradicts,
}

impl Differs {
    /// The word in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::NotConfirmed(_) => "not confirmed",
            Self::Contradicts => "contradicts",
        }
    }

    /// The sign that follows the mark.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::New => '+',
            Self::NotConfirmed(_) => '!',
            Self::Contradicts => '#',
        }
    }

    /// The difference in words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::New => "new: open in the paper".to_string(),
            Self::NotConfirmed(class) => {
                format!("claimed by the paper ({}), not confirmed here", class.word())
            }
            Self::Contradicts => "the paper says the opposite".to_string(),
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Names of the two shapes.
    pub names: [String; 2],
    /// The class of the pair.
    pub class: Class,
    /// Which of the six pavings of Yakuwa et al. block it.
    pub pavings: Vec<u8>,
    /// The period of the paving found.
    pub period: Option<String>,
    /// Black wins with at most this many stones.
    pub stones: Option<u32>,
    /// The search found no win with this many stones.
    pub none_within: Option<u32>,
    /// If no win was found: Black wins with at most this many stones if White only blocks.
    pub weak_stones: Option<u32>,
    /// Smallest squares on which the pair is a paving winner: with adjacent pairs, with any pairs.
    pub squares: [Option<u8>; 2],
    /// States searched.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Verified certificates.
    pub certificates: Vec<PathBuf>,
}

impl Row {
    /// A row where only the blocking pavings among the six are known.
    #[must_use]
    pub fn unsettled(names: [String; 2], pavings: Vec<u8>) -> Self {
        Self {
            names,
            class: Class::Unsettled,
            pavings,
            period: None,
            stones: None,
            none_within: None,
            weak_stones: None,
            squares: [None, None],
            nodes: 0,
            seconds: 0.0,
            certificates: Vec::new(),
        }
    }

    /// Reads the row back from an answer; `None` if the answer is not about a pair. The
    /// certificates are given by their names.
    #[must_use]
    pub fn of(names: [String; 2], answer: &Answer) -> Option<Self> {
        let field = |name: &str| {
            answer.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
        };
        let class = field("class")?;
        let numbers = field("pavings").unwrap_or_default().split_ascii_whitespace();
        Some(Self {
            names,
            class: Class::ALL.into_iter().find(|one| one.word() == class)?,
            pavings: numbers.map(str::parse).collect::<Result<_, _>>().ok()?,
            period: field("period").map(str::to_string),
            stones: number(field("stones"))?,
            none_within: number(field("none_within"))?,
            weak_stones: number(field("weak_stones"))?,
            squares: [number(field("adjacent"))?, number(field("any"))?],
            nodes: answer.measures.nodes,
            seconds: answer.measures.seconds,
            certificates: answer.certificates.iter().map(|one| PathBuf::from(&one.name)).collect(),
        })
    }

    /// The fields of the answer; unknown ones are left out.
    pub(crate) fn fields(&self) -> Vec<(String, String)> {
        let numbers: Vec<String> = self.pavings.iter().map(ToString::to_string).collect();
        let fields = [
            ("class", Some(self.class.word().to_string())),
            ("mark", Some(self.mark())),
            ("pavings", Some(numbers.join(" ")).filter(|numbers| !numbers.is_empty())),
            ("period", self.period.clone()),
            ("stones", self.stones.map(|stones| stones.to_string())),
            ("none_within", self.none_within.map(|stones| stones.to_string())),
            ("weak_stones", self.weak_stones.map(|stones| stones.to_string())),
            ("adjacent", self.squares[0].map(|size| size.to_string())),
            ("any", self.squares[1].map(|size| size.to_string())),
            ("paper", self.paper().map(|class| class.word().to_string())),
            ("differs", self.differs().map(|differs| differs.word().to_string())),
        ];
        let said = fields.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?)));
        said.collect()
    }

    /// A pair without a paving and without a win stays unknown: more search may win it.
    pub(crate) fn verdict(&self) -> Verdict {
        match self.class {
            Class::Loser | Class::Winner => Verdict::Answered,
            Class::PavingWinner | Class::Unsettled => Verdict::Open,
        }
    }

    pub(crate) fn measures(&self) -> Measures {
        Measures { nodes: self.nodes, seconds: self.seconds, store_hits: 0 }
    }

    /// The sign in the table of Yakuwa et al.
    #[must_use]
    pub fn mark(&self) -> String {
        let numbers: Vec<String> = self.pavings.iter().map(ToString::to_string).collect();
        match self.class {
            Class::Loser if numbers.is_empty() => "L".to_string(),
            Class::Loser => numbers.join(" "),
            Class::Winner => "◎".to_string(),
            Class::PavingWinner => "△".to_string(),
            Class::Unsettled => "?".to_string(),
        }
    }

    /// The class of the pair in the paper, if the paper lists it.
    #[must_use]
    pub fn paper(&self) -> Option<PaperClass> {
        let [first, second] = [0, 1].map(|at| Shape::parse(&self.names[at]));
        class_of(&[first.ok()?, second.ok()?])
    }

    /// How the row differs from the paper, if it does.
    #[must_use]
    pub fn differs(&self) -> Option<Differs> {
        match (self.paper()?, self.class) {
            (PaperClass::Loser, Class::Loser)
            | (PaperClass::Winner, Class::Winner)
            | (PaperClass::Open, Class::PavingWinner) => None,
            (PaperClass::Open, Class::Winner | Class::Loser) => Some(Differs::New),
            (PaperClass::Loser | PaperClass::Winner, Class::Loser | Class::Winner) => {
                Some(Differs::Contradicts)
            }
            (paper, Class::PavingWinner | Class::Unsettled) => Some(Differs::NotConfirmed(paper)),
        }
    }

    /// The row in words.
    #[must_use]
    pub fn words(&self) -> String {
        let open = || {
            let strong = match self.none_within {
                Some(stones) => format!("no win within {stones} stones found"),
                None => "no win found".to_string(),
            };
            match self.weak_stones {
                Some(stones) => {
                    format!("{strong}; weak game (White only blocks): won with {stones} stones")
                }
                None => strong,
            }
        };
        match (self.class, self.stones) {
            (Class::Loser, _) => {
                format!("loser: paving of period {}", self.period.as_deref().unwrap_or("?"))
            }
            (Class::Winner, Some(stones)) if self.none_within == Some(stones - 1) => {
                format!(
                    "winner: infinite board, strong game, {stones} stones, none found with fewer"
                )
            }
            (Class::Winner, stones) => format!(
                "winner: infinite board, strong game, at most {} stones",
                stones.unwrap_or_default()
            ),
            (Class::PavingWinner, _) => {
                let square =
                    |size: Option<u8>| size.map_or("?".to_string(), |n| format!("{n}x{n}"));
                format!(
                    "paving winner on {} (adjacent) and {} (any); {}",
                    square(self.squares[0]),
                    square(self.squares[1]),
                    open()
                )
            }
            (Class::Unsettled, _) => format!("unsettled: no paving found, {}", open()),
        }
    }
}

/// Parses a number that may be missing but must not be malformed.
fn number<T: std::str::FromStr>(field: Option<&str>) -> Option<Option<T>> {
    field.map_or(Some(None), |text| text.parse().ok().map(Some))
}
