//! Symmetries in the bytes of a certificate: a map of the board, and one of the pieces.
//!
//! Byte 1 is an order of the coordinates, two bits each, for rows and columns alike. Bit 0 of byte 2
//! exchanges rows and columns after that, bit 1 then mirrors the columns. Byte 3 is an order of the
//! bits of a piece, two bits each; byte 4 is added to it by exclusive or.

use std::sync::LazyLock;

use hasami_andor::certificate::Fault;

use super::lines::LINES;
use super::position::{NO_PIECE, Position, members};

/// The maps of the board that preserve all lines, each with its two bytes.
static MAPS: LazyLock<Vec<([u8; 2], [u8; 16])>> = LazyLock::new(|| {
    let mut maps: Vec<([u8; 2], [u8; 16])> = Vec::new();
    for order in 0..=255 {
        for turn in 0..4 {
            let map = map([order, turn]);
            if keeps_lines(&map) && !maps.iter().any(|known| known.1 == map) {
                maps.push(([order, turn], map));
            }
        }
    }
    maps
});

/// The image of every cell.
fn map([order, turn]: [u8; 2]) -> [u8; 16] {
    std::array::from_fn(|cell| {
        let coordinate = |at: usize| order >> (2 * at) & 3;
        let (mut row, mut column) = (coordinate(cell / 4), coordinate(cell % 4));
        if turn & 1 == 1 {
            (row, column) = (column, row);
        }
        if turn & 2 == 2 {
            column = 3 - column;
        }
        4 * row + column
    })
}

fn image(map: &[u8; 16], cells: u16) -> u16 {
    members(cells).fold(0, |all, cell| all | 1 << map[usize::from(cell)])
}

fn keeps_lines(map: &[u8; 16]) -> bool {
    image(map, u16::MAX) == u16::MAX && LINES.iter().all(|&line| LINES.contains(&image(map, line)))
}

/// The piece whose bits are in another order, and some of them changed.
fn piece(order: u8, change: u8, piece: u8) -> u8 {
    let moved = (0..4).fold(0, |all, bit| all | (piece >> bit & 1) << (order >> (2 * bit) & 3));
    moved ^ change
}

fn is_order(order: u8) -> bool {
    (0..4).fold(0, |all, bit| all | 1 << (order >> (2 * bit) & 3)) == 0b1111
}

/// The image of a position.
fn apply_to(position: &Position, map: &[u8; 16], order: u8, change: u8) -> Position {
    let mut planes = [0; 4];
    for bit in 0..4u8 {
        let to = order >> (2 * bit) & 3;
        let plane = image(map, position.planes[usize::from(bit)]);
        let occupied = image(map, position.occupied);
        planes[usize::from(to)] = if change >> to & 1 == 1 { plane ^ occupied } else { plane };
    }
    let left = members(position.left).fold(0, |all, one| all | 1 << piece(order, change, one));
    let hand = match position.hand {
        NO_PIECE => NO_PIECE,
        hand => piece(order, change, hand),
    };
    Position { occupied: image(map, position.occupied), planes, left, hand }
}

/// The image of a position under the symmetry with these bytes.
///
/// # Errors
/// If they are no symmetry.
pub(super) fn apply([one, two, order, change]: [u8; 4], of: &Position) -> Result<Position, Fault> {
    let map = map([one, two & 3]);
    if two > 3 || !keeps_lines(&map) {
        return Err(format!("bytes {one} and {two} are no symmetry of the board"));
    }
    if !is_order(order) || change > 15 {
        return Err(format!("bytes {order} and {change} are no symmetry of the pieces"));
    }
    Ok(apply_to(of, &map, order, change))
}

/// The bytes of a symmetry that takes one position to the other.
pub(super) fn between(from: &Position, to: &Position) -> [u8; 4] {
    let fits = MAPS.iter().filter(|(_, map)| image(map, from.occupied) == to.occupied);
    for ([one, two], map) in fits {
        for order in (0..=255).filter(|&order| is_order(order)) {
            let change = piece(order, 0, from.hand & 15) ^ (to.hand & 15);
            if apply_to(from, map, order, change) == *to {
                return [*one, *two, order, change];
            }
        }
    }
    // Two states with one key are images of each other; a checker refuses anything else.
    [0xe4, 0, 0xe4, 0]
}
