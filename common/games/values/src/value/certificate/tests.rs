use super::*;

fn claim(family: Family, position: &str) -> Claim {
    let read = family.read(position).unwrap();
    let (games, value) = super::super::value(&read, super::super::Limits::default()).unwrap();
    Claim { family, position: position.to_string(), value: games.show(value), table: Vec::new() }
}

fn with_table(family: Family, position: &str) -> Claim {
    let claim = claim(family, position);
    let read = family.read(position).unwrap();
    Claim { table: super::super::table(&read, &claim.value).unwrap(), ..claim }
}

fn verdict_of(bytes: &[u8]) -> Result<Verified, TextFileError> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.value");
    std::fs::write(&file, bytes).unwrap();
    verify(&file)
}

fn all() -> Vec<(Claim, bool)> {
    vec![
        (claim(Family::GoCorridor, "3"), true),
        (claim(Family::GoCorridor, "40"), false),
        (claim(Family::GoCorridor, "gold2-3"), true),
        // A useless line of play repeats there, so it is valued again.
        (claim(Family::GoCorridor, "socket2-3"), false),
        (claim(Family::GoRoom, "94"), true),
        (claim(Family::Go, "XXXX/O..X/X..X/XXXX"), true),
        (claim(Family::Domineering, "3x3"), true),
        (claim(Family::Clobber, "xoxo/oxox"), true),
        (claim(Family::Toads, "TT..FF"), true),
        (claim(Family::Cgt, "{3|1}+^2*"), false),
    ]
}

#[test]
fn what_is_written_is_read_and_holds() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("one.value");
    for (claim, by_play) in all() {
        let bytes = claim.write(&file).unwrap();
        assert_eq!(bytes, std::fs::metadata(&file).unwrap().len());
        assert!(Claim::is_one(&file).unwrap());
        let verified = verify(&file).unwrap_or_else(|error| panic!("{claim:?}: {error}"));
        assert_eq!(verified.claim, claim);
        assert_eq!(matches!(verified.proof, Proof::Play(_)), by_play, "{verified:?}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn other_values_are_refused() {
    for (claim, _) in all() {
        for wrong in ["0", "*", "1", "{2|1}", "-1/2", "^", "not a value", "{1|1}"] {
            if wrong == claim.value {
                continue;
            }
            let wrong = Claim { value: wrong.to_string(), ..claim.clone() };
            match verdict_of(wrong.text().as_bytes()) {
                Err(TextFileError::Refused { .. }) => {}
                other => panic!("{wrong:?}: {other:?}"),
            }
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

#[test]
fn a_table_proves_what_is_too_large_to_be_played_through() {
    for (family, position) in [
        (Family::GoCorridor, "20"),
        (Family::GoCorridor, "40"),
        (Family::GoCorridor, "gold3-9"),
        (Family::GoRoom, "94"),
        (Family::GoRoom, "1200"),
        (Family::Go, "XXXXXXXXXXXXXX/O....X.....O.X/XXXXXXXXXXXXXX"),
    ] {
        let claim = with_table(family, position);
        let verified = verdict_of(claim.text().as_bytes());
        match verified {
            Ok(Verified { claim: read, proof: Proof::Table(lines) }) => {
                assert_eq!((read, lines), (claim.clone(), claim.table.len()));
            }
            other => panic!("{position}: {other:?}"),
        }
    }
}

/// Whatever is changed in a table, with a matching hash: no other value is ever proven.
#[test]
fn changed_tables_are_refused_or_prove_the_same() {
    for (family, position) in [(Family::GoCorridor, "12"), (Family::GoRoom, "94")] {
        let claim = with_table(family, position);
        let changed = |table: Vec<Entry>, value: &str| {
            let claim = Claim { table, value: value.to_string(), ..claim.clone() };
            verdict_of(claim.text().as_bytes())
        };
        let mut refused = 0;
        for at in 0..claim.table.len() {
            for wrong in ["0", "*", "{2|1}", "1/2"] {
                let mut table = claim.table.clone();
                if table[at].value != wrong {
                    table[at].value = wrong.to_string();
                    assert!(changed(table, &claim.value).is_err(), "line {at}: {wrong}");
                }
            }
            let mut table = claim.table.clone();
            table.remove(at);
            // Nothing may have needed it; another value is never proven.
            refused += usize::from(changed(table.clone(), &claim.value).is_err());
            assert!(changed(table, "{9|^}").is_err());
        }
        assert!(refused > 0, "every line of {} can go", claim.table.len());
        let mut backwards = claim.table.clone();
        backwards.reverse();
        assert!(changed(backwards, &claim.value).is_err());
        assert!(changed(claim.table.clone(), "{9|^}").is_err());
        // The last line is the position itself: claiming it without the others proves nothing.
        let last = claim.table.last().unwrap().clone();
        assert!(changed(vec![last], &claim.value).is_err());
    }
    let other = Claim {
        table: with_table(Family::GoCorridor, "3").table,
        ..claim(Family::Domineering, "2x2")
    };
    assert!(verdict_of(other.text().as_bytes()).is_err());
}

/// A line alone knows only the moves to certain territory. Its value without the other moves does
/// not count, because they are not answered.
#[test]
fn a_line_that_leaves_good_moves_out_is_refused() {
    for length in ["2", "3", "4", "5"] {
        let claim = claim(Family::GoCorridor, length);
        let super::super::Position::Go(board) = Family::GoCorridor.read(length).unwrap() else {
            panic!("a corridor is a board")
        };
        let part = board.to_string().replace('\n', "/");
        for number in -3..=6 {
            let value = number.to_string();
            let table = vec![Entry { part: part.clone(), value: value.clone() }];
            let wrong = Claim { value, table, ..claim.clone() };
            assert!(verdict_of(wrong.text().as_bytes()).is_err(), "{length}: {number}");
        }
    }
}
