//! The spelling of positions for keys: equal for positions that mirror each other, and for a
//! position and its negative.

use hasami_cgt::rules::clobber::ClobberBoard;
use hasami_cgt::rules::domineering;
use hasami_cgt::rules::toads::Strip;

use super::shared::Local;
use crate::go::Board;

/// Smaller boards are valued faster than they are looked up.
const DOMINEERING: u32 = 10;
const SIGNS: usize = 8;
const GO: usize = 4;

impl Local for domineering::Board {
    fn spelled(&self) -> (Vec<u8>, bool) {
        let (own, turned) = (self.key(), self.turned().key());
        if turned < own { (turned.to_vec(), true) } else { (own.to_vec(), false) }
    }

    fn large(&self) -> bool {
        self.cells() >= DOMINEERING
    }
}

/// Colours swapped: the negative.
impl Local for ClobberBoard {
    fn spelled(&self) -> (Vec<u8>, bool) {
        lesser(self.to_string(), |sign| match sign {
            'x' => 'o',
            'o' => 'x',
            other => other,
        })
    }

    fn large(&self) -> bool {
        self.to_string().bytes().filter(|sign| b"xo".contains(sign)).count() >= SIGNS
    }
}

/// Frogs for toads, and every strip from its other end: the negative.
impl Local for Strip {
    fn spelled(&self) -> (Vec<u8>, bool) {
        let own = self.to_string();
        let backwards: Vec<String> =
            own.split('/').map(|strip| strip.chars().rev().collect()).collect();
        let exchanged = |sign| match sign {
            'T' => 'F',
            'F' => 'T',
            other => other,
        };
        let other: String = backwards.join("/").chars().map(exchanged).collect();
        if other < own { (other.into_bytes(), true) } else { (own.into_bytes(), false) }
    }

    fn large(&self) -> bool {
        self.to_string().len() >= SIGNS
    }
}

/// Boards come in normal form: the least of all orientations and both colourings.
impl Local for Board {
    fn spelled(&self) -> (Vec<u8>, bool) {
        (self.to_string().into_bytes(), false)
    }

    fn large(&self) -> bool {
        self.cells().iter().filter(|cell| cell.is_open()).count() >= GO
    }
}

fn lesser(own: String, exchanged: impl Fn(char) -> char) -> (Vec<u8>, bool) {
    let other: String = own.chars().map(exchanged).collect();
    if other < own { (other.into_bytes(), true) } else { (own.into_bytes(), false) }
}
