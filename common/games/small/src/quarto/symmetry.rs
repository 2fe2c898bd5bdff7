//! One canonical position for all images under the 32 × 384 symmetries.
//!
//! The pieces cost nothing: swapping bit values so that the piece in hand becomes 0 uses up the 2⁴
//! complements, and sorting the four sets of cells undoes the 4! orders of the bits. Of the 32 maps
//! of the board only those are tried that make the set of occupied cells least, and a table lists
//! them: for most sets there is one.

use std::sync::LazyLock;

use super::lines::LINES;
use super::position::{NO_PIECE, Position};

/// Number of maps of the board that preserve all lines.
pub(super) const MAPS: usize = 32;

/// The least image of a set of cells, and the maps to it.
#[derive(Clone, Copy)]
struct Least {
    cells: u16,
    maps: u32,
}

/// All tables.
pub(super) struct Symmetry {
    /// For each map, the images of the lower and of the upper eight cells of a set.
    halves: Box<[[[u16; 256]; 2]; MAPS]>,
    least: Vec<Least>,
}

static SYMMETRY: LazyLock<Symmetry> = LazyLock::new(Symmetry::new);

/// The tables; keep the reference in hot code.
pub(super) fn symmetry() -> &'static Symmetry {
    &SYMMETRY
}

/// A board and the piece in hand without names for the pieces: equal only for equivalent positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Canonical {
    /// The occupied cells.
    pub cells: u16,
    /// The four sets of cells with a bit, sorted, the largest in the highest bits.
    pub planes: u64,
}

impl Symmetry {
    fn new() -> Self {
        let maps = board_maps();
        let mut halves = Box::new([[[0u16; 256]; 2]; MAPS]);
        for (map, tables) in maps.iter().zip(halves.iter_mut()) {
            for (half, table) in tables.iter_mut().enumerate() {
                for (byte, image) in table.iter_mut().enumerate() {
                    let cells = (0..8).filter(|cell| byte >> cell & 1 == 1);
                    *image = cells.fold(0, |all, cell| all | 1 << map[8 * half + cell]);
                }
            }
        }
        let mut symmetry = Self { halves, least: Vec::new() };
        let least = (0..=u16::MAX).map(|set| symmetry.least_slowly(set)).collect();
        symmetry.least = least;
        symmetry
    }

    fn least_slowly(&self, set: u16) -> Least {
        let mut least = Least { cells: u16::MAX, maps: 0 };
        for map in 0..MAPS {
            let cells = self.image(map, set);
            if cells < least.cells {
                least = Least { cells, maps: 0 };
            }
            if cells == least.cells {
                least.maps |= 1 << map;
            }
        }
        least
    }

    /// The image of a set of cells under a map.
    pub(super) fn image(&self, map: usize, set: u16) -> u16 {
        let [lower, upper] = &self.halves[map];
        lower[usize::from(set & 0xff)] | upper[usize::from(set >> 8)]
    }

    /// The canonical form of a position with a piece in hand.
    pub(super) fn canonical(&self, position: &Position) -> Canonical {
        debug_assert!(position.hand != NO_PIECE);
        let planes = without_hand(position);
        let Least { cells, mut maps } = self.least[usize::from(position.occupied)];
        let mut best = u64::MAX;
        while maps != 0 {
            let map = maps.trailing_zeros() as usize;
            maps &= maps - 1;
            best = best.min(sorted(planes.map(|plane| self.image(map, plane))));
        }
        Canonical { cells, planes: best }
    }
}

/// The canonical form under the symmetries of the pieces alone.
pub(super) fn by_pieces(position: &Position) -> Canonical {
    Canonical { cells: position.occupied, planes: sorted(without_hand(position)) }
}

/// The planes after the bit values are swapped so that the piece in hand is 0.
fn without_hand(position: &Position) -> [u16; 4] {
    let mut planes = position.planes;
    for (bit, plane) in planes.iter_mut().enumerate() {
        if position.hand >> bit & 1 == 1 {
            *plane ^= position.occupied;
        }
    }
    planes
}

/// Sorts four numbers with a network of five exchanges into one word.
fn sorted([a, b, c, d]: [u16; 4]) -> u64 {
    let (a, b) = (a.min(b), a.max(b));
    let (c, d) = (c.min(d), c.max(d));
    let (a, c) = (a.min(c), a.max(c));
    let (b, d) = (b.min(d), b.max(d));
    let (b, c) = (b.min(c), b.max(c));
    u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
}

/// The maps of the board that preserve all lines, each as the image of every cell.
///
/// Every map preserves the set of diagonals (their eight cells are the only ones on three lines)
/// and maps rows and columns to rows and columns. So it is an order of the four coordinates that
/// keeps or swaps the pairs {0,3} and {1,2}, used for both coordinates, with or without a
/// reflection in the diagonal and a rotation: all are found by trying.
fn board_maps() -> Vec<[u8; 16]> {
    let mut maps = Vec::new();
    for code in 0..256usize {
        let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        for turned in 0..4 {
            let map: [u8; 16] = std::array::from_fn(|cell| {
                let (row, column) = (order[cell / 4], order[cell % 4]);
                let (row, column) = if turned & 1 == 1 { (column, row) } else { (row, column) };
                let column = if turned & 2 == 2 { 3 - column } else { column };
                (4 * row + column) as u8
            });
            if keeps_lines(&map) && !maps.contains(&map) {
                maps.push(map);
            }
        }
    }
    assert_eq!(maps.len(), MAPS, "the number of maps that keep all lines");
    maps
}

fn keeps_lines(map: &[u8; 16]) -> bool {
    let image = |set: u16| {
        (0..16).filter(|cell| set >> cell & 1 == 1).fold(0u16, |all, cell| all | 1 << map[cell])
    };
    image(u16::MAX) == u16::MAX && LINES.iter().all(|&line| LINES.contains(&image(line)))
}
