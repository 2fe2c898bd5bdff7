//! A position as a diagram for people: the one that KIF files use, which [`crate::kif`] reads.

use crate::hand::{Hand, Rank};
use crate::japanese::{RANKS, number, sign};
use crate::kind::Kind;
use crate::position::Position;
use crate::side::Side;
use crate::square::Square;

/// The diagram with both hands and the side to move.
#[must_use]
pub fn diagram(position: &Position) -> String {
    let mut text = format!("後手の持駒：{}\n", held(position.hand(Side::White)));
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 0..9u8 {
        text.push('|');
        for file in (0..9).rev() {
            match position.piece_on(Square::at(file, rank)) {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.side == Side::Black { ' ' } else { 'v' });
                    text.push(sign(piece.kind));
                }
            }
        }
        text.push_str(&format!("|{}\n", RANKS[usize::from(rank)]));
    }
    text.push_str("+---------------------------+\n");
    text.push_str(&format!("先手の持駒：{}\n", held(position.hand(Side::Black))));
    text.push_str(if position.turn() == Side::Black { "先手番" } else { "後手番" });
    text
}

/// The diagram, who attacks, and the plies left.
pub(crate) fn board(position: &Position, attacker: Side) -> String {
    let side = if attacker == Side::Black { "先手" } else { "後手" };
    let left = match position.left() {
        Rank::ENDLESS => String::new(),
        left => format!("; plies left: {left}"),
    };
    format!("{} (攻方 {side}{left})", diagram(position))
}

fn held(hand: Hand) -> String {
    let kinds = Kind::HELD.into_iter().rev().filter(|&kind| hand.has(kind));
    let words: Vec<String> = kinds
        .map(|kind| match hand.count(kind) {
            1 => sign(kind).to_string(),
            count => format!("{}{}", sign(kind), number(count)),
        })
        .collect();
    if words.is_empty() { "なし".to_string() } else { words.join("　") }
}
