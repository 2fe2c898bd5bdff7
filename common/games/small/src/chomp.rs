//! Chomp (Gale 1974), the game of docs/add-a-game.md: two players eat a bar of chocolate. A bite
//! takes a square and all squares below and to the right. The player who takes the top left one
//! loses.

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Problem, ProblemId, Turn};

use hasami_game::{BuildError, Game, Resources};
use hasami_spec::{Param, ParamError, Params, Spec};

/// Whether the first player wins Chomp on a bar of this size.
#[derive(Clone, Debug)]
pub struct Chomp {
    rows: u8,
    columns: u8,
}

/// The number of squares left in each row, from the top, and the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Bar([u8; 16], Turn);

/// A bite at this row and column, counted from 0.
#[derive(Clone, Copy, Debug)]
pub struct Bite(u8, u8);

static PARAMS: &[Param] = &[
    Param::number("rows", "rows of the bar, 1 to 16").or("4"),
    Param::number("columns", "columns of the bar, 1 to 16").or("5"),
];

impl Game for Chomp {
    const SPEC: Spec = Spec::game(
        "chomp",
        "Chomp: can the first player leave the last square to the other?",
        "chomp rows=5 columns=6",
        PARAMS,
    )
    .checks(|params| Self::read(params).map(drop));

    const RULES: u32 = 1;

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        Ok(Self::read(params)?)
    }
}

impl Chomp {
    fn read(params: &Params) -> Result<Self, ParamError> {
        let rows = params.number("rows", 1..=16)?;
        let columns = params.number("columns", 1..=16)?;
        Ok(Self { rows, columns })
    }
}

impl Problem for Chomp {
    type State = Bar;
    type Move = Bite;
    type Reason = ();

    fn id(&self) -> ProblemId {
        let parameters = format!("rows={} columns={}", self.rows, self.columns);
        ProblemId::new(Self::NAME, 1, &parameters)
    }

    fn root(&self) -> Bar {
        let mut rows = [0; 16];
        rows[..usize::from(self.rows)].fill(self.columns);
        Bar(rows, Turn::Or)
    }

    fn turn(&self, state: &Bar) -> Turn {
        state.1
    }

    fn expand(&self, Bar(rows, turn): &Bar, moves: &mut Moves<Bite>) -> Expansion {
        for row in 0..self.rows {
            // The top left square is never offered: it is left to the player with no other.
            let first = u8::from(row == 0);
            (first..rows[usize::from(row)]).for_each(|column| moves.push(Bite(row, column)));
        }
        if moves.is_empty() {
            return Expansion::Settled(turn.wish().opposite());
        }
        Expansion::Open
    }

    fn play(&self, Bar(rows, turn): &Bar, Bite(row, column): Bite) -> Bar {
        let mut rows = *rows;
        for squares in &mut rows[usize::from(row)..] {
            *squares = column.min(*squares);
        }
        match turn {
            Turn::Or => Bar(rows, Turn::And),
            Turn::And => Bar(rows, Turn::Or),
        }
    }

    fn key(&self, Bar(rows, turn): &Bar) -> Key {
        // A row has at most 16 squares, so the highest bit is free for the turn.
        let turn = u128::from(*turn == Turn::And) << 127;
        Key::mixed(u128::from_le_bytes(*rows) | turn)
    }

    fn encode(&self, Bar(rows, turn): &Bar, out: &mut Vec<u8>) {
        out.push(u8::from(*turn == Turn::And));
        out.extend_from_slice(&rows[..usize::from(self.rows)]);
    }

    fn decode(&self, bytes: &[u8]) -> Result<Bar, BadState> {
        let bad = |expected| BadState(format!("chomp: found {bytes:?}; expected {expected}"));
        let (turn, left) = match bytes {
            [0, left @ ..] if left.len() == usize::from(self.rows) => (Turn::Or, left),
            [1, left @ ..] if left.len() == usize::from(self.rows) => (Turn::And, left),
            _ => return Err(bad("0 or 1 for the turn, then a byte for each row")),
        };
        let shrinking = left.is_sorted_by(|above, below| above >= below);
        if !shrinking || !(1..=self.columns).contains(&left[0]) {
            return Err(bad("rows within the bar, none longer than that above"));
        }
        // Bites of one and of two squares make either turn possible later, but not at the start.
        let eaten: u32 = left.iter().map(|row| u32::from(self.columns - row)).sum();
        if matches!((eaten, turn), (0, Turn::And) | (1, Turn::Or)) {
            return Err(bad("a turn that fits the squares eaten"));
        }
        let mut rows = [0; 16];
        rows[..left.len()].copy_from_slice(left);
        Ok(Bar(rows, turn))
    }

    fn length(&self, _: &Bar, _: Bite) -> Option<u32> {
        Some(1)
    }

    fn put_move(&self, _: &Bar, Bite(row, column): Bite, out: &mut Vec<u8>) {
        out.extend([row, column]);
    }

    fn take_move(&self, _: &Bar, from: &mut Source<'_>) -> Result<Bite, Fault> {
        Ok(Bite(from.byte()?, from.byte()?))
    }

    fn show(&self, Bar(rows, _): &Bar) -> String {
        let left = rows.iter().take_while(|&&squares| squares > 0);
        let lines: Vec<String> = left.map(|&squares| "#".repeat(squares.into())).collect();
        lines.join("\n")
    }

    fn show_move(&self, _: &Bar, Bite(row, column): Bite) -> String {
        format!("row {} column {}", row + 1, column + 1)
    }
}

#[test]
fn the_first_player_wins_every_bar_but_the_single_square() {
    // Strategy stealing (Gale 1974). All bars but the empty one occur, most for both sides.
    for (rows, columns) in (1..=5).flat_map(|rows| (1..=5).map(move |columns| (rows, columns))) {
        let answer = hasami_andor::oracle::solve(&Chomp { rows, columns }, 1000).unwrap();
        let expected = if rows * columns > 1 { Turn::Or } else { Turn::And };
        assert_eq!(answer.root, expected.wish(), "{rows}x{columns}");
    }
}
