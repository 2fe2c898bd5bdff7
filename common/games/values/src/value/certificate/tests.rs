use hasami_game::text_certificate::with_hash;

use super::*;
use crate::go::Claimed;
use crate::value::prove::Entry;
use crate::value::{Family, Limits, find_proof, value};

/// The certificate of a position of a family.
fn claim(family: Family, text: &str) -> Claim {
    let read = family.read(text).unwrap();
    let (games, worth) = value(&read, Limits::default()).unwrap();
    let shown = games.show(worth);
    let (game, position) = family.in_full(text).unwrap();
    let proof = find_proof(&read, &shown);
    Claim { game, position, value: shown, proof }
}

fn verdict_of(bytes: &[u8]) -> Result<Verified, TextFileError> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.value");
    std::fs::write(&file, bytes).unwrap();
    verify(&file)
}

fn holds(claim: &Claim) -> bool {
    match verdict_of(claim.text().as_bytes()) {
        Ok(_) => true,
        Err(TextFileError::Refused { .. }) => false,
        Err(other) => panic!("{claim:?}: {other}"),
    }
}

fn lines(claim: &Claim) -> &[Entry] {
    match &claim.proof {
        Proof::Table(lines) => lines,
        other => panic!("{} {}: {other:?}", claim.game.name(), claim.position),
    }
}

/// Positions with a certificate of every kind.
fn all() -> Vec<Claim> {
    vec![
        claim(Family::GoCorridor, "3"),
        claim(Family::GoCorridor, "12"),
        claim(Family::GoCorridor, "gold2-3"),
        claim(Family::GoRoom, "94"),
        claim(Family::Go, "XXXX/O..X/X..X/XXXX"),
        claim(Family::Domineering, "3x3"),
        claim(Family::Domineering, "../.#/.."),
        claim(Family::Clobber, "xoxo/oxox"),
        claim(Family::Toads, "TT..FF"),
        claim(Family::Cgt, "{3|1}+^2*"),
    ]
}

#[test]
fn what_is_written_is_read_and_holds() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("one.value");
    for claim in all() {
        let bytes = claim.write(&file).unwrap();
        assert_eq!(bytes, std::fs::metadata(&file).unwrap().len());
        assert!(Claim::is_one(&file).unwrap());
        let verified = verify(&file).unwrap_or_else(|error| panic!("{claim:?}: {error}"));
        assert_eq!(verified.claim, claim);
        assert_ne!(verified.checked, Checked::Again, "{claim:?}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left");
}

/// The example of `docs/certificates-values.md`, worked there by hand.
#[test]
fn a_corridor_of_two_is_written_as_on_the_page() {
    let text = claim(Family::GoCorridor, "2").text();
    let expected = "hasami value 3\ngame go\nposition XXXX/O..X/XXXX\nvalue {1|*}\nproof table\n";
    assert!(text.starts_with(expected), "{text}");
    let by_hand = "part XXX/O.X/XXX *\npart XXXX/O..X/XXXX {1|*}\n";
    assert!(verdict_of(with_hash(format!("{expected}{by_hand}")).as_bytes()).is_ok());
    let domineering = "hasami value 3\ngame domineering\nposition ../..\nvalue ±1\nproof table\n\
                       part ./. 1\npart ../.. ±1\n";
    assert!(verdict_of(with_hash(domineering.to_string()).as_bytes()).is_ok());
    let sum = "hasami value 3\ngame expression\nposition {3|1}+^*\nvalue {3^*|1^*}\n\
               proof arithmetic\n";
    assert!(verdict_of(with_hash(sum.to_string()).as_bytes()).is_ok());
}

#[test]
fn positions_are_complete_in_themselves() {
    for (family, text, game, position) in [
        (Family::GoCorridor, "3", "go", "XXXXX/O...X/XXXXX"),
        (Family::GoRoom, "0", "go", "#O#/X.X/#X#"),
        (Family::Domineering, "2x3", "domineering", ".../..."),
        (Family::Domineering, "./..", "domineering", ".#/.."),
        (Family::Toads, "T.F", "toads-and-frogs", "T.F"),
        (Family::Cgt, "1|0", "expression", "1|0"),
    ] {
        let claim = claim(family, text);
        let found = claim.position.replace(['X', 'O'], "w");
        let expected = position.replace(['X', 'O'], "w");
        // A room may lie in any orientation: only its signs are compared.
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        assert_eq!((claim.game.name(), sorted(&found)), (game, sorted(&expected)), "{text}");
        if family != Family::GoRoom {
            assert_eq!(claim.position, position);
        }
    }
}

#[test]
fn other_values_are_refused() {
    for claim in all() {
        for wrong in ["0", "*", "1", "{2|1}", "-1/2", "^", "not a value", "{1|1}", "{0|0}"] {
            if wrong != claim.value {
                let wrong = Claim { value: wrong.to_string(), ..claim.clone() };
                assert!(!holds(&wrong), "{wrong:?}");
                let without = Claim { proof: Proof::None, ..wrong };
                assert!(!holds(&without), "{without:?}");
            }
        }
    }
}

#[test]
fn other_positions_and_proofs_are_refused_unless_they_have_the_value() {
    for claim in all() {
        for (game, position) in [
            (Game::Go, "XXX/O.X/XXX"),
            (Game::Go, "x.X"),
            (Game::Go, "XX/X"),
            (Game::Go, "x"),
            (Game::Domineering, "./."),
            (Game::Domineering, "./.x"),
            (Game::Domineering, "..../."),
            (Game::Clobber, "xo"),
            (Game::Clobber, "xo/o"),
            (Game::Toads, "T..."),
            (Game::Toads, ""),
            (Game::Expression, "3"),
            (Game::Expression, "{1|"),
            (Game::Expression, "cool(1,1)"),
        ] {
            let other = Claim { game, position: position.to_string(), ..claim.clone() };
            let read = game.read(position).ok();
            let worth = read.and_then(|read| value(&read, Limits::default()).ok());
            let true_still = worth.is_some_and(|(games, worth)| games.show(worth) == other.value);
            assert!(true_still || !holds(&other), "{} {position}: {}", game.name(), other.value);
        }
        for proof in [Proof::Arithmetic, Proof::Table(Vec::new())] {
            let other = Claim { proof, ..claim.clone() };
            assert!(other.proof == claim.proof || !holds(&other), "{other:?}");
        }
    }
}

#[test]
fn every_flipped_bit_and_every_cut_is_refused() {
    let text = claim(Family::GoCorridor, "3").text();
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            assert!(verdict_of(&bytes).is_err(), "byte {at}, bit {bit}");
        }
        assert!(verdict_of(&text.as_bytes()[..at]).is_err(), "{at} bytes");
    }
    assert!(verdict_of(format!("{text}\n").as_bytes()).is_err());
}

/// Damage that has the right hash.
#[test]
fn wrong_lines_are_told_with_their_number() {
    let good = claim(Family::GoCorridor, "2").text();
    let body = &good[..good.rfind("sha256").unwrap()];
    for (from, to, line, words) in [
        ("value 3", "value 2", 1, "version 3, the only one"),
        ("hasami value 3", "hasami values 3", 1, "expected \"hasami value 3\""),
        ("game go", "game chess", 2, "a game: one of domineering"),
        ("game go", "family go", 2, "\"game go\""),
        ("position ", "positions ", 3, "\"position"),
        ("value {1|*}\n", "worth {1|*}\n", 4, "\"value"),
        ("proof table", "proof play", 6, "the hash, after proof play"),
        ("proof table", "proof none", 6, "the hash, after proof none"),
        ("part #X#", "parts #X#", 6, "part, least or most"),
        ("#O# *", "#O#", 6, "part, least or most"),
    ] {
        let changed = body.replacen(from, to, 1);
        assert_ne!(changed, body, "{from}");
        let message = verdict_of(with_hash(changed).as_bytes()).unwrap_err().to_string();
        let place = format!("line {line}: ");
        assert!(message.contains(&place) && message.contains(words), "{from}: {message}");
    }
    let old = "hasami value 1\nfamily go-corridor\nposition 3\nvalue {2|{1|*}}\n";
    let old = with_hash(old.to_string());
    assert!(verdict_of(old.as_bytes()).unwrap_err().to_string().contains("version 3"));
}

/// Every line changed, left out or moved, with a matching hash: no other value is ever proven.
#[test]
fn changed_tables_are_refused_or_prove_the_same() {
    let mut refused = 0;
    for claim in all().into_iter().filter(|claim| matches!(claim.proof, Proof::Table(_))) {
        let table = lines(&claim).to_vec();
        let changed = |table: &[Entry], value: &str| {
            let proof = Proof::Table(table.to_vec());
            holds(&Claim { proof, value: value.to_string(), ..claim.clone() })
        };
        assert!(changed(&table, &claim.value));
        for at in (0..table.len()).step_by(1 + table.len() / 40) {
            for wrong in ["0", "*", "{2|1}", "1/2", "-1"] {
                let mut table = table.clone();
                if table[at].value != wrong {
                    table[at].value = wrong.to_string();
                    assert!(!changed(&table, &claim.value), "line {at}: {wrong}");
                }
            }
            let mut other = table.clone();
            other[at].part = table[(at + 1) % table.len()].part.clone();
            // Two parts of one value may be exchanged, if nothing needs the first.
            refused += usize::from(!changed(&other, &claim.value));
            let mut without = table.clone();
            without.remove(at);
            refused += usize::from(!changed(&without, &claim.value));
            for table in [&other, &without, &table] {
                assert!(!changed(table, "{9|^}"));
            }
        }
        let mut backwards = table.clone();
        backwards.reverse();
        assert!(table.len() == 1 || !changed(&backwards, &claim.value));
        // The last line is the position itself: claiming it without the others proves nothing.
        let last = table.last().unwrap().clone();
        assert!(table.len() == 1 || !changed(&[last], &claim.value));
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn bounds_hold_where_values_do_and_prove_only_bounds() {
    let claim = claim(Family::GoCorridor, "3");
    let bounds = |words: &[Claimed]| {
        let table = lines(&claim).iter().flat_map(|entry| {
            words.iter().map(|&claimed| Entry { claimed, ..entry.clone() }).collect::<Vec<_>>()
        });
        holds(&Claim { proof: Proof::Table(table.collect()), ..claim.clone() })
    };
    assert!(bounds(&[Claimed::Least, Claimed::Most]));
    assert!(bounds(&[Claimed::Most, Claimed::Least]));
    assert!(!bounds(&[Claimed::Least]) && !bounds(&[Claimed::Most]));
    let plain = self::claim(Family::Domineering, "2x2");
    let table =
        lines(&plain).iter().map(|entry| Entry { claimed: Claimed::Least, ..entry.clone() });
    assert!(!holds(&Claim { proof: Proof::Table(table.collect()), ..plain.clone() }));
}

/// Larger positions, and positions where a useless line of play repeats: all have tables.
#[test]
fn a_table_proves_what_is_large_or_repeats() {
    for (family, position) in [
        (Family::GoCorridor, "20"),
        (Family::GoCorridor, "40"),
        (Family::GoCorridor, "gold3-9"),
        (Family::GoRoom, "165"),
        (Family::GoRoom, "1200"),
        (Family::Go, "XXXXXXXXXXXXXX/O....X.....O.X/XXXXXXXXXXXXXX"),
        (Family::Domineering, "4x5"),
    ] {
        let claim = claim(family, position);
        match verdict_of(claim.text().as_bytes()) {
            Ok(Verified { claim: read, checked: Checked::Table(count) }) => {
                assert_eq!((&read, count), (&claim, lines(&claim).len()));
                let bounds = lines(&claim).iter().any(|line| line.claimed != Claimed::Value);
                assert_eq!(bounds, position == "165", "{position}");
            }
            other => panic!("{position}: {:?}", other.map(|verified| verified.checked)),
        }
    }
}

/// A value without a proof is computed again, and told apart.
#[test]
fn a_claim_without_a_proof_is_computed_again() {
    // A function is beyond the grammar. In the socket play repeats, and no table is found.
    for claim in [claim(Family::Cgt, "cool({3|0},1)"), claim(Family::GoCorridor, "socket2-3")] {
        assert_eq!(claim.proof, Proof::None);
        let verified = verdict_of(claim.text().as_bytes()).unwrap();
        assert_eq!(verified.checked, Checked::Again);
    }
    for claim in all() {
        let claim = Claim { proof: Proof::None, ..claim };
        assert_eq!(verdict_of(claim.text().as_bytes()).unwrap().checked, Checked::Again);
    }
}

/// A line alone knows only the moves to certain territory. Its value without the other moves does
/// not count, because they are not answered.
#[test]
fn a_line_that_leaves_good_moves_out_is_refused() {
    for length in ["2", "3", "4", "5"] {
        let claim = claim(Family::GoCorridor, length);
        for number in -3..=6 {
            for claimed in [Claimed::Value, Claimed::Least, Claimed::Most] {
                let value = number.to_string();
                let entry = Entry { claimed, part: claim.position.clone(), value: value.clone() };
                let wrong = Claim { value, proof: Proof::Table(vec![entry]), ..claim.clone() };
                assert!(!holds(&wrong), "{length}: {number}");
            }
        }
    }
}
