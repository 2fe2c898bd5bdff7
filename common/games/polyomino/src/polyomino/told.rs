//! The words of answers: verdicts, how far an open question was searched, and drawings of a win or
//! a paving.

use hasami_andor::certificate::Strategy;
use hasami_andor::{Control, Verdict};

use super::Polyomino;
use crate::paving::{Pairs, draw, seed_number};
use crate::paving_winner::smallest_square;
use hasami_game::play::Stones;
use hasami_game::{Drawing, Meaning, Outlook};
use hasami_spec::params::Params;

/// Squares up to this size are tested for pavings,
const MAX_SQUARE: u8 = 7;
/// with at most this many nodes for each kind of pairs: a fraction of a second.
const SQUARE_NODES: u64 = 100_000;

impl Polyomino {
    fn names(&self) -> String {
        self.shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" & ")
    }

    fn board(&self) -> String {
        if self.infinite {
            "infinite board".to_string()
        } else {
            format!("board {}x{}", self.grid.height, self.grid.width)
        }
    }

    fn kind(&self) -> &'static str {
        if self.weak { "weak game (White only blocks)" } else { "strong game" }
    }

    pub(super) fn told(&self, verdict: Verdict) -> Meaning {
        let (stones, height, width) = (counted(self.stones), self.grid.height, self.grid.width);
        let (shapes, board, game) = (self.names(), self.board(), self.kind());
        let what = format!("{shapes}, {board}, {game}");
        let whole_board = self.stones == self.grid.all.count_ones().div_ceil(2);
        match (verdict, &self.paving) {
            (Verdict::Proven, _) => {
                Meaning::Claim(format!("winner: {what}: Black wins with at most {stones}"))
            }
            (Verdict::Disproven, Some(paving)) => Meaning::Claim(format!(
                "loser: {shapes}, {board} and every other, {game}: blocked by the paving of period {}",
                paving.lattice()
            )),
            (Verdict::Disproven, None) if self.infinite => Meaning::Nothing(format!(
                "open: {what}: no win within {stones} found in a window of {height}x{width}"
            )),
            (Verdict::Disproven, None) if whole_board => {
                Meaning::Claim(format!("loser: {what}: Black cannot win"))
            }
            (Verdict::Disproven, None) => {
                Meaning::Claim(format!("{what}: Black cannot win with {stones}"))
            }
        }
    }

    /// Whether the shapes are a paving winner, and with how many stones no win was found.
    pub(super) fn open_so_far(&self, reached: Option<&Params>) -> Option<Outlook> {
        if !self.infinite || self.paving.is_some() {
            return None;
        }
        let reached = reached.and_then(|params| params.text("stones").ok()?.parse().ok());
        // A shape needs as many stones as it has cells.
        let none_within = reached.unwrap_or(self.placements.smallest - 1);
        let square = |pairs| {
            let control = Control::with_budget(SQUARE_NODES);
            Some(smallest_square(&self.shapes, pairs, MAX_SQUARE, &control)?.size)
        };
        Some(self.open_told(none_within, [Pairs::Adjacent, Pairs::Any].map(square)))
    }

    /// What [`Polyomino::open_so_far`] says if it finds these fields, of a question with so many stones
    /// at most.
    pub(super) fn open_with(&self, fields: &[(String, String)]) -> Option<Outlook> {
        if !self.infinite || self.paving.is_some() {
            return None;
        }
        let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let least = self.placements.smallest - 1;
        let none_within = field("none_within")?.parse().ok()?;
        let square = |name: &str| match field(name) {
            None => Some(None),
            Some(size) => {
                size.parse().ok().filter(|size| (1..=MAX_SQUARE).contains(size)).map(Some)
            }
        };
        let squares = [square("adjacent")?, square("any")?];
        (least..=self.stones).contains(&none_within).then(|| self.open_told(none_within, squares))
    }

    /// An open question in words, with the smallest squares that adjacent and any pairs cannot pave.
    fn open_told(&self, none_within: u32, squares: [Option<u8>; 2]) -> Outlook {
        let (height, width) = (self.grid.height, self.grid.width);
        let kind = if self.weak { "weak" } else { "strong" };
        let mut fields = vec![
            ("board", "infinite".to_string()),
            ("game", kind.to_string()),
            ("window", format!("{height}x{width}")),
            ("none_within", none_within.to_string()),
        ];
        let found = || {
            let named = ["adjacent", "any"].into_iter().zip(squares);
            named.filter_map(|(name, size)| Some((name, size?)))
        };
        fields.extend(found().map(|(name, size)| (name, size.to_string())));
        let squares: Vec<String> =
            found().map(|(name, size)| format!("{size}x{size} ({name} pairs)")).collect();
        let paving = if squares.is_empty() {
            String::new()
        } else {
            format!("paving winner on {}, ", squares.join(" and "))
        };
        let claim = format!(
            "open: {}: {paving}no win within {} found ({}, infinite board, window {height}x{width})",
            self.names(),
            counted(none_within),
            self.kind(),
        );
        Outlook { claim, fields }
    }

    /// The line against the longest defence, on the board.
    pub(super) fn winning_line(&self, strategy: &Strategy) -> Option<Drawing> {
        let line = Stones::new(self, strategy).line().ok()?;
        let title = format!("{}, against the longest defence of this certificate", line.end);
        let fields = vec![("line", line.moves.join(" "))];
        Some(Drawing { title, rows: line.rows, fields })
    }

    /// The paving with which White holds.
    pub(super) fn drawn_paving(&self) -> Option<Drawing> {
        let paving = self.paving.as_ref()?;
        let number = seed_number(paving);
        let which = match number {
            Some(number) => format!("number {number} of Yakuwa et al."),
            None => "none of the six of Yakuwa et al.".to_string(),
        };
        let period = paving.lattice();
        let title =
            format!("White answers in the partner cell of the paving of period {period}, {which}");
        let (rows, columns) = draw::window(paving);
        let mut fields = vec![("period", period.to_string()), ("paving", draw::torus(paving))];
        fields.extend(number.map(|number| ("number", number.to_string())));
        Some(Drawing { title, rows: draw::rows(paving, rows, columns), fields })
    }
}

fn counted(stones: u32) -> String {
    match stones {
        1 => "1 stone".to_string(),
        _ => format!("{stones} stones"),
    }
}
