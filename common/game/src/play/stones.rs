//! Games of stones: Black wants to complete a line; White prevents it or completes one first.
//!
//! One side follows the tree of the certificate node by node. The proof *believes* in some stones of
//! White's: others lie where they do not matter, and believed ones may be missing. The real board is
//! stored beside it. That this always works is shown in docs/certificates.md.

mod attack;
mod defence;
mod line;

use hasami_andor::Verdict;
use hasami_andor::certificate::Strategy;

pub use line::Line;

use self::attack::Attack;
use self::defence::Defence;
use super::board::{Board, Place, Side};
use super::{Duel, Sides, Status, Trouble};
use crate::achieve::{Rules, StoneGame, Tree};
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

/// A duel with stones, played to the last one.
pub struct Stones<'a, G: StoneGame> {
    game: &'a G,
    field: Field,
    rules: Rules,
    tree: Tree,
    board: Board,
    follows: Follows,
    /// The opponent's move that has no answer yet.
    pending: Option<Place>,
    turn: Side,
    over: Option<String>,
}

/// Where in the tree the game is.
#[derive(Clone, Debug)]
enum Follows {
    Attack(Attack),
    Defence(Defence),
}

impl<'a, G: StoneGame> Stones<'a, G> {
    /// A game from the empty board.
    pub fn new(game: &'a G, strategy: &Strategy) -> Self {
        let field = game.field();
        let rules = Rules::new(&field);
        let tree = Tree::read(&rules, strategy.verdict(), strategy.tree());
        let tree = tree.expect("a tree that was checked when it was loaded");
        let follows = match strategy.verdict() {
            Verdict::Proven => Follows::Attack(Attack::new(&tree)),
            Verdict::Disproven => Follows::Defence(Defence::new(&rules, &tree)),
        };
        let board = Board::new(field.height, field.width);
        let (pending, turn, over) = (None, Side::Black, None);
        let mut stones = Self { game, field, rules, tree, board, follows, pending, turn, over };
        stones.check_end();
        stones
    }

    /// The side that the certificate favours.
    fn program(&self) -> Side {
        match self.follows {
            Follows::Attack(_) => Side::Black,
            Follows::Defence(_) => Side::White,
        }
    }

    /// The lines of the paving that White holds the game with, if it does.
    fn paving(&self) -> Option<&str> {
        match &self.follows {
            Follows::Attack(_) => None,
            Follows::Defence(defence) => defence.paving(&self.tree),
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
        self.field.infinite && (self.turn == Side::White || self.paving().is_some())
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

    fn picture(&self) -> String {
        self.board.svg()
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
        let place = match self.follows.clone() {
            Follows::Attack(attack) => Some(self.attack(attack)?),
            Follows::Defence(defence) => self.defend(defence)?,
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
