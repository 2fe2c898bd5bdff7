//! Pyonpyon shogi ("ぴょんぴょん将棋"; Ogawa, Koizumi & Otsuki, section 2.3): three rows of nine cells; the
//! first player's nine pieces move right, the second's left, one piece one cell forward each turn,
//! jumping over everything in the way. The first player with all pieces in the opponent's home
//! columns wins.
//!
//! The rules do not say what happens to a player without a move: see [`NoMove`].

pub mod database;
pub mod exact;
pub mod number;
pub mod position;
mod puzzle;
pub mod row;
mod solved;

use hasami_andor::certificate::{Fault, Least, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Problem, ProblemId, Turn, Verdict};

use hasami_game::race::{
    ASK, End, Inquiry, Player, WITHIN, check_shortest, known_shortest, one_less, refuting_shortest,
    shortest_stage,
};
use hasami_game::{BuildError, Game, KnownStage, Meaning, Resources};
use hasami_puzzles::Puzzle;
use hasami_spec::{Param, ParamError, Params, Spec};
use position::{Board, MAX_ROWS, Position};
use row::Rows;

/// What happens to a player whose pieces cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoMove {
    /// The turn passes, which is one ply.
    Pass,
    /// The player loses.
    Loses,
    /// The game is a draw.
    Draw,
}

impl NoMove {
    /// All rules with their words.
    pub const WORDS: [(&'static str, Self); 3] =
        [("pass", Self::Pass), ("loses", Self::Loses), ("draw", Self::Draw)];

    /// The word of the rule.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Loses => "loses",
            Self::Draw => "draw",
        }
    }
}

/// Whether the side to move wins Pyonpyon shogi from this position.
#[derive(Clone, Debug)]
pub struct Pyonpyon {
    board: Board,
    no_move: NoMove,
    inquiry: Inquiry,
    root: Position,
    id: ProblemId,
}

/// A move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The piece on this row and column moves forward.
    Piece(u8, u8),
    /// There is no move.
    Pass,
}

pub(crate) const COLUMNS: Param = Param::number("columns", "columns of the board, 3 to 12").or("9");
pub(crate) const HOME: Param =
    Param::number("home", "home columns of each side, less than half of all, 1 to 4").or("3");
pub(crate) const NO_MOVE: Param = Param::choice(
    "no-move",
    "a player without a move passes, loses, or it is a draw",
    &["pass", "loses", "draw"],
)
.or("pass");

static PARAMS: &[Param] = &[
    Param::number("rows", "rows of the board, 1 to 4").or("3"),
    COLUMNS,
    HOME,
    NO_MOVE,
    Param::text("position", "start, or rows as in GG.SS.G.S/GGG...SSS/GGG...SSS:first").or("start"),
    ASK,
    WITHIN,
];

impl Game for Pyonpyon {
    const SPEC: Spec = Spec::game(
        "pyonpyon",
        "Pyonpyon shogi: does the side to move bring its pieces home first?",
        "pyonpyon position=GG.SS.G.S/GGG...SSS/GGG...SSS:first",
        PARAMS,
    )
    .checks(check)
    .stages(shortest_stage);

    const RULES: u32 = 3;

    /// The position in full.
    fn stated(&self, params: &Params) -> Vec<(String, String)> {
        let in_full = |(key, value): (&str, &str)| match key {
            "position" => (key.to_string(), self.board.spell(&self.root)),
            _ => (key.to_string(), value.to_string()),
        };
        params.iter().map(in_full).collect()
    }

    fn least(&self, key: &str) -> Option<Least> {
        self.inquiry.least(key)
    }

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        let (height, columns, home) = read_size(params)?;
        let board = Board { rows: Rows::new(columns, home), height };
        let no_move = params.choice("no-move", &NoMove::WORDS)?;
        let mut root = board.parse(params.text("position")?)?;
        let inquiry = Inquiry::from_params(params, root.mover)?;
        root.left = inquiry.plies();
        // The canonical spelling of the question, however it was written.
        let spelled = format!(
            "{columns} {home} {} {} {}",
            board.spell(&root),
            no_move.word(),
            inquiry.spelled()
        );
        let id = ProblemId::new(Self::NAME, Self::RULES, &spelled);
        Ok(Self { board, no_move, inquiry, root, id })
    }

    fn known_stages(
        params: &Params,
        resources: &Resources,
    ) -> Result<Option<Vec<KnownStage>>, BuildError> {
        known_shortest::<Self>(params, resources)
    }

    fn refuting_stage(params: &Params, _: &Resources) -> Result<Option<Params>, BuildError> {
        refuting_shortest(params)
    }

    fn board(&self, state: &Self::State) -> Option<String> {
        Some(self.drawing(state).picture())
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        let rule = self.no_move.word();
        Meaning::Claim(format!("{} (no move: {rule})", self.inquiry.claim(verdict)))
    }
}

/// Checks that the parameters are compatible; builds no board.
fn check(params: &Params) -> Result<(), ParamError> {
    let (_, mover) = position::read_cells(params.text("position")?, read_size(params)?)?;
    Inquiry::from_params(params, mover)?;
    check_shortest(params)
}

/// Rows, columns and home columns.
fn read_size(params: &Params) -> Result<(u8, u8, u8), ParamError> {
    let height = params.number("rows", 1..=MAX_ROWS as u8)?;
    let columns = params.number("columns", 3..=12)?;
    let most = ((columns - 1) / 2).min(4);
    Ok((height, columns, params.number("home", 1..=most)?))
}

impl Pyonpyon {
    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What happens to a player without a move.
    #[must_use]
    pub fn no_move(&self) -> NoMove {
        self.no_move
    }

    /// The number of a cell, row by row from 0.
    fn cell(&self, row: u8, column: u8) -> u32 {
        u32::from(row) * u32::from(self.board.rows.columns()) + u32::from(column)
    }

    /// Converts a column between the board and the mover's view.
    fn column(&self, mover: Player, column: u8) -> u8 {
        match mover {
            Player::First => column,
            Player::Second => self.board.rows.columns() - 1 - column,
        }
    }

    /// Appends the moves of pieces, in the order of their cells.
    fn push_pieces(&self, state: &Position, moves: &mut Moves<Step>) {
        let seen = self.board.seen_by(state, state.mover);
        for (row, &number) in (0..self.board.height).zip(&seen) {
            let mut columns = [0; 4];
            let mut count = 0;
            for (column, _) in self.board.rows.moves(number) {
                columns[count] = self.column(state.mover, column);
                count += 1;
            }
            columns[..count].sort_unstable();
            columns[..count].iter().for_each(|&column| moves.push(Step::Piece(row, column)));
        }
    }

    /// The winner, if there is one: only the side that has just moved can have won.
    fn winner(&self, state: &Position) -> Option<Player> {
        let moved = state.mover.other();
        self.board.arrived(state, moved).then_some(moved)
    }

    fn can_move(&self, state: &Position) -> bool {
        let seen = self.board.seen_by(state, state.mover);
        let mut rows = seen[..usize::from(self.board.height)].iter();
        rows.any(|&number| self.board.rows.moves(number).next().is_some())
    }

    /// How the rules have ended the game, if they have.
    fn end(&self, state: &Position) -> Option<End> {
        if let Some(winner) = self.winner(state) {
            return Some(End::Won(winner));
        }
        match self.no_move {
            NoMove::Pass => None,
            _ if self.can_move(state) => None,
            NoMove::Loses => Some(End::Won(state.mover.other())),
            NoMove::Draw => Some(End::Drawn),
        }
    }
}

impl Problem for Pyonpyon {
    type State = Position;
    type Move = Step;
    type Reason = ();

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Position {
        self.root
    }

    fn turn(&self, state: &Position) -> Turn {
        self.inquiry.turn(state.mover)
    }

    fn expand(&self, state: &Position, moves: &mut Moves<Step>) -> Expansion {
        if let Some(verdict) = self.inquiry.settled(self.end(state), state.left) {
            return Expansion::Settled(verdict);
        }
        self.push_pieces(state, moves);
        if moves.is_empty() {
            moves.push(Step::Pass);
        }
        Expansion::Open
    }

    fn play(&self, state: &Position, mv: Step) -> Position {
        let mut next = *state;
        next.mover = state.mover.other();
        next.left = one_less(state.left);
        if let Step::Piece(row, column) = mv {
            let place = &mut next.rows[usize::from(row)];
            let table = &self.board.rows;
            let wanted = self.column(state.mover, column);
            let seen = |number| match state.mover {
                Player::First => number,
                Player::Second => table.mirror(number),
            };
            if let Some((_, after)) = table.moves(seen(*place)).find(|mv| mv.0 == wanted) {
                *place = seen(after);
            }
        }
        next
    }

    /// Rows sorted, from the view of the asking side: neither the order of rows nor the name of a
    /// side matters.
    fn key(&self, state: &Position) -> Key {
        let rows = self.board.sorted_for(state, self.inquiry.asker);
        let mut name = u128::from(state.mover == self.inquiry.asker);
        for row in rows {
            name = name << 16 | u128::from(row);
        }
        let left = state.left.map_or(0, |left| u128::from(left) + 1);
        Key::mixed(name << 16 | left)
    }

    fn encode(&self, state: &Position, out: &mut Vec<u8>) {
        out.push(u8::from(state.mover == Player::Second));
        self.board.used(state).iter().for_each(|row| out.extend(row.to_le_bytes()));
        if let Some(left) = state.left {
            out.extend(left.to_le_bytes());
        }
    }

    fn decode(&self, bytes: &[u8]) -> Result<Position, BadState> {
        let bad = |expected: &str| {
            BadState(format!("pyonpyon: found bytes {bytes:02x?}; expected {expected}"))
        };
        let height = usize::from(self.board.height);
        let words = height + usize::from(self.root.left.is_some());
        let (mover, rest) = match bytes {
            [0, rest @ ..] if rest.len() == 2 * words => (Player::First, rest),
            [1, rest @ ..] if rest.len() == 2 * words => (Player::Second, rest),
            _ => return Err(bad("0 or 1 for the side to move, then two bytes for each row")),
        };
        let mut numbers = rest.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let mut rows = [0; MAX_ROWS];
        for row in &mut rows[..height] {
            *row = numbers.next().expect("two bytes for each row");
            if usize::from(*row) >= self.board.rows.count() {
                return Err(bad("numbers of rows"));
            }
        }
        let left = numbers.next();
        if left > self.root.left {
            return Err(bad("no more plies than were asked about"));
        }
        let position = Position { rows, mover, left };
        if self.board.arrived(&position, mover) {
            return Err(bad("a side to move that has not won before"));
        }
        Ok(position)
    }

    fn length(&self, _: &Position, _: Step) -> Option<u32> {
        Some(1)
    }

    /// A draw, and a game cut off by the limit, have no length.
    fn rest(&self, state: &Position) -> Option<u32> {
        matches!(self.end(state), Some(End::Won(_))).then_some(0)
    }

    fn put_move(&self, _: &Position, mv: Step, out: &mut Vec<u8>) {
        out.push(match mv {
            Step::Pass => 0,
            Step::Piece(row, column) => 1 + self.cell(row, column) as u8,
        });
    }

    fn take_move(&self, _: &Position, from: &mut Source<'_>) -> Result<Step, Fault> {
        let columns = self.board.rows.columns();
        match from.byte()? {
            0 => Ok(Step::Pass),
            byte if byte <= self.board.height * columns => {
                Ok(Step::Piece((byte - 1) / columns, (byte - 1) % columns))
            }
            byte => Err(format!("move {byte} from a cell beyond the board")),
        }
    }

    fn rule(&self, state: &Position) -> u8 {
        match self.end(state) {
            _ if self.winner(state).is_some() => 1,
            Some(_) => 2,
            None => 3,
        }
    }

    /// Rows are interchangeable: for each row here, the row of the kept position.
    fn put_symmetry(&self, kept: &Position, here: &Position, out: &mut Vec<u8>) {
        let (kept, mut free) = (self.board.used(kept), [true; MAX_ROWS]);
        for row in self.board.used(here) {
            let found = (0..kept.len()).find(|&at| free[at] && kept[at] == *row);
            // Two states with one key have the same rows; a checker refuses anything else.
            let at = found.unwrap_or(0);
            free[at] = false;
            out.push(at as u8);
        }
    }

    fn turned(&self, kept: &Position, from: &mut Source<'_>) -> Result<Position, Fault> {
        let height = usize::from(self.board.height);
        let (mut here, mut free) = (*kept, [true; MAX_ROWS]);
        for row in &mut here.rows[..height] {
            let at = usize::from(from.byte()?);
            if at >= height || !std::mem::replace(&mut free[at], false) {
                return Err("the rows are no permutation".to_string());
            }
            *row = kept.rows[at];
        }
        Ok(here)
    }

    fn show(&self, state: &Position) -> String {
        let cells = self.board.draw(state, "\n");
        let left = state.left.map_or(String::new(), |left| format!(", plies left: {left}"));
        format!("{cells}\n{} player to move{left}", state.mover.word())
    }

    /// A move is named by the cell of its piece, row by row from 0 as in figure 11 of the paper.
    fn show_move(&self, _: &Position, mv: Step) -> String {
        match mv {
            Step::Piece(row, column) => self.cell(row, column).to_string(),
            Step::Pass => "pass".to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
