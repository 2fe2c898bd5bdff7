//! Puzzles of Pyonpyon shogi, from the view of the side to move, whose pieces always move right.

use std::path::{Path, PathBuf};

use super::exact::Fast;
use super::position::{Board, MAX_ROWS, Position};
use super::row::Row;
use super::solved::ByDatabase;
use super::{NoMove, Pyonpyon, Step};
use hasami_game::race::{Outcome, Player, QueryError, Race};
use hasami_game::random::SplitMix;
use hasami_puzzles::{
    Analyst, Drawing, Mark, Method, Puzzle, Racing, Solved, Turn, WholeGame, cell_name,
    column_names,
};
use hasami_spec::params::Params;

impl Puzzle for Pyonpyon {
    const IN_WORDS: &'static str = "Your pieces move right, those of the opponent left. A move takes one piece one cell forward; occupied cells on the way are jumped over. Who first has all pieces in the opponent's home columns wins. \
        A move is the cell of the piece, like c2.";
    const METHOD: Method = Method::Guided;
    const GRADES: &'static [(u32, [f64; 2])] = &[
        (3, [3.0, 4.8]),
        (5, [2.5, 4.8]),
        (7, [4.2, 5.25]),
        (9, [4.4, 5.25]),
        (11, [4.8, 5.7]),
        (15, [5.05, 6.3]),
        (19, [5.55, 6.8]),
        (25, [6.85, 7.55]),
        (41, [7.3, 8.0]),
        (51, [7.6, 8.4]),
    ];

    fn asked_from(&self, params: &Params, state: &Position) -> Option<Params> {
        if self.end(state).is_some() {
            return None;
        }
        let rows = self.board.seen_by(state, state.mover);
        self.asked_about(params, rows)
    }

    /// Starts from a board where all pieces have arrived and undoes moves of both sides: about as
    /// many as the plies of the puzzle, in few rows and with few pieces, so that few can move.
    fn composed(&self, params: &Params, plies: u32, random: &mut SplitMix) -> Option<Params> {
        let height = u32::from(self.board.height);
        let arrived = self.board.rows.number(self.arrived_row())?;
        let mut rows = [0; MAX_ROWS];
        rows[..height as usize].fill(arrived);
        // A piece is moved back about this often at most.
        let way = u32::from(self.board.rows.columns() - self.board.rows.home());
        // Jumps make games shorter than the number of undone moves; an opponent who is ahead leaves
        // little choice.
        let own = plies.div_ceil(2) + plies / 4 + random.below(3);
        let counts = [own, (own + 1).saturating_sub(random.below(4)).max(1)];
        for (player, count) in [Player::First, Player::Second].into_iter().zip(counts) {
            let active = (count.div_ceil(2 * way) + random.below(2)).clamp(1, height);
            let from = random.below(height);
            for _ in 0..count {
                let at = ((from + random.below(active)) % height) as usize;
                rows[at] = self.undone(rows[at], player, random).unwrap_or(rows[at]);
            }
        }
        let position = Position { rows, mover: Player::First, left: None };
        let over = |player| self.board.arrived(&position, player);
        (!over(Player::First) && !over(Player::Second)).then(|| self.asked_about(params, rows))?
    }

    fn hardest_reading(params: &Params) -> Option<Params> {
        // A win under the rule that a player without a move draws is a win under every reading
        // (checked on every position of the 3 by 9 board).
        params.with("no-move", "draw").ok()
    }

    fn analyst() -> Box<dyn Analyst<Self>> {
        Box::new(WholeGame::default())
    }

    fn solved(
        params: &Params,
        file: &Path,
        others: &[PathBuf],
    ) -> Result<Box<dyn Solved<Self>>, QueryError> {
        Ok(Box::new(ByDatabase::open(params, file, others)?))
    }

    fn drawing(&self, state: &Position) -> Drawing {
        let text = self.board.draw(state, "\n");
        let row = |line: &str| line.chars().map(mark).collect();
        let rows: Vec<Vec<Mark>> = text.lines().map(row).collect();
        let columns = column_names(rows.first().map_or(0, Vec::len));
        let names = (1..=rows.len()).map(|row| row.to_string()).collect();
        Drawing { rows, columns, names, ..Drawing::default() }
    }

    fn turns(&self, line: &[String]) -> Vec<Turn> {
        let columns = u32::from(self.board.rows.columns());
        let name = |told: &String| match told.parse::<u32>() {
            Ok(cell) => cell_name(cell / columns, cell % columns),
            Err(_) => told.clone(),
        };
        Turn::alternate(line.iter().map(|told| vec![Mark::text(name(told))]))
    }

    fn legend() -> Vec<(Mark, &'static str)> {
        vec![(mark('S'), "yours, moves right"), (mark('G'), "the opponent's, moves left")]
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

    /// A row whose pieces have all arrived.
    fn arrived_row(&self) -> Row {
        let (columns, home) = (self.board.rows.columns(), self.board.rows.home());
        let homes = (1 << home) - 1;
        Row { first: homes << (columns - home), second: homes }
    }

    /// A row before a move of one of a player's pieces: the piece came from the nearest empty cell
    /// behind it, over whatever is between. `None` if the chosen piece cannot have moved.
    fn undone(&self, number: u16, player: Player, random: &mut SplitMix) -> Option<u16> {
        let rows = &self.board.rows;
        let seen = |number| match player {
            Player::First => number,
            Player::Second => rows.mirror(number),
        };
        let mut row = rows.row(seen(number));
        let pieces: Vec<u8> = (0..rows.columns()).filter(|c| row.first >> c & 1 == 1).collect();
        // Usually the last one: the others stay where they have arrived.
        let last = random.below(4) < 3;
        let from =
            if last { pieces[0] } else { pieces[random.below(pieces.len() as u32) as usize] };
        let taken = row.first | row.second;
        let to = (0..from).rev().find(|c| taken >> c & 1 == 0)?;
        row.first = row.first & !(1 << from) | 1 << to;
        rows.number(row).map(seen)
    }
}

/// Board and rule for the exact search.
#[derive(Clone, Debug)]
pub struct Rules {
    board: Board,
    no_move: NoMove,
}

impl Rules {
    fn fast(&self) -> Fast<'_> {
        Fast::new(&self.board, self.no_move)
    }
}

impl Race for Rules {
    type Pos = u64;

    fn ended(&self, pos: u64) -> Option<Outcome> {
        self.fast().ended(pos)
    }

    fn push_moves(&self, pos: u64, after: &mut Vec<(u64, bool)>) {
        self.fast().push_moves(pos, after);
    }

    fn fewest(&self, pos: u64) -> (u16, u16) {
        self.fast().fewest(pos)
    }
}

impl Racing for Pyonpyon {
    type Rules = Rules;

    fn rules(&self) -> Rules {
        Rules { board: self.board.clone(), no_move: self.no_move }
    }

    fn has_rules(&self, rules: &Rules) -> bool {
        let size = |board: &Board| (board.rows.columns(), board.rows.home(), board.height);
        size(&self.board) == size(&rules.board) && self.no_move == rules.no_move
    }

    fn seen(rules: &Rules, state: &Position) -> u64 {
        rules.fast().seen(state)
    }

    fn state_of(_: &Rules, pos: u64) -> Position {
        let rows = [pos as u16, (pos >> 16) as u16, (pos >> 32) as u16, (pos >> 48) as u16];
        Position { rows, mover: Player::First, left: None }
    }
}

/// A piece points in its direction of movement.
fn mark(sign: char) -> Mark {
    let svg = match sign {
        'S' => "<path d=\"M8 8L32 20L8 32Z\" fill=\"#333\"/>",
        'G' => "<path d=\"M32 8L8 20L32 32Z\" fill=\"#fff\" stroke=\"#333\" stroke-width=\"2\"/>",
        _ => " ",
    };
    Mark { text: sign.to_string(), svg: svg.to_string() }
}
