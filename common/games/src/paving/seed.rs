//! The six pavings of Yakuwa et al., and which of them a paving is.

use super::pattern::Paving;
use crate::polyomino::shape::Shape;

/// One period each, in the order of their numbers. What they block is computed, not listed.
const PICTURES: [&str; 6] =
    ["^/v", "<>/><", "<>/<>/></><", "<>^^/<>vv/^^<>/vv<>", "vv/></^^", "v^<>/>v^</<>v^/^<>v"];

/// The six pavings with their numbers.
#[must_use]
pub fn seed_pavings() -> Vec<(u8, Paving)> {
    let parsed = PICTURES.iter().map(|picture| Paving::parse(picture).expect("a right picture"));
    (1..).zip(parsed).collect()
}

/// The number of the one that this is, as an infinite pattern up to translation, turning and
/// mirroring.
#[must_use]
pub fn seed_number(paving: &Paving) -> Option<u8> {
    let wanted = paving.canonical();
    let mut seeds = seed_pavings().into_iter();
    seeds.find(|(_, seed)| seed.canonical() == wanted).map(|(number, _)| number)
}

/// The numbers of those that block all these shapes.
#[must_use]
pub fn seed_numbers(shapes: &[Shape]) -> Vec<u8> {
    let blocks = |(_, seed): &(u8, Paving)| shapes.iter().all(|shape| seed.blocks(shape));
    seed_pavings().into_iter().filter(blocks).map(|(number, _)| number).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::polyomino::shape::parse_set;

    /// All pairs of the twelve losers (table 4 of the paper): loser, winner or open (`U`), and the
    /// numbers of the pavings that block both.
    pub const PAIRS: [(&str, char, &[u8]); 66] = [
        ("Square,Z", 'L', &[2]),
        ("Square,W", 'W', &[]),
        ("Square,R", 'W', &[]),
        ("Square,X", 'L', &[2, 6]),
        ("Square,T", 'L', &[2]),
        ("Square,L", 'L', &[2]),
        ("Square,U", 'W', &[]),
        ("Square,I", 'L', &[6]),
        ("Square,UU", 'L', &[2]),
        ("Square,SS", 'W', &[]),
        ("Square,ZZ", 'W', &[]),
        ("Z,W", 'L', &[1]),
        ("Z,R", 'L', &[1]),
        ("Z,X", 'L', &[1, 2]),
        ("Z,T", 'L', &[1, 2]),
        ("Z,L", 'L', &[1, 2]),
        ("Z,U", 'W', &[]),
        ("Z,I", 'W', &[]),
        ("Z,UU", 'L', &[2]),
        ("Z,SS", 'L', &[1]),
        ("Z,ZZ", 'W', &[]),
        ("W,R", 'L', &[1]),
        ("W,X", 'L', &[1, 4]),
        ("W,T", 'L', &[1]),
        ("W,L", 'L', &[1]),
        ("W,U", 'W', &[]),
        ("W,I", 'L', &[4]),
        ("W,UU", 'W', &[]),
        ("W,SS", 'L', &[1]),
        ("W,ZZ", 'W', &[]),
        ("R,X", 'L', &[1]),
        ("R,T", 'L', &[1]),
        ("R,L", 'L', &[1]),
        ("R,U", 'W', &[]),
        ("R,I", 'W', &[]),
        ("R,UU", 'W', &[]),
        ("R,SS", 'L', &[1]),
        ("R,ZZ", 'W', &[]),
        ("X,T", 'L', &[1, 2, 3]),
        ("X,L", 'L', &[1, 2, 3]),
        ("X,U", 'L', &[3]),
        ("X,I", 'L', &[4, 6]),
        ("X,UU", 'L', &[2]),
        ("X,SS", 'L', &[1, 5]),
        ("X,ZZ", 'L', &[5]),
        ("T,L", 'L', &[1, 2, 3]),
        ("T,U", 'L', &[3]),
        ("T,I", 'W', &[]),
        ("T,UU", 'L', &[2]),
        ("T,SS", 'L', &[1]),
        ("T,ZZ", 'W', &[]),
        ("L,U", 'L', &[3]),
        ("L,I", 'U', &[]),
        ("L,UU", 'L', &[2]),
        ("L,SS", 'L', &[1]),
        ("L,ZZ", 'W', &[]),
        ("U,I", 'W', &[]),
        ("U,UU", 'W', &[]),
        ("U,SS", 'W', &[]),
        ("U,ZZ", 'W', &[]),
        ("I,UU", 'U', &[]),
        ("I,SS", 'U', &[]),
        ("I,ZZ", 'U', &[]),
        ("UU,SS", 'W', &[]),
        ("UU,ZZ", 'W', &[]),
        ("SS,ZZ", 'L', &[5]),
    ];

    pub fn shapes_of(text: &str) -> Vec<Shape> {
        parse_set(text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_six_block_each_pair_as_the_paper_says() {
        for (pair, _, numbers) in PAIRS {
            assert_eq!(seed_numbers(&shapes_of(pair)), numbers, "{pair}");
        }
    }

    #[test]
    fn each_of_the_six_blocks_exactly_its_shapes() {
        let losers = shapes_of("Square,Z,W,R,X,T,L,U,I,UU,SS,ZZ");
        let expected =
            ["Z,W,R,X,T,L,SS", "Square,Z,X,T,L,UU", "X,T,L,U", "W,X,I", "X,SS,ZZ", "Square,X,I"];
        for ((number, seed), expected) in seed_pavings().into_iter().zip(expected) {
            let blocked: Vec<_> =
                losers.iter().filter(|s| seed.blocks(s)).map(ToString::to_string).collect();
            assert_eq!(blocked.join(","), expected, "paving {number}");
        }
    }

    #[test]
    fn the_six_block_no_winner() {
        let winners = ["Elam", "Domino", "Tic", "El", "Elly", "Knobby", "Tippy", "Skinny"];
        for name in winners.into_iter().chain(["L5", "Y5", "N5", "Snaky"]) {
            assert_eq!(seed_numbers(&shapes_of(name)), [], "{name}");
        }
    }

    #[test]
    fn each_of_the_six_is_itself_alone_however_it_lies() {
        for (number, seed) in seed_pavings() {
            for turn in 0..8 {
                assert_eq!(seed_number(&seed.turned(turn).moved((2, 3))), Some(number));
            }
        }
        assert_eq!(seed_number(&Paving::parse("<>/..").unwrap()), None);
        assert_eq!(seed_number(&Paving::parse("<><>/><><").unwrap()), Some(2));
    }
}
