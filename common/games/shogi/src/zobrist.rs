//! Random words for board keys. A key of a board has 96 bits; the low 32 are left for the hand.

use crate::kind::Kind;
use crate::side::Side;
use crate::square::Square;

/// The next word of a fixed stream (splitmix64).
const fn scramble(seed: u64) -> u64 {
    let mut x = seed;
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// 96 random bits for number `at`, above 32 zeros.
const fn word(at: u64) -> u128 {
    let step = 0x9e37_79b9_7f4a_7c15_u64;
    let high = scramble(step.wrapping_mul(2 * at + 1));
    let low = scramble(step.wrapping_mul(2 * at + 2));
    ((high as u128) << 64 | low as u128) & !0xffff_ffff
}

const fn words() -> [[[u128; 81]; 16]; 2] {
    let mut all = [[[0; 81]; 16]; 2];
    let mut at = 0;
    while at < 2 * 16 * 81 {
        all[at / 81 / 16][at / 81 % 16][at % 81] = word(at as u64);
        at += 1;
    }
    all
}

static PIECES: [[[u128; 81]; 16]; 2] = words();

/// The word that is in a key when White is to move.
pub const WHITE_TO_MOVE: u128 = word(2 * 16 * 81);

/// The word of a piece on a square.
#[must_use]
#[inline]
pub fn piece(side: Side, kind: Kind, square: Square) -> u128 {
    PIECES[side.index()][kind.number()][square.number()]
}
