//! What users expect of every command line program: colours, variables, a configuration file, exit
//! codes, errors for programs, completion, manual pages.

use hasami_tests::Hasami;
use serde_json::Value;

const QUICK: &str = "solve chomp rows=2 columns=3 --table 1MiB";

#[test]
fn errors_are_objects_for_programs() {
    let hasami = Hasami::new();
    for (line, kind, code) in [
        ("verify nothing.cert --output json", "usage", 2),
        ("--output=json frobnicate", "usage", 2),
        ("solve mnk --frob --output json", "usage", 2),
        ("verify broken.cert --output json", "usage", 2),
    ] {
        hasami.write("broken.cert", "no certificate");
        let run = hasami.run(line).expect(code);
        assert_eq!(run.stdout, "", "{line}");
        let error: Value =
            serde_json::from_str(&run.stderr).unwrap_or_else(|e| panic!("{e}: {run:#?}"));
        assert_eq!(error["error"]["kind"], kind, "{error}");
        assert_eq!(error["error"]["exit_code"], code, "{error}");
        assert!(error["error"]["message"].as_str().is_some_and(|text| text.len() > 10), "{error}");
    }
    let run = hasami.run_in(&[("HASAMI_OUTPUT", "json")], "frobnicate").expect(2);
    assert!(serde_json::from_str::<Value>(&run.stderr).is_ok(), "{run:#?}");
}

#[test]
fn a_missing_file_is_bad_input_everywhere() {
    let hasami = Hasami::new();
    for line in [
        "verify nothing",
        "play nothing",
        "value go nothing",
        "database query nothing start",
        "store stats nothing",
        "puzzles merge quarto nothing",
        "run nothing",
        "submit chomp --access nothing",
        "coordinator restore nothing --data new",
        "solve mancala database=nothing",
        "games --config nothing",
    ] {
        hasami.run(line).is_bad_input(&["nothing"]);
    }
}

#[test]
fn the_environment_and_a_file_set_options() {
    let hasami = Hasami::new();
    let table = |variables: &[(&str, &str)], line: &str| {
        let run = hasami.run_in(variables, line).expect(0);
        serde_json::from_str::<Value>(&run.stdout).is_ok()
    };
    assert!(!table(&[], QUICK));
    assert!(table(&[("HASAMI_OUTPUT", "json")], QUICK));
    hasami.write("hasami.toml", "output = 'json'\n\n[solve.chomp]\nbudget = '1k'\n");
    assert!(table(&[], QUICK), "the file");
    assert!(!table(&[("HASAMI_OUTPUT", "human")], QUICK), "the environment goes before the file");
    assert!(!table(&[], &format!("{QUICK} --output human")), "a flag goes before both");
    hasami.write("other.toml", "output = 'human'\n");
    assert!(!table(&[], &format!("{QUICK} --config other.toml")));
    assert!(!table(&[("HASAMI_CONFIG", "other.toml")], QUICK));
    std::fs::remove_file(hasami.path("hasami.toml")).expect("the file was there");
    std::fs::create_dir_all(hasami.path("home/.config/hasami")).expect("a directory");
    hasami.write("home/.config/hasami/config.toml", "output = 'json'\n");
    assert!(table(&[], QUICK), "the file of the user");
    hasami.write("hasami.toml", "[solve.chomp]\nbugdet = 3\n");
    let run = hasami.run(QUICK).expect(2);
    assert!(run.stderr.contains("hasami.toml:2:1: solve.chomp.bugdet: unknown key"), "{run:#?}");
    hasami.write("hasami.toml", "[solve.chomp]\nbudget = 'lots'\n");
    hasami.run_in(&[], QUICK).expect(2).complains(&["hasami.toml:2:10: ", "lots"]);
    let run = hasami.run_in(&[("HASAMI_BUDGET", "lots"), ("HASAMI_CONFIG", "other.toml")], QUICK);
    run.expect(2).complains(&["lots"]);
}

#[test]
fn the_log_is_as_loud_as_it_is_asked_to_be() {
    let hasami = Hasami::new();
    let small = "solve synthetic depth=30 branching=3 --table 1MiB --budget 100k";
    let warned = |variables: &[(&str, &str)], options: &str| {
        let run = hasami.run_in(variables, &format!("{small} {options}")).expect(3);
        assert!(!run.stderr.contains('\u{1b}'), "no colours: {run:#?}");
        run.stderr.contains("the table was too small")
    };
    assert!(warned(&[], "") && warned(&[], "-v") && warned(&[], "--output quiet"));
    assert!(!warned(&[], "-q") && !warned(&[("RUST_LOG", "error")], ""));
    assert!(warned(&[("RUST_LOG", "error")], "-v"), "a flag goes before the environment");
    let run = hasami.run_in(&[("RUST_LOG", "hasami=loud")], QUICK);
    run.is_bad_input(&["RUST_LOG=hasami=loud"]);
    hasami.run(&format!("{QUICK} -v -q")).is_bad_input(&["--quiet"]);
}

#[test]
fn colours_are_as_the_environment_wants_them() {
    let hasami = Hasami::new();
    let small = "solve synthetic depth=30 branching=3 --table 1MiB --budget 100k";
    let coloured = |variables: &[(&str, &str)]| {
        hasami.run_in(variables, small).expect(3).stderr.contains('\u{1b}')
    };
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[]) && !coloured(&[("NO_COLOR", "1")]));
}

#[test]
fn json_logs_have_numbers_and_no_key_twice() {
    let hasami = Hasami::new();
    hasami.write(
        "s.toml",
        "name='s'\nproblem='chomp'\n[parameters]\nrows='1..=3'\ncolumns='1..=3'\n",
    );
    let run = hasami.run("run s.toml --log-format json --threads 1 --memory 16MiB -v").expect(0);
    let mut lines = 0;
    for line in run.stderr.lines().filter(|line| line.starts_with('{')) {
        lines += 1;
        let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        // What is read and written again has every key once.
        assert_eq!(value.to_string().len(), line.len(), "{line}");
        for key in ["nodes", "settled", "items", "nodes_per_second", "eta_seconds"] {
            assert!(!value["fields"][key].is_string(), "{line}");
        }
    }
    assert!(lines > 3, "{run:#?}");
}

#[test]
fn mistyped_words_are_understood() {
    let hasami = Hasami::new();
    for (line, meant) in [
        ("slove chomp", "did you mean solve?"),
        ("cgt 3||2|0", "did you mean `hasami value cgt`?"),
        ("export 3", "did you mean `hasami runs export`?"),
        ("runs exprot 3", "did you mean `hasami runs export`?"),
        ("run losers66", "did you mean losers-66?"),
        ("solve mnk --bugdet 3", "did you mean --budget?"),
    ] {
        hasami.run(line).is_bad_input(&[meant]);
    }
}

#[test]
fn the_version_tells_what_has_to_fit_together() {
    let hasami = Hasami::new();
    let long = hasami.run("--version").expect(0).stdout;
    for words in ["hasami 0.", "protocol ", "certificate ", "store ", "journal ", "database "] {
        assert!(long.contains(words), "{words}: {long}");
    }
    assert_eq!(hasami.run("-V").expect(0).stdout.lines().count(), 1);
}

#[test]
fn completions_and_manual_pages_follow_the_tree() {
    let hasami = Hasami::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = hasami.run(&format!("completions {shell}")).expect(0).stdout;
        assert!(script.contains("polyomino") && script.contains("chomp"), "{shell}");
    }
    hasami.run("completions tcsh").is_bad_input(&["tcsh", "bash"]);
    hasami.run("man pages").expect(0);
    let page = String::from_utf8(hasami.read("pages/hasami-runs-export.1")).expect("text");
    assert!(page.contains("certificates"), "{page}");
}

#[test]
fn a_lost_terminal_is_a_polite_stop() {
    let hasami = Hasami::new();
    let line = "solve synthetic depth=40 branching=3 seed=1 --table 16MiB --output json";
    let mut running = hasami.start(line);
    running.wait_for("searching");
    running.signal("HUP");
    let (run, signal) = running.finish();
    assert_eq!((run.code, signal), (Some(129), None), "{run:#?}");
    assert_eq!(run.json()["stopped"], "stopped by the user");
}

#[test]
fn an_access_file_that_is_missing_says_where_it_was_sought() {
    let hasami = Hasami::new();
    let places = ["--access", "HASAMI_ACCESS", "hasami-data/access.json", "hasami/access.json"];
    hasami.run("runs list").is_bad_input(&places);
}
