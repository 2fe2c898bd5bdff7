//! Proves a value a second time: by play if that is feasible, by a table of parts if the
//! certificate has one, otherwise by valuing the position again.

use hasami_cgt::rules::clobber::Clobber;
use hasami_cgt::rules::domineering::Domineering;
use hasami_cgt::rules::is_worth as by_rules;
use hasami_cgt::rules::toads::Toads;
use hasami_cgt::{Games, Value};

use super::{Family, Limits, Position, value};
use crate::go::{Board, Endgames, Line, Suicide, Unvalued, check_table, is_worth as by_go};

/// How a value was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Both `<=` and `>=` follow from play, move by move, with this many claims.
    Play(usize),
    /// By this many lines of a table, each from those before.
    Table(usize),
    /// The position was valued again from scratch.
    Anew,
}

/// Most claims of a proof by play.
const MOST: usize = 400_000;
/// Largest region that is proven by play.
const OPEN: usize = 9;
/// Longest table: certificates are at most four times as long.
const MOST_LETTERS: usize = 1 << 20;

/// A line of a table: a part as the family `go` spells it, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The part.
    pub part: String,
    /// Its canonical form.
    pub value: String,
}

/// Proves that the position has the claimed value, and says how.
///
/// # Errors
/// Why the claim does not hold, in words.
pub fn prove(position: &Position, claimed: &str, table: &[Entry]) -> Result<Proof, String> {
    let limits = Limits::default();
    let mut games = Games::with_limit(limits.steps);
    let read = games.parse(claimed).map_err(|error| format!("its value: {error}"))?;
    let shown = games.show(read);
    if shown != claimed {
        return Err(format!("its value is spelled {claimed}; expected {shown}"));
    }
    if !table.is_empty() {
        return by_table(&mut games, position, read, table);
    }
    match by_play(&mut games, position, read) {
        Some(Ok((true, claims))) => return Ok(Proof::Play(claims)),
        Some(Ok((false, _))) => return Err(format!("the position is not worth {claimed}")),
        Some(Err(_)) | None => {}
    }
    let (found_in, found) = value(position, limits).map_err(|error| error.to_string())?;
    let found = found_in.show(found);
    if found == claimed {
        Ok(Proof::Anew)
    } else {
        Err(format!("the position is worth {found}, not {claimed}"))
    }
}

fn by_table(
    games: &mut Games,
    position: &Position,
    value: Value,
    table: &[Entry],
) -> Result<Proof, String> {
    let Position::Go(board) = position else {
        return Err("it has a table; expected none for this family".to_string());
    };
    let mut lines = Vec::with_capacity(table.len());
    for (at, entry) in table.iter().enumerate() {
        let wrong = |what: String| format!("line {} of its table: {what}", at + 1);
        let board =
            Family::Go.read(&entry.part).map_err(|error| wrong(format!("expected {error}")))?;
        let Position::Go(board) = board else { return Err(wrong("no board".to_string())) };
        let value = games.parse(&entry.value).map_err(|error| wrong(error.to_string()))?;
        lines.push(Line { board, value });
    }
    check_table(games, board, value, &lines, Suicide::Forbidden)
        .map_err(|error| error.to_string())?;
    Ok(Proof::Table(lines.len()))
}

/// The table of a position of Go, if one proves its value and is not too long. It is found without
/// shared values.
#[must_use]
pub fn table(position: &Position, claimed: &str) -> Option<Vec<Entry>> {
    let Position::Go(board) = position else { return None };
    let limits = Limits::default();
    let mut endgames = Endgames::new(Suicide::Forbidden, limits.positions, limits.steps);
    endgames.keep_order();
    let value = endgames.value(board).ok()?;
    if endgames.games.show(value) != claimed {
        return None;
    }
    let (mut table, mut letters) = (Vec::new(), 0);
    for line in endgames.lines() {
        let part = line.board.to_string().replace('\n', "/");
        let value = endgames.games.show_within(line.value, MOST_LETTERS);
        letters += part.len() + value.len() + 8;
        if letters > MOST_LETTERS || value.ends_with('…') {
            return None;
        }
        table.push(Entry { part, value });
    }
    (!table.is_empty()).then_some(table)
}

/// Whether a position is too large to be played through.
#[must_use]
pub fn is_large(position: &Position) -> bool {
    let open = |board: &Board| board.cells().iter().filter(|cell| cell.is_open()).count();
    matches!(position, Position::Go(board) if open(board) > OPEN)
}

/// `None` if play is not tried; an error if it takes too long or repeats.
fn by_play(
    games: &mut Games,
    position: &Position,
    value: Value,
) -> Option<Result<(bool, usize), Unvalued>> {
    let proven = match position {
        Position::Domineering(board) => by_rules(games, &Domineering, board, value, MOST),
        Position::Clobber(board) => by_rules(games, &Clobber, board, value, MOST),
        Position::Toads(strip) => by_rules(games, &Toads, strip, value, MOST),
        Position::Go(board) => {
            if is_large(position) {
                return None;
            }
            return Some(by_go(games, board, value, Suicide::Forbidden, MOST));
        }
        Position::Expression(_) => return None,
    };
    Some(proven.map_err(Unvalued::from))
}
