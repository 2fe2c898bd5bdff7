use hasami_game::text_certificate::{TextFileError, with_hash};
use proptest::prelude::*;

use super::*;
use crate::paving::seed::seed_pavings;
use crate::paving::seed::tests::shapes_of;
use crate::paving::{Answer, Periods, paving_of_period, smallest_paving};

fn claim(shapes: &str) -> Claim {
    let shapes = shapes_of(shapes);
    let answer = smallest_paving(&shapes, Pairs::Adjacent, Periods::All, 8);
    let Answer::Found(paving) = answer else { panic!("{answer:?}") };
    Claim::new(&shapes, Pairs::Adjacent, &paving)
}

/// The verifier's result for a file with these bytes.
fn verdict_of(bytes: &[u8]) -> Result<Verified, TextFileError> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.paving");
    std::fs::write(&file, bytes).unwrap();
    verify(&file)
}

/// The text with a line changed, and a matching hash.
fn forged(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{text}");
    with_hash(text[..text.rfind("sha256").unwrap()].replace(from, to))
}

#[test]
fn what_is_written_is_read_and_holds() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("square-i.paving");
    for shapes in ["Square,I", "Z", "SS,ZZ", "X,T,L,U"] {
        let claim = claim(shapes);
        let bytes = claim.write(&file).unwrap();
        assert_eq!(bytes, std::fs::metadata(&file).unwrap().len());
        assert_eq!(verify(&file).unwrap().claim, claim);
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn the_verifier_and_the_paving_agree_on_the_six_and_the_twelve() {
    for (number, seed) in seed_pavings() {
        for shape in shapes_of("Square,Z,W,R,X,T,L,U,I,UU,SS,ZZ") {
            for paving in [&seed, &seed.primitive(), &seed.turned(5).moved((1, 2))] {
                let claim = Claim::new(std::slice::from_ref(&shape), Pairs::Adjacent, paving);
                assert_eq!(check(&claim).is_ok(), paving.blocks(&shape), "{number} {shape}");
            }
        }
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let text = claim("Square,I").text();
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            assert!(verdict_of(&bytes).is_err(), "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn every_cut_is_refused() {
    let text = claim("Square,I").text();
    for length in 0..text.len() {
        assert!(verdict_of(&text.as_bytes()[..length]).is_err(), "{length} bytes");
    }
    assert!(verdict_of(format!("{text}\n").as_bytes()).is_err());
    assert!(verdict_of(format!("{text}x").as_bytes()).is_err());
}

#[test]
fn damage_is_told_with_line_and_expectation() {
    let text = claim("Square,I").text();
    let message = |bytes: &str| verdict_of(bytes.as_bytes()).unwrap_err().to_string();
    for (bytes, line, words) in [
        (text.replace("hasami paving 2", "hasami paving 1"), 1, "expected version 2, the only one"),
        (text.replace("hasami", "hasam"), 1, "expected \"hasami paving 2\""),
        (text.replace("#####", "######"), 7, "the hash of all before it"),
        (text.replace("sha256", "sha512"), 7, "expected a last line \"sha256"),
        (forged(&text, "##/##,", "##/##/,"), 2, "expected \"shapes ##/##,#####\""),
        (forged(&text, "##/##,#####", "#####,##/##"), 2, "expected \"shapes ##/##,#####\""),
        (forged(&text, "#####", "#/#/#/#/#"), 2, "expected \"shapes ##/##,#####\""),
        (forged(&text, "#####", "##/###"), 2, "expected \"shapes ##/##\""),
        (forged(&text, "##/##,#####", "Square,I"), 2, "no cell; expected at least one #"),
        (forged(&text, "#####", "#.###"), 2, "cells apart"),
        (forged(&text, "shapes", "shape"), 2, "expected \"shapes ##/##,#####\""),
        (forged(&text, "adjacent", "near"), 3, "\"pairs adjacent\" or \"pairs any\""),
        (forged(&text, "1x4+1", "1x4+5"), 4, "shift 5 is not below"),
        (forged(&text, "1x4+1", "01x4+1"), 4, "expected \"period 1x4+1\""),
        (forged(&text, "pair 0 0", "pair 0"), 5, "\"pair ROW COLUMN step DOWN RIGHT\""),
        (forged(&text, "pair 0 0", "pair 0 +0"), 5, "expected \"pair 0 0"),
    ] {
        let message = message(&bytes);
        assert!(
            message.contains(&format!("line {line}: ")) && message.contains(words),
            "{message}"
        );
    }
}

#[test]
fn claims_that_do_not_hold_are_refused() {
    let good = claim("Square,I");
    let refused = |change: &dyn Fn(&mut Claim)| {
        let mut claim = good.clone();
        change(&mut claim);
        match verdict_of(claim.text().as_bytes()) {
            Err(TextFileError::Refused { detail, .. }) => detail,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(&|claim| claim.shapes = shapes_of("W")).contains("holds no whole pair"));
    assert!(refused(&|claim| claim.list.truncate(1)).contains("holds no whole pair"));
    assert!(refused(&|claim| claim.list.insert(0, claim.list[0])).contains("in two pairs"));
    assert!(refused(&|claim| claim.list.reverse()).contains("out of order"));
    assert!(
        refused(&|claim| claim.list[0] = ((0, 1), (1, 0))).contains("its partner's cell first")
    );
    assert!(refused(&|claim| claim.list[0].1 = (0, 4)).contains("no domino"));
    assert!(refused(&|claim| claim.list[0].0 = (7, 0)).contains("is outside"));
    assert!(
        refused(&|claim| {
            claim.pairs = Pairs::Any;
            claim.list[0].1 = (0, 4);
        })
        .contains("in two pairs")
    );
}

#[test]
fn a_claim_has_a_file_of_its_own_whatever_the_order_of_its_shapes() {
    let name = |text| claim(text).file_name();
    assert_eq!(name("Square,I"), name("I,Square"));
    assert_ne!(name("Square,I"), name("Square,X"));
    let shapes = shapes_of("Square,I");
    let torus = paving_of_period("4x4".parse().unwrap(), &shapes, Pairs::Adjacent).unwrap();
    let torus = Claim::new(&shapes, Pairs::Adjacent, &torus);
    assert_ne!(torus.file_name(), name("Square,I"), "another period");
}

#[test]
fn one_file_can_be_written_by_many_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("c.paving");
    let claim = claim("Square,I");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    claim.write(&file).unwrap();
                    assert_eq!(verify(&file).unwrap().claim, claim);
                }
            });
        }
    });
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn any_pairs_are_certified_too() {
    let shapes = shapes_of("Square");
    let paving = paving_of_period("2x2".parse().unwrap(), &shapes, Pairs::Any).unwrap();
    let claim = Claim::new(&shapes, Pairs::Any, &paving);
    assert_eq!(verdict_of(claim.text().as_bytes()).unwrap().claim, claim);
}

proptest! {
    #[test]
    fn any_changed_byte_is_refused(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let shapes = shapes_of("X");
        let claim = Claim::new(&shapes, Pairs::Adjacent, &Paving::parse("<>").unwrap());
        let mut bytes = claim.text().into_bytes();
        let place = at.index(bytes.len());
        prop_assume!(bytes[place] != byte);
        bytes[place] = byte;
        prop_assert!(verdict_of(&bytes).is_err());
    }
}

/// Every number and word of a small certificate changed, with a matching hash: what is accepted is
/// true, by a count of its own.
#[test]
fn forgeries_are_refused_unless_they_are_true() {
    let text = claim("Square,I").text();
    let body = &text[..text.rfind("sha256").unwrap()];
    let (mut refused, mut still_true) = (0, 0);
    let mut forge = |changed: String| match verdict_of(with_hash(changed).as_bytes()) {
        Err(_) => refused += 1,
        Ok(verified) => {
            assert!(blocks_plainly(&verified.claim), "{verified:?}");
            still_true += 1;
        }
    };
    for (at, line) in body.lines().enumerate() {
        let with = |other: &str| {
            let lines = body.lines().enumerate();
            lines.map(|(n, line)| format!("{}\n", if n == at { other } else { line })).collect()
        };
        let words: Vec<&str> = line.split(' ').collect();
        for word in 0..words.len() {
            for other in [
                "0", "1", "-1", "2", "3", "any", "adjacent", "1x4", "2x2", "2x4+1", "##/##",
                "#####",
            ] {
                let mut words = words.clone();
                words[word] = other;
                if words.join(" ") != line {
                    forge(with(&words.join(" ")));
                }
            }
        }
        forge(
            body.lines()
                .enumerate()
                .filter(|(n, _)| *n != at)
                .map(|(_, line)| format!("{line}\n"))
                .collect(),
        );
        forge(body.replace(line, &format!("{line}\n{line}")));
    }
    // `pairs any` and fewer shapes are true still.
    assert!(refused > 200 && still_true == 3, "{refused} refused, {still_true} true");
}

/// The pairs laid out on a large board, and all placements in its middle, cell by cell.
fn blocks_plainly(claim: &Claim) -> bool {
    let (rows, columns, shift) = claim.period.sides();
    let mut partner = std::collections::BTreeMap::new();
    for &((row, column), (down, right)) in &claim.list {
        for (a, b) in (-40..40).flat_map(|a| (-40..40).map(move |b| (a, b))) {
            let cell = (row + a * rows, column + a * shift + b * columns);
            let other = (cell.0 + down, cell.1 + right);
            if partner.insert(cell, other).is_some() || partner.insert(other, cell).is_some() {
                return false;
            }
        }
    }
    claim.shapes.iter().flat_map(Shape::orientations).all(|cells| {
        (0..12).flat_map(|row| (0..12).map(move |column| (row, column))).all(|(row, column)| {
            let placed: Vec<Vector> =
                cells.iter().map(|&(r, c)| (row + i32::from(r), column + i32::from(c))).collect();
            placed.iter().any(|cell| partner.get(cell).is_some_and(|other| placed.contains(other)))
        })
    })
}
