//! The six pavings of Yakuwa et al.

use super::pattern::Paving;
use crate::polyomino::shape::Shape;

/// One period each, by number. What they block is computed, not listed.
const PICTURES: [&str; 6] =
    ["^/v", "<>/><", "<>/<>/></><", "<>^^/<>vv/^^<>/vv<>", "vv/></^^", "v^<>/>v^</<>v^/^<>v"];

/// The six pavings with their numbers.
#[must_use]
pub fn seed_pavings() -> Vec<(u8, Paving)> {
    let parsed = PICTURES.iter().map(|picture| Paving::parse(picture).expect("a right picture"));
    (1..).zip(parsed).collect()
}

/// The number of a paving among the six, as an infinite pattern up to translation, rotation and
/// reflection.
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
    pub use crate::polyomino::paper::PAIRS;
    use crate::polyomino::shape::parse_set;

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
