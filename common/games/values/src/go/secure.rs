//! Territory that needs no search.
//!
//! Suppose that every open point of a part touches an immortal stone of one colour, say Black, and
//! no immortal White stone. A Black stone anywhere in it is connected to a wall, so Black can play
//! on every empty point, and every White stone inside is a potential prisoner. With `e` empty
//! points and `w` White stones the value is `e + 2w`: a Black move that captures `k` stones leaves
//! `e - 1 + k` points, `w - k` stones and `k` prisoners, one less in all; a White move leaves one
//! more; and while anything is left Black has a move. So the value is `{n - 1 | n + 1}` or `{n - 1
//! | }`, which is `n`.

use super::board::{Board, Cell, Colour};

/// The value of a part that certainly belongs to one colour.
#[must_use]
pub fn secure(part: &Board) -> Option<i64> {
    Colour::BOTH.into_iter().find_map(|colour| secure_for(part, colour))
}

fn secure_for(part: &Board, colour: Colour) -> Option<i64> {
    let mut count = 0;
    for point in 0..part.cells().len() {
        match part.at(point) {
            Cell::Empty => count += 1,
            Cell::Stone(of) if of != colour => count += 2,
            Cell::Stone(_) => return None,
            Cell::Wall(of) if of != colour => return None,
            Cell::Wall(_) | Cell::Outside => continue,
        }
        if !part.neighbours(point).any(|near| part.at(near) == Cell::Wall(colour)) {
            return None;
        }
    }
    Some(colour.sign() * count)
}
