//! Japanese names of pieces, numbers and squares, and moves as KIF writes them.

use crate::kind::Kind;
use crate::moves::{Move, Origin};
use crate::position::Position;
use crate::square::Square;

/// Files in full-width digits.
pub const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// Ranks in Chinese digits.
pub const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The name of a kind in a diagram: one character.
#[must_use]
pub const fn sign(kind: Kind) -> char {
    match kind {
        Kind::King => '玉',
        Kind::Pawn => '歩',
        Kind::Lance => '香',
        Kind::Knight => '桂',
        Kind::Silver => '銀',
        Kind::Gold => '金',
        Kind::Bishop => '角',
        Kind::Rook => '飛',
        Kind::ProPawn => 'と',
        Kind::ProLance => '杏',
        Kind::ProKnight => '圭',
        Kind::ProSilver => '全',
        Kind::Horse => '馬',
        Kind::Dragon => '龍',
    }
}

/// The kind that a character means, with the forms that are in use.
#[must_use]
pub fn kind(sign: char) -> Option<Kind> {
    match sign {
        '王' => Some(Kind::King),
        '竜' => Some(Kind::Dragon),
        _ => Kind::ALL.into_iter().find(|&kind| self::sign(kind) == sign),
    }
}

/// The name of a kind in a move: two characters for promoted lances, knights and silvers.
#[must_use]
pub const fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::King => "玉",
        Kind::Pawn => "歩",
        Kind::Lance => "香",
        Kind::Knight => "桂",
        Kind::Silver => "銀",
        Kind::Gold => "金",
        Kind::Bishop => "角",
        Kind::Rook => "飛",
        Kind::ProPawn => "と",
        Kind::ProLance => "成香",
        Kind::ProKnight => "成桂",
        Kind::ProSilver => "成銀",
        Kind::Horse => "馬",
        Kind::Dragon => "龍",
    }
}

/// A number from 1 to 18, as hands are written.
#[must_use]
pub fn number(count: u32) -> String {
    let digit = |digit: u32| RANKS[(digit as usize).clamp(1, 9) - 1];
    match count {
        0 => String::new(),
        1..=9 => digit(count).to_string(),
        10 => "十".to_string(),
        _ => format!("十{}", digit(count % 10)),
    }
}

/// Reads a number from 1 to 18.
#[must_use]
pub fn read_number(text: &str) -> Option<u32> {
    (1..=18).find(|&count| number(count) == text)
}

/// A square, as in ７六.
#[must_use]
pub fn square(square: Square) -> String {
    [FILES[usize::from(square.file())], RANKS[usize::from(square.rank())]].iter().collect()
}

/// A move of the side to move as KIF writes it: `７六歩(77)`, `同　銀成(42)`, `５五歩打`. `last` is the
/// square of the move before.
#[must_use]
pub fn spell(position: &Position, mv: Move, last: Option<Square>) -> String {
    let to = if last == Some(mv.to()) { "同　".to_string() } else { square(mv.to()) };
    match mv.origin() {
        Origin::Hand(kind) => format!("{to}{}打", word(kind)),
        Origin::Board(from) => {
            let promotes = if mv.promotes() { "成" } else { "" };
            let kind = word(position.kind_on(from));
            format!("{to}{kind}{promotes}({}{})", from.file() + 1, from.rank() + 1)
        }
    }
}
