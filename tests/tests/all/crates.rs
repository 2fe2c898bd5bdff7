//! What the crates may rest on, read from their manifests: the shape of the house is checked, not just
//! described.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every crate of the workspace, with the names of all crates that it needs when it is built (not when
/// it is tested).
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let workspace: toml::Table = workspace.parse().expect("TOML");
    let members = workspace["workspace"]["members"].as_array().expect("a list of members");
    let mut crates = BTreeMap::new();
    for member in members {
        let path = root().join(member.as_str().expect("a path")).join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let manifest: toml::Table = text.parse().expect("TOML");
        let name = manifest["package"]["name"].as_str().expect("a name").to_string();
        let needs = manifest.get("dependencies").and_then(toml::Value::as_table);
        let needs = needs.map(|all| all.keys().cloned().collect()).unwrap_or_default();
        crates.insert(name, needs);
    }
    crates
}

/// All crates that `name` is built with.
fn needs(name: &str) -> BTreeSet<String> {
    let crates = manifests();
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_string()];
    while let Some(one) = open.pop() {
        for need in crates.get(&one).into_iter().flatten() {
            if found.insert(need.clone()) {
                open.push(need.clone());
            }
        }
    }
    found
}

/// The crates that know rules of games, or files of theirs.
const RULES: [&str; 9] = [
    "hasami-answer",
    "hasami-database",
    "hasami-game",
    "hasami-polyomino",
    "hasami-puzzles",
    "hasami-race",
    "hasami-shogi",
    "hasami-small",
    "hasami-values",
];

#[test]
fn whoever_lives_on_specs_cannot_build_a_game() {
    for name in ["hasami-spec", "hasami-sweep", "hasami-proto", "hasami-coordinator"] {
        let needs = needs(name);
        let rules: Vec<_> = RULES.iter().filter(|rules| needs.contains(**rules)).collect();
        assert!(rules.is_empty(), "{name} needs {rules:?}");
        assert!(needs.contains("hasami-spec") || name == "hasami-spec");
    }
}

#[test]
fn games_know_nothing_of_each_other_and_nothing_of_a_network() {
    let games =
        ["hasami-polyomino", "hasami-race", "hasami-shogi", "hasami-small", "hasami-values"];
    for name in games {
        let needs = needs(name);
        for other in games.iter().filter(|other| **other != name) {
            assert!(!needs.contains(*other), "{name} needs {other}");
        }
        for far in ["hasami-answer", "hasami-proto", "hasami-store", "tokio", "tonic", "rocksdb"] {
            assert!(!needs.contains(far), "{name} needs {far}");
        }
    }
}

#[test]
fn answers_need_no_database_engine_and_no_network() {
    let needs = needs("hasami-answer");
    for far in ["hasami-proto", "hasami-store", "tokio", "tonic", "rocksdb", "redis"] {
        assert!(!needs.contains(far), "{far}");
    }
}

#[test]
fn the_program_has_no_tools_of_its_developers_in_it() {
    let needs = needs("hasami");
    for tool in [
        "hasami-bench",
        "hasami-simulation",
        "hasami-hostile",
        "hasami-trials",
        "rustsat",
        "rustsat-cadical",
    ] {
        assert!(!needs.contains(tool), "{tool}");
    }
}

#[test]
fn every_crate_is_tested_with_checks_on_unless_it_needs_rocksdb() {
    let makefile = fs::read_to_string(root().join("Makefile")).expect("the Makefile");
    let list = |name: &str| -> BTreeSet<String> {
        let line = makefile.lines().find_map(|line| line.strip_prefix(&format!("{name} := ")));
        let words = line.expect("a list of crates").split(' ');
        words.map(|word| format!("hasami-{word}")).collect()
    };
    let (checked, released) = (list("CHECKED"), list("RELEASED"));
    for name in manifests().keys() {
        // The program itself has no tests of its own; what tests share has none either.
        if name == "hasami" || name == "hasami-trials" {
            continue;
        }
        assert!(checked.contains(name) != released.contains(name), "{name} is in one of the lists");
        let rocksdb = needs(name).contains("rocksdb");
        assert!(!(rocksdb && checked.contains(name)), "{name} would build RocksDB once more");
    }
}

/// Rust files of the workspace that are not tests.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "tests", ".git", "examples", "benches"].contains(&&*name) {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

#[test]
fn a_small_game_is_one_file_and_one_line() {
    // Chomp is the game of the guide. Nothing else in the product names it.
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut lines = Vec::new();
    for file in files.iter().filter(|file| !file.ends_with("small/src/chomp.rs")) {
        let text = fs::read_to_string(file).expect("a source file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let naming = code
            .lines()
            .filter(|line| line.contains("Chomp") && !line.trim_start().starts_with("//"));
        lines.extend(naming.map(|line| format!("{}: {}", file.display(), line.trim())));
    }
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].ends_with("game chomp::Chomp,"), "{}", lines[0]);
    let chomp = fs::read_to_string(root().join("common/games/small/src/chomp.rs")).expect("chomp");
    let rules = chomp.split("#[test]").next().unwrap_or_default();
    assert!(rules.lines().count() < 160, "a game takes under 160 lines");
    // The game with puzzles that the guide walks through is one file too.
    let guide = fs::read_to_string(root().join("docs/add-a-game.md")).expect("the guide");
    let wythoff = "common/answer/tests/all/puzzles_of_a_fourth_game.rs";
    assert!(guide.contains(wythoff), "the guide names {wythoff}");
    let wythoff = fs::read_to_string(root().join(wythoff)).expect("the fourth game");
    assert!(wythoff.contains("impl Game for") && wythoff.contains("impl Puzzle for"));
    assert!(wythoff.lines().count() <= 190, "with its tests");
}
