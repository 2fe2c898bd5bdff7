//! Files that are not, or no longer, what `solve` has written: none is ever accepted, and each
//! message names the file.

use std::thread::{available_parallelism, scope};

use hasami_tests::Hasami;

const SMALL: &str = "chomp rows=3 columns=4 --certificate whole.cert";

/// The bytes of a small certificate that is accepted as it is.
fn certificate(hasami: &Hasami) -> Vec<u8> {
    hasami.solve(SMALL);
    hasami.run("verify whole.cert").expect(0);
    hasami.read("whole.cert")
}

/// Verifies all variants on all cores; none may be accepted, and none may end in a panic.
fn all_refused<T: Sync>(hasami: &Hasami, variants: &[T], bytes: impl Fn(&T) -> Vec<u8> + Sync) {
    let workers = available_parallelism().map_or(1, usize::from);
    scope(|scope| {
        for worker in 0..workers {
            let bytes = &bytes;
            scope.spawn(move || {
                let file = format!("variant-{worker}.cert");
                for (number, variant) in variants.iter().enumerate().skip(worker).step_by(workers) {
                    hasami.write(&file, bytes(variant));
                    let run = hasami.run(&format!("verify {file}"));
                    assert!(matches!(run.code, Some(1 | 2)), "variant {number}: {run:#?}");
                    assert_eq!(run.stdout, "", "variant {number}");
                    assert!(run.stderr.starts_with("error: "), "variant {number}: {run:#?}");
                }
            });
        }
    });
}

#[test]
fn no_flipped_bit_is_accepted() {
    let hasami = Hasami::new();
    let whole = certificate(&hasami);
    let bits: Vec<usize> = (0..whole.len() * 8).collect();
    all_refused(&hasami, &bits, |bit| {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
}

#[test]
fn no_cut_certificate_is_accepted() {
    let hasami = Hasami::new();
    let whole = certificate(&hasami);
    let lengths: Vec<usize> = (0..whole.len()).collect();
    all_refused(&hasami, &lengths, |&length| whole[..length].to_vec());
}

#[test]
fn nothing_may_come_after_the_end() {
    let hasami = Hasami::new();
    let whole = certificate(&hasami);
    let tails = [vec![0], vec![0xff], vec![0; 32], b"\n".to_vec(), whole.clone()];
    all_refused(&hasami, &tails, |tail| [&whole[..], tail].concat());
}

#[test]
fn files_that_are_no_certificate_are_named() {
    let hasami = Hasami::new();
    hasami.write("empty.cert", "");
    hasami.write("text.cert", "Maker wins, trust me.\n");
    std::fs::create_dir(hasami.path("directory.cert")).unwrap();
    for file in ["empty.cert", "text.cert", "directory.cert", "missing.cert"] {
        hasami.run(&format!("verify {file}")).is_bad_input(&[file]);
    }
    hasami.run("verify text.cert").is_bad_input(&["not a hasami certificate"]);
    assert!(!hasami.path("missing.cert").exists());
}

#[test]
fn a_certificate_of_another_format_says_which_one_is_read() {
    let hasami = Hasami::new();
    let mut bytes = certificate(&hasami);
    bytes[7] += 1;
    hasami.write("next.cert", bytes);
    hasami.run("verify next.cert").is_bad_input(&["next.cert", "format 3", "format 2"]);
}

#[test]
fn a_refused_certificate_is_left_as_it_is() {
    let hasami = Hasami::new();
    let mut bytes = certificate(&hasami);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    hasami.write("damaged.cert", &bytes);
    hasami.run("verify damaged.cert").is_bad_input(&["damaged.cert"]);
    assert_eq!(hasami.read("damaged.cert"), bytes);
}
