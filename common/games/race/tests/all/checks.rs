//! Databases checked by local consistency, and forged ones.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use hasami_database::{Build, Header, Reader, Writer, build};
use hasami_race::check::{Checker, Fault, Run, Which};
use hasami_race::mancala::Goal;
use hasami_race::pyonpyon::NoMove;
use hasami_race::subject::Subject;

/// Small databases of both games, every rule, and boards of one, two and three rows.
fn subjects() -> Vec<Subject> {
    let mut all = Vec::new();
    for (_, no_move) in NoMove::WORDS {
        for (rows, columns, home) in [(1, 9, 3), (2, 6, 2), (3, 5, 2), (2, 3, 1), (3, 4, 1)] {
            all.push(Subject::Pyonpyon { rows, columns, home, no_move });
        }
    }
    for (_, goal) in Goal::WORDS {
        for (pits, seeds) in [(1, 30), (2, 12), (3, 8), (6, 4)] {
            all.push(Subject::Mancala { pits, goal, seeds });
        }
    }
    all
}

fn built(subject: Subject, path: &Path) {
    let stop = AtomicBool::new(false);
    let how = Build { threads: 2, stop: &stop, progress: &mut |_| {} };
    build(&*subject.plan(), path, how).unwrap();
}

fn read(path: &Path) -> (Header, Vec<u8>) {
    let reader = Reader::open(path).unwrap();
    let mut values = Vec::new();
    reader.for_each_block(|block| values.extend_from_slice(block)).unwrap();
    (reader.header().clone(), values)
}

/// The file with other values, in blocks with right checksums.
fn write(path: &Path, header: Header, values: &[u8]) {
    let _ = std::fs::remove_file(path);
    let mut writer = Writer::open(path, header, |_| {}).unwrap();
    let block = |number: u64, into: &mut Vec<u8>| {
        let from = number as usize * 65536;
        into.extend(&values[from..values.len().min(from + 65536)]);
    };
    writer.append(values.len() as u64, 1, &block).unwrap();
    writer.finish().unwrap();
}

fn check(path: &Path, which: Which) -> Option<Fault> {
    let stop = AtomicBool::new(false);
    let run = Run { threads: 2, stop: &stop, progress: &|_| {} };
    Checker::open(path).unwrap().run(which, &run).unwrap()
}

#[test]
fn every_value_of_small_databases_follows() {
    let dir = tempfile::tempdir().unwrap();
    for subject in subjects() {
        let path = dir.path().join("x.db");
        let _ = std::fs::remove_file(&path);
        built(subject, &path);
        assert_eq!(check(&path, Which::All), None, "{subject:?}");
        assert_eq!(check(&path, Which::Sample { count: 500, seed: 3 }), None, "{subject:?}");
    }
}

/// Any one value changed to any other: the value itself no longer follows, or an earlier number
/// that rests on it.
#[test]
fn one_changed_value_is_found() {
    let dir = tempfile::tempdir().unwrap();
    for subject in subjects() {
        let path = dir.path().join("x.db");
        let _ = std::fs::remove_file(&path);
        built(subject, &path);
        let (header, values) = read(&path);
        for (step, at) in (0..values.len()).step_by(values.len() / 12 + 1).enumerate() {
            let other = [0, 1, 2, 3, 254, 255, 17, 253][step % 8];
            if values[at] == other {
                continue;
            }
            let mut changed = values.clone();
            changed[at] = other;
            let forged = dir.path().join("forged.db");
            write(&forged, header.clone(), &changed);
            let fault = check(&forged, Which::All).unwrap_or_else(|| panic!("{subject:?}: {at}"));
            let own = Checker::open(&forged).unwrap().fault(at as u64).unwrap();
            assert_eq!((own.found, own.follows), (other, Some(values[at])), "{subject:?}");
            assert!(fault.number <= at as u64 && fault.follows != Some(fault.found));
        }
    }
}

#[test]
fn a_sample_finds_what_is_wrong_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    built(Subject::Mancala { pits: 3, goal: Goal::Own, seeds: 8 }, &path);
    let (header, values) = read(&path);
    let changed: Vec<u8> = values.iter().map(|&value| if value == 7 { 9 } else { value }).collect();
    write(&path, header.clone(), &changed);
    let one = check(&path, Which::Sample { count: 5000, seed: 1 }).unwrap();
    assert_eq!(Some(one.clone()), check(&path, Which::Sample { count: 5000, seed: 1 }));
    assert_ne!(one.number, check(&path, Which::Sample { count: 5000, seed: 2 }).unwrap().number);
}

#[test]
fn rules_that_are_none_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    for (game, rules, values, words) in [
        ("mancala", "pits=1 goal=own up-to=2", 5, "5 values; expected 6"),
        ("mancala", "pits=7 goal=own up-to=2", 6, "not the rules"),
        ("mancala", "pits=1 goal=both up-to=2", 6, "not the rules"),
        ("mancala", "pits=1 goal=own up-to=02", 6, "not the rules"),
        ("pyonpyon", "rows=1 columns=4 home=2 no-move=pass", 6, "not the rules"),
        ("pyonpyon", "rows=1 columns=3 home=1 no-move=pass x=1", 6, "not the rules"),
        ("chess", "", 6, "a database of \"chess\""),
    ] {
        let header = Header { game: game.into(), rules: rules.into(), values };
        write(&path, header, &vec![0; values as usize]);
        let Err(error) = Checker::open(&path) else { panic!("{rules}") };
        assert!(error.to_string().contains(words), "{rules}: {error}");
    }
}

/// Numbers worked by hand from `docs/certificates-values.md`.
#[test]
fn the_example_of_the_page_holds() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    built(Subject::Mancala { pits: 1, goal: Goal::Either, seeds: 3 }, &path);
    // Seeds (own, other): (0,0); (0,1), (1,0); (0,2), (1,1), (2,0); (0,3), (1,2), (2,1), (3,0).
    let (_, values) = read(&path);
    assert_eq!(values, [254, 254, 0, 254, 1, 0, 254, 1, 1, 0]);
}
