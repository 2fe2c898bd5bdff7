//! Files that are made to harm whoever checks them.

use std::path::{Path, PathBuf};

use hasami_answer::{Doubt, Limits, check_answer};
use hasami_forge::{Node, Part, file, forgeries, parts};
use hasami_game::Resources;
use hasami_game::random::SplitMix;

use super::{ALLOWED, CASES, Case, checked};

fn case(words: &str) -> &'static Case {
    CASES.iter().find(|case| case.words == words).unwrap()
}

fn refused_with(case: &Case, path: &Path, what: &str) {
    let found = checked(&case.question, &case.answer, &[path.to_owned()]);
    assert!(matches!(found, Err(Doubt::Refused(_))), "{}: {what}: {found:?}", case.words);
}

fn written(directory: &Path, bytes: &[u8]) -> PathBuf {
    let path = directory.join("forged");
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn damaged_files_of_every_kind_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = SplitMix::new(3);
    for case in CASES.iter().filter(|case| case.files.len() == 1) {
        let bytes = std::fs::read(&case.files[0]).unwrap();
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(3) {
                0 => damaged.truncate(at),
                1 => damaged[at] ^= 1 << random.below(8),
                _ => damaged.insert(at, random.word() as u8),
            }
            refused_with(case, &written(directory.path(), &damaged), "damaged");
        }
        refused_with(case, &written(directory.path(), &[]), "empty");
    }
}

/// A forged tree may still be a proof, of the same length or of another. What is said then must be
/// what the tree proves; and nothing may panic.
#[test]
fn forged_trees_with_right_hashes_prove_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    for words in [
        "chomp rows=3 columns=4",
        "mnk width=3 height=3 line=3",
        "polyomino shapes=El board=4x4",
        "quarto position=...0.fd1...2....,c within=shortest",
        "paving shapes=I,L board=5x5 pairs=any",
        "graph nodes=60 shape=cyclic sharing=0.6",
    ] {
        let case = case(words);
        let known = parts(&case.files[0]);
        for (at, part) in known.iter().enumerate() {
            if !part.starts_with(b"claim verdict") {
                continue;
            }
            for (what, forged) in forgeries(&Part::parse(part)).into_iter().step_by(31) {
                let mut all = known.clone();
                all[at] = forged.bytes();
                let path = written(directory.path(), &file(&all));
                let found = checked(&case.question, &case.answer, &[path]);
                if let Err(Doubt::Unable(why)) = &found {
                    panic!("{words}: {what}: {why}");
                }
            }
        }
    }
}

/// Each certificate of a mate problem is checked, not only that of the mate itself: a tree that says
/// at once that a rule settles the question is refused in every place.
#[test]
fn an_empty_tree_about_another_check_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let case = case("mate position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p");
    assert!(case.files.len() > 5, "{} certificates", case.files.len());
    for at in 1..case.files.len() {
        let mut part = Part::parse(&parts(&case.files[at])[0]);
        for rule in 1..5 {
            part.root = Node::Leaf(rule, Vec::new());
            if part.bytes() == parts(&case.files[at])[0] {
                continue;
            }
            let mut files = case.files.clone();
            files[at] = written(directory.path(), &file(&[part.bytes()]));
            let found = checked(&case.question, &case.answer, &files);
            assert!(matches!(found, Err(Doubt::Refused(_))), "file {at}, rule {rule}: {found:?}");
        }
    }
}

#[test]
fn a_file_that_expands_without_end_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let case = case("chomp rows=3 columns=4");
    let whole = parts(&case.files[0]).remove(0);
    let header = whole[..whole.windows(2).position(|two| two == b"\n\n").unwrap() + 1].to_vec();
    for start in [header, whole] {
        let bomb = file(&[[start, vec![0; 100 << 20]].concat()]);
        assert!(bomb.len() < 90_000, "{}", bomb.len());
        refused_with(case, &written(directory.path(), &bomb), "without end");
    }
}

#[test]
fn a_check_ends_when_it_is_told_to_or_takes_too_much_memory() {
    let case = case("mnk width=4 height=3 line=3");
    let check = |limits: &Limits<'_>| {
        let (question, resources) = (&case.question, Resources::default());
        check_answer(question, &case.answer, &case.files, &resources, &ALLOWED, limits)
    };
    assert!(check(&Limits::new(1 << 20, &|| false)).is_ok());
    let stopped = check(&Limits::new(1 << 20, &|| true));
    assert!(matches!(&stopped, Err(Doubt::Unable(why)) if why.contains("stopped")), "{stopped:?}");
    let small = check(&Limits::new(2, &|| false));
    assert!(matches!(&small, Err(Doubt::Unable(why)) if why.contains("memory")), "{small:?}");
}
