//! Wrong usage and bad values: exit code 2, nothing on standard output, and a message that says what
//! was found and what could have been there. Help, and the exit code of a search that gave up.

use hasami_tests::Hasami;

const GAMES: [&str; 4] = ["mnk", "chomp", "graph", "synthetic"];

#[test]
fn an_unknown_command_is_answered_with_the_list() {
    let hasami = Hasami::new();
    let commands = ["frobnicate", "solve", "verify", "store", "runs", "games"];
    hasami.run("frobnicate").is_bad_input(&commands);
    hasami.run("store frobnicate").is_bad_input(&["stats", "checkpoint", "restore"]);
}

#[test]
fn an_unknown_game_is_answered_with_the_list() {
    let hasami = Hasami::new();
    hasami.run("solve shogun").is_bad_input(&["shogun"]).complains(&GAMES);
    hasami.run("solve chom").is_bad_input(&["did you mean `hasami solve chomp`?"]);
}

#[test]
fn an_unknown_choice_of_an_option_is_answered_with_the_list() {
    let hasami = Hasami::new();
    let cases: [(&str, &[&str]); 7] = [
        ("--kernel", &["pn", "pds", "dfpn", "multipath", "threads"]),
        ("--sum", &["sum", "weak", "hybrid"]),
        ("--output", &["human", "json", "quiet"]),
        ("--log-format", &["human", "json"]),
        ("--schedule", &["plain", "optimized"]),
        ("--amount", &["constant", "pn", "pn+dn"]),
        ("--method", &["pds", "dfpn"]),
    ];
    for (option, valid) in cases {
        let run = hasami.run(&format!("solve mnk {option} zzz"));
        run.is_bad_input(&["zzz", option]).complains(valid);
    }
}

#[test]
fn an_unknown_option_is_answered_with_the_list() {
    let hasami = Hasami::new();
    let valid = ["--frob", "--kernel", "--table", "--certificate", "--width", "--line"];
    hasami.run("solve mnk --frob 3").is_bad_input(&valid);
    hasami.run("games --frob").is_bad_input(&["--frob", "--output"]);
}

#[test]
fn an_unknown_key_is_answered_with_the_list() {
    let hasami = Hasami::new();
    let valid = ["\"colour\"", "width", "height", "line", "zones", "sym"];
    hasami.run("solve mnk colour=3").is_bad_input(&valid);
    hasami.run("solve mnk widht=3").is_bad_input(&["did you mean \"width\"?"]);
}

#[test]
fn a_word_that_is_no_pair_is_answered_with_the_keys() {
    let hasami = Hasami::new();
    hasami.run("solve mnk large").is_bad_input(&["\"large\"", "KEY=VALUE", "width", "zones"]);
}

#[test]
fn a_value_of_the_wrong_kind_or_out_of_range_is_answered_with_what_it_may_be() {
    let hasami = Hasami::new();
    let cases: [(&str, &[&str]); 13] = [
        ("mnk width=0", &["width=0", "from 1 to 64"]),
        ("mnk width=65", &["width=65", "from 1 to 64"]),
        ("mnk width=-1", &["width=-1", "whole number"]),
        ("mnk width=three", &["width=three", "whole number"]),
        ("mnk width=", &["width=", "whole number"]),
        ("mnk width=9 height=9", &["height=9", "64 cells"]),
        ("mnk zones=maybe", &["zones=maybe", "on, off"]),
        ("mnk --zones maybe", &["zones=maybe", "on, off"]),
        ("chomp rows=17", &["rows=17", "from 1 to 16"]),
        ("graph shape=ring", &["shape=ring", "tree, dag, cyclic"]),
        ("graph bias=1.5", &["bias=1.5", "from 0 to 1"]),
        ("graph repetition=draw", &["repetition=draw", "disproven, proven"]),
        ("synthetic depth=99999999999999999999", &["depth=", "whole number"]),
    ];
    for (words, message) in cases {
        hasami.run(&format!("solve {words}")).is_bad_input(message);
    }
}

#[test]
fn a_parameter_given_twice_is_refused() {
    let hasami = Hasami::new();
    hasami.run("solve mnk width=3 width=4").is_bad_input(&["width", "twice"]);
    hasami.run("solve mnk width=3 --width 4").is_bad_input(&["width", "twice"]);
    hasami.run("solve graph seed=1 --seed 2").is_bad_input(&["seed", "twice"]);
}

#[test]
fn options_out_of_range_are_refused_with_the_range() {
    let hasami = Hasami::new();
    let cases: [(&str, &[&str]); 10] = [
        ("--table 0MiB", &["--table", "1MiB to 16TiB"]),
        ("--table 256", &["--table", "size with a unit, like 256MiB"]),
        ("--threads 0", &["--threads", "1..=64"]),
        ("--threads 65", &["--threads", "1..=64"]),
        ("--budget 0", &["--budget", "from 1"]),
        ("--budget many", &["--budget", "many", "5M"]),
        ("--seed -1", &["-1"]),
        ("--epsilon 17", &["--epsilon", "from 0 to 16"]),
        ("--pseudo-threads 0", &["--pseudo-threads", "1..=256"]),
        ("--leader-factor nan", &["--leader-factor", "from 0.01 to 1000"]),
    ];
    for (option, message) in cases {
        hasami.run(&format!("solve mnk {option}")).is_bad_input(message);
    }
}

#[test]
fn many_threads_go_with_one_kernel_only() {
    let hasami = Hasami::new();
    let wrong = hasami.run("solve mnk --kernel dfpn --threads 2");
    wrong.is_bad_input(&["--threads", "--kernel threads"]);
}

#[test]
fn nothing_to_do_is_wrong_usage_with_the_help() {
    let hasami = Hasami::new();
    hasami.run("").is_bad_input(&["nothing to do", "solve", "verify", "store", "Usage"]);
    hasami.run("solve").is_bad_input(&["nothing to do", "Usage"]).complains(&GAMES);
    hasami.run("store").is_bad_input(&["nothing to do", "stats", "Usage"]);
    hasami.run("verify").is_bad_input(&["<FILE>"]);
    hasami.run("store checkpoint only-one").is_bad_input(&["<CHECKPOINT>"]);
    hasami.run("runs").is_bad_input(&["nothing to do", "export", "Usage"]);
}

#[test]
fn a_small_budget_ends_with_exit_code_3_and_no_verdict() {
    let hasami = Hasami::new();
    for kernel in ["pn", "pds", "dfpn", "multipath", "threads"] {
        let question = "solve synthetic depth=30 branching=3 --budget 500 --table 1MiB";
        let run = hasami.run(&format!("{question} --kernel {kernel} --output json")).expect(3);
        let answer = run.json();
        assert_eq!(answer["verdict"], "unknown", "{answer}");
        assert_eq!(answer["stopped"], "budget used up", "{answer}");
    }
}

#[test]
fn the_help_of_every_command_has_an_example() {
    let hasami = Hasami::new();
    let mut commands: Vec<String> = GAMES.map(|game| format!("solve {game}")).to_vec();
    let others = ["solve", "verify", "store", "games"];
    commands.extend(others.map(String::from));
    commands.extend(["stats", "checkpoint", "restore"].map(|action| format!("store {action}")));
    for command in commands {
        let help = hasami.run(&format!("{command} --help")).expect(0);
        assert!(help.stdout.contains("Example"), "{help:#?}");
        assert!(
            help.stdout.contains(&format!("  hasami {command} ")) || others.contains(&&*command)
        );
        assert_eq!(help.stderr, "", "{command}");
    }
    let help = hasami.run("--help").expect(0).stdout;
    assert!(help.contains("Exit codes") && help.contains("Subjects:"), "{help}");
    assert!(hasami.run("--version").expect(0).stdout.starts_with("hasami "));
}

#[test]
fn the_help_of_a_game_says_what_the_game_is() {
    let hasami = Hasami::new();
    let games = hasami.run("games --output json").expect(0).json();
    let list = hasami.run("solve --help").expect(0).stdout;
    for game in games.as_array().expect("a list") {
        let (name, about) = (game["name"].as_str().unwrap(), game["about"].as_str().unwrap());
        let first_words = about.split(':').next().unwrap();
        assert!(list.contains(first_words), "{name} in: {list}");
        let help = hasami.run(&format!("solve {name} --help")).expect(0).stdout;
        assert!(help.contains(first_words), "{help}");
        for parameter in game["parameters"].as_array().expect("a list") {
            let option = format!("--{} <", parameter["name"].as_str().unwrap());
            assert!(help.contains(&option), "{option} in: {help}");
        }
    }
}
