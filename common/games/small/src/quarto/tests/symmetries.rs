//! Equal keys for equivalent positions, different keys for others.

use std::collections::HashSet;

use super::plain::{Plain, random_position};
use crate::quarto::symmetry::{Canonical, MAPS, symmetry};
use hasami_game::random::SplitMix;

/// Every bijection of the cells that maps lines to lines, found cell by cell.
fn all_maps() -> Vec<[usize; 16]> {
    let mut lines: Vec<[usize; 4]> = Vec::new();
    for i in 0..4 {
        lines.push([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
        lines.push([i, 4 + i, 8 + i, 12 + i]);
    }
    lines.extend([[0, 5, 10, 15], [3, 6, 9, 12]]);
    let together = |a: usize, b: usize| lines.iter().any(|l| l.contains(&a) && l.contains(&b));
    let mut found = Vec::new();
    let mut open = vec![Vec::<usize>::new()];
    while let Some(map) = open.pop() {
        let cell = map.len();
        if cell == 16 {
            let kept = lines.iter().all(|line| {
                let image = line.map(|cell| map[cell]);
                lines.iter().any(|other| other.iter().all(|cell| image.contains(cell)))
            });
            if kept {
                found.push(map.try_into().unwrap());
            }
            continue;
        }
        for image in (0..16).filter(|image| !map.contains(image)) {
            if (0..cell).all(|other| together(other, cell) == together(map[other], image)) {
                let mut longer = map.clone();
                longer.push(image);
                open.push(longer);
            }
        }
    }
    found
}

/// The 384 maps of the pieces that preserve common values.
fn piece_maps() -> Vec<[u8; 16]> {
    let mut maps = Vec::new();
    for code in 0..256 {
        let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        if (0..4).all(|bit| order.contains(&bit)) {
            for complement in 0..16 {
                maps.push(std::array::from_fn(|piece| {
                    (0..4).fold(0, |all, bit| all | (piece as u8 >> bit & 1) << order[bit])
                        ^ complement
                }));
            }
        }
    }
    maps
}

fn mapped(plain: &Plain, board: &[usize; 16], pieces: &[u8; 16]) -> Plain {
    let mut image = Plain { cells: [None; 16], hand: pieces[usize::from(plain.hand)] };
    for (cell, piece) in plain.cells.iter().enumerate() {
        image.cells[board[cell]] = piece.map(|piece| pieces[usize::from(piece)]);
    }
    image
}

fn form(plain: &Plain) -> Canonical {
    symmetry().canonical(&plain.position())
}

#[test]
fn there_are_32_maps_of_the_board_and_384_of_the_pieces() {
    assert_eq!(all_maps().len(), MAPS);
    assert_eq!(piece_maps().len(), 384);
}

#[test]
fn all_images_of_a_position_have_one_form() {
    let (boards, pieces) = (all_maps(), piece_maps());
    let mut random = SplitMix::new(5);
    for count in 0..16 {
        let plain = random_position(count.min(13), &mut random);
        let expected = form(&plain);
        for board in &boards {
            for map in pieces.iter().skip(random.below(7) as usize).step_by(7) {
                assert_eq!(form(&mapped(&plain, board, map)), expected, "{}", plain.spelled());
            }
        }
    }
}

#[test]
fn positions_with_one_form_are_images_of_one_another() {
    // Every position with one piece and a piece in hand, and every one with the first two cells
    // taken: as many forms as classes under all 12,288 maps.
    let (boards, pieces) = (all_maps(), piece_maps());
    let mut all = Vec::new();
    for piece in 1..16 {
        for cell in 0..16 {
            let mut plain = Plain { cells: [None; 16], hand: 0 };
            plain.cells[cell] = Some(piece);
            all.push(plain.clone());
            let other = (cell + 5) % 16;
            for second in (1..16).filter(|&second| second != piece) {
                let mut two = plain.clone();
                two.cells[other] = Some(second);
                all.push(two);
            }
        }
    }
    let mut forms = HashSet::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut classes = 0;
    for plain in &all {
        forms.insert(form(plain));
        if seen.contains(&plain.spelled()) {
            continue;
        }
        classes += 1;
        for board in &boards {
            seen.extend(pieces.iter().map(|map| mapped(plain, board, map).spelled()));
        }
    }
    assert_eq!(forms.len(), classes);
}
