//! Games of stones: Black wants to complete a line; White prevents it or completes one first.
//!
//! The certificate knows a *model* of the board, without the White stones that it ignores. The real
//! board is stored beside it. This is sound: a model state that the certificate proves is won on
//! the real board as long as no ignored stone lies in its zone, in any frame that symmetry allows,
//! and there are not too many of them. The model may have White stones that are not on the board:
//! one in place of another that is ignored. So after each move we look for a model with this
//! property; one always exists.

mod attack;
mod defence;
mod line;

use hasami_andor::certificate::Strategy;
use hasami_andor::{Problem, Verdict};

pub use line::Line;

use super::board::{Board, Place, Side};
use super::finish::{Finish, REACH};
use super::{Duel, Sides, Status, Trouble};
use crate::random::SplitMix;

/// Description of a game of stones.
#[derive(Clone, Debug)]
pub struct Field {
    /// Rows.
    pub height: u8,
    /// Columns.
    pub width: u8,
    /// Whether the board continues beyond these.
    pub infinite: bool,
    /// Whether White only blocks.
    pub weak: bool,
    /// How many stones Black may use.
    pub stones: Option<u32>,
    /// The shapes to complete: rows and columns from the corner, one for each orientation.
    pub targets: Vec<Vec<(u8, u8)>>,
    /// Names of the sides, Black first.
    pub sides: [&'static str; 2],
    /// Explains the sides and their goals.
    pub about: &'static str,
}

/// A game of stones on a board whose cells are numbered row by row. Black is OR.
pub trait StoneGame: Problem {
    /// Describes the game.
    fn field(&self) -> Field;
    /// The move onto a cell; `None` if White plays elsewhere.
    fn stone(&self, cell: Option<u8>) -> Self::Move;
    /// The cell of a move.
    fn cell(&self, mv: Self::Move) -> Option<u8>;
    /// Black's stones and White's, as bits.
    fn black_and_white(&self, state: &Self::State) -> [u128; 2];
    /// The zones on the board of a reason given in the frame of the key: one for each symmetry that
    /// maps the state to that frame.
    fn zones(&self, state: &Self::State, reason: Self::Reason) -> Vec<u128>;
    /// How many White stones that the state does not show are allowed by a proof with this reason.
    fn ignores(&self, _: &Self::State, _: Self::Reason) -> u32 {
        u32::MAX
    }
    /// Whether White holds the game by a paving alone: by answering in the partner cell.
    fn paved(&self) -> bool {
        false
    }
    /// The partner of a cell in that paving, inside the window or not.
    fn partner(&self, _: Place) -> Option<Place> {
        None
    }
}

/// A duel with stones, played to the last one.
pub struct Stones<'a, G: StoneGame> {
    game: &'a G,
    strategy: &'a Strategy<G::Reason>,
    field: Field,
    board: Board,
    /// The board as the certificate sees it.
    model: G::State,
    /// The opponent's move that the model does not contain yet.
    pending: Option<Place>,
    /// Whether the rules settle the model: the rest is searched on the real board.
    settled: bool,
    turn: Side,
    over: Option<String>,
}

impl<'a, G: StoneGame> Stones<'a, G> {
    /// A game from the empty board.
    pub fn new(game: &'a G, strategy: &'a Strategy<G::Reason>) -> Self {
        let field = game.field();
        Self {
            game,
            strategy,
            board: Board::new(field.height, field.width),
            model: game.root(),
            pending: None,
            settled: strategy.settled(game, &game.root()),
            turn: Side::Black,
            over: None,
            field,
        }
        .with_end_checked()
    }

    /// The side that the certificate favours.
    fn program(&self) -> Side {
        match self.strategy.verdict() {
            Verdict::Proven => Side::Black,
            Verdict::Disproven => Side::White,
        }
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.field.sides[usize::from(side == Side::White)]
    }

    /// How many more stones Black may play.
    fn left(&self) -> usize {
        let played = self.board.stones(Side::Black).count();
        self.field.stones.map_or(usize::MAX, |stones| (stones as usize).saturating_sub(played))
    }

    fn number(&self, (row, column): Place) -> Option<u8> {
        let inside = self.board.inside((row, column));
        inside.then(|| row as u8 * self.field.width + column as u8)
    }

    fn place(&self, cell: u8) -> Place {
        ((cell / self.field.width).into(), (cell % self.field.width).into())
    }

    /// The empty cells of each line that a side can still complete and that lacks at most `reach`
    /// cells. For White only lines with a White stone.
    fn lines(&self, side: Side, reach: usize) -> Vec<Vec<Place>> {
        let mut lines = Vec::new();
        for target in &self.field.targets {
            let mut corners: Vec<Place> = if side == Side::Black && target.len() <= reach {
                self.board.window().collect()
            } else {
                Vec::new()
            };
            for (row, column) in self.board.stones(side) {
                let corner =
                    |&(down, right): &(u8, u8)| (row - i32::from(down), column - i32::from(right));
                corners.extend(target.iter().map(corner));
            }
            corners.sort_unstable();
            corners.dedup();
            let alive = |&corner: &Place| {
                let mut missing = Board::line(target, corner);
                let blocked = |&place: &Place| match self.board.at(place) {
                    Some(owner) => owner != side,
                    None => !self.field.infinite && !self.board.inside(place),
                };
                if missing.iter().any(blocked) {
                    return None;
                }
                missing.retain(|&place| self.board.at(place).is_none());
                (missing.len() <= reach).then_some(missing)
            };
            lines.extend(corners.iter().filter_map(alive));
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The cells on which a side completes a line at once.
    fn completing(&self, side: Side) -> Vec<Place> {
        if side == Side::White && self.field.weak {
            return Vec::new();
        }
        let lines = self.lines(side, 1);
        lines.into_iter().filter_map(|line| line.first().copied()).collect()
    }

    /// The search of the last stones on the real board, with at most `stones` left for Black.
    fn finish(&self, stones: usize) -> Finish {
        let white = if self.field.weak { Vec::new() } else { self.lines(Side::White, REACH) };
        Finish::new(self.lines(Side::Black, stones.min(REACH)), white)
    }

    fn put(&mut self, place: Place) -> String {
        self.board.put(place, self.turn);
        let name = self.board.name(place);
        let whole = self.field.targets.iter().find_map(|target| {
            let corner =
                |&(down, right): &(u8, u8)| (place.0 - i32::from(down), place.1 - i32::from(right));
            let lines = target.iter().map(|cell| Board::line(target, corner(cell)));
            let owned =
                |line: &Vec<Place>| line.iter().all(|&p| self.board.at(p) == Some(self.turn));
            lines.into_iter().find(owned)
        });
        if let Some(line) = whole.filter(|_| self.turn == Side::Black || !self.field.weak) {
            self.board.mark(&line);
            let stones = match self.board.stones(self.turn).count() {
                1 => "1 stone".to_string(),
                count => format!("{count} stones"),
            };
            self.over = Some(format!("{} wins with {stones}", self.side_name(self.turn)));
        }
        self.turn = if self.turn == Side::Black { Side::White } else { Side::Black };
        name
    }

    /// Ends the game if Black can no longer complete anything.
    fn with_end_checked(mut self) -> Self {
        self.check_end();
        self
    }

    fn check_end(&mut self) {
        let black = self.side_name(Side::Black);
        if self.over.is_none()
            && self.program() == Side::White
            && if self.field.infinite {
                self.left() == 0
            } else {
                self.lines(Side::Black, self.left()).is_empty()
            }
        {
            let within = match self.field.stones {
                Some(stones) => format!(" within {stones} stones"),
                None => String::new(),
            };
            self.over = Some(format!("{black} cannot win any more{within}"));
        }
    }

    fn wrong<T>(&self, what: &str) -> Result<T, Trouble> {
        Err(Trouble::Wrong(format!("{what}\n{}", self.board.show())))
    }

    /// Whether the opponent may play outside the window.
    fn may_leave(&self) -> bool {
        self.field.infinite && (self.turn == Side::White || self.game.paved())
    }

    /// Parses the cell that the opponent names.
    fn read(&self, text: &str) -> Result<Place, String> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("elsewhere") && self.field.infinite && self.turn == Side::White
        {
            let far = |step: i32| (self.board.height + 20, self.board.width + 20 * step);
            return (1..)
                .map(far)
                .find(|&place| self.board.at(place).is_none())
                .ok_or_else(String::new);
        }
        let Some(place) = Board::named(text) else {
            return Err(format!("found {text:?}; expected {}", self.expected()));
        };
        let name = self.board.name(place);
        let outside = !self.board.inside(place);
        if outside && !self.may_leave() {
            return Err(format!("{name} is not on the board; expected {}", self.expected()));
        }
        match self.board.at(place) {
            None => Ok(place),
            Some(side) => Err(format!(
                "{} has a stone on {name}; expected {}",
                self.side_name(side),
                self.expected()
            )),
        }
    }

    fn empty(&self) -> Vec<Place> {
        self.board.window().filter(|&place| self.board.at(place).is_none()).collect()
    }

    /// The heaviest empty cell: see [`Self::by_weight`].
    fn heaviest(&self) -> Option<Place> {
        self.by_weight().first().copied()
    }

    /// All empty cells, heaviest first. A cell weighs the sum of Black's open lines through it;
    /// each missing cell halves the weight of a line.
    fn by_weight(&self) -> Vec<Place> {
        let mut weights = std::collections::BTreeMap::<Place, u64>::new();
        for line in self.lines(Side::Black, self.left()) {
            for &place in &line {
                *weights.entry(place).or_default() += 1 << (40 - line.len().min(40));
            }
        }
        let mut cells = self.empty();
        cells.sort_by_key(|place| std::cmp::Reverse(weights.get(place).copied().unwrap_or(0)));
        cells
    }
}

impl<G: StoneGame> Duel for Stones<'_, G> {
    fn sides(&self) -> Sides {
        let [black, white] = self.field.sides;
        let about = self.field.about;
        match self.program() {
            Side::Black => Sides { program: black, opponent: white, about },
            Side::White => Sides { program: white, opponent: black, about },
        }
    }

    fn show(&self) -> String {
        self.board.show()
    }

    fn status(&self) -> Status {
        match &self.over {
            Some(end) => Status::Over(end.clone()),
            None if self.turn == self.program() => Status::Program,
            None => Status::Opponent,
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> =
            self.empty().into_iter().map(|place| self.board.name(place)).collect();
        if self.field.infinite && self.turn == Side::White {
            moves.push("elsewhere".to_string());
        }
        moves
    }

    fn expected(&self) -> String {
        let mut text = "an empty cell, like a1".to_string();
        if self.may_leave() {
            text.push_str("; or column,row of any other, like 0,-3 (a1 is 1,1)");
        }
        if self.field.infinite && self.turn == Side::White {
            text.push_str("; or elsewhere");
        }
        text
    }

    fn play(&mut self, text: &str) -> Result<String, Trouble> {
        let place = self.read(text).map_err(Trouble::NoMove)?;
        let name = self.put(place);
        self.pending = Some(place);
        if let Some(end) = self.over.take() {
            return self.wrong(&end);
        }
        self.check_end();
        Ok(name)
    }

    fn answer(&mut self) -> Result<String, Trouble> {
        let place = match self.program() {
            Side::Black => self.attack()?,
            Side::White => self.defend()?,
        };
        let Some(place) = place else {
            self.turn = Side::Black;
            return Ok("pass".to_string());
        };
        let name = self.put(place);
        self.check_end();
        Ok(name)
    }

    /// Usually plays a forced move if there is one; otherwise plays a heavy cell, any cell of the
    /// board, or one beyond it.
    fn random(&self, random: &mut SplitMix) -> String {
        let (own, other) = match self.turn {
            Side::Black => (Side::Black, Side::White),
            Side::White => (Side::White, Side::Black),
        };
        let urgent = [self.completing(own), self.completing(other)].concat();
        let heavy: Vec<Place> = self.by_weight().into_iter().take(4).collect();
        let near = |side: i32, random: &mut SplitMix| random.below(side as u32 + 8) as i32 - 4;
        let choices = match random.below(8) {
            0..7 if !urgent.is_empty() => urgent,
            0..4 => heavy,
            4 if self.may_leave() => {
                vec![(near(self.board.height, random), near(self.board.width, random))]
            }
            _ => Vec::new(),
        };
        let free: Vec<Place> =
            choices.into_iter().filter(|&place| self.board.at(place).is_none()).collect();
        let choices = if free.is_empty() { self.empty() } else { free };
        self.board.name(choices[random.below(choices.len() as u32) as usize])
    }
}
