//! Puzzles of Pyonpyon shogi: seen by the side to move, whose pieces always go right.

use super::position::{MAX_ROWS, Position};
use super::{Pyonpyon, Step};
use crate::params::Params;
use crate::puzzle::{Drawing, Mark, Method, Puzzle};
use crate::race::Player;
use crate::random::SplitMix;

impl Puzzle for Pyonpyon {
    const RULES: &'static str = "You are S and move right, the opponent is G and moves left. A move takes one piece one cell forward; occupied cells on the way are jumped over. Who first has all pieces in the opponent's home columns wins. \
        A move is the cell of the piece, numbered from 0 row by row.";
    const METHOD: Method = Method::Guided;

    fn asked_from(&self, params: &Params, state: &Position) -> Option<Params> {
        if self.winner(state).is_some() {
            return None;
        }
        let rows = self.board.seen_by(state, state.mover);
        self.asked_about(params, rows)
    }

    /// Rows in which most pieces have arrived, as if late in a game.
    fn composed(&self, params: &Params, plies: u32, random: &mut SplitMix) -> Option<Params> {
        let mut rows = [0; MAX_ROWS];
        // Both sides need about half of the plies each, spread over the rows.
        let wanted = plies.div_ceil(2) + 1;
        for row in &mut rows[..usize::from(self.board.height)] {
            *row = random.below(self.board.rows.count() as u32) as u16;
        }
        let way = |player| {
            let at = Position { rows, mover: Player::First, left: None };
            self.steps_left(&at, player)
        };
        let (own, other) = (way(Player::First), way(Player::Second));
        let fits = |steps: u32| steps <= 2 * wanted && 3 * steps >= wanted;
        (fits(own) && fits(other)).then(|| self.asked_about(params, rows)).flatten()
    }

    fn hardest_reading(params: &Params) -> Option<Params> {
        // A win where a player without a move draws is a win under every reading (checked on
        // every position of the board of 3 by 9).
        params.with("no-move", "draw").ok()
    }

    fn drawing(&self, state: &Position) -> Drawing {
        let text = self.board.draw(state, "\n");
        let row = |line: &str| line.chars().map(mark).collect();
        Drawing { rows: text.lines().map(row).collect(), ..Drawing::default() }
    }

    fn told(&self, _: &Position, mv: Step) -> String {
        match mv {
            Step::Piece(row, column) => self.cell(row, column).to_string(),
            Step::Pass => "pass".to_string(),
        }
    }
}

impl Pyonpyon {
    fn asked_about(&self, params: &Params, rows: [u16; MAX_ROWS]) -> Option<Params> {
        let position = Position { rows, mover: Player::First, left: None };
        let params = params.with("position", &self.board.spell(&position)).ok()?;
        params.with("within", "any").ok()
    }

    /// How many cells the pieces of a player are from the nearest places where they all have arrived.
    fn steps_left(&self, position: &Position, player: Player) -> u32 {
        let (columns, home) = (self.board.rows.columns(), self.board.rows.home());
        let rows = self.board.seen_by(position, player);
        let pieces = rows[..usize::from(self.board.height)].iter().map(|&number| {
            let own = self.board.rows.row(number).first;
            let places: u32 = (0..columns).filter(|c| own >> c & 1 == 1).map(u32::from).sum();
            let goal: u32 = (columns - home..columns).map(u32::from).sum();
            goal - places
        });
        pieces.sum()
    }
}

/// A piece points where it goes.
fn mark(sign: char) -> Mark {
    let svg = match sign {
        'S' => "<path d=\"M8 8L32 20L8 32Z\" fill=\"#333\"/>",
        'G' => "<path d=\"M32 8L8 20L32 32Z\" fill=\"#fff\" stroke=\"#333\" stroke-width=\"2\"/>",
        _ => " ",
    };
    Mark { text: sign.to_string(), svg: svg.to_string() }
}
