//! KIF: diagrams (BOD) and game records as Japanese programs exchange them.

use crate::fault::Fault;
use crate::japanese::{FILES, RANKS, kind as kind_of, read_number};
use crate::kind::Kind;
use crate::moves::{Move, Origin};
use crate::position::{Piece, Position};
use crate::record::{Game, legal};
use crate::sfen::{self, place};
use crate::side::Side;
use crate::square::Square;
use crate::{drawing, japanese};

/// Starts with a handicap, by what White leaves out of the usual start.
const HANDICAPS: [(&str, &str); 11] = [
    ("平手", "lnsgkgsnl/1r5b1"),
    ("香落ち", "lnsgkgsn1/1r5b1"),
    ("右香落ち", "1nsgkgsnl/1r5b1"),
    ("角落ち", "lnsgkgsnl/1r7"),
    ("飛車落ち", "lnsgkgsnl/7b1"),
    ("飛香落ち", "lnsgkgsn1/7b1"),
    ("二枚落ち", "lnsgkgsnl/9"),
    ("四枚落ち", "1nsgkgsn1/9"),
    ("六枚落ち", "2sgkgs2/9"),
    ("八枚落ち", "3gkg3/9"),
    ("十枚落ち", "4k4/9"),
];

/// Words that end a record.
const ENDS: [&str; 12] = [
    "投了",
    "中断",
    "詰み",
    "千日手",
    "持将棋",
    "反則勝ち",
    "反則負け",
    "切れ負け",
    "入玉勝ち",
    "不戦敗",
    "不戦勝",
    "不詰",
];

/// Reads a KIF text: a diagram or a handicap (the usual start without either), then moves.
///
/// # Errors
/// What is wrong, with the line.
pub fn read(text: &str) -> Result<Game, Fault> {
    let mut heading = Heading::default();
    let mut game: Option<Game> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let at = |fault: Fault| Fault::new(format!("line {number}: {fault}"));
        let words = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if words.is_empty() || words.starts_with(['#', '*', '&']) {
            continue;
        }
        // A variation begins: the main line is complete.
        if words.starts_with("変化") {
            break;
        }
        let Some(words) = move_words(words) else {
            heading.read(words).map_err(at)?;
            continue;
        };
        if ENDS.iter().any(|end| words.starts_with(end)) {
            break;
        }
        let game = match &mut game {
            Some(game) => game,
            none => none.insert(Game::new(heading.position().map_err(at)?)),
        };
        let now = game.last();
        let mv = read_move(&now, words, game.moves.last().map(|mv| mv.to())).map_err(at)?;
        game.push(mv);
    }
    match game {
        Some(game) => Ok(game),
        None => Ok(Game::new(heading.position()?)),
    }
}

/// The move of a line that begins with a number.
fn move_words(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let spaced = rest.starts_with(|c: char| c.is_whitespace());
    (rest.len() < line.len() && spaced).then(|| rest.trim_start())
}

/// What stands before the moves.
#[derive(Default)]
struct Heading {
    handicap: Option<Position>,
    board: Option<Position>,
    ranks: u8,
    hands: Vec<(Side, Kind, u32)>,
    /// The side that has all other pieces (残り全部).
    rest: Option<Side>,
    white_moves: bool,
}

impl Heading {
    fn read(&mut self, line: &str) -> Result<(), Fault> {
        if let Some(row) = line.strip_prefix('|') {
            return self.row(row);
        }
        if ["後手番", "上手番"].iter().any(|words| line.starts_with(words)) {
            self.white_moves = true;
        }
        let Some((key, value)) = line.split_once(['：', ':']) else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        match key {
            "手合割" => {
                let name = value.split_whitespace().next().unwrap_or("");
                if let Some((_, far)) = HANDICAPS.iter().find(|(known, _)| *known == name) {
                    let turn = if name == "平手" { "b" } else { "w" };
                    let near = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
                    self.handicap = Some(sfen::read(&format!("{far}/{near} {turn} - 1"))?);
                }
                Ok(())
            }
            "後手の持駒" | "上手の持駒" | "玉方の持駒" => {
                self.hand(Side::White, value)
            }
            "先手の持駒" | "下手の持駒" | "攻方の持駒" => {
                self.hand(Side::Black, value)
            }
            "手番" => {
                self.white_moves = value.starts_with(['後', '上']);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn row(&mut self, row: &str) -> Result<(), Fault> {
        let rank = self.ranks;
        if rank > 8 {
            return Err(Fault::new("more than 9 ranks in the diagram"));
        }
        let cells = row.split('|').next().unwrap_or("");
        let board = self.board.get_or_insert_with(Position::empty);
        let mut side = Side::Black;
        let mut column = 0;
        for sign in cells.chars() {
            match sign {
                ' ' | '^' => side = Side::Black,
                'v' | 'V' => side = Side::White,
                _ => {
                    if column > 8 {
                        return Err(Fault::new(format!("more than 9 files in {row:?}")));
                    }
                    if !matches!(sign, '・' | '.' | '　') {
                        let kind = kind_of(sign)
                            .ok_or_else(|| Fault::new(format!("{sign:?} is no piece")))?;
                        place(board, Piece { side, kind }, Square::at(8 - column, rank))?;
                    }
                    column += 1;
                    side = Side::Black;
                }
            }
        }
        if column != 9 {
            return Err(Fault::new(format!("{column} files in {row:?}; expected 9")));
        }
        self.ranks += 1;
        Ok(())
    }

    fn hand(&mut self, side: Side, text: &str) -> Result<(), Fault> {
        if text.starts_with("なし") || text.is_empty() {
            return Ok(());
        }
        if text.starts_with("残り") {
            self.rest = Some(side);
            return Ok(());
        }
        let bad = || Fault::new(format!("hand {text:?}; expected as in 金三　歩十二"));
        let mut held: Option<(Kind, String)> = None;
        let mut all = Vec::new();
        for sign in text.chars().filter(|sign| !sign.is_whitespace()) {
            match (kind_of(sign), &mut held) {
                (Some(kind), _) if kind.is_promoted() || kind == Kind::King => return Err(bad()),
                (Some(kind), _) => all.extend(held.replace((kind, String::new()))),
                (None, Some((_, digits))) => digits.push(sign),
                (None, None) => return Err(bad()),
            }
        }
        all.extend(held);
        for (kind, digits) in all {
            let count = if digits.is_empty() { Some(1) } else { read_number(&digits) };
            let count = count.or_else(|| digits.parse().ok());
            self.hands.push((side, kind, count.ok_or_else(bad)?));
        }
        Ok(())
    }

    /// The position before the first move. A diagram counts more than a handicap beside it.
    fn position(&self) -> Result<Position, Fault> {
        let Some(mut position) = self.board else {
            return self.handicap.map_or_else(|| sfen::read(sfen::START), Ok);
        };
        if self.ranks != 9 {
            return Err(Fault::new(format!("{} ranks in the diagram; expected 9", self.ranks)));
        }
        for &(side, kind, count) in &self.hands {
            let before = position.hand(side).count(kind);
            sfen::add(&mut position, side, kind, before + count)?;
        }
        if let Some(side) = self.rest {
            sfen::fill_hand(&mut position, side)?;
        }
        if self.white_moves {
            position.set_turn(Side::White);
        }
        Ok(position)
    }
}

/// Reads a move as in `７六歩(77)`, `同　銀成(42)`, `５五歩打`; without the square in brackets it must
/// be the only one of its kind.
///
/// # Errors
/// If it is no move, not legal, or one of several.
pub fn read_move(position: &Position, text: &str, last: Option<Square>) -> Result<Move, Fault> {
    let bad = || Fault::new(format!("found {text:?}; expected a move as in ７六歩(77)"));
    let mut rest = text.trim_start_matches(['▲', '△', '☗', '☖']);
    let to = if let Some(after) = rest.strip_prefix('同') {
        rest = after.trim_start();
        last.ok_or_else(bad)?
    } else {
        let mut signs = rest.chars();
        let digit = |sign: char, names: &[char; 9]| {
            let ascii = sign.to_digit(10).filter(|digit| (1..10).contains(digit));
            names.iter().position(|&name| name == sign).or(ascii.map(|digit| digit as usize - 1))
        };
        let file = signs.next().and_then(|sign| digit(sign, &FILES)).ok_or_else(bad)?;
        let rank = signs.next().and_then(|sign| digit(sign, &RANKS)).ok_or_else(bad)?;
        rest = signs.as_str();
        Square::at(file as u8, rank as u8)
    };
    let kind = Kind::ALL.into_iter().rev().find(|&kind| rest.starts_with(japanese::word(kind)));
    let first = rest.chars().next().ok_or_else(bad)?;
    let kind = kind.or_else(|| kind_of(first)).ok_or_else(bad)?;
    let named = if rest.starts_with(japanese::word(kind)) {
        japanese::word(kind).len()
    } else {
        first.len_utf8()
    };
    rest = &rest[named..];
    let (how, from) = match rest.split_once('(') {
        Some((how, from)) => (how.trim(), from.get(..2).and_then(read_square)),
        None => (rest.split_whitespace().next().unwrap_or(""), None),
    };
    let promotes = how.ends_with('成') && !how.ends_with("不成");
    if how.starts_with('打') {
        return legal(position, Move::drop(kind, to));
    }
    if let Some(from) = from {
        let there = position.piece_on(from).map(|piece| piece.kind);
        if there != Some(kind) {
            return Err(Fault::new(format!("{text:?}: no {} on {from}", kind.name())));
        }
        return legal(position, Move::board(from, to, promotes));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let board = |mv: &Move| {
        let Origin::Board(from) = mv.origin() else { return false };
        mv.to() == to && mv.promotes() == promotes && position.kind_on(from) == kind
    };
    let on_board: Vec<Move> = moves.iter().copied().filter(board).collect();
    match on_board[..] {
        [mv] => Ok(mv),
        [] => legal(position, Move::drop(kind.base(), to)),
        _ => Err(Fault::new(format!("{text:?} fits several moves; expected the square it leaves"))),
    }
}

/// A square as in 77.
fn read_square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Some(Square::at(file - b'1', rank - b'1')),
        _ => None,
    }
}

/// A record as KIF: the diagram, the moves, and `end` (as in 詰み) as the last line.
#[must_use]
pub fn write(game: &Game, end: &str) -> String {
    let mut text = format!("{}\n手数----指手---------消費時間--\n", drawing::diagram(&game.start));
    let mut position = game.start;
    let mut last = None;
    for (number, &mv) in (1..).zip(&game.moves) {
        text.push_str(&format!("{number:>4} {}\n", japanese::spell(&position, mv, last)));
        position = position.play(mv);
        last = Some(mv.to());
    }
    text.push_str(&format!("{:>4} {end}\n", game.moves.len() + 1));
    text
}
