use super::*;

fn claim(family: Family, position: &str) -> Claim {
    let read = family.read(position).unwrap();
    let (games, value) = super::super::value(&read, super::super::Limits::default()).unwrap();
    Claim { family, position: position.to_string(), value: games.show(value) }
}

fn verdict_of(bytes: &[u8]) -> Result<Verified, ValueFileError> {
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
        // A senseless line of play repeats there, so it is valued anew.
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
        let bytes = write(&file, &claim).unwrap();
        assert_eq!(bytes, std::fs::metadata(&file).unwrap().len());
        assert!(is_one(&file).unwrap());
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
                Err(ValueFileError::Refused { .. }) => {}
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
