//! Proofs of values: tables of parts, each of which follows from its moves and those before it, and
//! arithmetic for expressions. Where there is neither, the value can only be computed again, which
//! is no proof.

use hasami_cgt::rules::clobber::{Clobber, ClobberBoard};
use hasami_cgt::rules::domineering::{self, Domineering};
use hasami_cgt::rules::toads::{Strip, Toads};
use hasami_cgt::{BadForm, Exhausted, Games, Memory, Rules, Value, Valuer};

use super::expression::{Unread, evaluate};
use super::game::{Game, go_text};
use super::plain::{Plain, PlainTable, Signs};
use super::{Limits, Position, value};
use crate::go::{Board, Claimed, Endgames, Line, Suicide, Table};

/// Why a value holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Parts and their values, each after those it rests on.
    Table(Vec<Entry>),
    /// The expression is evaluated.
    Arithmetic,
    /// There is no proof.
    None,
}

/// How a value was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// By this many lines of a table, each from those before.
    Table(usize),
    /// The expression was evaluated.
    Arithmetic,
    /// There was no proof, so the position was valued again from scratch.
    Again,
}

/// Longest table in letters: certificates are at most twice as long.
const MOST_LETTERS: usize = 1 << 23;

/// A line of a table: a part as its game spells it, and its value or a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What is claimed.
    pub claimed: Claimed,
    /// The part.
    pub part: String,
    /// Its canonical form.
    pub value: String,
}

impl Proof {
    /// Its word in a certificate.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Table(_) => "table",
            Self::Arithmetic => "arithmetic",
            Self::None => "none",
        }
    }
}

/// Checks that the position has the claimed value, and says how.
///
/// # Errors
/// Why the claim does not hold, in words.
pub fn check(game: Game, text: &str, claimed: &str, proof: &Proof) -> Result<Checked, String> {
    let limits = Limits::default();
    let position = game.read(text).map_err(|error| format!("position {text}: expected {error}"))?;
    let mut games = Games::with_limit(limits.steps);
    let read = games.read_form(claimed).map_err(|error| format!("its value: {error}"))?;
    match (proof, &position) {
        (Proof::Table(table), Position::Go(board)) => {
            by_table(&mut games, board, read, table).map(|()| Checked::Table(table.len()))
        }
        (Proof::Table(table), _) => {
            let plain = game.plain().ok_or("proof table: expected a position on a board")?;
            by_plain_table(&mut games, plain, text, read, table)
                .map(|()| Checked::Table(table.len()))
        }
        (Proof::Arithmetic, Position::Expression(text)) => match evaluate(&mut games, text) {
            Ok(found) if found == read => Ok(Checked::Arithmetic),
            Ok(found) => Err(another(&games, found, claimed)),
            Err(Unread::Beyond) => {
                Err("proof arithmetic: the expression is beyond its grammar".to_string())
            }
            Err(Unread::Exhausted(limit)) => Err(limit.to_string()),
        },
        (Proof::Arithmetic, _) => Err("proof arithmetic: expected an expression".to_string()),
        (Proof::None, _) => {
            let (found_in, found) = value(&position, limits).map_err(|error| error.to_string())?;
            // In another arena; a form that was read is canonical, but its options may be in any order.
            match games.read_form(&found_in.show(found)) {
                Ok(same) if same == read => Ok(Checked::Again),
                _ => Err(another(&found_in, found, claimed)),
            }
        }
    }
}

fn another(games: &Games, found: Value, claimed: &str) -> String {
    format!("the position is worth {}, not {claimed}", games.show_within(found, 200))
}

fn line_error(at: usize, what: impl std::fmt::Display) -> String {
    format!("line {} of its table: {what}", at + 1)
}

fn entry_value(games: &mut Games, at: usize, entry: &Entry) -> Result<Value, String> {
    games.read_form(&entry.value).map_err(|error: BadForm| line_error(at, error))
}

fn does_not_follow(at: usize, why: &str) -> String {
    line_error(at, format!("it does not follow from the lines before: {why}"))
}

/// Whether the lines give the value.
fn gives(found: Option<Value>, value: Value) -> Result<(), String> {
    match found {
        None => {
            Err("its table does not give the value: a part of the position is missing".to_string())
        }
        Some(found) if found == value => Ok(()),
        Some(_) => {
            Err("its table does not give the value: the sum of its parts is another".to_string())
        }
    }
}

fn by_table(games: &mut Games, board: &Board, value: Value, table: &[Entry]) -> Result<(), String> {
    let mut checked = Table::new(Suicide::Forbidden);
    for (at, entry) in table.iter().enumerate() {
        let part = match Game::Go.read(&entry.part) {
            Ok(Position::Go(board)) => board,
            Ok(_) => return Err(line_error(at, "no board")),
            Err(error) => return Err(line_error(at, format!("expected {error}"))),
        };
        let value = entry_value(games, at, entry)?;
        let line = Line { claimed: entry.claimed, board: part, value };
        let added = checked.add(games, &line).map_err(|error| line_error(at, error))?;
        added.map_err(|why| does_not_follow(at, why))?;
    }
    let found = checked.worth(games, board).map_err(|error| error.to_string())?;
    gives(found.map(|(found, _)| found), value)
}

fn by_plain_table(
    games: &mut Games,
    game: Plain,
    text: &str,
    value: Value,
    table: &[Entry],
) -> Result<(), String> {
    let mut checked = PlainTable::new(game);
    for (at, entry) in table.iter().enumerate() {
        if entry.claimed != Claimed::Value {
            return Err(line_error(at, "a bound; expected a part"));
        }
        let signs = game.signs();
        let read = entry.part.chars().all(|sign| sign == '/' || signs.contains(sign));
        let part = Signs::read(&entry.part).filter(|_| read);
        let part = part.ok_or_else(|| {
            line_error(at, format!("expected rows of one length of the signs {signs}"))
        })?;
        let value = entry_value(games, at, entry)?;
        let added = checked.add(games, &part, value).map_err(|error| line_error(at, error))?;
        added.map_err(|why| does_not_follow(at, why))?;
    }
    let board = Signs::read(text).ok_or("rows of different lengths")?;
    gives(checked.worth(games, &board).map_err(|error| error.to_string())?, value)
}

/// A proof that the position has the claimed value, if one is found that is not too long. It is
/// found without shared values.
#[must_use]
pub fn find_proof(position: &Position, claimed: &str) -> Proof {
    let table = match position {
        Position::Expression(text) => {
            let mut games = Games::with_limit(Limits::default().steps);
            let holds = evaluate(&mut games, text).is_ok_and(|found| games.show(found) == claimed);
            return if holds { Proof::Arithmetic } else { Proof::None };
        }
        Position::Go(board) => go_table(board, claimed),
        Position::Domineering(board) => {
            let spell = domineering::Board::picture;
            plain_table(&Domineering, Plain::Domineering, board, claimed, spell)
        }
        Position::Clobber(board) => {
            plain_table(&Clobber, Plain::Clobber, board, claimed, ClobberBoard::to_string)
        }
        Position::Toads(strip) => {
            plain_table(&Toads, Plain::Toads, strip, claimed, Strip::to_string)
        }
    };
    table.map_or(Proof::None, Proof::Table)
}

/// Lines as text, up to a number of letters.
#[derive(Default)]
struct Written {
    entries: Vec<Entry>,
    letters: usize,
}

impl Written {
    fn push(&mut self, games: &Games, claimed: Claimed, part: String, value: Value) -> Option<()> {
        let value = games.show_within(value, MOST_LETTERS);
        self.letters += part.len() + value.len() + 8;
        let fits = self.letters <= MOST_LETTERS && !value.ends_with('…');
        fits.then(|| self.entries.push(Entry { claimed, part, value }))
    }
}

/// Records values in the order in which they are found.
struct Order<P>(Vec<(P, Value)>);

impl<P: Clone> Memory<P> for Order<P> {
    fn recall(&mut self, _: &mut Games, _: Vec<P>, _: u64) -> Result<Vec<(P, Value)>, Exhausted> {
        Ok(Vec::new())
    }

    fn learn(
        &mut self,
        _: &mut Games,
        position: &P,
        value: Value,
        _: u64,
    ) -> Result<(), Exhausted> {
        self.0.push((position.clone(), value));
        Ok(())
    }
}

/// Candidates are the positions as the search has valued them; of the images of a part, the first.
fn plain_table<R: Rules>(
    rules: &R,
    game: Plain,
    position: &R::Position,
    claimed: &str,
    spell: impl Fn(&R::Position) -> String,
) -> Option<Vec<Entry>> {
    let mut games = Games::with_limit(Limits::default().steps);
    let mut order = Order(Vec::new());
    let value = Valuer::new(rules).value_with(&mut games, position, &mut order).ok()?;
    if games.show(value) != claimed {
        return None;
    }
    let mut table = PlainTable::new(game);
    let mut written = Written::default();
    for (position, value) in order.0 {
        let text = spell(&position);
        let parts = Signs::read(&text).map(|board| game.parts(&board)).unwrap_or_default();
        if let [part] = &parts[..]
            && !table.knows(part)
        {
            table.add(&mut games, part, value).ok()?.ok()?;
            written.push(&games, Claimed::Value, text, value)?;
        }
    }
    Some(written.entries)
}

/// Candidates are the parts as the search has valued them. Where play repeats, some do not follow
/// by the rule of the table; they are left out, and so are lines that nothing rests on.
fn go_table(board: &Board, claimed: &str) -> Option<Vec<Entry>> {
    let limits = Limits::default();
    let mut endgames = Endgames::new(Suicide::Forbidden, limits.positions, limits.steps);
    endgames.keep_order();
    let value = endgames.value(board).ok()?;
    if endgames.games.show(value) != claimed {
        return None;
    }
    let candidates: Vec<(Board, Value, Value)> = endgames.in_order().cloned().collect();
    let games = &mut endgames.games;
    let mut table = Table::new(Suicide::Forbidden);
    let mut kept: Vec<(Line, Vec<usize>)> = Vec::new();
    for (board, low, high) in candidates {
        let line = |claimed, value| Line { claimed, board: board.clone(), value };
        let mut tried = vec![line(Claimed::Least, low), line(Claimed::Most, high)];
        if low == high {
            tried.insert(0, line(Claimed::Value, low));
        }
        for line in tried {
            let whole = line.claimed == Claimed::Value;
            if let Ok(rests_on) = table.add(games, &line).ok()? {
                kept.push((line, rests_on));
                if whole {
                    break;
                }
            }
        }
    }
    let (found, rests_on) = table.worth(games, board).ok()??;
    if found != value {
        return None;
    }
    let mut needed = vec![false; kept.len()];
    rests_on.into_iter().for_each(|at| needed[at] = true);
    for at in (0..kept.len()).rev() {
        if needed[at] {
            kept[at].1.iter().for_each(|&below| needed[below] = true);
        }
    }
    let mut written = Written::default();
    for ((line, _), _) in kept.iter().zip(needed).filter(|(_, needed)| *needed) {
        written.push(games, line.claimed, go_text(&line.board), line.value)?;
    }
    Some(written.entries)
}
