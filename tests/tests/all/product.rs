//! What is shipped: one program, without the tools that measure and test it.

use std::process::Command;

use hasami_tests::Hasami;

/// The names of all packages that a package of this workspace is built from.
fn built_from(package: &str) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}", "--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).expect("names of packages");
    lines.lines().filter_map(|line| line.split(' ').next()).map(String::from).collect()
}

#[test]
fn the_program_is_built_without_what_only_tests_and_benchmarks_need() {
    let tools =
        ["hasami-bench", "hasami-graphs", "hasami-simulation", "hasami-trials", "hasami-tests"];
    let solvers = ["rustsat", "rustsat-cadical"];
    let product = built_from("hasami");
    assert!(product.iter().any(|name| name == "hasami-andor"), "{product:?}");
    for name in tools.iter().chain(&solvers) {
        assert!(!product.iter().any(|built| built == name), "hasami is built from {name}");
    }
    let bench = built_from("hasami-bench");
    assert!(solvers.iter().all(|name| bench.iter().any(|built| built == name)), "{bench:?}");
}

#[test]
fn the_program_has_no_benchmarks() {
    Hasami::new().run("bench").is_bad_input(&["unrecognized subcommand", "bench"]);
}
