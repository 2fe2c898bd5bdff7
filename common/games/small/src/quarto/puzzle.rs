//! Puzzles of QUARTO!: random boards, the exact solver, and drawings of the pieces.

use super::position::{Position, members};
use super::solver::Solver;
use super::{Ply, Quarto, State, notation};
use hasami_andor::Turn as Side;
use hasami_game::random::SplitMix;
use hasami_puzzles::{
    Analyst, Drawing, Exhausted, Mark, Method, Puzzle, Turn, cell_name, column_names,
};
use hasami_spec::params::Params;

/// MiB of the solver's table.
const TABLE: usize = 16;

impl Puzzle for Quarto {
    const IN_WORDS: &'static str = "Place the piece you are given, then hand over one of those left. Four pieces in a row, column or diagonal that share a property (tall or short, round or square, dark or light, hollow or solid) win. \
        A move is a cell, like c4, and the piece that is handed over.";
    const GRADES: &'static [(u32, [f64; 2])] =
        &[(3, [7.5, 9.3]), (5, [9.5, 11.5]), (7, [11.8, 13.9]), (9, [14.3, 15.9])];
    const METHOD: Method = Method::Guided;

    fn asked_from(&self, params: &Params, state: &State) -> Option<Params> {
        state.position.hand()?;
        asked(params, &state.position)
    }

    /// As many pieces as leave room for the plies and little more, and one in hand that wins
    /// nowhere.
    fn composed(&self, params: &Params, plies: u32, random: &mut SplitMix) -> Option<Params> {
        let most = 16u32.checked_sub(plies)?;
        let fewer = if plies >= 5 { random.below(2) } else { random.below(4) };
        asked(params, &random_position(most.saturating_sub(fewer), random)?)
    }

    /// Any number of pieces from four that leaves room for the plies.
    fn free(&self, params: &Params, plies: u32, random: &mut SplitMix) -> Option<Params> {
        let most = 16u32.checked_sub(plies)?;
        let least = most.min(4);
        asked(params, &random_position(least + random.below(most - least + 1), random)?)
    }

    fn analyst() -> Box<dyn Analyst<Self>> {
        Box::new(ExactPlies(Solver::new(TABLE)))
    }

    fn drawing(&self, state: &State) -> Drawing {
        let position = &state.position;
        let cell = |cell: u8| position.at(cell).map_or_else(Mark::default, piece);
        let rows = (0..4).map(|row| (4 * row..4 * row + 4).map(cell).collect()).collect();
        let mut beside = Vec::new();
        if let Some(hand) = position.hand() {
            beside.push(("to place:".to_string(), vec![piece(hand)]));
        }
        beside.push(("left:".to_string(), members(position.left()).map(piece).collect()));
        let names = (1..=4).map(|row: u8| row.to_string()).collect();
        let mut drawing =
            Drawing { rows, columns: column_names(4), names, beside, notes: Vec::new() };
        for mark in drawing.rows.iter_mut().flatten().filter(|mark| mark.text.is_empty()) {
            mark.text = "····".to_string();
            mark.svg = " ".to_string();
        }
        drawing
    }

    fn turns(&self, line: &[String]) -> Vec<Turn> {
        Turn::alternate(line.iter().map(|told| printed(told)))
    }

    /// One property each. In text a piece is four bits.
    fn legend() -> Vec<(Mark, &'static str)> {
        vec![
            (piece(0b1000), "tall (large)"),
            (piece(0b0000), "short (small), round, light, solid"),
            (piece(0b0100), "square"),
            (piece(0b0010), "dark"),
            (piece(0b0001), "hollow"),
        ]
    }

    fn told(&self, _: &State, ply: Ply) -> String {
        match ply.gift {
            Some(gift) => format!("{} gives {gift:04b}", ply.cell),
            None => ply.cell.to_string(),
        }
    }
}

/// `14 gives 1000` as the name of a cell and a drawn piece.
fn printed(told: &str) -> Vec<Mark> {
    let mut words = told.split(' ');
    let cell = words.next().and_then(|word| word.parse::<u32>().ok());
    let Some(cell) = cell else { return vec![Mark::text(told)] };
    let mut marks = vec![Mark::text(cell_name(cell / 4, cell % 4))];
    if let Some(gift) = words.nth(1).and_then(|bits| u8::from_str_radix(bits, 2).ok()) {
        marks.extend([Mark::text("gives"), piece(gift & 15)]);
    }
    marks
}

fn asked(params: &Params, position: &Position) -> Option<Params> {
    let params = params.with("position", &notation::write(position)).ok()?;
    params.with("within", "any").ok()
}

/// A board with this many random pieces, and one in hand that wins nowhere; `None` if it has a
/// line.
fn random_position(pieces: u32, random: &mut SplitMix) -> Option<Position> {
    let mut position = Position::START.without_hand();
    for _ in 0..pieces {
        let piece = drawn(position.left(), random)?;
        let cell = drawn(position.empty(), random)?;
        position = position.give(piece).place(cell);
    }
    let safe = position.left() & !position.losing_gifts();
    (!position.has_line()).then_some(position.give(drawn(safe, random)?))
}

/// A random member of a set.
fn drawn(set: u16, random: &mut SplitMix) -> Option<u8> {
    let count = set.count_ones();
    if count == 0 { None } else { members(set).nth(random.below(count) as usize) }
}

/// A piece: tall ones are large, square or round, dark or light, hollow ones have a hole.
fn piece(piece: u8) -> Mark {
    let has = |bit: u8| piece >> bit & 1 == 1;
    let half = if has(3) { 16 } else { 10 };
    let (fill, hole) = if has(1) { ("#333", "#fff") } else { ("#e8d8b8", "#333") };
    let style = format!("fill=\"{fill}\" stroke=\"#222\" stroke-width=\"1.5\"");
    let mut svg = if has(2) {
        format!(
            "<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{1}\" {style}/>",
            20 - half,
            2 * half
        )
    } else {
        format!("<circle cx=\"20\" cy=\"20\" r=\"{half}\" {style}/>")
    };
    if has(0) {
        svg.push_str(&format!("<circle cx=\"20\" cy=\"20\" r=\"4\" fill=\"{hole}\"/>"));
    }
    Mark { text: format!("{piece:04b}"), svg }
}

/// The solver as an analyst for questions "does the side to place win?".
struct ExactPlies(Solver);

impl Analyst<Quarto> for ExactPlies {
    fn begin(&mut self, nodes: u64) {
        self.0.allow(nodes);
    }

    fn shortest(
        &mut self,
        game: &Quarto,
        state: &State,
        most: u32,
    ) -> Result<Option<u32>, Exhausted> {
        debug_assert!(game.of_draw() == hasami_andor::Verdict::Disproven, "a win is asked for");
        if state.position.hand().is_none() {
            let won = state.position.has_line() && state.turn == Side::And;
            return Ok(won.then_some(0));
        }
        let most = most.min(16) as u8;
        let position = &state.position;
        for plies in 1..=most.min(position.empty().count_ones() as u8) {
            let reached = match (state.turn, plies % 2) {
                (Side::Or, 1) => self.0.wins_within(position, plies),
                (Side::And, 0) => self.0.loses_within(position, plies),
                _ => Ok(false),
            };
            if reached.map_err(|_| Exhausted)? {
                return Ok(Some(plies.into()));
            }
        }
        Ok(None)
    }
}
